// SPDX-License-Identifier: Apache-2.0
//
// merge_splits: how many of a's elements come before each tile.
#include "device/kernel.cuh"
#include "sort/merge_path.cuh"

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    merge_splits(const __grid_constant__ hk_inputs in, const __grid_constant__ hk_merge_how how,
                 int64_t items)
{
    hk_begin();
    const int64_t k = (int64_t)blockIdx.x * HK_THREADS + threadIdx.x;
    if (k == 0) *how.unsorted = 0;
    if (k >= how.rows * (how.tiles + 1)) return;
    const int64_t row = k / (how.tiles + 1), tile = k - row * (how.tiles + 1);
    const int64_t all = how.na + how.nb, d = tile * items < all ? tile * items : all;
    int64_t low = d > how.nb ? d - how.nb : 0, high = d < how.na ? d : how.na;
    while (low < high) {
        const int64_t i = low + (high - low) / 2;
        if (hk_before(hk_one_1(&in, row * how.nb + d - 1 - i), hk_one_0(&in, row * how.na + i)))
            high = i;
        else
            low = i + 1;
    }
    how.split[k] = low;
}
