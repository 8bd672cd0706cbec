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

// LANE_ZIP(a, b, from, lanes): a[from], b[from], a[from + 1], b[from + 1], ..., where the compiler
// has vectors.
#if defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector)
#define ZIP_2(a, b, f, n) __builtin_shufflevector(a, b, f, (f) + (n))
#define ZIP_4(a, b, f, n) __builtin_shufflevector(a, b, f, (f) + (n), (f) + 1, (f) + (n) + 1)
#define ZIP_8(a, b, f, n)                                                                          \
    __builtin_shufflevector(a, b, f, (f) + (n), (f) + 1, (f) + (n) + 1, (f) + 2, (f) + (n) + 2,    \
                            (f) + 3, (f) + (n) + 3)
#define ZIP_16(a, b, f, n)                                                                         \
    __builtin_shufflevector(a, b, f, (f) + (n), (f) + 1, (f) + (n) + 1, (f) + 2, (f) + (n) + 2,    \
                            (f) + 3, (f) + (n) + 3, (f) + 4, (f) + (n) + 4, (f) + 5,               \
                            (f) + (n) + 5, (f) + 6, (f) + (n) + 6, (f) + 7, (f) + (n) + 7)
#if defined(__AVX512F__)
#define ZIP_F32 ZIP_16
#define ZIP_F64 ZIP_8
#elif defined(__AVX2__)
#define ZIP_F32 ZIP_8
#define ZIP_F64 ZIP_4
#else
#define ZIP_F32 ZIP_4
#define ZIP_F64 ZIP_2
#endif
#endif
#endif

#define TRIDIAGONAL_NAME(x, real, length)  TRIDIAGONAL_NAMED(x, real, length)
#define TRIDIAGONAL_NAMED(x, real, length) tridiagonal_##x##_##real##_##length

#define REAL      float
#define LANE_MASK int32_t
#ifdef ZIP_F32
#define LANE_ZIP ZIP_F32
#endif
#define LENGTH 8
#include "tridiagonal_body.h"
#define LENGTH 32
#include "tridiagonal_body.h"
#undef REAL
#undef LANE_MASK
#define REAL      double
#define LANE_MASK int64_t
#ifdef ZIP_F64
#undef LANE_ZIP
#define LANE_ZIP ZIP_F64
#endif
#define LENGTH 8
#include "tridiagonal_body.h"
#define LENGTH 32
#include "tridiagonal_body.h"

const hd__tridiagonal_kernels *HD__OF_ISA(hd__tridiagonal_kernels)(hd_type real, int64_t n)
{
    if (real == HD_F32) return n <= 8 ? &tridiagonal_row_float_8 : &tridiagonal_row_float_32;
    return n <= 8 ? &tridiagonal_row_double_8 : &tridiagonal_row_double_32;
}
