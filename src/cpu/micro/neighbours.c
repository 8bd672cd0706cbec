// SPDX-License-Identifier: Apache-2.0
// The table of the kernels of neighbourhoods for one instruction set, and f32 to u8 and u16.
#include "neighbours.h"

// Adding and taking away 2^23 rounds to even, as the sum has no bits below one.
static void narrow_u8(uint8_t *to, const float *from, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        const float low = from[i] > 0 ? from[i] : 0, x = low < 255 ? low : 255; // NaN: 0
        to[i] = (uint8_t)(int32_t)((x + 0x1p23f) - 0x1p23f);
    }
}

static void narrow_u16(uint16_t *to, const float *from, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        const float low = from[i] > 0 ? from[i] : 0, x = low < 65535 ? low : 65535; // NaN: 0
        to[i] = (uint16_t)(int32_t)((x + 0x1p23f) - 0x1p23f);
    }
}

extern const hd__neighbour_table HD__NAME(neighbour_table);
const hd__neighbour_table HD__NAME(neighbour_table) = {
    .f32 = {HD__NAME(mask_f32), HD__NAME(taps_f32), HD__NAME(edges_f32), HD__NAME(star_f32)},
    .f64 = {HD__NAME(mask_f64), HD__NAME(taps_f64), HD__NAME(edges_f64), HD__NAME(star_f64)},
    .blur = {HD__NAME(blur_column_u8), HD__NAME(blur_row_u8)},
    .narrow_u8 = narrow_u8,
    .narrow_u16 = narrow_u16,
};
