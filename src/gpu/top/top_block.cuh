// SPDX-License-Identifier: Apache-2.0
//
// Counts over the warps of a block.
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
