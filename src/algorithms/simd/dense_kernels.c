// SPDX-License-Identifier: Apache-2.0
// The loops of inverses for f32 and f64 (dense_body.h).
#include "dense_kernels.h"

#include <math.h>
#include <string.h>

#define DENSE_NAME(x, real)  DENSE_NAMED(x, real)
#define DENSE_NAMED(x, real) dense_##x##_##real

#define REAL float
#define FMA  fmaf
#define ABS  fabsf
#include "dense_body.h"
#undef REAL
#undef FMA
#undef ABS
#define REAL double
#define FMA  fma
#define ABS  fabs
#include "dense_body.h"

const hd__dense_kernels *HD__OF_ISA(hd__dense_kernels)(hd_type real)
{
    return real == HD_F32 ? &dense_row_float : &dense_row_double;
}
