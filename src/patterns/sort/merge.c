// SPDX-License-Identifier: Apache-2.0
// hd_merge: checks its arguments and hands the job to a backend.
#include "merge.h"
#include "core/arguments.h"

static const char call[] = "hd_merge";

enum { MOST_VALUES = 16 }; // arrays merged along

// One type, and as many elements as both inputs together.
static hd_status check_three(hd_context *ctx, const char *of, const hd_view *a, const hd_view *b,
                             const hd_view *out)
{
    HD_TRY(hd__check_input_as(ctx, a, "%s: a%s", call, of));
    HD_TRY(hd__check_input_as(ctx, b, "%s: b%s", call, of));
    HD_TRY(hd__check_output_as(ctx, out, "%s: out%s", call, of));
    if (!hd__same_type(a->type, b->type) || !hd__same_type(a->type, out->type))
        return hd__fail(ctx, HD_ERROR_TYPE, "%s: a, b and out%s are not of one type", call, of);
    if (hd__count(out) == hd__count(a) + hd__count(b)) return HD_OK;
    return hd__fail(ctx, HD_ERROR_SHAPE,
                    "%s: out%s has %lld elements; expected %lld + %lld, those of a and b", call, of,
                    (long long)hd_count(*out), (long long)hd_count(*a), (long long)hd_count(*b));
}

static hd_status check_values(hd_context *ctx, const hd__merge_job *job)
{
    const hd_views *v = &job->values;
    if (v->count < 0 || v->count > 3 * MOST_VALUES || v->count % 3 != 0 ||
        (v->count > 0 && v->view == NULL))
        return hd__fail(
            ctx, HD_ERROR_ARGUMENT,
            "%s: values has %lld views; expected of a, of b and merged in turn, 0 to %d", call,
            (long long)v->count, 3 * MOST_VALUES);
    for (int64_t k = 0; k < v->count; k += 3) {
        HD_TRY(check_three(ctx, " of values", &v->view[k], &v->view[k + 1], &v->view[k + 2]));
        if (hd_count(v->view[k]) != hd_count(job->a))
            return hd__fail(ctx, HD_ERROR_SHAPE, "%s: a of values has %lld elements; a has %lld",
                            call, (long long)hd_count(v->view[k]), (long long)hd_count(job->a));
    }
    return HD_OK;
}

// No output overlaps an input or another output.
static hd_status check_apart(hd_context *ctx, const hd__merge_job *job)
{
    const hd_views *v = &job->values;
    HD_TRY(hd__check_apart_of(ctx, call, "out", &job->out, "a", &job->a));
    HD_TRY(hd__check_apart_of(ctx, call, "out", &job->out, "b", &job->b));
    for (int64_t k = 0; k < v->count; k++) {
        HD_TRY(hd__check_apart_of(ctx, call, "out", &job->out, "a view of values", &v->view[k]));
        if (k % 3 != 2) continue;
        const char *name = "an output of values";
        HD_TRY(hd__check_apart_of(ctx, call, name, &v->view[k], "a", &job->a));
        HD_TRY(hd__check_apart_of(ctx, call, name, &v->view[k], "b", &job->b));
        for (int64_t j = 0; j < v->count; j++)
            if (j != k)
                HD_TRY(hd__check_apart_of(ctx, call, name, &v->view[k], "another view of values",
                                          &v->view[j]));
    }
    return HD_OK;
}

hd_status hd_merge(hd_context *ctx, hd_view a, hd_view b, hd_view out, hd_views values,
                   const hd_merge_options *options)
{
    hd_merge_options o[1];
    HD__BEGIN(ctx);
    HD_TRY(HD__TAKE_OPTIONS(ctx, call, hd_merge_options, options, o));
    HD__LIFT(&a, &b, &out);
    hd__merge_job job = {.a = a, .b = b, .out = out, .values = values};
    HD_TRY(check_three(ctx, "", &a, &b, &out));
    HD_TRY(hd__choose_order(ctx, call, o->comparison, a.type, o->descending, &job.order));
    HD_TRY(check_values(ctx, &job));
    HD_TRY(check_apart(ctx, &job));
    hd_view collapsed[3 * MOST_VALUES];
    for (int64_t k = 0; k < values.count; k++) {
        collapsed[k] = values.view[k];
        hd__collapse(&collapsed[k]);
    }
    job.values.view = collapsed;
    job.na = hd_count(a), job.nb = hd_count(b);
    hd__collapse(&job.a);
    hd__collapse(&job.b);
    hd__collapse(&job.out);
    if (o->checked) {
        HD_TRY(hd__check_order(ctx, call, "a", &job.a, job.order));
        HD_TRY(hd__check_order(ctx, call, "b", &job.b, job.order));
    }
    const hd__subject subject = {o->comparison != NULL ? job.order->name : "", job.na + job.nb,
                                 a.type};
    return hd__dispatch(ctx, HD__MERGE_PATTERN, &job, &subject);
}
