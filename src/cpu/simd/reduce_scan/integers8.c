// SPDX-License-Identifier: Apache-2.0
// Micro-kernels of the operators over integers of 8 bits.
#include "extremes.h"
#include "group_lanes.h"
#include "cpu/simd/shift.h"

typedef int8_t u8_signed; // what a comparison of vectors gives

#define LANES (VECTOR_BYTES / 1)
#if VECTOR_BYTES == 16
#define SHIFT SHIFT_16
#elif VECTOR_BYTES == 32
#define SHIFT SHIFT_32
#else
#define SHIFT SHIFT_64
#endif

#define t u8
#define T uint8_t
#define IS_UNSIGNED
#define MIN_VALUE 0
#define MAX_VALUE UINT8_MAX
#include "integers.inc"
#undef t
#undef T
#undef IS_UNSIGNED
#undef MIN_VALUE
#undef MAX_VALUE

#define t         i8
#define T         int8_t
#define MIN_VALUE INT8_MIN
#define MAX_VALUE INT8_MAX
#include "integers.inc"
