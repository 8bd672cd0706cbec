// SPDX-License-Identifier: Apache-2.0
// hd_top_k: checks its arguments and hands the job to a backend.
#include "top_k.h"
#include "core/arguments.h"

#include <stdio.h>

static const char call[] = "hd_top_k";

static hd_status check_count(hd_context *ctx, const char *name, const hd_view *v, int64_t k)
{
    if (hd_count(*v) == k) return HD_OK;
    return hd__fail(ctx, HD_ERROR_SHAPE, "%s: %s has %lld elements; expected k, %lld", call, name,
                    (long long)hd_count(*v), (long long)k);
}

static hd_status check_outputs(hd_context *ctx, hd__top_k_job *job)
{
    if (!hd__is_empty(&job->values)) {
        HD_TRY(hd__check_output(ctx, "hd_top_k: values", &job->values));
        HD_TRY(check_count(ctx, "values", &job->values, job->k));
        if (!hd__same_type(job->values.type, job->in.type))
            return hd__fail(ctx, HD_ERROR_TYPE, "%s: values have not the type of in", call);
        HD_TRY(hd__check_apart_of(ctx, call, "values", &job->values, "in", &job->in));
        hd__collapse(&job->values);
    }
    if (!hd__is_empty(&job->indices)) {
        HD_TRY(hd__check_positions(ctx, call, "indices", &job->indices, job->n));
        HD_TRY(check_count(ctx, "indices", &job->indices, job->k));
        HD_TRY(hd__check_apart_of(ctx, call, "indices", &job->indices, "in", &job->in));
        HD_TRY(hd__check_apart_of(ctx, call, "indices", &job->indices, "values", &job->values));
        hd__collapse(&job->indices);
    }
    return HD_OK;
}

hd_status hd_top_k(hd_context *ctx, hd_view in, int64_t k, hd_view values, hd_view indices,
                   const hd_top_k_options *options)
{
    hd_top_k_options o[1];
    HD__BEGIN(ctx);
    HD_TRY(HD__TAKE_OPTIONS(ctx, call, hd_top_k_options, options, o));
    HD__LIFT(&in, &values, &indices);
    HD_TRY(hd__check_input(ctx, "hd_top_k: in", &in));
    hd__top_k_job job = {.n = hd_count(in), .k = k, .in = in, .values = values, .indices = indices};
    if (o->comparison != NULL && o->smallest)
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: smallest is for numbers; a comparison says it",
                        call);
    const bool descending = o->comparison == NULL && !o->smallest;
    HD_TRY(hd__choose_order(ctx, call, o->comparison, in.type, descending, &job.order));
    if (k < 0 || k > job.n)
        return hd__fail(ctx, HD_ERROR_ARGUMENT,
                        "%s: k is %lld; expected 0 to %lld, the elements of in", call, (long long)k,
                        (long long)job.n);
    HD_TRY(check_outputs(ctx, &job));
    if (k == 0) return HD_OK;
    hd__collapse(&job.in);
    const hd__subject subject = {o->comparison != NULL ? job.order->name : "", job.n, in.type};
    return hd__dispatch(ctx, HD__TOP_K_PATTERN, &job, &subject);
}
