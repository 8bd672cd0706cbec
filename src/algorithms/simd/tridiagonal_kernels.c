// SPDX-License-Identifier: Apache-2.0
// The texts of tridiagonal systems for f32 and f64 and blocks of 8 and 32 rows
// (tridiagonal_body.h).
#include "tridiagonal_kernels.h"

#include <string.h>

#include "algorithms/support/isa.h"
#include "algorithms/support/texts.h"

// Bytes of a register of this instruction set.
#if defined(__AVX512F__)
enum { LANE_BYTES = 64 };
#elif defined(__AVX2__)
enum { LANE_BYTES = 32 };
#else
enum { LANE_BYTES = 16 };
#endif

#define TRIDIAGONAL_NAME(x, real, length)  TRIDIAGONAL_NAMED(x, real, length)
#define TRIDIAGONAL_NAMED(x, real, length) tridiagonal_##x##_##real##_##length

#define REAL      float
#define LANE_MASK int32_t
#define LENGTH    8
#include "tridiagonal_body.h"
#define LENGTH 32
#include "tridiagonal_body.h"
#undef REAL
#undef LANE_MASK
#define REAL      double
#define LANE_MASK int64_t
#define LENGTH    8
#include "tridiagonal_body.h"
#define LENGTH 32
#include "tridiagonal_body.h"

const hd__tridiagonal_kernels *HD__OF_ISA(hd__tridiagonal_kernels)(hd_type real, int64_t n)
{
    if (real == HD_F32) return n <= 8 ? &tridiagonal_row_float_8 : &tridiagonal_row_float_32;
    return n <= 8 ? &tridiagonal_row_double_8 : &tridiagonal_row_double_32;
}
