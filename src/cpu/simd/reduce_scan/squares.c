// SPDX-License-Identifier: Apache-2.0
// Squares in f64, for norms; whether all of f64 are within the range that needs no scaling, the
// ends of core/operators/builtin_norm.c.
#include "cpu/simd/vec.h"

extern hd__cpu_squares_of HD__NAME(squares_f32), HD__NAME(squares_f64);

bool HD__NAME(squares_f32)(double *out, const void *in, int64_t n)
{
    const float *x = in;
    for (int64_t i = 0; i < n; i++) out[i] = (double)x[i] * (double)x[i];
    return true;
}

// A zero has the square of one in the range, and so has a NaN.
bool HD__NAME(squares_f64)(double *out, const void *in, int64_t n)
{
    const double *x = in;
    uint64_t far = 0;
    for (int64_t i = 0; i < n; i++) {
        const double size = __builtin_fabs(x[i]);
        far |= (uint64_t)(size > 0x1p486) | ((uint64_t)(size < 0x1p-511) & (uint64_t)(size > 0));
        out[i] = x[i] * x[i];
    }
    return far == 0;
}
