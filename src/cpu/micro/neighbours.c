// SPDX-License-Identifier: Apache-2.0
// Weighted sums of neighbours for one instruction set: f32 and f64 of one text, f32 to u8,
// and the table. Blurs of integers are in blur.c.
#include "blur.h"
#include "fma.h"

#define T           float
#define V           vec_f32
#define VM          vec_f32_memory
#define FMA         fma_f32
#define FMA_ONE     fmaf
#define NAMED(name) name##_f32
#include "neighbours.inc"

#define T           double
#define V           vec_f64
#define VM          vec_f64_memory
#define FMA         fma_f64
#define FMA_ONE     fma
#define NAMED(name) name##_f64
#include "neighbours.inc"

// Adding and taking away 2^23 rounds to even, as the sum has no bits below one.
static void narrow_u8(uint8_t *to, const float *from, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        const float low = from[i] > 0 ? from[i] : 0, x = low < 255 ? low : 255; // NaN: 0
        to[i] = (uint8_t)(int32_t)((x + 0x1p23f) - 0x1p23f);
    }
}

extern const hd__neighbour_table HD__NAME(neighbour_table);
const hd__neighbour_table HD__NAME(neighbour_table) = {
    .f32 = {mask_f32, taps_f32, edges_f32, star_f32},
    .f64 = {mask_f64, taps_f64, edges_f64, star_f64},
    .blur = {HD__NAME(blur_column_u8), HD__NAME(blur_column_u16), HD__NAME(blur_row_u8),
             HD__NAME(blur_row_u16)},
    .narrow_u8 = narrow_u8,
};
