// SPDX-License-Identifier: Apache-2.0
// Blur of u8 by whole weights, in 32 bits: sums of the two neighbours at a distance, times their
// one weight. The results of the columns' pass have 15 bits, so the sum of two of them still is a
// u16. x86_64 has blocks of its own (blur_pairs.h).
#include "neighbours.h"

#define WEIGHT_BITS 15
#define U8_EXTRA    7

#if defined(__x86_64__)
#include "blur_pairs.h"
#define MIN_RADIUS 1 // of blocks
#else
// What lies between the passes is less than it is by this.
#define LESS_U8    0
#define MIN_RADIUS 0
#endif

// ---- NEON ------------------------------------------------------------------------------------

#if defined(__ARM_NEON)

#define BLOCK 32 // elements whose sums stay in registers: eight of four 32-bit sums

INLINE void add_u16(uint32x4_t sum[2], uint16x8_t x, uint16_t weight)
{
    sum[0] = vmlal_n_u16(sum[0], vget_low_u16(x), weight);
    sum[1] = vmlal_high_n_u16(sum[1], x, weight);
}

// The sums of 16 elements from x on, of the rows.
INLINE void column_block(const hd__cpu_blur_rows *b, const uint8_t *const *in, uint16_t *out,
                         int64_t x)
{
    const int64_t r = b->radius;
    uint32x4_t sum[BLOCK / 4];
    for (int k = 0; k < BLOCK / 4; k++) sum[k] = vdupq_n_u32(0);
    for (int g = 0; g < BLOCK / 16; g++) {
        const uint8x16_t v = vld1q_u8(in[r] + x + 16 * g);
        add_u16(sum + 4 * g, vmovl_u8(vget_low_u8(v)), b->weight[0]);
        add_u16(sum + 4 * g + 2, vmovl_high_u8(v), b->weight[0]);
    }
    for (int64_t k = 1; k <= r; k++) {
        const uint8_t *above = in[r - k] + x, *below = in[r + k] + x;
        const uint16_t w = b->weight[k];
        for (int g = 0; g < BLOCK / 16; g++) {
            const uint8x16_t u = vld1q_u8(above + 16 * g), v = vld1q_u8(below + 16 * g);
            add_u16(sum + 4 * g, vaddl_u8(vget_low_u8(u), vget_low_u8(v)), w);
            add_u16(sum + 4 * g + 2, vaddl_high_u8(u, v), w);
        }
    }
    for (int g = 0; g < BLOCK / 8; g++)
        vst1q_u16(out + x + 8 * g,
                  vrshrn_high_n_u32(vrshrn_n_u32(sum[2 * g], WEIGHT_BITS - U8_EXTRA),
                                    sum[2 * g + 1], WEIGHT_BITS - U8_EXTRA));
}

INLINE uint16x8_t round_row(const uint32x4_t *sum)
{
    // Two shifts that together are 22; the second rounds, and the bits the first drops cannot
    // change which way: the half it adds is a whole multiple of what is dropped.
    return vrshrn_high_n_u32(vrshrn_n_u32(vshrq_n_u32(sum[0], 7), 15), vshrq_n_u32(sum[1], 7), 15);
}

INLINE void row_block(const hd__cpu_blur_rows *b, const uint16_t *in, uint8_t *out, int64_t x)
{
    const int64_t r = b->radius, step = b->step;
    const uint16_t *middle = in + x + r * step;
    uint32x4_t sum[BLOCK / 4];
    for (int k = 0; k < BLOCK / 4; k++) sum[k] = vdupq_n_u32(0);
    for (int g = 0; g < BLOCK / 8; g++)
        add_u16(sum + 2 * g, vld1q_u16(middle + 8 * g), b->weight[0]);
    const uint16_t *left = middle - step, *right = middle + step;
    for (int64_t k = 1; k <= r; k++, left -= step, right += step) {
        const uint16_t w = b->weight[k];
        for (int g = 0; g < BLOCK / 8; g++)
            add_u16(sum + 2 * g, vaddq_u16(vld1q_u16(left + 8 * g), vld1q_u16(right + 8 * g)), w);
    }
    for (int g = 0; g < BLOCK / 16; g++)
        vst1q_u8(out + x + 16 * g,
                 vmovn_high_u16(vmovn_u16(round_row(sum + 4 * g)), round_row(sum + 4 * g + 2)));
}

#endif

// ---- Rows ------------------------------------------------------------------------------------

// Whole blocks, the last from the end on if it is not full: what is left is less than a block, or
// all where there are no blocks.
#ifdef BLOCK
#define BY_BLOCKS(block, b, in, out, x)                                                            \
    do {                                                                                           \
        if ((b)->radius < MIN_RADIUS) break;                                                       \
        for (; x + BLOCK <= (b)->n; x += BLOCK) block(b, in, out, x);                              \
        if (x < (b)->n && (b)->n >= BLOCK) block(b, in, out, (b)->n - BLOCK), x = (b)->n;          \
    } while (0)
#else
#define BY_BLOCKS(block, b, in, out, x) (void)0
#endif

void HD__NAME(blur_column_u8)(const hd__cpu_blur_rows *b, const uint8_t *const *in, uint16_t *out)
{
    const int64_t r = b->radius;
    int64_t x = 0;
    BY_BLOCKS(column_block, b, in, out, x);
    for (; x < b->n; x++) {
        uint32_t sum = (uint32_t)b->weight[0] * in[r][x];
        for (int64_t k = 1; k <= r; k++)
            sum += (uint32_t)b->weight[k] * ((uint32_t)in[r - k][x] + in[r + k][x]);
        out[x] = (uint16_t)(((sum + 128) >> (WEIGHT_BITS - U8_EXTRA)) - LESS_U8);
    }
}

INLINE uint32_t from_u8(uint16_t between)
{
    return (uint16_t)(between + LESS_U8);
}

void HD__NAME(blur_row_u8)(const hd__cpu_blur_rows *b, const uint16_t *in, uint8_t *out)
{
    const int64_t r = b->radius, step = b->step;
    int64_t x = 0;
    BY_BLOCKS(row_block, b, in, out, x);
    for (; x < b->n; x++) {
        const uint16_t *middle = in + x + r * step;
        uint32_t sum = b->weight[0] * from_u8(middle[0]);
        for (int64_t k = 1; k <= r; k++)
            sum += b->weight[k] * (from_u8(middle[-k * step]) + from_u8(middle[k * step]));
        out[x] = (uint8_t)((sum + (1u << 21)) >> (WEIGHT_BITS + U8_EXTRA));
    }
}
