// SPDX-License-Identifier: Apache-2.0
// Overflow between the passes of a separable mask. A sum down a column may be infinite where that
// of the whole mask is not, and times a zero of the row it is NaN. Backends say that a sum
// overflowed, or that one is not finite: the direct sums are then computed beside, and taken where
// they are finite and the others are not. Data that are not finite make both sums so, whatever
// overflows: of them nothing need be said, and nothing changes if it is.
#include "convolve_overflow.h"
#include "core/context.h"
#include "core/reader.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define BLOCK 256

// ---- Whether it can be -----------------------------------------------------------------------

static double sum_of(hd_type type, const void *w, int64_t n)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += fabs(type == HD_F32 ? (double)((const float *)w)[i] : ((const double *)w)[i]);
    return sum;
}

// Sums stay below the greatest number, with room for their roundings.
bool hd__may_overflow(const hd__convolve_job *job)
{
    const hd__grid *g = &job->grid;
    const hd_type in = g->in.type;
    if (!job->separable || g->sum == HD_I64) return false;
    if (in == HD_F32 || in == HD_F64 || in == HD_BF16) return true;
    const double beyond = sum_of(g->sum, g->beyond, 1);
    const double greatest = beyond > 0x1p32 ? beyond : 0x1p32; // of integers, and of f16
    const double down = greatest * (1 + sum_of(g->sum, job->column, job->rows));
    const double along = down * (1 + sum_of(g->sum, job->row, job->columns));
    return !(along < (g->sum == HD_F32 ? FLT_MAX / 4 : DBL_MAX / 4));
}

// ---- What then -------------------------------------------------------------------------------

// The same call, directly or not, into an array of sums.
static hd_status sum_into(hd_context *ctx, const hd__convolve_job *job, int32_t axes,
                          hd_channels channels, bool separable, void *to)
{
    hd__convolve_job other = *job;
    const hd_view *in = &job->grid.in;
    const hd_view sums = hd_view_nd(job->grid.sum, to, in->ndim, in->shape, NULL);
    bool again = false; // is known already
    HD_TRY(hd__grid_make(ctx, "hd_convolve", in, &sums, axes, channels, &other.grid));
    other.separable = separable;
    other.overflowed = &again;
    const hd__subject subject = {separable ? "separable, overflowed"
                                           : "direct, where that overflowed",
                                 hd_count(*in), in->type};
    return hd__dispatch(ctx, HD__CONVOLVE_PATTERN, &other, &subject);
}

// direct[i] where it is finite and sums[i] is not.
static void choose(hd_type type, void *sums, const void *direct, int64_t n)
{
    float *f = sums;
    double *d = sums;
    const float *g = direct;
    const double *e = direct;
    for (int64_t i = 0; type == HD_F32 && i < n; i++)
        if (!isfinite(f[i]) && isfinite(g[i])) f[i] = g[i];
    for (int64_t i = 0; type == HD_F64 && i < n; i++)
        if (!isfinite(d[i]) && isfinite(e[i])) d[i] = e[i];
}

// Sums of the two passes: from `two`, or out itself where that holds them.
static void merge(const hd__convolve_job *job, const char *two, const char *direct)
{
    const hd_view *out = &job->grid.out;
    const hd_type sum = job->grid.sum;
    const size_t size = hd__size_of(sum);
    const int64_t n = hd_count(*out);
    _Alignas(HD__ALIGNMENT) unsigned char sums[BLOCK * 8], results[BLOCK * 8];
    for (int64_t at = 0; at < n; at += BLOCK) {
        const int64_t m = n - at < BLOCK ? n - at : BLOCK;
        if (two != NULL)
            memcpy(sums, two + (size_t)at * size, (size_t)m * size);
        else
            hd__gather(out, at, m, sums);
        choose(sum, sums, direct + (size_t)at * size, m);
        hd__finalize_sums(out->type, results, sum, sums, m);
        hd__scatter(out, at, m, results);
    }
}

hd_status hd__convolve_overflowed(hd_context *ctx, const hd__convolve_job *job, int32_t axes,
                                  hd_channels channels)
{
    const bool kept = job->grid.out.type == job->grid.sum; // out has the sums themselves
    const size_t bytes = (size_t)hd_count(job->grid.in) * hd__size_of(job->grid.sum);
    const size_t all = kept ? bytes : 2 * bytes;
    char *direct = hd__allocate(ctx, all);
    if (direct == NULL) return HD_ERROR_MEMORY;
    char *two = kept ? NULL : direct + bytes;
    hd_status status = sum_into(ctx, job, axes, channels, false, direct);
    if (status == HD_OK && two != NULL) status = sum_into(ctx, job, axes, channels, true, two);
    if (status == HD_OK) merge(job, two, direct);
    hd__release(ctx, direct, all);
    return status;
}
