// SPDX-License-Identifier: Apache-2.0
//
// gather_elements: out[i] = in[index[i]], or a function of it and of others at i; or whole slices, where
// the elements of a slice lie `inner` apart by the numbers of in. A thread has HD_ROWS elements under way.
#include "device/kernel.cuh"
#include "device/lanes.cuh"

struct hd_gather_how {
    int64_t n;       // elements of out
    int64_t indices; // of the index
    int64_t limit;   // an index is good in 0 .. limit - 1
    int64_t inner;   // elements of a slice after the axis; 0: no axis
};

HD_FN hd_in_0 hd_zero(void)
{
    union {
        unsigned char byte[sizeof(hd_in_0)];
        hd_in_0 x;
    } u;
    for (int k = 0; k < (int)sizeof(hd_in_0); k++) u.byte[k] = 0;
    return u.x;
}

// The number in `in` of what goes to i; -1: its index is bad.
HD_FN int64_t hd_source(const hd_gather_how *how, const hd_view *index, int64_t i)
{
    if (!HD_SLICES) {
        const int64_t j = hd_bound(index, i);
        return (uint64_t)j < (uint64_t)how->limit ? j : -1;
    }
    const int64_t row = i / how->inner, outer = row / how->indices;
    const int64_t j = hd_bound(index, row - outer * how->indices);
    return (uint64_t)j < (uint64_t)how->limit
               ? (outer * how->limit + j) * how->inner + i - row * how->inner
               : -1;
}

extern "C" __global__ void __launch_bounds__(HD_THREADS)
    gather_elements(const __grid_constant__ hd_inputs in, const __grid_constant__ hd_view index,
                    const __grid_constant__ hd_view out, const __grid_constant__ hd_gather_how how,
                    uint64_t *bad, const uint64_t *stop)
{
    hd_begin();
    const int64_t first = (int64_t)blockIdx.x * (HD_THREADS * HD_ROWS) + threadIdx.x;
    if (stop != 0 && *stop != 0) return;
    int64_t from[HD_ROWS];
#pragma unroll
    for (int r = 0; r < HD_ROWS; r++) {
        const int64_t i = first + r * HD_THREADS;
        from[r] = i < how.n ? hd_source(&how, &index, i) : -1;
        if (bad == 0 || i >= how.indices) continue;
        if ((uint64_t)hd_bound(&index, i) >= (uint64_t)how.limit)
            hd_most_to_long(bad, ~(uint64_t)i);
    }
    hd_in_0 x[HD_ROWS];
#pragma unroll
    for (int r = 0; r < HD_ROWS; r++) x[r] = from[r] >= 0 ? hd_one_0(&in, from[r]) : hd_zero();
#pragma unroll
    for (int r = 0; r < HD_ROWS; r++) {
        const int64_t i = first + r * HD_THREADS;
        if (i < how.n) hd_put(&out, i, hd_result_at(&in, i, x[r]));
    }
}
