// SPDX-License-Identifier: Apache-2.0
// hd_map_many: checks its arguments, makes a map's job of each output, and hands them to a backend
// together.
#include "map_many.h"
#include "core/arguments.h"
#include "indices.h"

#include <stdio.h>

HD__BRINGS(map_many)
HD__BRINGS_PASS(map_many)

static const char call[] = "hd_map_many";

// The views of with that one function takes: the first ones, as many as it has inputs.
static hd_views taken_by(const hd_function *function, const hd_views *with)
{
    hd_views mine = *with;
    const int64_t wanted = function != NULL ? function->inputs - 1 : 0;
    if (wanted >= 0 && wanted < with->count) mine.count = wanted;
    return mine;
}

static hd_status check_lists(hd_context *ctx, const hd_functions *functions, const hd_views *out,
                             const hd_views *with)
{
    if (functions->count != out->count || out->count < 0 || out->count > HD_MAX_RESULTS)
        return hd__fail(ctx, HD_ERROR_ARGUMENT,
                        "%s: %lld functions and %lld outputs; expected as many, at most %d", call,
                        (long long)functions->count, (long long)out->count, HD_MAX_RESULTS);
    if (out->count > 0 && (functions->function == NULL || out->view == NULL))
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: %s is null", call,
                        out->view == NULL ? "out" : "functions");
    int64_t taken = 0;
    for (int64_t k = 0; k < out->count; k++) {
        const int64_t mine = taken_by(functions->function[k], with).count;
        if (mine > taken) taken = mine;
    }
    if (taken < with->count)
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: with[%lld] is an input of no function", call,
                        (long long)taken);
    return HD_OK;
}

// The texts are those of hd_map: which output they are about goes before them.
static hd_status make_job(hd_context *ctx, const hd_view *in, const hd_function *function,
                          const hd_views *with, const hd_view *out, int64_t k, hd__map_job *job)
{
    char name[64];
    hd_view out_1d;
    const hd_views mine = taken_by(function, with);
    snprintf(name, sizeof name, "%s: out %lld", call, (long long)k);
    return hd__make_map_job(ctx, name, in, function, &mine, hd__view_at_least_1d(out, &out_1d),
                            job);
}

// An output may be an input of any function, as it is; outputs may not meet.
static hd_status check_overlaps(hd_context *ctx, const hd_view *in, const hd_views *with,
                                const hd_views *out, int64_t k, bool *in_place)
{
    hd_view a, b;
    const hd_view *mine = hd__view_at_least_1d(&out->view[k], &a);
    for (int64_t j = -1; j < with->count; j++) {
        const hd_view *other = j < 0 ? in : hd__view_at_least_1d(&with->view[j], &b);
        const hd__overlap how = hd__overlaps(mine, other);
        if (how == HD__CROSSING)
            return hd__fail(ctx, HD_ERROR_ALIAS,
                            "%s: out %lld overlaps %s without being the same view", call,
                            (long long)k, j < 0 ? "in" : "a view of with");
        if (how == HD__SAME) *in_place = true;
    }
    for (int64_t j = 0; j < k; j++)
        if (hd__overlaps(mine, hd__view_at_least_1d(&out->view[j], &b)) != HD__APART)
            return hd__fail(ctx, HD_ERROR_ALIAS, "%s: out %lld overlaps out %lld", call,
                            (long long)k, (long long)j);
    return HD_OK;
}

static hd_status run(hd_context *ctx, const hd_view *in, const hd_functions *functions,
                     const hd_views *out, const hd_views *with, hd__map_job *each)
{
    hd__map_many_job job = {out->count, each, false};
    for (int64_t k = 0; k < out->count; k++) {
        HD_TRY(make_job(ctx, in, functions->function[k], with, &out->view[k], k, &each[k]));
        HD_TRY(check_overlaps(ctx, in, with, out, k, &job.in_place));
    }
    const hd__subject subject = {"", each->in.n, in->type};
    HD_TRY(hd__dispatch(ctx, HD__MAP_MANY_PATTERN, &job, &subject));
    return hd__report_indexed(ctx, call, in, with, 0, each->in.n);
}

hd_status hd_map_many(hd_context *ctx, hd_view in, hd_functions functions, hd_views out,
                      const hd_map_many_options *options)
{
    hd_map_many_options o[1];
    HD__BEGIN_ANYWHERE(ctx);
    HD_TRY(HD__TAKE_OPTIONS(ctx, call, hd_map_many_options, options, o));
    HD__AT_LEAST_1D(&in);
    if (o->with.count < 0 || (o->with.count > 0 && o->with.view == NULL))
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: with has %lld views; expected 0 to %d", call,
                        (long long)o->with.count, HD_MAX_INPUTS - 1);
    HD_TRY(check_lists(ctx, &functions, &out, &o->with));
    if (out.count == 0) return hd__check_input(ctx, "hd_map_many: in", &in);
    const size_t bytes = (size_t)out.count * sizeof(hd__map_job);
    hd__map_job *each = hd__allocate(ctx, bytes);
    if (each == NULL) return HD_ERROR_MEMORY;
    const hd_status status = run(ctx, &in, &functions, &out, &o->with, each);
    hd__release(ctx, each, bytes);
    return status;
}
