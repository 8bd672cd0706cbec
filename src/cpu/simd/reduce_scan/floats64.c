// SPDX-License-Identifier: Apache-2.0
// Micro-kernels of the operators over f64.
#include "extremes.h"
#include "group_lanes.h"
#include "cpu/simd/lanes.h"
#include "cpu/simd/shift.h"

#include <math.h>

#define t     f64
#define T     double
#define BITS  int64_t
#define LANES (VECTOR_BYTES / 8)
#if VECTOR_BYTES == 16
#define OF_LANES(name) name##_2
#elif VECTOR_BYTES == 32
#define OF_LANES(name) name##_4
#else
#define OF_LANES(name) name##_8
#endif
#define SHIFT OF_LANES(SHIFT)
#define EVEN  OF_LANES(EVEN)
#define ODD   OF_LANES(ODD)
#define LOW   OF_LANES(LOW)
#define HIGH  OF_LANES(HIGH)
#define NEXT  OF_LANES(NEXT)
#if defined(__ARM_NEON)
#define PAIR_SUM(a, b) ((V)vpaddq_f64(a, b))

// Two lanes are so few that bases are better kept as numbers: each vector needs only one to be put
// beside another. 69 GB/s in the first cache of a Neoverse V1, where taking lanes apart gave 36.
INLINE void down_eight(double *o, const double *x, double base, double after)
{
    const float64x2_t a = vld1q_f64(x), b = vld1q_f64(x + 2), c = vld1q_f64(x + 4);
    const float64x2_t d = vld1q_f64(x + 6);
    const double s2 = vpaddd_f64(a), s4 = vpaddd_f64(b), s6 = vpaddd_f64(c);
    const double p2 = base + s2, p4 = base + (s2 + s4), p6 = p4 + s6;
    const float64x2_t e = {base + a[0], p2}, f = {p2 + b[0], p4};
    const float64x2_t g = {p4 + c[0], p6}, h = {p6 + d[0], after};
    vst1q_f64(o, e);
    vst1q_f64(o + 2, f);
    vst1q_f64(o + 4, g);
    vst1q_f64(o + 6, h);
}

INLINE void down_row_sum(double *o, const double *x, float64x2_t base, double after)
{
    down_eight(o, x, base[0], base[1]);
    down_eight(o + 8, x + 8, base[1], after);
}
#define DOWN_ROW_SUM down_row_sum
#endif
#include "floats.inc"
