// SPDX-License-Identifier: Apache-2.0
//
// radix_bounds: where each bucket begins among sorted keys, by search, and how many there are of
// it.
#include "device/kernel.cuh"

HK_FN int64_t hk_first_not_below(const hk_inputs *in, int64_t n, int64_t key)
{
    int64_t low = 0, high = n;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if ((int64_t)hk_one_0(in, middle) < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    radix_bounds(const __grid_constant__ hk_inputs in, int64_t n, int64_t ways,
                 const uint64_t *stop, const __grid_constant__ hk_view counts,
                 const __grid_constant__ hk_view begins)
{
    hk_begin();
    if (*stop != 0) return;
    const int64_t step = (int64_t)gridDim.x * HK_THREADS;
    for (int64_t k = (int64_t)blockIdx.x * HK_THREADS + threadIdx.x; k <= ways; k += step) {
        const int64_t at = hk_first_not_below(&in, n, k);
        if (HK_BEGINS) hk_put_begin(&begins, k, at);
        if (HK_COUNTS && k < ways) hk_put_count(&counts, k, hk_first_not_below(&in, n, k + 1) - at);
    }
}
