// SPDX-License-Identifier: Apache-2.0
//
// Claims of places, a bit each: whether a source is the first that comes to its place in a launch, which may be
// any. Where all are, no place has two sources, and what the launch wrote stays.
#pragma once
#include "move/targets.cuh"

#define HD_CROWD  4 // lanes for places of one word from which one of them asks for all
#define HD_CLAIMS (HD_ROWS < 8 ? HD_ROWS : 8) // rows at once

struct hd_claims {
    uint32_t *once, *twice; // by place; all zero when the launch begins
    uint32_t *found;        // becomes `way` where a place is claimed again
    char *winner; // of places that are, which become zero: of 8 bytes each where wide, else of 4
    uint32_t way, wide;
    uint32_t
        crowds; // that are looked for in a warp; 0 where the number of a word is more than 32 bits
};

HD_FN uint32_t hd_take_bits(uint32_t *p, uint32_t x)
{
    uint32_t old;
    asm volatile("atom.relaxed.gpu.global.or.b32 %0, [%1], %2;"
                 : "=r"(old)
                 : "l"(p), "r"(x)
                 : "memory");
    return old;
}

HD_FN uint32_t hd_or_of_lanes(uint32_t x)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    uint32_t all;
    asm volatile("redux.sync.or.b32 %0, %1, 0xffffffff;" : "=r"(all) : "r"(x));
    return all;
#else
#pragma unroll
    for (int d = 1; d < HD_WARP; d *= 2) x |= hd_word_from_xor(x, d);
    return x;
#endif
}

HD_FN uint32_t hd_bit_of(hd_memory_space at)
{
    return at != HD_NONE ? 1u << (at & 31) : 0;
}

// The bits that this lane asks for: of its own place, and as a leader of those of other lanes in the same word,
// which then ask for none. First the usual case: places of the warp are in the words of its first and last lane.
HD_FN bool hd_wishes_of_two(hd_memory_space at, uint32_t *bits, int *leader)
{
    const uint32_t word = (uint32_t)(at >> 5), bit = 1u << (at & 31);
    const bool low = word == hd_word_from(word, 0);
    const bool near = low | (word == hd_word_from(word, HD_WARP - 1));
    if (!hd_all(near & (at != HD_NONE))) return false;
    const uint32_t lows = hd_or_of_lanes(low ? bit : 0), highs = hd_or_of_lanes(low ? 0 : bit);
    if (hd_popc((int)lows) + hd_popc((int)highs) != HD_WARP) return false; // a place comes twice
    *leader = low ? 0 : HD_WARP - 1;
    *bits = hd_lane() != *leader ? 0 : low ? lows : highs;
    return true;
}

// Else for some words. Where a place comes twice, sources that are followed by one for the same place become none.
HD_FN void hd_wishes_of_more(const hd_claims *c, hd_memory_space *at, uint32_t *bits, int *leader)
{
    const uint32_t word = (uint32_t)(*at >> 5);
    uint32_t left = hd_ballot(*at != HD_NONE);
    *bits = hd_bit_of(*at);
    *leader = hd_lane();
#pragma unroll 1
    for (uint32_t k = 0; k < c->crowds && left != 0; k++) {
        const int first = 31 - hd_clz(left & (0u - left));
        const uint32_t theirs = hd_word_from(word, first);
        const bool mine = *at != HD_NONE && word == theirs;
        const uint32_t same = hd_ballot(mine);
        if (hd_popc((int)same) < HD_CROWD) break;
        const uint32_t all = hd_or_of_lanes(mine ? hd_bit_of(*at) : 0);
        if (hd_popc((int)all) != hd_popc((int)same)) {
            if (hd_is_followed(*at)) {
                *at = HD_NONE;
                *bits = 0;
            }
            break;
        }
        if (mine) {
            *leader = first;
            *bits = hd_lane() == first ? all : 0;
        }
        left &= ~same;
    }
}

// Places of a word are claimed again: their winners begin.
HD_FN void hd_claim_again(const hd_claims *c, hd_memory_space word, uint32_t bits)
{
    uint32_t fresh = bits & ~hd_take_bits(c->twice + word, bits);
    for (; fresh != 0; fresh &= fresh - 1) {
        const hd_memory_space at = word * 32 + 31 - hd_clz(fresh & (0u - fresh));
        if (c->wide)
            ((uint64_t *)c->winner)[at] = 0;
        else
            ((uint32_t *)c->winner)[at] = 0;
    }
    hd_store_relaxed(c->found, c->way);
}

// Claims the places of HD_CLAIMS rows and leaves HD_NONE where this lane is not the first. Warps call. All
// questions of a lane are under way at once.
HD_FN void hd_claim(const hd_claims *c, hd_memory_space *at)
{
    uint32_t bits[HD_CLAIMS], old[HD_CLAIMS];
    int leader[HD_CLAIMS];
#pragma unroll
    for (int r = 0; r < HD_CLAIMS; r++)
        if (c->crowds == 0 || !hd_wishes_of_two(at[r], &bits[r], &leader[r]))
            hd_wishes_of_more(c, at + r, &bits[r], &leader[r]);
#pragma unroll
    for (int r = 0; r < HD_CLAIMS; r++) {
        old[r] = 0;
        if (bits[r] != 0) old[r] = hd_take_bits(c->once + (at[r] >> 5), bits[r]);
    }
#pragma unroll
    for (int r = 0; r < HD_CLAIMS; r++) {
        if ((bits[r] & old[r]) != 0) hd_claim_again(c, at[r] >> 5, bits[r] & old[r]);
        if ((hd_word_from(old[r], leader[r]) & hd_bit_of(at[r])) != 0) at[r] = HD_NONE;
    }
}

HD_FN bool hd_is_twice(const uint32_t *twice, hd_memory_space at)
{
    return (twice[at >> 5] >> (at & 31) & 1) != 0;
}
