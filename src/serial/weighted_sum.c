// SPDX-License-Identifier: Apache-2.0
// The definition of a weighted sum of neighbours, a row of outputs at a time.
#include "weighted_sum.h"

#include <math.h>

static void clear(hd_type sum, void *acc, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        if (sum == HD_F32) ((float *)acc)[i] = -0.0f;
        if (sum == HD_F64) ((double *)acc)[i] = -0.0;
        if (sum == HD_I64) ((uint64_t *)acc)[i] = 0;
    }
}

// acc[i] = weight * x[i] + acc[i], rounded once; integers wrap in 64 bits.
static void add(hd_type sum, void *acc, const hd__mask_offsets *mask, int64_t t, const void *x,
                int64_t n)
{
    float *a32 = acc;
    double *a64 = acc;
    uint64_t *ai = acc;
    const float *x32 = x, *w32 = mask->weight;
    const double *x64 = x, *w64 = mask->weight;
    const uint64_t *xi = x, *wi = mask->weight;
    if (sum == HD_F32)
        for (int64_t i = 0; i < n; i++) a32[i] = fmaf(w32[t], x32[i], a32[i]);
    else if (sum == HD_F64)
        for (int64_t i = 0; i < n; i++) a64[i] = fma(w64[t], x64[i], a64[i]);
    else
        for (int64_t i = 0; i < n; i++) ai[i] += wi[t] * xi[i];
}

static bool is_finite(hd_type sum, const void *acc, int64_t n)
{
    const float *f32 = acc;
    const double *f64 = acc;
    for (int64_t i = 0; i < n; i++)
        if (sum == HD_F32 ? !isfinite(f32[i]) : sum == HD_F64 && !isfinite(f64[i])) return false;
    return true;
}

static void sum_row(const hd__grid *g, const hd__mask_offsets *mask, hd__row at, void *acc, void *x)
{
    const int64_t n = at.n * g->shape[HD__CHANNEL];
    clear(g->sum, acc, n);
    for (int64_t t = 0; t < mask->count; t++) {
        const int64_t *offset = mask->offset[t];
        const hd__row from = {at.batch, at.z + offset[0], at.y + offset[1], offset[2], at.n};
        hd__grid_read(g, &from, x);
        add(g->sum, acc, mask, t, x, n);
    }
    if (mask->not_finite != NULL && !is_finite(g->sum, acc, n)) *mask->not_finite = true;
    hd__grid_write(g, &at, acc);
}

hd_status hd__weighted_sum(hd_context *ctx, const hd__grid *g, const hd__mask_offsets *mask)
{
    const int64_t n = g->shape[HD__X] * g->shape[HD__CHANNEL];
    const size_t row = hd__padded((size_t)n * hd__size_of(g->sum));
    unsigned char *memory = hd__scratch(ctx, 2 * row);
    if (memory == NULL) return HD_ERROR_MEMORY;
    for (int64_t b = 0; b < g->batches; b++)
        for (int64_t z = 0; z < g->shape[HD__Z]; z++)
            for (int64_t y = 0; y < g->shape[HD__Y]; y++)
                sum_row(g, mask, (hd__row){b, z, y, 0, g->shape[HD__X]}, memory, memory + row);
    return HD_OK;
}
