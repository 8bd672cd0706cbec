// SPDX-License-Identifier: Apache-2.0
//
// merge_values: values of a and of b to where the indices of a merge have them, as units of
// HK_STAGE_BYTES bytes.
#include "device/kernel.cuh"

struct hk_values_how {
    int64_t na, nb, rows;
    int64_t units;   // of an element
    int32_t ndim[3]; // of a, b and out
};

HK_FN hk_unit *hk_units_at(const hk_view *v, int ndim, int64_t i, int64_t units)
{
    return (hk_unit *)v->data + (ndim == 1 ? i * v->stride[0] : hk_offset(v, ndim, i)) * units;
}

// Where the value for place k of all rows is.
HK_FN const hk_unit *hk_value_at(const hk_view *a, const hk_view *b, const char *indices,
                                 const hk_values_how *how, int64_t k)
{
    const int64_t row = how->rows > 1 ? k / (how->na + how->nb) : 0;
    const int64_t i = HK_WIDE ? ((const int64_t *)indices)[k] : ((const uint32_t *)indices)[k];
    return i < how->na ? hk_units_at(a, how->ndim[0], row * how->na + i, how->units)
                       : hk_units_at(b, how->ndim[1], row * how->nb + i - how->na, how->units);
}

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    merge_values(const __grid_constant__ hk_view a, const __grid_constant__ hk_view b,
                 const __grid_constant__ hk_view out, const char *indices,
                 const __grid_constant__ hk_values_how how)
{
    hk_begin();
    const int64_t n = how.rows * (how.na + how.nb);
    const int64_t first = (int64_t)blockIdx.x * HK_ROWS * HK_THREADS + threadIdx.x;
    const hk_unit *from[HK_ROWS];
    hk_unit x[HK_ROWS]; // the first of each is requested before any is written
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++) {
        const int64_t k = first + r * HK_THREADS;
        from[r] = hk_value_at(&a, &b, indices, &how, k < n ? k : n - 1);
    }
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++) x[r] = *from[r];
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++) {
        const int64_t k = first + r * HK_THREADS;
        if (k >= n) return;
        hk_unit *to = hk_units_at(&out, how.ndim[2], k, how.units);
        *to = x[r];
        for (int64_t u = 1; u < how.units; u++) to[u] = from[r][u];
    }
}
