// SPDX-License-Identifier: Apache-2.0
// Micro-kernels of the operators over integers of 16 bits.
#include "extremes.h"
#include "group_lanes.h"
#include "cpu/simd/shift.h"

typedef int16_t u16_signed; // what a comparison of vectors gives

#define LANES (VECTOR_BYTES / 2)
#if VECTOR_BYTES == 16
#define SHIFT SHIFT_8
#elif VECTOR_BYTES == 32
#define SHIFT SHIFT_16
#else
#define SHIFT SHIFT_32
#endif

#define t u16
#define T uint16_t
#define IS_UNSIGNED
#define MIN_VALUE 0
#define MAX_VALUE UINT16_MAX
#include "integers.inc"
#undef t
#undef T
#undef IS_UNSIGNED
#undef MIN_VALUE
#undef MAX_VALUE

#define t         i16
#define T         int16_t
#define MIN_VALUE INT16_MIN
#define MAX_VALUE INT16_MAX
#include "integers.inc"
