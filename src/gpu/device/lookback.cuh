// SPDX-License-Identifier: Apache-2.0
//
// One pass over tiles that must know something of all tiles before them: a count, a sum, the last head
// of a run. Blocks take tiles by ticket, or by their number, for they begin in that order; they publish
// their part in a 64-bit word, and look back over the words of the tiles before until one has a whole prefix. Integers: any order gives the same bits.
//
// The words are of two halves. A launch works in one, which is all zero when it begins, and clears what
// the launch before left in the other. Ticket, halves and results live on the device.
#pragma once
#include "device/lanes.cuh"

enum { HD_AT_TICKET, HD_AT_DONE, HD_AT_HALF, HD_AT_USED = 4, HD_AT_TOTAL = 6, HD_AT_BAD = 10 };

struct hd_state {
    uint32_t *clock; // by the names above; from HD_AT_USED on 64-bit numbers
    uint64_t *word;
    int64_t half; // words
};

#define HD_PART  (1ull << 62) // the tile's own
#define HD_WHOLE (2ull << 62) // of everything up to the tile

// ---- Looking back --------------------------------------------------------------------------------

// Two parts in one: their sum, which stays within a word, or the later (greater) of both.
HD_FN uint64_t hd_meet(uint64_t a, uint64_t b, bool latest)
{
    if (latest) return a > b ? a : b;
    return a + b < HD_PART ? a + b : HD_PART - 1;
}

#define HD_WINDOWS 4 // of 32 words that are asked for at once

// Publishes the part of a tile, as early as it is known. A warp calls. Values are less than 2^62.
HD_FN void hd_publish_part(uint64_t *word, int64_t tile, uint64_t mine)
{
    if (hd_lane() == 0) hd_store_relaxed_64(word + tile, (tile > 0 ? HD_PART : HD_WHOLE) | mine);
}

// What all tiles before one have, whose part is published. A warp calls; the value is good in every lane.
HD_FN uint64_t hd_look_back(uint64_t *word, int64_t tile, uint64_t mine, bool latest)
{
    uint64_t before = 0; // of this lane's words
    bool far = tile > 0;
    if (!far) return 0;
#pragma unroll 1
    for (int64_t at = tile - 1 - hd_lane(); far; at -= HD_WINDOWS * HD_WARP) {
        uint64_t w[HD_WINDOWS];
#pragma unroll
        for (int q = 0; q < HD_WINDOWS; q++) { // before the first tile there is nothing
            const int64_t k = at - q * HD_WARP;
            w[q] = k >= 0 ? hd_load_relaxed_64(word + k) : HD_WHOLE;
        }
#pragma unroll
        for (int q = 0; q < HD_WINDOWS; q++) {
            if (!far) break;
            uint32_t whole, near;
            for (;;) {
                whole = hd_ballot(w[q] >= HD_WHOLE);
                near = whole != 0 ? whole ^ (whole - 1) : HD_ALL; // up to the nearest whole one
                if ((hd_ballot(w[q] < HD_PART) & near) == 0) break;
                const int64_t k = at - q * HD_WARP;
                if (k >= 0) w[q] = hd_load_relaxed_64(word + k);
            }
            if (near >> hd_lane() & 1) before = hd_meet(before, w[q] & (HD_PART - 1), latest);
            far = whole == 0;
        }
    }
#pragma unroll
    for (int d = 1; d < HD_WARP; d *= 2)
        before = hd_meet(before, hd_long_from_xor(before, d), latest);
    if (hd_lane() == 0) hd_store_relaxed_64(word + tile, HD_WHOLE | hd_meet(before, mine, latest));
    return before;
}

// ---- Turns ---------------------------------------------------------------------------------------

struct hd_turn {
    int64_t tile;
    uint64_t *word; // of this launch
};

HD_FN uint64_t *hd_long_of(const hd_state *s, int which)
{
    return (uint64_t *)(s->clock + which);
}

// One thread asks what a block that has a tile must know, and later tells the others. `shared` is for this alone.
struct hd_asked {
    uint32_t half;
    uint64_t used;
};

HD_FN hd_asked hd_ask_turn(const hd_state *s)
{
    const hd_asked a = {hd_load_relaxed(s->clock + HD_AT_HALF),
                        hd_load_relaxed_64(hd_long_of(s, HD_AT_USED))};
    return a;
}

HD_FN void hd_tell_turn(hd_asked a, int64_t tile, uint64_t *shared)
{
    shared[0] = (uint64_t)tile;
    shared[1] = a.half;
    shared[2] = a.used;
}

// The answer; a share of what the launch before left is cleared. All threads call once, behind a barrier.
HD_FN hd_turn hd_turn_of(const hd_state *s, const uint64_t *shared)
{
    hd_turn turn;
    turn.tile = (int64_t)shared[0];
    turn.word = s->word + (shared[1] != 0 ? s->half : 0);
    uint64_t *other = s->word + (shared[1] != 0 ? 0 : s->half);
    const int64_t used = (int64_t)shared[2];
    for (int64_t k = turn.tile * HD_THREADS + threadIdx.x; k < used;
         k += (int64_t)gridDim.x * HD_THREADS)
        hd_store_relaxed_64(other + k, 0);
    return turn;
}

// One thread of each block calls the first when the block has read all that it needs of the clock, and the second later,
// so that nobody waits for the answer. The last block leaves the clock for the next launch.
HD_FN uint32_t hd_leave_turn(const hd_state *s)
{
    return hd_add_to(s->clock + HD_AT_DONE, 1);
}

HD_FN void hd_end_turn(const hd_state *s, uint32_t left, int64_t words)
{
    if (left != gridDim.x - 1) return;
    hd_store_relaxed(s->clock + HD_AT_TICKET, 0);
    hd_store_relaxed(s->clock + HD_AT_DONE, 0);
    hd_store_relaxed(s->clock + HD_AT_HALF, hd_load_relaxed(s->clock + HD_AT_HALF) == 0);
    hd_store_relaxed_64(hd_long_of(s, HD_AT_USED), (uint64_t)words);
}
