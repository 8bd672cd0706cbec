// SPDX-License-Identifier: Apache-2.0
//
// select_begins: the counts of tiles become the sums of those before; behind them, and at `total`,
// is the sum of all. One block, HK_ROWS counts a thread at a time.
#include "device/kernel.cuh"
#include "device/lanes.cuh"

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    select_begins(uint64_t *count, int64_t tiles, uint64_t *total)
{
    hk_begin();
    __shared__ uint64_t of_warp[HK_WARPS];
    const int warp = (int)threadIdx.x / HK_WARP, lane = hk_lane();
    uint64_t before = 0;
    for (int64_t at = 0; at < tiles; at += HK_THREADS * HK_ROWS) {
        const int64_t first = at + (int64_t)threadIdx.x * HK_ROWS;
        uint64_t x[HK_ROWS], own = 0;
#pragma unroll
        for (int r = 0; r < HK_ROWS; r++) x[r] = first + r < tiles ? count[first + r] : 0;
#pragma unroll
        for (int r = 0; r < HK_ROWS; r++) own += x[r];
        const uint64_t to = hk_long_sum_to_lane(own);
        if (lane == 31) of_warp[warp] = to;
        hk_block_barrier();
        uint64_t sum = before + to - own, all = 0;
        for (int w = 0; w < HK_WARPS; w++) {
            if (w < warp) sum += of_warp[w];
            all += of_warp[w];
        }
#pragma unroll
        for (int r = 0; r < HK_ROWS; r++) {
            if (first + r < tiles) count[first + r] = sum;
            sum += x[r];
        }
        before += all;
        hk_block_barrier(); // of_warp is for the next
    }
    if (threadIdx.x == 0) count[tiles] = *total = before;
}
