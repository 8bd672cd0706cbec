// SPDX-License-Identifier: Apache-2.0
//
// Elementary functions for the bodies of users' operators and functions, with the same bits on
// every backend:
//
//     HD_FUNCTION(logistic, float, HD_NO_SOURCE, (float, x),
//                 { return 1.0f / (1.0f + hd_expf(-x)); })
//
// exp, sin and their kind of the C library are those of the machine that runs them: glibc's on the
// cpu, CUDA's on a GPU, and one version's may differ from the next one's. Of what is written in a
// body only + - * /, comparisons, conversions, and sqrt, fma, fabs, floor, ceil, trunc and rint,
// with their float ones, are the same everywhere, since IEEE 754 leaves them no choice. The
// functions here are made of nothing else (and of no fma, which is slow where the processor has
// none), as one text that the C compiler, NVRTC and the compilers of the model machine each get:
// math/parts.h, math/exp.h, math/angle.h, math/float.h.
//
// How far a result is from the true value, in units of the last place (ulp; 0.5 is correctly
// rounded):
//
//     function                            double        float
//     hd_sqrt                             0.5           0.5
//     hd_cbrt                             0.501         0.5001
//     hd_hypot                            0.51  (1)     0.5001
//     hd_exp    hd_exp2                   0.54  (1)     0.5001
//     hd_expm1                            0.64          0.5001
//     hd_tanh                             0.56          0.5001
//     hd_log                              0.58          0.5001
//     hd_log2   hd_log10                  0.60          0.5001
//     hd_log1p                            0.67          0.5001
//     hd_pow                              0.57  (1)     0.5001
//     hd_sin    hd_cos                    0.59          0.5001
//     hd_tan                              0.62          0.5001
//     hd_atan                             0.56          0.5001
//     hd_atan2                            0.57          0.5001
//
// (1) up to 0.76 where the result is subnormal, which rounds it twice.
//
// These are bounds of what was measured against 113 bits (numerics.md); tests/numerics/test_math.c
// holds them. Floats (hd_expf and so on) are computed in double and rounded once. Arguments may be
// any: sines of 1e300 are as good as those of 1. Zeros keep their sign, and infinities, NaN and the
// ends of the range are as in annex F of the C standard: hd_pow(x, 0) is 1 for every x, hd_hypot of
// an infinity and NaN is infinite. Powers of two (hd_exp2, hd_log2), whole powers (hd_pow,
// hd_log10) and roots that are exact come out exact. errno is not set; exception flags mean
// nothing.
//
// Monotone, that is never falling from one float to the next where the function rises: all of one
// float but hd_sinf, hd_cosf and hd_tanf, over all 2^32 arguments. Nothing is promised of doubles.
//
// They are static inline, for host code too, in C and C++; kernels of one's own include
// <heddle/math.h> and are compiled with --fmad=false. Without branches but for hd_sin, hd_cos and
// hd_tan: compilers make vectors of a loop over the others where they know AVX2, AVX-512 or NEON.
#ifndef HEDDLE_MATH_H
#define HEDDLE_MATH_H

#include "../heddle.h"

// Their bits are those of exact arithmetic: a file compiled without it has none of them.
#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) ||     \
    defined(__NO_SIGNED_ZEROS__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#define HEDDLE_NO_MATH // -ffast-math or a part of it
#else
#ifndef __GNUC__
#include <math.h> // sqrt
#endif
// clang-format off: the second to fourth are made of the first
#include "math/parts.h"
#include "math/exp.h"
#include "math/angle.h"
#include "math/float.h"
// clang-format on
#endif

#endif
