// SPDX-License-Identifier: Apache-2.0
//
// expand_begins: where each run begins in the output: the sums of the lengths before it, in one
// pass by decoupled look-back (device/lookback.cuh). Sums that words cannot hold stay at the
// greatest they can; a negative length counts as none, and the first is reported.
#include "device/kernel.cuh"
#include "device/ticket.cuh"

#define HK_TILE (HK_THREADS * HK_ROWS)

HK_FN uint64_t hk_enough(uint64_t x)
{
    return x < HK_AGGREGATE - 1 ? x : HK_AGGREGATE - 1;
}

// Sums of the lanes before each, and of all in `sum`.
HK_FN uint64_t hk_sum_before_lane(uint64_t x, uint64_t *sum)
{
    uint64_t to = x;
#pragma unroll
    for (int d = 1; d < HK_WARP; d *= 2) {
        const uint32_t low = hk_word_from((uint32_t)to, hk_lane() - d);
        const uint32_t high = hk_word_from((uint32_t)(to >> 32), hk_lane() - d);
        if (hk_lane() >= d) to = hk_enough(to + ((uint64_t)high << 32 | low));
    }
    const uint32_t low = hk_word_from((uint32_t)to, hk_lane() - 1);
    const uint32_t high = hk_word_from((uint32_t)(to >> 32), hk_lane() - 1);
    *sum = (uint64_t)hk_word_from((uint32_t)(to >> 32), 31) << 32 | hk_word_from((uint32_t)to, 31);
    return hk_lane() > 0 ? (uint64_t)high << 32 | low : 0;
}

struct hk_sums {
    uint64_t ticket[3], of_warp[HK_WARPS], before;
};

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    expand_begins(const __grid_constant__ hk_inputs in, int64_t m, int64_t tiles, hk_state state,
                  uint64_t *begin, uint64_t *bad)
{
    hk_begin();
    __shared__ hk_sums block;
    const int warp = (int)threadIdx.x / HK_WARP;
    const hk_ticket ticket = hk_take_ticket(&state, block.ticket);
    const int64_t first = ticket.tile * HK_TILE + (int64_t)threadIdx.x * HK_ROWS;
    uint64_t own[HK_ROWS], sum = 0, of_warp;
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++) {
        const int64_t length = first + r < m ? (int64_t)hk_one_0(&in, first + r) : 0;
        if (length < 0) hk_most_to_long(bad, ~(uint64_t)(first + r));
        own[r] = sum;
        if (length > 0) sum = hk_enough(sum + hk_enough((uint64_t)length));
    }
    const uint64_t before_lane = hk_sum_before_lane(sum, &of_warp);
    if (hk_lane() == 0) block.of_warp[warp] = of_warp;
    hk_block_barrier();
    if (warp == 0) {
        uint64_t all, x = hk_lane() < HK_WARPS ? block.of_warp[hk_lane()] : 0;
        x = hk_sum_before_lane(x, &all);
        if (hk_lane() < HK_WARPS) block.of_warp[hk_lane()] = x;
        hk_publish_aggregate(ticket.word, ticket.tile, all);
        const uint64_t before = hk_look_back(ticket.word, ticket.tile, all, false);
        if (hk_lane() == 0) {
            block.before = before;
            if (ticket.tile == tiles - 1)
                *hk_long_of(&state, HK_AT_TOTAL) = hk_enough(before + all);
        }
    }
    hk_block_barrier();
    uint32_t left = 0; // blocks
    if (threadIdx.x == 0) left = hk_retire_block(&state);
    const uint64_t before = hk_enough(hk_enough(block.before + block.of_warp[warp]) + before_lane);
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++)
        if (first + r < m) begin[first + r] = hk_enough(before + own[r]);
    if (threadIdx.x == 0) hk_end_launch(&state, left, tiles);
}
