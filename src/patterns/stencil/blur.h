// SPDX-License-Identifier: Apache-2.0
// What a backend gets of hd_blur over u8, and by boxes: whole weights and how sums are rounded.
// Other blurs are separable convolutions (convolve.h).
#ifndef HEDDLE_PATTERNS_STENCIL_BLUR_H
#define HEDDLE_PATTERNS_STENCIL_BLUR_H

#include "core/backend.h"
#include "grid.h"

// (((sum >> down) * times) + 2^(shift - 1)) >> shift: a sum over the sum of weights. sum >> down
// has 32 bits or fewer, times 31 or fewer.
typedef struct hd__rounding {
    int32_t down, shift;
    uint64_t times;
} hd__rounding;

static inline uint64_t hd__round_blur(const hd__rounding *r, uint64_t sum)
{
    return ((sum >> r->down) * r->times + ((uint64_t)1 << (r->shift - 1))) >> r->shift;
}

typedef struct hd__blur_job {
    hd__grid grid;          // its rows are read as they are
    int64_t radius;         // of the weights below
    const uint64_t *weight; // [0 .. radius]: the same to both sides
    bool boxes;             // the weights are those of three boxes one after another
    int64_t box[3];         // radii
    int32_t extra;          // bits that the result of the columns' pass, a u16, has more than in
    hd__rounding column, row;
} hd__blur_job;

#endif
