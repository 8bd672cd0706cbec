// SPDX-License-Identifier: Apache-2.0
//
// Bins: what an expansion has no room for, by exponent, in columns of shared memory. A lane has a
// column to itself, or shares it with its neighbours and takes turns with them: no atomics, and no
// bank conflicts, since the words of a column lie in one bank, whatever the exponent. Word k counts
// 2^(HK_BIN_BITS k - 1) of the smallest number and leaves its carries for later [R. M. Neal's small
// superaccumulator, "Fast exact summation using small and large superaccumulators", 2015]. All
// lanes of a warp add together.
#pragma once
#include "reduce/exact.cuh"

#if HK_INTEGERS
struct hk_bins { // integers need none
};

HK_FN void hk_bins_clear(hk_bins *b)
{
}

HK_FN void hk_warp_add(hk_lane_sum *s, hk_element e, hk_bins *b, hk_digits *d)
{
    hk_lane_add(s, e, d);
}

HK_FN void hk_bins_make_room(hk_lane_sum *s, hk_bins *b, int more)
{
}

HK_FN void hk_warp_end(hk_lane_sum *s, hk_bins *b, hk_digits *d)
{
    hk_lane_end(s, d);
}

HK_FN void hk_bins_tell(hk_lane_sum *s, hk_digits *d)
{
}

HK_FN void hk_bins_collect(hk_bins *b, hk_digits *d, int threads)
{
}
#else
#if HK_REAL_BITS == 32
// A fraction of 24 bits moved up by 31 at most: 255 of them have room in a word.
#define HK_BIN_BITS  32
#define HK_BIN_WORDS 9
#define HK_BIN_ROOM  255
#define HK_SHARERS   1
#else
// A fraction of 53 bits is in two words at most, in each of which 2047 of them have room. A column
// has 328 bytes; shared by four lanes it does not limit how many blocks a multiprocessor runs.
#define HK_BIN_BITS  52
#define HK_BIN_WORDS 41
#define HK_BIN_ROOM  2046
#define HK_SHARERS   4
#endif
#define HK_BIN_MASK (((uint64_t)1 << HK_BIN_BITS) - 1)
#define HK_COLUMNS  (HK_THREADS / HK_SHARERS)

struct hk_bins {
    int64_t word[HK_BIN_WORDS][HK_COLUMNS];
};

HK_FN void hk_bins_clear(hk_bins *b)
{
    for (int k = (int)threadIdx.x; k < HK_BIN_WORDS * HK_COLUMNS; k += HK_THREADS)
        b->word[0][k] = 0;
}

#if HK_REAL_BITS == 32
HK_FN void hk_bins_add(hk_bins *b, hk_real x, hk_digits *d)
{
    const uint32_t bits = hk_bits_of(x), exponent = bits >> 23 & 0xff;
    if (exponent == 0xff) {
        hk_flag_special(d, bits << 9 != 0, bits >> 31);
        return;
    }
    const int32_t fraction = (int32_t)(bits & 0x7fffff) | (exponent > 0 ? 1 << 23 : 0);
    const int64_t number = (int32_t)bits < 0 ? -fraction : fraction;
    const uint32_t at = exponent > 0 ? exponent : 1;
    b->word[at / 32][threadIdx.x] += (int64_t)((uint64_t)number << at % 32);
}
#else
HK_FN void hk_bins_add(hk_bins *b, hk_real x, hk_digits *d)
{
    const uint64_t bits = hk_bits_of(x);
    const uint32_t exponent = (uint32_t)(bits >> 52) & 0x7ff;
    uint64_t fraction = bits << 12 >> 12 | (uint64_t)(exponent > 0) << 52;
    if (exponent == 0x7ff) {
        hk_flag_special(d, bits << 12 != 0, (int64_t)bits < 0);
        fraction = 0;
    }
    const int64_t number = (int64_t)bits < 0 ? -(int64_t)fraction : (int64_t)fraction;
    const uint32_t at = exponent > 0 ? exponent : 1, k = at / HK_BIN_BITS, shift = at % HK_BIN_BITS;
    const int64_t low = (int64_t)((uint64_t)number << shift & HK_BIN_MASK);
    // Rounded down, since low is never below zero.
    const int64_t high = number >> (HK_BIN_BITS - shift);
    int64_t *word = &b->word[k][threadIdx.x / HK_SHARERS];
#pragma unroll
    for (int sharer = 0; sharer < HK_SHARERS; sharer++) {
        if ((int)threadIdx.x % HK_SHARERS == sharer && x != 0) {
            const int64_t p = word[0], q = word[HK_COLUMNS];
            word[0] = p + low;
            word[HK_COLUMNS] = q + high;
        }
        hk_warp_barrier();
    }
}
#endif

