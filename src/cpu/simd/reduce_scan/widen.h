// SPDX-License-Identifier: Apache-2.0
// Vectors of f32 and f64 for sums in either, and one read as the other: as many f32 as a vector has
// lanes of f64, each widened or rounded. Compilers make halves and scalars of
// __builtin_convertvector here.
#ifndef HD__WIDEN_H
#define HD__WIDEN_H

#include "cpu/simd/vec.h"

DECLARE_VECTOR(single, single_memory, float);
DECLARE_VECTOR(twice, twice_memory, double);
typedef int32_t single_bits __attribute__((vector_size(VECTOR_BYTES)));
typedef int64_t twice_bits __attribute__((vector_size(VECTOR_BYTES)));

// The lanes of lanes.h, for vectors of each.
#if VECTOR_BYTES == 16
#define OF_SINGLE(name) name##_4
#define OF_TWICE(name)  name##_2
#elif VECTOR_BYTES == 32
#define OF_SINGLE(name) name##_8
#define OF_TWICE(name)  name##_4
#else
#define OF_SINGLE(name) name##_16
#define OF_TWICE(name)  name##_8
#endif

INLINE twice widen(const float *x)
{
#if VECTOR_BYTES == 64
    return (twice)_mm512_cvtps_pd(_mm256_loadu_ps(x));
#elif VECTOR_BYTES == 32
    return (twice)_mm256_cvtps_pd(_mm_loadu_ps(x));
#elif defined(__ARM_NEON)
    return (twice)vcvt_f64_f32(vld1_f32(x));
#else
    return (twice){(double)x[0], (double)x[1]};
#endif
}

INLINE void narrow(float *x, twice v)
{
#if VECTOR_BYTES == 64
    _mm256_storeu_ps(x, _mm512_cvtpd_ps((__m512d)v));
#elif VECTOR_BYTES == 32
    _mm_storeu_ps(x, _mm256_cvtpd_ps((__m256d)v));
#elif defined(__ARM_NEON)
    vst1_f32(x, vcvt_f32_f64((float64x2_t)v));
#else
    x[0] = (float)v[0], x[1] = (float)v[1];
#endif
}

#endif
