// SPDX-License-Identifier: Apache-2.0
// The texts of polynomials for f32 and f64 (polynomial_body.h).
#include "polynomial_kernels.h"

#include <string.h>

#include "algorithms/support/texts.h"

#define POLYNOMIAL_NAME(x, real)  POLYNOMIAL_NAMED(x, real)
#define POLYNOMIAL_NAMED(x, real) polynomial_##x##_##real

#define REAL float
#include "polynomial_body.h"
#undef REAL
#define REAL double
#include "polynomial_body.h"

const hd__polynomial_kernels *HD__OF_ISA(hd__polynomial_kernels)(hd_type real)
{
    return real == HD_F32 ? &polynomial_row_float : &polynomial_row_double;
}
