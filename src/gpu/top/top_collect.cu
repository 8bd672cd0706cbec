// SPDX-License-Identifier: Apache-2.0
//
// top_collect: candidates from the pool to the order of their indices, a warp a tile; and behind
// the last of them keys that come behind all others, for as many as there is room for are sorted.
#include "device/kernel.cuh"
#include "top/top.cuh"

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    top_collect(const __grid_constant__ hk_top_how how)
{
    hk_begin();
    const int64_t threads = (int64_t)gridDim.x * HK_THREADS;
    const int64_t mine = (int64_t)blockIdx.x * HK_THREADS + threadIdx.x;
    const bool exact = how.control->exact != 0;
    const int64_t count = exact ? how.k : (int64_t)how.control->count;
    for (int64_t i = count + mine; i < how.room; i += threads) {
        how.candidate[i] = hk_last_key();
        how.index[i] = 0;
    }
    if (exact) return;
    for (int64_t t = mine / HK_WARP; t < how.tiles; t += threads / HK_WARP) {
        const hk_top_tile tile = how.tile[t];
        for (uint32_t i = (uint32_t)hk_lane(); i < tile.count; i += HK_WARP) {
            how.candidate[tile.begin + i] = how.pool_key[tile.base + i];
            how.index[tile.begin + i] = how.pool_index[tile.base + i];
        }
    }
}
