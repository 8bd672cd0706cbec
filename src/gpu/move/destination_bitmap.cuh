// SPDX-License-Identifier: Apache-2.0
//
// A bitmap of destinations, test-and-set by atomics: whether a source is the first of a launch to
// come to its destination, which may be any of them. Where all are first, no destination has two
// sources, and what the launch wrote stays.
#pragma once
#include "move/destinations.cuh"

#define HK_CROWD       4 // lanes for destinations of one word from which one of them asks for all
#define HK_BITMAP_ROWS (HK_ROWS < 8 ? HK_ROWS : 8) // rows at once

struct hk_destination_bitmap {
    uint32_t *once, *twice; // by destination; all zero when the launch begins
    uint32_t *found;        // becomes `way` where a destination comes again
    // Of destinations that are, which become zero: of 8 bytes each where wide, else of 4.
    char *last_writer;
    uint32_t way, wide;
    uint32_t
        crowds; // that are looked for in a warp; 0 where the number of a word is more than 32 bits
};

HK_FN uint32_t hk_fetch_or(uint32_t *p, uint32_t x)
{
    uint32_t old;
    asm volatile("atom.relaxed.gpu.global.or.b32 %0, [%1], %2;"
                 : "=r"(old)
                 : "l"(p), "r"(x)
                 : "memory");
    return old;
}

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
HK_FN uint32_t hk_or_of_lanes(uint32_t x)
{
    uint32_t all;
    asm volatile("redux.sync.or.b32 %0, %1, 0xffffffff;" : "=r"(all) : "r"(x));
    return all;
}
#else
HK_FN uint32_t hk_or_of_lanes(uint32_t x)
{
#pragma unroll
    for (int d = 1; d < HK_WARP; d *= 2) x |= hk_word_from_xor(x, d);
    return x;
}
#endif

HK_FN uint32_t hk_bit_of(hk_destination at)
{
    return at != HK_NONE ? 1u << (at & 31) : 0;
}

// The bits that this lane asks for: of its own destination, and as a leader of those of other lanes
// in the same word, which then ask for none. First the usual case: destinations of the warp are in
// the words of its first and last lane.
HK_FN bool hk_wishes_of_two(hk_destination at, uint32_t *bits, int *leader)
{
    const uint32_t word = (uint32_t)(at >> 5), bit = 1u << (at & 31);
    const bool low = word == hk_word_from(word, 0);
    const bool near = low | (word == hk_word_from(word, HK_WARP - 1));
    if (!hk_all(near & (at != HK_NONE))) return false;
    const uint32_t lows = hk_or_of_lanes(low ? bit : 0), highs = hk_or_of_lanes(low ? 0 : bit);
    if (hk_popc((int)lows) + hk_popc((int)highs) != HK_WARP)
        return false; // a destination comes twice
    *leader = low ? 0 : HK_WARP - 1;
    *bits = hk_lane() != *leader ? 0 : low ? lows : highs;
    return true;
}

// Else for some words. Where a destination comes twice, sources that are followed by one for the
// same destination become none.
HK_FN void hk_wishes_of_more(const hk_destination_bitmap *c, hk_destination *at, uint32_t *bits,
                             int *leader)
{
    const uint32_t word = (uint32_t)(*at >> 5);
    uint32_t left = hk_ballot(*at != HK_NONE);
    *bits = hk_bit_of(*at);
    *leader = hk_lane();
#pragma unroll 1
    for (uint32_t k = 0; k < c->crowds && left != 0; k++) {
        const int first = 31 - hk_clz(left & (0u - left));
        const uint32_t theirs = hk_word_from(word, first);
        const bool mine = *at != HK_NONE && word == theirs;
        const uint32_t same = hk_ballot(mine);
        if (hk_popc((int)same) < HK_CROWD) break;
        const uint32_t all = hk_or_of_lanes(mine ? hk_bit_of(*at) : 0);
        if (hk_popc((int)all) != hk_popc((int)same)) {
            if (hk_is_followed(*at)) {
                *at = HK_NONE;
                *bits = 0;
            }
            break;
        }
        if (mine) {
            *leader = first;
            *bits = hk_lane() == first ? all : 0;
        }
        left &= ~same;
    }
}

// Destinations of a word come again: their last writers begin at zero.
HK_FN void hk_note_duplicates(const hk_destination_bitmap *c, hk_destination word, uint32_t bits)
{
    uint32_t fresh = bits & ~hk_fetch_or(c->twice + word, bits);
    for (; fresh != 0; fresh &= fresh - 1) {
        const hk_destination at = word * 32 + 31 - hk_clz(fresh & (0u - fresh));
        if (c->wide)
            ((uint64_t *)c->last_writer)[at] = 0;
        else
            ((uint32_t *)c->last_writer)[at] = 0;
    }
    hk_store_relaxed(c->found, c->way);
}

// Test-and-sets the destinations of HK_BITMAP_ROWS rows and leaves HK_NONE where this lane is not
// the first. Warps call. All questions of a lane are under way at once.
HK_FN void hk_test_and_set(const hk_destination_bitmap *c, hk_destination *at)
{
    uint32_t bits[HK_BITMAP_ROWS], old[HK_BITMAP_ROWS];
    int leader[HK_BITMAP_ROWS];
#pragma unroll
    for (int r = 0; r < HK_BITMAP_ROWS; r++)
        if (c->crowds == 0 || !hk_wishes_of_two(at[r], &bits[r], &leader[r]))
            hk_wishes_of_more(c, at + r, &bits[r], &leader[r]);
#pragma unroll
    for (int r = 0; r < HK_BITMAP_ROWS; r++) {
        old[r] = 0;
        if (bits[r] != 0) old[r] = hk_fetch_or(c->once + (at[r] >> 5), bits[r]);
    }
#pragma unroll
    for (int r = 0; r < HK_BITMAP_ROWS; r++) {
        if ((bits[r] & old[r]) != 0) hk_note_duplicates(c, at[r] >> 5, bits[r] & old[r]);
        if ((hk_word_from(old[r], leader[r]) & hk_bit_of(at[r])) != 0) at[r] = HK_NONE;
    }
}

HK_FN bool hk_is_duplicate(const uint32_t *twice, hk_destination at)
{
    return (twice[at >> 5] >> (at & 31) & 1) != 0;
}
