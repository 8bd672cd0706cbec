// SPDX-License-Identifier: Apache-2.0
// Micro-kernels of the operators over integers of 32 bits.
#include "extremes.h"
#include "group_lanes.h"
#include "cpu/simd/shift.h"

typedef int32_t u32_signed; // what a comparison of vectors gives

#define LANES (VECTOR_BYTES / 4)
#if VECTOR_BYTES == 16
#define SHIFT SHIFT_4
#elif VECTOR_BYTES == 32
#define SHIFT SHIFT_8
#else
#define SHIFT SHIFT_16
#endif

#define t u32
#define T uint32_t
#define IS_UNSIGNED
#define MIN_VALUE 0
#define MAX_VALUE UINT32_MAX
#include "integers.inc"
#undef t
#undef T
#undef IS_UNSIGNED
#undef MIN_VALUE
#undef MAX_VALUE

#define t         i32
#define T         int32_t
#define MIN_VALUE INT32_MIN
#define MAX_VALUE INT32_MAX
#include "integers.inc"
