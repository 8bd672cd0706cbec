// SPDX-License-Identifier: Apache-2.0
// What the blocks of a selection tell each other by decoupled look-back (device/lookback.cuh): how many elements
// they select, and, for run lengths, where their last head is.
#pragma once
#include "device/lookback.cuh"
#include "select/select_tile.cuh"

struct hd_block {
    uint64_t turn[3];
    uint32_t of_warp[HD_WARPS], last_of_warp[HD_WARPS];
    uint64_t before, last;
};

// What a warp of a block that looks back found of it: how many it chose, or 1 + its last head.
struct hd_own {
    uint64_t count, last;
};

// The counts of a block's warps become those of the warps before each. The block's is published.
HD_FN hd_own hd_tell_blocks(hd_block *b, const hd_turn *turn, int64_t tiles)
{
    const int warp = (int)threadIdx.x / HD_WARP, lane = hd_lane();
    hd_own mine = {0, 0};
    if (warp == 0) {
        const uint32_t own = lane < HD_WARPS ? b->of_warp[lane] : 0, to = hd_sum_to_lane(own);
        mine.count = hd_word_from(to, 31);
        if (lane < HD_WARPS) b->of_warp[lane] = to - own;
        if (HD_IN_PLACE)
            hd_fence(); // what was read here is overwritten by blocks that see the word
        hd_publish_part(turn->word, turn->tile, mine.count);
    }
    if (HD_LENGTHS && warp == HD_WARPS - 1) { // the last head before each warp
        uint32_t to = lane < HD_WARPS ? b->last_of_warp[lane] : 0;
#pragma unroll
        for (int d = 1; d < HD_WARPS; d *= 2) {
            const uint32_t other = hd_word_from(to, lane - d);
            if (lane >= d && other > to) to = other;
        }
        const uint32_t most = hd_word_from(to, HD_WARPS - 1), left = hd_word_from(to, lane - 1);
        if (lane < HD_WARPS) b->last_of_warp[lane] = lane > 0 ? left : 0;
        mine.last = most > 0 ? (uint64_t)(turn->tile * HD_TILE) + most : 0;
        hd_publish_part(turn->word + tiles, turn->tile, mine.last);
    }
    return mine;
}

// What is before the block.
HD_FN void hd_ask_blocks(hd_block *b, const hd_state *state, const hd_turn *turn, int64_t tiles,
                         hd_own mine)
{
    const int warp = (int)threadIdx.x / HD_WARP;
    if (warp == 0) {
        const uint64_t before = hd_look_back(turn->word, turn->tile, mine.count, false);
        if (HD_IN_PLACE) hd_fence();
        if (hd_lane() == 0) {
            b->before = before;
            if (turn->tile == tiles - 1) *hd_long_of(state, HD_AT_TOTAL) = before + mine.count;
        }
    }
    if (HD_LENGTHS && warp == HD_WARPS - 1) {
        const uint64_t last = hd_look_back(turn->word + tiles, turn->tile, mine.last, true);
        if (hd_lane() == 0) b->last = last;
    }
}
