// SPDX-License-Identifier: Apache-2.0
// hd_convolve: checks its arguments, turns the mask into weights, sees whether they separate.
#include "convolve.h"
#include "core/arguments.h"
#include "core/convert.h"
#include "convolve_overflow.h"
#include "core/system/float_state.h"
#include "separable.h"

#include <math.h>
#include <string.h>

HD__BRINGS(convolve)
HD__BRINGS_PASS(convolve)

static const char call[] = "hd_convolve";

static hd_status check_mask(hd_context *ctx, const hd_view *mask, hd__convolve_job *job)
{
    HD_TRY(hd__check_host_input(ctx, "hd_convolve: mask", mask));
    if (mask->ndim > 2)
        return hd__fail(ctx, HD_ERROR_SHAPE, "%s: mask has %d axes; expected 1 or 2", call,
                        (int)mask->ndim);
    if (!hd__is_number(mask->type))
        return hd__fail(ctx, HD_ERROR_TYPE, "%s: mask is %s; expected numbers", call,
                        hd_type_name(mask->type));
    job->rows = mask->ndim == 2 ? mask->shape[0] : 1;
    job->columns = mask->shape[mask->ndim - 1];
    if (job->rows == 0 || job->columns == 0)
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: mask has no elements", call);
    if (job->rows > INT32_MAX || job->columns > INT32_MAX)
        return hd__fail(ctx, HD_ERROR_SHAPE, "%s: mask is longer than 2^31 - 1", call);
    return HD_OK;
}

static hd_status check_anchor(hd_context *ctx, const hd_view *mask, const int64_t *anchor,
                              hd__convolve_job *job)
{
    job->anchor_y = job->rows / 2;
    job->anchor_x = job->columns / 2;
    if (anchor == NULL) return HD_OK;
    for (int k = 0; k < mask->ndim; k++)
        if (anchor[k] < 0 || anchor[k] >= mask->shape[k])
            return hd__fail(ctx, HD_ERROR_ARGUMENT,
                            "%s: anchor[%d] is %lld; expected 0 to %lld, within the mask", call, k,
                            (long long)anchor[k], (long long)mask->shape[k] - 1);
    if (mask->ndim == 2) job->anchor_y = anchor[0];
    job->anchor_x = anchor[mask->ndim - 1];
    return HD_OK;
}

// The mask as sums, turned if asked, at `at`; `raw` is room for it in any type, and for its
// factors.
static void fill_weights(const hd_view *mask, const hd_convolve_options *o, hd__convolve_job *job,
                         unsigned char *at, unsigned char *raw)
{
    const int64_t n = job->rows * job->columns;
    const size_t size = hd__size_of(mask->type);
    hd__gather(mask, 0, n, raw);
    for (int64_t i = 0; o->flip && i < n / 2; i++) {
        unsigned char swap[8], *a = raw + (size_t)i * size, *b = raw + (size_t)(n - 1 - i) * size;
        memcpy(swap, a, size), memcpy(a, b, size), memcpy(b, swap, size);
    }
    hd__convert(job->grid.sum, at, mask->type, raw, n);
    job->mask = at;
    if (o->method == HD_CONVOLVE_DIRECT || job->rows == 1 || job->columns == 1) return;
    unsigned char *row = raw + (size_t)job->rows * sizeof(double);
    job->separable = hd__separate(job->grid.sum, at, job->rows, job->columns, raw, row);
    job->column = raw;
    job->row = row;
}

void hd__beyond_column(const hd__convolve_job *job, void *beyond)
{
    memcpy(beyond, job->grid.beyond, sizeof job->grid.beyond);
    if (job->grid.border != HD_BORDER_CONSTANT) return;
    float f32 = -0.0f, x32;
    double f64 = -0.0, x64;
    uint64_t i64 = 0, xi;
    memcpy(&x32, beyond, sizeof x32);
    memcpy(&x64, beyond, sizeof x64);
    memcpy(&xi, beyond, sizeof xi);
    for (int64_t i = 0; i < job->rows; i++) {
        if (job->grid.sum == HD_F32)
            f32 = fmaf(((const float *)job->column)[i], x32, f32);
        else if (job->grid.sum == HD_F64)
            f64 = fma(((const double *)job->column)[i], x64, f64);
        else
            i64 += ((const uint64_t *)job->column)[i] * xi;
    }
    if (job->grid.sum == HD_F32) memcpy(beyond, &f32, sizeof f32);
    if (job->grid.sum == HD_F64) memcpy(beyond, &f64, sizeof f64);
    if (job->grid.sum == HD_I64) memcpy(beyond, &i64, sizeof i64);
}

static hd_status check(hd_context *ctx, const hd_view *in, const hd_view *mask, const hd_view *out,
                       const hd_convolve_options *o, hd__convolve_job *job)
{
    HD_TRY(check_mask(ctx, mask, job));
    HD_TRY(check_anchor(ctx, mask, o->anchor, job));
    HD_TRY(hd__grid_make(ctx, call, in, out, mask->ndim, o->channels, &job->grid));
    if (mask->space == HD_HOST) HD_TRY(hd__check_apart_of(ctx, call, "out", out, "mask", mask));
    if (o->method < 0 || o->method > HD_CONVOLVE_DIRECT)
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: method %d is none", call, (int)o->method);
    HD_TRY(hd__check_border(ctx, call, o->border, HD_BORDER_ZERO, false, &job->grid.border));
    HD_TRY(hd__select_sum(ctx, call, &job->grid, mask->type));
    return hd__set_beyond(ctx, call, &job->grid, o->constant);
}

hd_status hd_convolve(hd_context *ctx, hd_view in, hd_view mask, hd_view out,
                      const hd_convolve_options *options)
{
    HD__FLOAT_STATE;
    hd_convolve_options o[1];
    HD__BEGIN_ANYWHERE(ctx);
    HD_TRY(HD__TAKE_OPTIONS(ctx, call, hd_convolve_options, options, o));
    HD__AT_LEAST_1D(&in, &mask, &out);
    hd__convolve_job job;
    memset(&job, 0, sizeof job);
    HD_TRY(check(ctx, &in, &mask, &out, o, &job));
    if (hd_count(in) == 0) return HD_OK;
    const int64_t n = job.rows * job.columns;
    const size_t piece = (size_t)n * sizeof(double);
    const size_t factors = (size_t)(job.rows + job.columns) * sizeof(double);
    const size_t bytes = piece + (factors > piece ? factors : piece);
    unsigned char *memory = hd__allocate(ctx, bytes);
    if (memory == NULL) return HD_ERROR_MEMORY;
    fill_weights(&mask, o, &job, memory, memory + piece);
    const hd__subject subject = {job.separable ? "separable" : "direct", hd_count(in), in.type};
    bool overflowed = false;
    if (hd__may_overflow(&job)) job.overflowed = &overflowed;
    hd_status status = hd__dispatch(ctx, HD__CONVOLVE_PATTERN, &job, &subject);
    if (status == HD_OK && overflowed)
        status = hd__convolve_overflowed(ctx, &job, mask.ndim, o->channels);
    hd__release(ctx, memory, bytes);
    return status;
}
