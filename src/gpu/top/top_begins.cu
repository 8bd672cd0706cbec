// SPDX-License-Identifier: Apache-2.0
//
// top_begins: how many candidates the tiles before each have; and whether there are enough, and not
// too many: else a radix select finds the last one that is wanted, and this counts once more
// (HK_KNOWN). One block.
#include "device/kernel.cuh"
#include "top/top.cuh"

// Sums over the tiles before, of counts or of ties.
HK_FN void hk_sum_tiles(const hk_top_how *how, bool ties, uint64_t *of_warp)
{
    const int warp = (int)threadIdx.x / HK_WARP;
    uint64_t before = 0;
#pragma unroll 1
    for (int64_t at = 0; at < how->tiles; at += HK_THREADS * HK_ROWS) {
        const int64_t first = at + (int64_t)threadIdx.x * HK_ROWS;
        uint64_t x[HK_ROWS], own = 0;
#pragma unroll
        for (int r = 0; r < HK_ROWS; r++) {
            const bool is_there = first + r < how->tiles;
            x[r] = !is_there ? 0 : ties ? how->tile[first + r].ties : how->tile[first + r].count;
            own += x[r];
        }
        const uint64_t to = hk_long_sum_to_lane(own);
        if (hk_lane() == 31) of_warp[warp] = to;
        hk_block_barrier();
        uint64_t sum = before + to - own;
        for (int w = 0; w < HK_WARPS; w++) {
            if (w < warp) sum += of_warp[w];
            before += of_warp[w];
        }
#pragma unroll
        for (int r = 0; r < HK_ROWS; r++) {
            if (first + r < how->tiles)
                *(ties ? &how->tile[first + r].tie_begin : &how->tile[first + r].begin) = sum;
            sum += x[r];
        }
        hk_block_barrier(); // of_warp is for the next
    }
}

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    top_begins(const __grid_constant__ hk_top_how how)
{
    hk_begin();
    __shared__ uint64_t of_warp[HK_WARPS];
    hk_top_control *const c = how.control;
    if (HK_KNOWN) {
        if (c->exact == 0) return;
        hk_sum_tiles(&how, false, of_warp);
        hk_sum_tiles(&how, true, of_warp);
        return;
    }
    const bool stands = c->count >= (uint64_t)how.k && c->count <= (uint64_t)how.room;
    if (stands) hk_sum_tiles(&how, false, of_warp);
    if (threadIdx.x != 0) return;
    c->exact = !stands;
    c->rank = (uint64_t)how.k - 1;
}
