// SPDX-License-Identifier: Apache-2.0
//
// Counts over the warps of a block, and sums over tiles.
#pragma once
#include "top/top.cuh"

// The sum over a block, and over the warps before. All threads call; of_warp is free before the
// next barrier of the block after that.
HK_FN uint32_t hk_count_in_block(uint32_t own, uint32_t *of_warp, uint32_t *before)
{
#pragma unroll
    for (int d = 1; d < HK_WARP; d *= 2) own += hk_word_from_xor(own, d);
    if (hk_lane() == 0) of_warp[threadIdx.x / HK_WARP] = own;
    hk_block_barrier();
    uint32_t all = 0;
    *before = 0;
#pragma unroll
    for (int w = 0; w < HK_WARPS; w++) {
        const uint32_t count = of_warp[w];
        if (w < (int)threadIdx.x / HK_WARP) *before += count;
        all += count;
    }
    return all;
}

// How many the tiles before each have, of counts or of ties; of one block.
#define HK_TILES_AT_ONCE 4
HK_FN void hk_sum_tiles(const hk_top_how *how, bool ties, uint64_t *of_warp)
{
    const int warp = (int)threadIdx.x / HK_WARP;
    uint64_t before = 0;
#pragma unroll 1
    for (int64_t at = 0; at < how->tiles; at += HK_THREADS * HK_TILES_AT_ONCE) {
        const int64_t first = at + (int64_t)threadIdx.x * HK_TILES_AT_ONCE;
        if (at > 0) hk_block_barrier(); // unseen: of_warp is free, of more tiles than tests have
        uint64_t x[HK_TILES_AT_ONCE], own = 0;
#pragma unroll
        for (int r = 0; r < HK_TILES_AT_ONCE; r++) {
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
        for (int r = 0; r < HK_TILES_AT_ONCE; r++) {
            if (first + r < how->tiles)
                *(ties ? &how->tile[first + r].tie_begin : &how->tile[first + r].begin) = sum;
            sum += x[r];
        }
    }
}
