// SPDX-License-Identifier: Apache-2.0
//
// Exact sums by digits of 32 bits in shared memory, each with a count of what was carried out of
// it, once for numbers above zero and once for those below: integers, so that atomics may come in
// any order. Before that each lane has a short expansion in registers: a sum, and what rounding cut
// off it, and so on [S. Collange, D. Defour, S. Graillat, R. Iakymchuk, Parallel Computing 49
// (2015)]; what is left over goes through bins (exact_bins.cuh). hk_real_of or hk_whole_of are
// generated.
#pragma once
#include "device/node.cuh"

#define HK_DIGITS    (2 * HK_LIMBS + 2)
#define HK_GREAT     ((hk_real)(sizeof(hk_real) == 8 ? 1e290 : 1e27f))
#define HK_REAL_BITS (HK_EXPANSION == 3 ? 32 : 64)

struct hk_digits {
    uint32_t digit[2][HK_DIGITS], over[2][HK_DIGITS]; // of plus and minus
    uint32_t flags, binned;                           // binned: not zero where bins are used too
};

HK_FN void hk_flag_shared(uint32_t *p, uint32_t x)
{
    asm volatile("{ .reg .u64 q; cvta.to.shared.u64 q, %0; red.relaxed.cta.shared.or.b32 [q], %1; }"
                 :
                 : "l"(p), "r"(x)
                 : "memory");
}

HK_FN void hk_add_digit(hk_digits *d, int minus, int k, uint32_t x)
{
    if (x != 0 && hk_add_in_block(&d->digit[minus][k], x) + x < x)
        hk_add_in_block(&d->over[minus][k], 1);
}

// magnitude 2^at of the last bit of a node; bits below it are zeros.
HK_FN void hk_add_magnitude(hk_digits *d, uint64_t magnitude, int at, int minus)
{
    if (at < 0) {
        magnitude >>= -at;
        at = 0;
    }
    const int k = at / 32, shift = at % 32;
    const uint64_t low = magnitude << shift;
    hk_add_digit(d, minus, k, (uint32_t)low);
    hk_add_digit(d, minus, k + 1, (uint32_t)(low >> 32));
    hk_add_digit(d, minus, k + 2, (uint32_t)(magnitude >> 32 >> (32 - shift)));
}

// ---- A lane's own -------------------------------------------------------------------------------

#if HK_INTEGERS
struct hk_lane_sum {
    uint64_t low, high, below; // of halves of 32 bits; how many were below zero
    bool some;
};

HK_FN void hk_lane_begin(hk_lane_sum *s)
{
    s->low = s->high = s->below = 0;
    s->some = false;
}

HK_FN void hk_lane_add(hk_lane_sum *s, hk_element e, hk_digits *d)
{
    const hk_whole x = hk_whole_of(e);
    s->low += (uint32_t)x;
    s->high += (uint64_t)x >> 32;
    s->below += x < 0;
    s->some = true;
}

HK_FN void hk_lane_end(hk_lane_sum *s, hk_digits *d)
{
    const int point = HK_LIMBS == 6 ? 149 : 1074;
    hk_add_magnitude(d, s->low, point, 0);
    hk_add_magnitude(d, s->high, point + 32, 0);
    hk_add_magnitude(d, s->below, point + 64, 1); // each stands for -2^64
    if (s->some) hk_flag_shared(&d->flags, 8);
}
#else
struct hk_lane_sum {
    hk_real part[HK_EXPANSION];
    hk_real_bits some; // not zero: an element was not -0
    int held;          // numbers in the bins since they were carried, at most
};

HK_FN void hk_lane_begin(hk_lane_sum *s)
{
#pragma unroll
    for (int k = 0; k < HK_EXPANSION; k++) s->part[k] = 0;
    s->some = 0;
    s->held = 0;
}

HK_FN hk_real_bits hk_bits_of(hk_real x)
{
    union {
        hk_real x;
        hk_real_bits u;
    } bits;
    bits.x = x;
    return bits.u;
}

// A flag for a number that is not finite.
HK_FN void hk_flag_special(hk_digits *d, bool nan, bool minus)
{
    hk_flag_shared(&d->flags, 8 | (nan ? 1 : minus ? 4 : 2));
}

// A number into the digits.
HK_FN void hk_spill(hk_digits *d, hk_real x)
{
    union {
        double d;
        uint64_t u;
    } bits;
    bits.d = (double)x;
    const int exponent = (int)(bits.u >> 52 & 0x7ff), normal = exponent > 0;
    const uint64_t fraction = bits.u << 12 >> 12;
    const int minus = (int)(bits.u >> 63);
    if (exponent == 0x7ff)
        hk_flag_special(d, fraction != 0, minus);
    else
        hk_add_magnitude(d, fraction | (uint64_t)normal << 52,
                         exponent - normal - (HK_LIMBS == 6 ? 1074 - 149 : 0), minus);
}

// An element into the expansion: what is left, which is all of it where it is so great that sums of
// 2^30 such numbers could be infinite. No branches: in numbers of all exponents some lane always
// takes them.
HK_FN hk_real hk_lane_rest(hk_lane_sum *s, hk_element e)
{
    const hk_real x = hk_real_of(e);
    const bool fits = x < HK_GREAT && x > -HK_GREAT;
    hk_real rest = fits ? x : 0;
    s->some |= hk_bits_of(x) ^ (hk_real_bits)1 << (HK_REAL_BITS - 1);
#pragma unroll
    for (int k = 0; k < HK_EXPANSION; k++) {
        const hk_real a = s->part[k], t = a + rest, b = t - a;
        s->part[k] = t;
        rest = (a - (t - b)) + (rest - b);
    }
    return fits ? rest : x;
}

// By one lane, whatever others do.
HK_FN void hk_lane_add(hk_lane_sum *s, hk_element e, hk_digits *d)
{
    const hk_real rest = hk_lane_rest(s, e);
    if (rest != 0) hk_spill(d, rest);
}

HK_FN void hk_lane_end(hk_lane_sum *s, hk_digits *d)
{
#pragma unroll
    for (int k = 0; k < HK_EXPANSION; k++)
        if (s->part[k] != 0) hk_spill(d, s->part[k]);
    if (s->some != 0) hk_flag_shared(&d->flags, 8);
}
#endif

// ---- Digits and nodes ---------------------------------------------------------------------------

// Digit k with what others carried out of it: less than 2^63 for 2^30 numbers.
HK_FN int64_t hk_digit_of(const hk_digits *d, int k)
{
    return (int64_t)((uint64_t)d->over[0][k] << 32 | d->digit[0][k]) -
           (int64_t)((uint64_t)d->over[1][k] << 32 | d->digit[1][k]);
}
