// SPDX-License-Identifier: Apache-2.0
//
// gather_elements: out[i] = in[index[i]], or a function of it and of others at i; or whole slices,
// where the elements of a slice lie `inner` apart by the numbers of in. A thread has HK_ROWS
// elements under way.
#include "device/kernel.cuh"
#include "device/lanes.cuh"

struct hk_gather_how {
    int64_t n;       // elements of out
    int64_t indices; // of the index
    int64_t limit;   // an index is good in 0 .. limit - 1
    int64_t inner;   // elements of a slice after the axis; 0: no axis
};

HK_FN hk_in_0 hk_zero(void)
{
    union {
        unsigned char byte[sizeof(hk_in_0)];
        hk_in_0 x;
    } u;
    for (int k = 0; k < (int)sizeof(hk_in_0); k++) u.byte[k] = 0;
    return u.x;
}

// The number in `in` of what goes to i; -1: its index is bad.
HK_FN int64_t hk_source(const hk_gather_how *how, const hk_view *index, int64_t i)
{
    if (!HK_SLICES) {
        const int64_t j = hk_bound(index, i);
        return (uint64_t)j < (uint64_t)how->limit ? j : -1;
    }
    const int64_t row = i / how->inner, outer = row / how->indices;
    const int64_t j = hk_bound(index, row - outer * how->indices);
    return (uint64_t)j < (uint64_t)how->limit
               ? (outer * how->limit + j) * how->inner + i - row * how->inner
               : -1;
}

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    gather_elements(const __grid_constant__ hk_inputs in, const __grid_constant__ hk_view index,
                    const __grid_constant__ hk_view out, const __grid_constant__ hk_gather_how how,
                    uint64_t *bad, const uint64_t *stop)
{
    hk_begin();
    const int64_t first = (int64_t)blockIdx.x * (HK_THREADS * HK_ROWS) + threadIdx.x;
    if (stop != 0 && *stop != 0) return;
    int64_t from[HK_ROWS];
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++) {
        const int64_t i = first + r * HK_THREADS;
        from[r] = i < how.n ? hk_source(&how, &index, i) : -1;
        if (bad == 0 || i >= how.indices) continue;
        if ((uint64_t)hk_bound(&index, i) >= (uint64_t)how.limit)
            hk_most_to_long(bad, ~(uint64_t)i);
    }
    hk_in_0 x[HK_ROWS];
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++) x[r] = from[r] >= 0 ? hk_one_0(&in, from[r]) : hk_zero();
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++) {
        const int64_t i = first + r * HK_THREADS;
        if (i < how.n) hk_put(&out, i, hk_result_at(&in, i, x[r]));
    }
}
