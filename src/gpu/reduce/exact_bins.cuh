// SPDX-License-Identifier: Apache-2.0
//
// Bins: what an expansion has no room for, by exponent, in columns of shared memory. A lane has a
// column to itself, or shares it with its neighbours and takes turns with them: no atomics, and no
// bank conflicts, since the words of a column lie in one bank, whatever the exponent. Word k counts
// 2^(HD_BIN_BITS k - 1) of the smallest number and leaves its carries for later [R. M. Neal's small
// superaccumulator, "Fast exact summation using small and large superaccumulators", 2015]. All
// lanes of a warp add together.
#pragma once
#include "reduce/exact.cuh"

#if HD_INTEGERS
struct hd_bins { // integers need none
};

HD_FN void hd_bins_clear(hd_bins *b)
{
}

HD_FN void hd_warp_add(hd_lane_sum *s, hd_element e, hd_bins *b, hd_digits *d)
{
    hd_lane_add(s, e, d);
}

HD_FN void hd_bins_make_room(hd_lane_sum *s, hd_bins *b, int more)
{
}

HD_FN void hd_warp_end(hd_lane_sum *s, hd_bins *b, hd_digits *d)
{
    hd_lane_end(s, d);
}

HD_FN void hd_bins_tell(hd_lane_sum *s, hd_digits *d)
{
}

HD_FN void hd_bins_collect(hd_bins *b, hd_digits *d, int threads)
{
}
#else
#if HD_REAL_BITS == 32
// A fraction of 24 bits moved up by 31 at most: 255 of them have room in a word.
#define HD_BIN_BITS  32
#define HD_BIN_WORDS 9
#define HD_BIN_ROOM  255
#define HD_SHARERS   1
#else
// A fraction of 53 bits is in two words at most, in each of which 2047 of them have room. A column
// has 328 bytes; shared by four lanes it does not limit how many blocks a multiprocessor runs.
#define HD_BIN_BITS  52
#define HD_BIN_WORDS 41
#define HD_BIN_ROOM  2046
#define HD_SHARERS   4
#endif
#define HD_BIN_MASK (((uint64_t)1 << HD_BIN_BITS) - 1)
#define HD_COLUMNS  (HD_THREADS / HD_SHARERS)

struct hd_bins {
    int64_t word[HD_BIN_WORDS][HD_COLUMNS];
};

HD_FN void hd_bins_clear(hd_bins *b)
{
    for (int k = (int)threadIdx.x; k < HD_BIN_WORDS * HD_COLUMNS; k += HD_THREADS)
        b->word[0][k] = 0;
}

#if HD_REAL_BITS == 32
HD_FN void hd_bins_add(hd_bins *b, hd_real x, hd_digits *d)
{
    const uint32_t bits = hd_bits_of(x), exponent = bits >> 23 & 0xff;
    if (exponent == 0xff) {
        hd_flag_special(d, bits << 9 != 0, bits >> 31);
        return;
    }
    const int32_t fraction = (int32_t)(bits & 0x7fffff) | (exponent > 0 ? 1 << 23 : 0);
    const int64_t number = (int32_t)bits < 0 ? -fraction : fraction;
    const uint32_t at = exponent > 0 ? exponent : 1;
    b->word[at / 32][threadIdx.x] += (int64_t)((uint64_t)number << at % 32);
}
#else
HD_FN void hd_bins_add(hd_bins *b, hd_real x, hd_digits *d)
{
    const uint64_t bits = hd_bits_of(x);
    const uint32_t exponent = (uint32_t)(bits >> 52) & 0x7ff;
    uint64_t fraction = bits << 12 >> 12 | (uint64_t)(exponent > 0) << 52;
    if (exponent == 0x7ff) {
        hd_flag_special(d, bits << 12 != 0, (int64_t)bits < 0);
        fraction = 0;
    }
    const int64_t number = (int64_t)bits < 0 ? -(int64_t)fraction : (int64_t)fraction;
    const uint32_t at = exponent > 0 ? exponent : 1, k = at / HD_BIN_BITS, shift = at % HD_BIN_BITS;
    const int64_t low = (int64_t)((uint64_t)number << shift & HD_BIN_MASK);
    // Rounded down, since low is never below zero.
    const int64_t high = number >> (HD_BIN_BITS - shift);
    int64_t *word = &b->word[k][threadIdx.x / HD_SHARERS];
#pragma unroll
    for (int turn = 0; turn < HD_SHARERS; turn++) {
        if ((int)threadIdx.x % HD_SHARERS == turn && x != 0) {
            const int64_t p = word[0], q = word[HD_COLUMNS];
            word[0] = p + low;
            word[HD_COLUMNS] = q + high;
        }
        hd_warp_barrier();
    }
}
#endif

