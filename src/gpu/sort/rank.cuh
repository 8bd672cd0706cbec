// SPDX-License-Identifier: Apache-2.0
//
// Ranks of keys among those of the same digit: lanes of a row with the same digit find each other
// by ballots, and a warp counts its digits in shared memory, row by row.
#pragma once
#include "device/lanes.cuh"
#include "sort/order.cuh"

HK_FN uint32_t hk_lanes_below(void)
{
    uint32_t mask;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
    return mask;
}

HK_FN uint32_t hk_lanes_above(void)
{
    uint32_t mask;
    asm("mov.u32 %0, %%lanemask_gt;" : "=r"(mask));
    return mask;
}

// Of those in `same`, the lanes whose digits have the same bit.
HK_FN uint32_t hk_lanes_of_bit(uint32_t same, uint32_t digit, uint32_t bit)
{
    uint32_t with;
    asm volatile("{ .reg .pred p; .reg .b32 b; and.b32 b, %1, %2; setp.ne.u32 p, b, 0;"
                 " vote.sync.ballot.b32 %0, p, 0xffffffff; @!p not.b32 %0, %0; }"
                 : "=r"(with)
                 : "r"(digit), "r"(1u << bit));
    return same & with;
}

// The lanes with the same digit.
HK_FN uint32_t hk_lanes_of_digit(uint32_t digit)
{
    uint32_t same = HK_ALL;
#pragma unroll
    for (uint32_t b = 0; b < HK_DIGIT_BITS; b++) same = hk_lanes_of_bit(same, digit, b);
    return same;
}

// counts: of the warp's digits so far. The last lane of a digit counts for all.
HK_FN uint32_t hk_rank_of(uint32_t *counts, uint32_t digit, uint32_t below)
{
    const uint32_t same = hk_lanes_of_digit(digit), before = counts[digit];
    const uint32_t rank = before + (uint32_t)hk_popc((int)(same & below));
    hk_warp_barrier();
    if ((same & hk_lanes_above()) == 0) counts[digit] = rank + 1;
    hk_warp_barrier();
    return rank;
}

// How many a tile has of digit threadIdx.x, from the counts[warp][digit] of its warps. Threads
// beyond HK_RADIX have none.
HK_FN uint32_t hk_sum_of_warps(const uint32_t *counts)
{
    uint32_t sum = 0;
    if (threadIdx.x < HK_RADIX) {
#pragma unroll
        for (int w = 0; w < HK_WARPS; w++) sum += counts[w * HK_RADIX + threadIdx.x];
    }
    return sum;
}

// The begin of digit threadIdx.x, of which there are `own`, in the tile; counts[warp][digit] become
// where the digits of each warp begin. All threads call.
HK_FN uint32_t hk_begin_digits(uint32_t *counts, uint32_t own, uint32_t *of_warp)
{
    const int warp = (int)threadIdx.x / HK_WARP;
    const uint32_t to = hk_sum_to_lane(own);
    uint32_t at = to - own;
    if (threadIdx.x < HK_RADIX && hk_lane() == 31) of_warp[warp] = to;
    hk_block_barrier();
    if (threadIdx.x >= HK_RADIX) return 0;
#pragma unroll
    for (int w = 0; w < HK_RADIX / HK_WARP - 1; w++)
        if (w < warp) at += of_warp[w];
    uint32_t next = at;
#pragma unroll
    for (int w = 0; w < HK_WARPS; w++) {
        const uint32_t count = counts[w * HK_RADIX + threadIdx.x];
        counts[w * HK_RADIX + threadIdx.x] = next;
        next += count;
    }
    return at;
}
