// SPDX-License-Identifier: Apache-2.0
// Micro-kernels of the operators over integers of 64 bits.
#include "extremes.h"
#include "group_lanes.h"
#include "cpu/simd/shift.h"

typedef int64_t u64_signed; // what a comparison of vectors gives

#define LANES (VECTOR_BYTES / 8)
#if VECTOR_BYTES == 16
#define SHIFT SHIFT_2
#elif VECTOR_BYTES == 32
#define SHIFT SHIFT_4
#else
#define SHIFT SHIFT_8
#endif

#define t u64
#define T uint64_t
#define IS_UNSIGNED
#define MIN_VALUE 0
#define MAX_VALUE UINT64_MAX
#include "integers.inc"
#undef t
#undef T
#undef IS_UNSIGNED
#undef MIN_VALUE
#undef MAX_VALUE

#define t         i64
#define T         int64_t
#define MIN_VALUE INT64_MIN
#define MAX_VALUE INT64_MAX
#include "integers.inc"
