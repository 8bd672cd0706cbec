// SPDX-License-Identifier: Apache-2.0
// Micro-kernels of the operators over f32.
#include "extremes.h"
#include "group_lanes.h"
#include "cpu/simd/lanes.h"
#include "cpu/simd/shift.h"

#include <math.h>

#define t     f32
#define T     float
#define BITS  int32_t
#define LANES (VECTOR_BYTES / 4)
#if VECTOR_BYTES == 16
#define OF_LANES(name) name##_4
#elif VECTOR_BYTES == 32
#define OF_LANES(name) name##_8
#else
#define OF_LANES(name) name##_16
#endif
#define SHIFT OF_LANES(SHIFT)
#define EVEN  OF_LANES(EVEN)
#define ODD   OF_LANES(ODD)
#define LOW   OF_LANES(LOW)
#define HIGH  OF_LANES(HIGH)
#define NEXT  OF_LANES(NEXT)
#if defined(__ARM_NEON)
#define PAIR_SUM(a, b) ((V)vpaddq_f32(a, b))
#include "cpu/simd/short_neon.h"
#define FOUR_TINY_SUM(x, begin, length)  ((V)four_tiny(x, begin, length))
#define FOUR_SHORT_SUM(x, begin, length) ((V)four_short(x, begin, length))
#endif
#include "floats.inc"
