// SPDX-License-Identifier: Apache-2.0
// What the blocks of a selection tell each other by decoupled look-back (device/lookback.cuh): how
// many elements they select, and, for run lengths, where their last head is.
#pragma once
#include "device/lookback.cuh"
#include "select/select_tile.cuh"

struct hk_block {
    uint64_t ticket[3];
    uint32_t of_warp[HK_WARPS], last_of_warp[HK_WARPS];
    uint64_t before, last;
};

// What a warp of a block that looks back found of it: how many it chose, or 1 + its last head.
struct hk_own {
    uint64_t count, last;
};

// The counts of a block's warps become those of the warps before each. The block's is published.
HK_FN hk_own hk_publish_counts(hk_block *b, const hk_ticket *ticket, int64_t tiles)
{
    const int warp = (int)threadIdx.x / HK_WARP, lane = hk_lane();
    hk_own mine = {0, 0};
    if (warp == 0) {
        const uint32_t own = lane < HK_WARPS ? b->of_warp[lane] : 0, to = hk_sum_to_lane(own);
        mine.count = hk_word_from(to, 31);
        if (lane < HK_WARPS) b->of_warp[lane] = to - own;
        if (HK_IN_PLACE)
            hk_fence(); // what was read here is overwritten by blocks that see the word
        hk_publish_aggregate(ticket->word, ticket->tile, mine.count);
    }
    if (HK_LENGTHS && warp == HK_WARPS - 1) { // the last head before each warp
        uint32_t to = lane < HK_WARPS ? b->last_of_warp[lane] : 0;
#pragma unroll
        for (int d = 1; d < HK_WARPS; d *= 2) {
            const uint32_t other = hk_word_from(to, lane - d);
            if (lane >= d && other > to) to = other;
        }
        const uint32_t most = hk_word_from(to, HK_WARPS - 1), left = hk_word_from(to, lane - 1);
        if (lane < HK_WARPS) b->last_of_warp[lane] = lane > 0 ? left : 0;
        mine.last = most > 0 ? (uint64_t)(ticket->tile * HK_TILE) + most : 0;
        hk_publish_aggregate(ticket->word + tiles, ticket->tile, mine.last);
    }
    return mine;
}

// What is before the block.
HK_FN void hk_poll_counts(hk_block *b, const hk_state *state, const hk_ticket *ticket,
                          int64_t tiles, hk_own mine)
{
    const int warp = (int)threadIdx.x / HK_WARP;
    if (warp == 0) {
        const uint64_t before = hk_look_back(ticket->word, ticket->tile, mine.count, false);
        if (HK_IN_PLACE) hk_fence();
        if (hk_lane() == 0) {
            b->before = before;
            if (ticket->tile == tiles - 1) *hk_long_of(state, HK_AT_TOTAL) = before + mine.count;
        }
    }
    if (HK_LENGTHS && warp == HK_WARPS - 1) {
        const uint64_t last = hk_look_back(ticket->word + tiles, ticket->tile, mine.last, true);
        if (hk_lane() == 0) b->last = last;
    }
}