// What is left of an element goes into the bins, which have room for it.
HK_FN void hk_warp_add(hk_lane_sum *s, hk_element e, hk_bins *b, hk_digits *d)
{
    const hk_real rest = hk_lane_rest(s, e);
    if (HK_SHARERS == 1 ? rest == 0 : hk_all(rest == 0)) return;
    hk_bins_add(b, rest, d);
    s->held++;
}

// A column's words but for what the next one counts.
HK_FN void hk_bins_carry(hk_bins *b)
{
    int64_t carry = 0, *word = &b->word[0][threadIdx.x / HK_SHARERS];
#pragma unroll 1
    for (int k = 0; k < HK_BIN_WORDS - 1; k++) {
        const int64_t x = word[k * HK_COLUMNS] + carry;
        carry = x >> HK_BIN_BITS;
        word[k * HK_COLUMNS] = (int64_t)((uint64_t)x & HK_BIN_MASK);
    }
    word[(HK_BIN_WORDS - 1) * HK_COLUMNS] += carry;
}

// Room for so many numbers more of each lane.
HK_FN void hk_bins_make_room(hk_lane_sum *s, hk_bins *b, int more)
{
    if (hk_all((s->held + more) * HK_SHARERS <= HK_BIN_ROOM)) return;
    hk_warp_barrier();
    if (threadIdx.x % HK_SHARERS == 0) hk_bins_carry(b);
    hk_warp_barrier();
    s->held = 1;
}

HK_FN void hk_warp_end(hk_lane_sum *s, hk_bins *b, hk_digits *d)
{
    hk_bins_make_room(s, b, HK_EXPANSION);
#pragma unroll
    for (int k = 0; k < HK_EXPANSION; k++) hk_bins_add(b, s->part[k], d);
    if (hk_ballot(s->some != 0) != 0 && hk_lane() == 0) hk_flag_shared(&d->flags, 8);
}

// Bins that are used must be collected.
HK_FN void hk_bins_tell(hk_lane_sum *s, hk_digits *d)
{
    if (s->held > 0) hk_flag_shared(&d->binned, 1);
}

// The sum over all lanes of a warp.
HK_FN int64_t hk_warp_total(int64_t x)
{
#pragma unroll
    for (int distance = HK_WARP / 2; distance > 0; distance /= 2) {
        const int from = hk_lane() ^ distance;
        const uint32_t low = hk_word_from((uint32_t)x, from);
        x += (int64_t)((uint64_t)hk_word_from((uint32_t)((uint64_t)x >> 32), from) << 32 | low);
    }
    return x;
}

// The columns of a team of threads, after a barrier, into its digits; they are zero then. A warp
// takes a word at a time; halves of 32 bits have room for the sum over all columns.
HK_FN void hk_bins_collect(hk_bins *b, hk_digits *d, int threads)
{
    const int columns = threads / HK_SHARERS, mine = (int)threadIdx.x % threads;
    const int first = ((int)threadIdx.x - mine) / HK_SHARERS;
#pragma unroll 1
    for (int k = mine / HK_WARP; k < HK_BIN_WORDS; k += threads / HK_WARP) {
        int64_t low = 0, high = 0;
        for (int c = hk_lane(); c < columns; c += HK_WARP) {
            const int64_t x = b->word[k][first + c];
            b->word[k][first + c] = 0;
            low += (uint32_t)x;
            high += x >> 32;
        }
        low = hk_warp_total(low);
        high = hk_warp_total(high);
        const int at = HK_BIN_BITS * k - 1 + (HK_REAL_BITS == 32 && HK_LIMBS != 6 ? 1074 - 149 : 0);
        if (hk_lane() != 0) continue;
        hk_add_magnitude(d, (uint64_t)low, at, 0);
        hk_add_magnitude(d, (uint64_t)(high < 0 ? -high : high), at + 32, high < 0);
    }
}
#endif
