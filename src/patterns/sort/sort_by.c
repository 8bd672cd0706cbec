// SPDX-License-Identifier: Apache-2.0
// hd_sort_by: checks its arguments and hands the job to a backend.
#include "sort_by.h"
#include "core/arguments.h"

#include <stdio.h>

static const char call[] = "hd_sort_by";

enum { MOST_VALUES = 16 }; // arrays moved along

static hd_status check_shape(hd_context *ctx, const char *name, const hd_view *in, const hd_view *v)
{
    return hd__check_shape_of(ctx, call, name, v, "in", in);
}

static hd_status check_pair(hd_context *ctx, const hd_view *in, int64_t k, const hd_view *from,
                            const hd_view *to)
{
    char name[64], got[48];
    const long long number = (long long)k;
    HD_TRY(hd__check_input_as(ctx, from, "%s: input %lld of values", call, number));
    if (!hd__same_shape(in, from)) {
        snprintf(name, sizeof name, "input %lld of values", number);
        return check_shape(ctx, name, in, from);
    }
    HD_TRY(hd__check_output_as(ctx, to, "%s: output %lld of values", call, number));
    if (hd__same_shape(in, to) && from->type == to->type) return HD_OK;
    snprintf(name, sizeof name, "output %lld of values", number);
    HD_TRY(check_shape(ctx, name, in, to));
    snprintf(got, sizeof got, "%s", hd_type_name(to->type));
    return hd__fail(ctx, HD_ERROR_TYPE, "%s: %s is %s; expected %s, as its input", call, name, got,
                    hd_type_name(from->type));
}

// An output against everything else: it may be its own input and nothing more.
static hd_status check_apart(hd_context *ctx, const char *name, const hd_view *out,
                             const hd_view *other, const char *other_name, bool own)
{
    if (hd__is_empty(out) || hd__is_empty(other)) return HD_OK;
    const hd__overlap how = hd__overlaps(out, other);
    if (how == HD__APART || (own && how == HD__SAME)) return HD_OK;
    return hd__fail(ctx, HD_ERROR_ALIAS, "%s: %s overlaps %s%s", call, name, other_name,
                    own ? " without being the same view" : "");
}

static hd_status check_aliases(hd_context *ctx, const hd__sort_by_job *job)
{
    HD_TRY(check_apart(ctx, "out", &job->out, &job->in, "in", true));
    HD_TRY(check_apart(ctx, "indices", &job->indices, &job->in, "in", false));
    HD_TRY(check_apart(ctx, "indices", &job->indices, &job->out, "out", false));
    for (int64_t k = 0; k < job->values.count; k += 2) {
        const hd_view *to = &job->values.view[k + 1];
        HD_TRY(check_apart(ctx, "an output of values", to, &job->in, "in", false));
        HD_TRY(check_apart(ctx, "an output of values", to, &job->out, "out", false));
        HD_TRY(check_apart(ctx, "an output of values", to, &job->indices, "indices", false));
        for (int64_t j = 0; j < job->values.count; j++)
            if (j != k + 1)
                HD_TRY(check_apart(ctx, "an output of values", to, &job->values.view[j],
                                   "another view of values", j == k));
        HD_TRY(
            check_apart(ctx, "out", &job->out, &job->values.view[k], "an input of values", false));
        HD_TRY(check_apart(ctx, "indices", &job->indices, &job->values.view[k],
                           "an input of values", false));
    }
    return HD_OK;
}

static hd_status check_values(hd_context *ctx, const hd_view *in, const hd_views *values)
{
    if (values->count < 0 || values->count > 2 * MOST_VALUES || values->count % 2 != 0 ||
        (values->count > 0 && values->view == NULL))
        return hd__fail(ctx, HD_ERROR_ARGUMENT,
                        "%s: values has %lld views; expected inputs and outputs in turn, 0 to %d",
                        call, (long long)values->count, 2 * MOST_VALUES);
    for (int64_t k = 0; k < values->count; k += 2)
        HD_TRY(check_pair(ctx, in, k / 2, &values->view[k], &values->view[k + 1]));
    return HD_OK;
}

static hd_status check_all(hd_context *ctx, const hd_view *in, const hd_comparison *comparison,
                           hd__sort_by_job *job)
{
    HD_TRY(hd__check_input(ctx, "hd_sort_by: in", in));
    if (comparison == NULL) return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: comparison is NULL", call);
    HD_TRY(hd__choose_order(ctx, call, comparison, in->type, false, &job->order));
    if (!hd__is_empty(&job->out)) {
        HD_TRY(hd__check_output(ctx, "hd_sort_by: out", &job->out));
        HD_TRY(check_shape(ctx, "out", in, &job->out));
        if (!hd__same_type(job->out.type, in->type))
            return hd__fail(ctx, HD_ERROR_TYPE, "%s: out has not the type of in", call);
    }
    if (!hd__is_empty(&job->indices)) {
        HD_TRY(hd__check_positions(ctx, call, "indices", &job->indices, hd_count(*in)));
        HD_TRY(check_shape(ctx, "indices", in, &job->indices));
    }
    HD_TRY(check_values(ctx, in, &job->values));
    return check_aliases(ctx, job);
}

hd_status hd_sort_by(hd_context *ctx, hd_view in, const hd_comparison *comparison, hd_view out,
                     hd_views values, const hd_sort_by_options *options)
{
    HD__BEGIN(ctx);
    hd_sort_by_options o[1];
    HD_TRY(HD__TAKE_OPTIONS(ctx, call, hd_sort_by_options, options, o));
    HD__LIFT(&in, &out);
    hd__sort_by_job job = {.in = in, .out = out, .values = values, .indices = *o->indices};
    HD_TRY(check_all(ctx, &in, comparison, &job));
    hd_view collapsed[2 * MOST_VALUES];
    for (int64_t k = 0; k < values.count; k++) {
        collapsed[k] = values.view[k];
        hd__collapse(&collapsed[k]);
    }
    job.values.view = collapsed;
    job.n = hd_count(in);
    hd__collapse(&job.in);
    if (!hd__is_empty(&out)) hd__collapse(&job.out);
    if (!hd__is_empty(&job.indices)) hd__collapse(&job.indices);
    const hd__subject subject = {job.order->name, job.n, in.type};
    return hd__dispatch(ctx, HD__SORT_BY_PATTERN, &job, &subject);
}
