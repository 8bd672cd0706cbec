// SPDX-License-Identifier: Apache-2.0
//
// expand_begins: where each run begins in the output: the sums of the lengths before it, in one pass. Sums that
// words cannot hold stay at the greatest they can; a negative length counts as none, and the first is reported.
#include "device/kernel.cuh"
#include "device/ticket.cuh"

#define HD_TILE (HD_THREADS * HD_ROWS)

HD_FN uint64_t hd_enough(uint64_t x)
{
    return x < HD_PART - 1 ? x : HD_PART - 1;
}

// Sums of the lanes before each, and of all in `sum`.
HD_FN uint64_t hd_sum_before_lane(uint64_t x, uint64_t *sum)
{
    uint64_t to = x;
#pragma unroll
    for (int d = 1; d < HD_WARP; d *= 2) {
        const uint32_t low = hd_word_from((uint32_t)to, hd_lane() - d);
        const uint32_t high = hd_word_from((uint32_t)(to >> 32), hd_lane() - d);
        if (hd_lane() >= d) to = hd_enough(to + ((uint64_t)high << 32 | low));
    }
    const uint32_t low = hd_word_from((uint32_t)to, hd_lane() - 1);
    const uint32_t high = hd_word_from((uint32_t)(to >> 32), hd_lane() - 1);
    *sum = (uint64_t)hd_word_from((uint32_t)(to >> 32), 31) << 32 | hd_word_from((uint32_t)to, 31);
    return hd_lane() > 0 ? (uint64_t)high << 32 | low : 0;
}

struct hd_sums {
    uint64_t turn[3], of_warp[HD_WARPS], before;
};

extern "C" __global__ void __launch_bounds__(HD_THREADS)
    expand_begins(const __grid_constant__ hd_inputs in, int64_t m, int64_t tiles, hd_state state,
                  uint64_t *begin, uint64_t *bad)
{
    hd_begin();
    __shared__ hd_sums block;
    const int warp = (int)threadIdx.x / HD_WARP;
    const hd_turn turn = hd_take_turn(&state, block.turn);
    const int64_t first = turn.tile * HD_TILE + (int64_t)threadIdx.x * HD_ROWS;
    uint64_t own[HD_ROWS], sum = 0, of_warp;
#pragma unroll
    for (int r = 0; r < HD_ROWS; r++) {
        const int64_t length = first + r < m ? (int64_t)hd_one_0(&in, first + r) : 0;
        if (length < 0) hd_most_to_long(bad, ~(uint64_t)(first + r));
        own[r] = sum;
        if (length > 0) sum = hd_enough(sum + hd_enough((uint64_t)length));
    }
    const uint64_t before_lane = hd_sum_before_lane(sum, &of_warp);
    if (hd_lane() == 0) block.of_warp[warp] = of_warp;
    hd_block_barrier();
    if (warp == 0) {
        uint64_t all, x = hd_lane() < HD_WARPS ? block.of_warp[hd_lane()] : 0;
        x = hd_sum_before_lane(x, &all);
        if (hd_lane() < HD_WARPS) block.of_warp[hd_lane()] = x;
        hd_publish_part(turn.word, turn.tile, all);
        const uint64_t before = hd_look_back(turn.word, turn.tile, all, false);
        if (hd_lane() == 0) {
            block.before = before;
            if (turn.tile == tiles - 1) *hd_long_of(&state, HD_AT_TOTAL) = hd_enough(before + all);
        }
    }
    hd_block_barrier();
    uint32_t left = 0; // blocks
    if (threadIdx.x == 0) left = hd_leave_turn(&state);
    const uint64_t before = hd_enough(hd_enough(block.before + block.of_warp[warp]) + before_lane);
#pragma unroll
    for (int r = 0; r < HD_ROWS; r++)
        if (first + r < m) begin[first + r] = hd_enough(before + own[r]);
    if (threadIdx.x == 0) hd_end_turn(&state, left, tiles);
}
