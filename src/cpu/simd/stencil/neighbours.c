// SPDX-License-Identifier: Apache-2.0
// The table of the kernels of neighbourhoods for one instruction set, and f32 to u8 and u16.
#include "neighbours.h"

// Adding and taking away 2^23 rounds to even, as the sum has no bits below one. The order of the
// two comparisons is one that gcc 12 compiles right for SVE vectors of more than 128 bits; below
// first, then above, it did not. NaN: 0.
INLINE int32_t nearest(float x, float most)
{
    const float low = x < most ? x : most, in_range = x > 0 ? low : 0;
    return (int32_t)((in_range + 0x1p23f) - 0x1p23f);
}

static void narrow_u8(uint8_t *to, const float *from, int64_t n)
{
    for (int64_t i = 0; i < n; i++) to[i] = (uint8_t)nearest(from[i], 255);
}

static void narrow_u16(uint16_t *to, const float *from, int64_t n)
{
    for (int64_t i = 0; i < n; i++) to[i] = (uint16_t)nearest(from[i], 65535);
}

extern const hd__cpu_neighbour_table HD__NAME(neighbour_table);
const hd__cpu_neighbour_table HD__NAME(neighbour_table) = {
    .f32 = {HD__NAME(mask_f32), HD__NAME(weighted_f32), HD__NAME(edges_f32), HD__NAME(star_f32)},
    .f64 = {HD__NAME(mask_f64), HD__NAME(weighted_f64), HD__NAME(edges_f64), HD__NAME(star_f64)},
    .blur = {HD__NAME(blur_column_u8), HD__NAME(blur_row_u8)},
    .narrow_u8 = narrow_u8,
    .narrow_u16 = narrow_u16,
};
