// SPDX-License-Identifier: Apache-2.0
// Fused multiply-add by one lane of a register of weights, for instruction sets that have it
// (BY_LANE of fma.h). Written as assembler: gcc would rather put a weight that many sums take into
// all lanes of a register of its own, and there are not so many registers.
#ifndef HEDDLE_CPU_SIMD_FMA_LANE_H
#define HEDDLE_CPU_SIMD_FMA_LANE_H

#include "fma.h"

#if BY_LANE
#define TAKE(op, out, kind, lane)                                                                  \
    __asm__(op " %0." kind ", %1." kind ", %2." lane : out(*sum) : "w"(x), "w"(w))

// *sum += x * lane l of w, rounded once.
INLINE void fma_lane_f32(vec_f32 *sum, vec_f32 x, vec_f32 w, const int l)
{
    switch (l) {
    case 0: TAKE("fmla", "+w", "4s", "s[0]"); break;
    case 1: TAKE("fmla", "+w", "4s", "s[1]"); break;
    case 2: TAKE("fmla", "+w", "4s", "s[2]"); break;
    default: TAKE("fmla", "+w", "4s", "s[3]"); break;
    }
}

INLINE void fma_lane_f64(vec_f64 *sum, vec_f64 x, vec_f64 w, const int l)
{
    if (l == 0)
        TAKE("fmla", "+w", "2d", "d[0]");
    else
        TAKE("fmla", "+w", "2d", "d[1]");
}

#undef TAKE
#endif

#endif
