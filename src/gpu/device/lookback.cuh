// SPDX-License-Identifier: Apache-2.0
//
// Decoupled look-back (Merrill and Garland 2016) over integers: one pass over tiles that must know
// something of all tiles before them: a count, a sum, the last head of a run. Blocks take tiles by
// ticket, or by their number, for they begin in that order. A block publishes its tile aggregate in
// a 64-bit word and polls the words of the preceding tiles until one holds an inclusive prefix.
// Integers: any order gives the same bits.
//
// The words are of two halves. A launch works in one, which is all zero when it begins, and clears
// what the launch before left in the other. Ticket, halves and results live on the device.
#pragma once
#include "device/lanes.cuh"

enum { HK_AT_TICKET, HK_AT_DONE, HK_AT_HALF, HK_AT_USED = 4, HK_AT_TOTAL = 6, HK_AT_BAD = 10 };

struct hk_state {
    uint32_t *control; // words by the names above; from HK_AT_USED on 64-bit numbers
    uint64_t *word;
    int64_t half; // words
};

#define HK_AGGREGATE (1ull << 62) // the tile's own
#define HK_PREFIX    (2ull << 62) // of everything up to the tile

// ---- Looking back -------------------------------------------------------------------------------

// Two tiles' values in one: their sum, which stays within a word, or the later (greater) of both.
HK_FN uint64_t hk_combine_status(uint64_t a, uint64_t b, bool latest)
{
    if (latest) return a > b ? a : b;
    return a + b < HK_AGGREGATE ? a + b : HK_AGGREGATE - 1;
}

#define HK_WINDOWS 4 // windows of 32 words that are loaded at once

// Publishes the tile aggregate, as early as it is known. A warp calls. Values are less than 2^62.
HK_FN void hk_publish_aggregate(uint64_t *word, int64_t tile, uint64_t mine)
{
    if (hk_lane() == 0)
        hk_store_relaxed_64(word + tile, (tile > 0 ? HK_AGGREGATE : HK_PREFIX) | mine);
}

// The exclusive prefix of a tile whose aggregate is published; publishes its inclusive prefix. A
// warp calls; every lane gets the value.
HK_FN uint64_t hk_look_back(uint64_t *word, int64_t tile, uint64_t mine, bool latest)
{
    uint64_t before = 0; // of this lane's words
    bool looking = tile > 0;
    if (!looking) return 0;
#pragma unroll 1
    for (int64_t at = tile - 1 - hk_lane(); looking; at -= HK_WINDOWS * HK_WARP) {
        uint64_t w[HK_WINDOWS];
#pragma unroll
        for (int q = 0; q < HK_WINDOWS; q++) { // before the first tile there is nothing
            const int64_t k = at - q * HK_WARP;
            w[q] = k >= 0 ? hk_load_relaxed_64(word + k) : HK_PREFIX;
        }
#pragma unroll
        for (int q = 0; q < HK_WINDOWS; q++) {
            if (!looking) break;
            uint32_t prefix_mask, window_mask;
            for (;;) {
                prefix_mask = hk_ballot(w[q] >= HK_PREFIX);
                // Up to the nearest inclusive prefix.
                window_mask = prefix_mask != 0 ? prefix_mask ^ (prefix_mask - 1) : HK_ALL;
                if ((hk_ballot(w[q] < HK_AGGREGATE) & window_mask) == 0) break;
                const int64_t k = at - q * HK_WARP;
                if (k >= 0) w[q] = hk_load_relaxed_64(word + k);
            }
            if (window_mask >> hk_lane() & 1)
                before = hk_combine_status(before, w[q] & (HK_AGGREGATE - 1), latest);
            looking = prefix_mask == 0;
        }
    }
#pragma unroll
    for (int d = 1; d < HK_WARP; d *= 2)
        before = hk_combine_status(before, hk_long_from_xor(before, d), latest);
    if (hk_lane() == 0)
        hk_store_relaxed_64(word + tile, HK_PREFIX | hk_combine_status(before, mine, latest));
    return before;
}

// ---- Tickets ------------------------------------------------------------------------------------

struct hk_ticket {
    int64_t tile;
    uint64_t *word; // of this launch
};

HK_FN uint64_t *hk_long_of(const hk_state *s, int which)
{
    return (uint64_t *)(s->control + which);
}

// What the launch before left: the half of the words that this launch works in, and how many of the
// other half are to be cleared. One thread reads it and broadcasts it with the tile through
// `shared`, which is for this alone.
struct hk_epoch {
    uint32_t half;
    uint64_t used;
};

HK_FN hk_epoch hk_read_epoch(const hk_state *s)
{
    const hk_epoch a = {hk_load_relaxed(s->control + HK_AT_HALF),
                        hk_load_relaxed_64(hk_long_of(s, HK_AT_USED))};
    return a;
}

HK_FN void hk_broadcast_ticket(hk_epoch a, int64_t tile, uint64_t *shared)
{
    shared[0] = (uint64_t)tile;
    shared[1] = a.half;
    shared[2] = a.used;
}

// The block's ticket; clears a share of what the launch before left. All threads call once, after a
// barrier.
HK_FN hk_ticket hk_ticket_of(const hk_state *s, const uint64_t *shared)
{
    hk_ticket ticket;
    ticket.tile = (int64_t)shared[0];
    ticket.word = s->word + (shared[1] != 0 ? s->half : 0);
    uint64_t *other = s->word + (shared[1] != 0 ? 0 : s->half);
    const int64_t used = (int64_t)shared[2];
    for (int64_t k = ticket.tile * HK_THREADS + threadIdx.x; k < used;
         k += (int64_t)gridDim.x * HK_THREADS)
        hk_store_relaxed_64(other + k, 0);
    return ticket;
}

// One thread of each block retires it when the block has read all that it needs of the control
// words, and ends the launch later, so that nobody waits for the answer. The last block resets the
// control words for the next launch.
HK_FN uint32_t hk_retire_block(const hk_state *s)
{
    return hk_add_to(s->control + HK_AT_DONE, 1);
}

HK_FN void hk_end_launch(const hk_state *s, uint32_t left, int64_t words)
{
    if (left != gridDim.x - 1) return;
    hk_store_relaxed(s->control + HK_AT_TICKET, 0);
    hk_store_relaxed(s->control + HK_AT_DONE, 0);
    hk_store_relaxed(s->control + HK_AT_HALF, hk_load_relaxed(s->control + HK_AT_HALF) == 0);
    hk_store_relaxed_64(hk_long_of(s, HK_AT_USED), (uint64_t)words);
}
