// SPDX-License-Identifier: Apache-2.0
//
// sweep_parts: where each bucket begins among sorted keys, by search, and how many there are of it.
#include "device/kernel.cuh"

HD_FN int64_t hd_first_not_below(const hd_inputs *in, int64_t n, int64_t key)
{
    int64_t low = 0, high = n;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if ((int64_t)hd_one_0(in, middle) < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

extern "C" __global__ void __launch_bounds__(HD_THREADS)
    sweep_parts(const __grid_constant__ hd_inputs in, int64_t n, int64_t ways, const uint64_t *stop,
                const __grid_constant__ hd_view counts, const __grid_constant__ hd_view begins)
{
    hd_begin();
    if (*stop != 0) return;
    const int64_t step = (int64_t)gridDim.x * HD_THREADS;
    for (int64_t k = (int64_t)blockIdx.x * HD_THREADS + threadIdx.x; k <= ways; k += step) {
        const int64_t at = hd_first_not_below(&in, n, k);
        if (HD_BEGINS) hd_put_begin(&begins, k, at);
        if (HD_COUNTS && k < ways) hd_put_count(&counts, k, hd_first_not_below(&in, n, k + 1) - at);
    }
}