// What is left of an element goes into the bins, which have room for it.
HD_FN void hd_warp_add(hd_lane_sum *s, hd_element e, hd_bins *b, hd_digits *d)
{
    const hd_real rest = hd_lane_rest(s, e);
#if HD_SHARERS == 1
    if (rest == 0) return;
#else
    if (hd_all(rest == 0)) return;
#endif
    hd_bins_add(b, rest, d);
    s->held++;
}

// A column's words but for what the next one counts.
HD_FN void hd_bins_carry(hd_bins *b)
{
    int64_t carry = 0, *word = &b->word[0][threadIdx.x / HD_SHARERS];
#pragma unroll 1
    for (int k = 0; k < HD_BIN_WORDS - 1; k++) {
        const int64_t x = word[k * HD_COLUMNS] + carry;
        carry = x >> HD_BIN_BITS;
        word[k * HD_COLUMNS] = (int64_t)((uint64_t)x & HD_BIN_MASK);
    }
    word[(HD_BIN_WORDS - 1) * HD_COLUMNS] += carry;
}

// Room for so many numbers more of each lane.
HD_FN void hd_bins_make_room(hd_lane_sum *s, hd_bins *b, int more)
{
    if (hd_all((s->held + more) * HD_SHARERS <= HD_BIN_ROOM)) return;
    hd_warp_barrier();
    if (threadIdx.x % HD_SHARERS == 0) hd_bins_carry(b);
    hd_warp_barrier();
    s->held = 1;
}

HD_FN void hd_warp_end(hd_lane_sum *s, hd_bins *b, hd_digits *d)
{
    hd_bins_make_room(s, b, HD_EXPANSION);
#pragma unroll
    for (int k = 0; k < HD_EXPANSION; k++) hd_bins_add(b, s->part[k], d);
    if (hd_ballot(s->some != 0) != 0 && hd_lane() == 0) hd_flag_shared(&d->flags, 8);
}

// Bins that are used must be collected.
HD_FN void hd_bins_tell(hd_lane_sum *s, hd_digits *d)
{
    if (s->held > 0) hd_flag_shared(&d->binned, 1);
}

// The sum over all lanes of a warp.
HD_FN int64_t hd_warp_total(int64_t x)
{
#pragma unroll
    for (int distance = HD_WARP / 2; distance > 0; distance /= 2) {
        const int from = hd_lane() ^ distance;
        const uint32_t low = hd_word_from((uint32_t)x, from);
        x += (int64_t)((uint64_t)hd_word_from((uint32_t)((uint64_t)x >> 32), from) << 32 | low);
    }
    return x;
}

// The columns of a team of threads, after a barrier, into its digits; they are zero then. A warp
// takes a word at a time; halves of 32 bits have room for the sum over all columns.
HD_FN void hd_bins_collect(hd_bins *b, hd_digits *d, int threads)
{
    const int columns = threads / HD_SHARERS, mine = (int)threadIdx.x % threads;
    const int first = ((int)threadIdx.x - mine) / HD_SHARERS;
#pragma unroll 1
    for (int k = mine / HD_WARP; k < HD_BIN_WORDS; k += threads / HD_WARP) {
        int64_t low = 0, high = 0;
        for (int c = hd_lane(); c < columns; c += HD_WARP) {
            const int64_t x = b->word[k][first + c];
            b->word[k][first + c] = 0;
            low += (uint32_t)x;
            high += x >> 32;
        }
        low = hd_warp_total(low);
        high = hd_warp_total(high);
        const int at = HD_BIN_BITS * k - 1 + (HD_REAL_BITS == 32 && HD_LIMBS != 6 ? 1074 - 149 : 0);
        if (hd_lane() != 0) continue;
        hd_add_magnitude(d, (uint64_t)low, at, 0);
        hd_add_magnitude(d, (uint64_t)(high < 0 ? -high : high), at + 32, high < 0);
    }
}
#endif
