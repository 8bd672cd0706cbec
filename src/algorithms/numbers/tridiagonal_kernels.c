// SPDX-License-Identifier: Apache-2.0
// The texts of tridiagonal systems for f32 and f64 and blocks of 8 and 32 rows
// (tridiagonal_body.h).
#include "tridiagonal_kernels.h"

#include "algorithms/support/texts.h"

#define TRIDIAGONAL_NAME(x, real, length)  TRIDIAGONAL_NAMED(x, real, length)
#define TRIDIAGONAL_NAMED(x, real, length) tridiagonal_##x##_##real##_##length

#define REAL   float
#define LENGTH 8
#include "tridiagonal_body.h"
#define LENGTH 32
#include "tridiagonal_body.h"
#undef REAL
#define REAL   double
#define LENGTH 8
#include "tridiagonal_body.h"
#define LENGTH 32
#include "tridiagonal_body.h"

const hd__tridiagonal_kernels *hd__tridiagonal_kernels_of(hd_type real, int64_t n)
{
    if (real == HD_F32) return n <= 8 ? &tridiagonal_row_float_8 : &tridiagonal_row_float_32;
    return n <= 8 ? &tridiagonal_row_double_8 : &tridiagonal_row_double_32;
}
