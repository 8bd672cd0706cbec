// SPDX-License-Identifier: Apache-2.0
// Micro-kernels of compensated sums over nodes, for scans and for what is not dense. reduce has
// sums.c.
#include "cpu/simd/lanes.h"
#include "rows.h"
#include "widen.h"

#define NAME  sum_compensated_f32
#define T     float
#define V     single
#define VM    single_memory
#define I     single_bits
#define LANES (VECTOR_BYTES / 4)
#define EVEN  OF_SINGLE(EVEN)
#define ODD   OF_SINGLE(ODD)
#define LOW   OF_SINGLE(LOW)
#define HIGH  OF_SINGLE(HIGH)
#define NEXT  OF_SINGLE(NEXT)
#include "pairs.inc"
#undef NAME
#undef T
#undef V
#undef VM
#undef I
#undef LANES
#undef EVEN
#undef ODD
#undef LOW
#undef HIGH
#undef NEXT

#define NAME  sum_compensated_f64
#define T     double
#define V     twice
#define VM    twice_memory
#define I     twice_bits
#define LANES (VECTOR_BYTES / 8)
#define EVEN  OF_TWICE(EVEN)
#define ODD   OF_TWICE(ODD)
#define LOW   OF_TWICE(LOW)
#define HIGH  OF_TWICE(HIGH)
#define NEXT  OF_TWICE(NEXT)
#include "pairs.inc"
