// SPDX-License-Identifier: Apache-2.0
// The sums of four short f32 segments side by side: of fewer than eight elements, or fewer than 32.
// R(n) is (((sixteen + eight) + four) + two) + one over the nodes that the bits of n name. Missing
// ones are -0, which changes no sum; the sum of nothing is +0.
#ifndef HEDDLE_CPU_SIMD_SHORT_NEON_H
#define HEDDLE_CPU_SIMD_SHORT_NEON_H

#include "vec.h"

// The last three elements at most, as bytes of {two, two, one, -} by the length: where they are
// taken from (none: 255), and the sign of what is missing.
#define AT(k) 4 * (k), 4 * (k) + 1, 4 * (k) + 2, 4 * (k) + 3
#define NOT   255, 255, 255, 255
static const uint8_t short_take[4][16] = {{NOT, NOT, NOT, NOT},
                                          {NOT, NOT, AT(0), NOT},
                                          {AT(0), AT(1), NOT, NOT},
                                          {AT(0), AT(1), AT(2), NOT}};
#define MINUS 0x80000000u
#define SIGNS                                                                                      \
    {MINUS, MINUS, 0, MINUS}, {0, 0, MINUS, MINUS},                                                \
    {                                                                                              \
        0, 0, 0, MINUS                                                                             \
    }
static const uint32_t short_sign[8][4] = {
    {0, 0, 0, 0}, SIGNS, {MINUS, MINUS, MINUS, MINUS}, SIGNS}; // row 0: there is nothing at all
#define FOUR_MINUS -0.0f, -0.0f, -0.0f, -0.0f
static const float short_nothing[16] = {FOUR_MINUS, FOUR_MINUS, FOUR_MINUS, FOUR_MINUS};

// at if the bit of n is set, else where nothing is. Written out: gcc would branch.
#define IF_BIT(p, at, n, bit)                                                                      \
    __asm__("tst %1, %4\n\tcsel %0, %2, %3, ne"                                                    \
            : "=r"(p)                                                                              \
            : "r"(n), "r"(at), "r"(short_nothing), "i"(bit)                                        \
            : "cc")

// The nodes of four, two and one elements of four segments, whose last seven elements at most are
// at[k]; signs[k] is the row of short_sign. Four elements from (n & 4) on may be read.
typedef struct short_nodes {
    float32x4_t four, two, one;
} short_nodes;

INLINE short_nodes short_last(const float *const *at, const uint64_t *n, const uint64_t *sign)
{
    float32x4_t four[4], rest[4];
    for (int k = 0; k < 4; k++) {
        const float *here;
        IF_BIT(here, at[k], n[k], 4);
        four[k] = vld1q_f32(here);
        const uint8x16_t last = vld1q_u8((const uint8_t *)(at[k] + (n[k] & 4)));
        const uint8x16_t taken = vqtbl1q_u8(last, vld1q_u8(short_take[n[k] & 3]));
        rest[k] = vreinterpretq_f32_u32(
            vorrq_u32(vreinterpretq_u32_u8(taken), vld1q_u32(short_sign[sign[k]])));
    }
    const float32x4_t a = vpaddq_f32(rest[0], rest[1]), b = vpaddq_f32(rest[2], rest[3]);
    return (short_nodes){vpaddq_f32(vpaddq_f32(four[0], four[1]), vpaddq_f32(four[2], four[3])),
                         vuzp1q_f32(a, b), vuzp2q_f32(a, b)};
}

// Fewer than eight elements each: eight from where each begins may be read. Longer ones give some
// number.
INLINE float32x4_t four_tiny(const float *x, const int64_t *begin, const int64_t *length)
{
    const float *at[4];
    uint64_t n[4], sign[4];
    for (int k = 0; k < 4; k++) {
        at[k] = x + begin[k];
        n[k] = (uint64_t)length[k];
        sign[k] = n[k] & 7;
    }
    const short_nodes s = short_last(at, n, sign);
    return vaddq_f32(vaddq_f32(s.four, s.two), s.one);
}

// Fewer than 32 each, and at least one: four after the end of each may be read. Longer ones give
// some number.
INLINE float32x4_t four_short(const float *x, const int64_t *begin, const int64_t *length)
{
    const float *at[4];
    uint64_t n[4], sign[4];
    float32x4_t sixteen[4], eight[4];
    for (int k = 0; k < 4; k++) {
        const float *here;
        at[k] = x + begin[k];
        n[k] = (uint64_t)length[k];
        sign[k] = (n[k] & 3) | 4;
        IF_BIT(here, at[k], n[k], 16);
        sixteen[k] = vpaddq_f32(vpaddq_f32(vld1q_f32(here), vld1q_f32(here + 4)),
                                vpaddq_f32(vld1q_f32(here + 8), vld1q_f32(here + 12)));
        at[k] += n[k] & 16;
        IF_BIT(here, at[k], n[k], 8);
        eight[k] = vpaddq_f32(vld1q_f32(here), vld1q_f32(here + 4));
        at[k] += n[k] & 8;
    }
    const short_nodes s = short_last(at, n, sign);
    const float32x4_t sixteens =
        vpaddq_f32(vpaddq_f32(sixteen[0], sixteen[1]), vpaddq_f32(sixteen[2], sixteen[3]));
    const float32x4_t eights =
        vpaddq_f32(vpaddq_f32(eight[0], eight[1]), vpaddq_f32(eight[2], eight[3]));
    return vaddq_f32(vaddq_f32(vaddq_f32(vaddq_f32(sixteens, eights), s.four), s.two), s.one);
}

#undef AT
#undef NOT
#undef MINUS
#undef SIGNS
#undef FOUR_MINUS
#undef IF_BIT

#endif
