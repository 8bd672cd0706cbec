// SPDX-License-Identifier: Apache-2.0
// hd_expand: checks its arguments and hands the job to a backend.
#include "expand.h"
#include "core/arguments.h"
#include "core/convert.h"
#include "flags.h"

HD__BRINGS(expand)
HD__BRINGS_PASS(expand)

static const char call[] = "hd_expand";

#define BLOCK   512
#define MAX_SUM ((int64_t)1 << 62)

static hd_status check_lengths(hd_context *ctx, const hd_view *values, const hd_view *lengths)
{
    HD_TRY(hd__check_input(ctx, "hd_expand: lengths", lengths));
    if (!hd__is_integer(lengths->type))
        return hd__fail(ctx, HD_ERROR_TYPE, "%s: lengths are %s; expected an integer type", call,
                        hd_type_name(lengths->type));
    return hd__check_shape_of(ctx, call, "lengths", lengths, "values", values);
}

hd_status hd_expand(hd_context *ctx, hd_view values, hd_view lengths, hd_view out, hd_view count,
                    const hd_expand_options *options)
{
    hd_expand_options o[1];
    HD__BEGIN_ANYWHERE(ctx);
    HD_TRY(HD__TAKE_OPTIONS(ctx, call, hd_expand_options, options, o));
    HD__AT_LEAST_1D(&values, &lengths, &out, &count);
    hd__counting counting = {count, 0};
    int64_t *sum;
    HD_TRY(hd__check_counting(ctx, call, "count", &counting, &sum));
    HD_TRY(hd__check_input(ctx, "hd_expand: values", &values));
    HD_TRY(check_lengths(ctx, &values, &lengths));
    HD_TRY(hd__check_output(ctx, "hd_expand: out", &out));
    HD_TRY(hd__check_elements(ctx, call, "out", &out, values.type));
    HD_TRY(hd__check_apart_of(ctx, call, "out", &out, "values", &values));
    HD_TRY(hd__check_apart_of(ctx, call, "out", &out, "lengths", &lengths));
    HD_TRY(hd__check_apart_of(ctx, call, "count", &count, "values", &values));
    HD_TRY(hd__check_apart_of(ctx, call, "count", &count, "lengths", &lengths));
    HD_TRY(hd__check_apart_of(ctx, call, "count", &count, "out", &out));
    hd__expand_job job = {values, lengths, hd_count(values), out, sum, count};
    hd_view *const views[] = {&job.values, &job.lengths, &job.out};
    for (int k = 0; k < 3; k++)
        if (views[k]->ndim > 1) hd__collapse(views[k]);
    const hd__subject subject = {"", job.m, values.type};
    const hd_status status = hd__dispatch(ctx, HD__EXPAND_PATTERN, &job, &subject);
    if (sum != NULL && (status == HD_OK || status == HD_ERROR_SHAPE))
        hd__end_counting(&counting, sum);
    return status;
}

hd_status hd__check_expansion(hd_context *ctx, const hd__expand_job *job)
{
    return hd__check_room(ctx, call, "out", &job->out, *job->count, "elements to write");
}

// One block's lengths, already read, onto the sum.
static hd_status add_lengths(hd_context *ctx, const hd__expand_job *job, int64_t start, int64_t n,
                             const int64_t *lengths)
{
    const bool is_signed = hd__kind_of(job->lengths.type) == HD__SIGNED;
    for (int64_t i = 0; i < n; i++) {
        if (lengths[i] < 0 && is_signed)
            return hd__fail(ctx, HD_ERROR_VALUE, "%s: length %lld is %lld; expected 0 or more",
                            call, (long long)(start + i), (long long)lengths[i]);
        if (lengths[i] < 0 || lengths[i] > MAX_SUM - *job->count)
            return hd__fail(ctx, HD_ERROR_VALUE,
                            "%s: the sum of the lengths is beyond 2^62 at length %lld", call,
                            (long long)(start + i));
        *job->count += lengths[i];
    }
    return HD_OK;
}

hd_status hd__sum_lengths(hd_context *ctx, const hd__expand_job *job)
{
    uint64_t raw[BLOCK];
    int64_t lengths[BLOCK];
    *job->count = 0;
    for (int64_t at = 0; at < job->m; at += BLOCK) {
        const int64_t n = job->m - at < BLOCK ? job->m - at : BLOCK;
        hd__gather(&job->lengths, at, n, raw);
        hd__convert(HD_I64, lengths, job->lengths.type, raw, n);
        HD_TRY(add_lengths(ctx, job, at, n, lengths));
    }
    return hd__check_expansion(ctx, job);
}
