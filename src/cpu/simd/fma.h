// SPDX-License-Identifier: Apache-2.0
// Fused multiply-add of vectors. Where the instruction set has none (x86's baseline) that of f32 is
// made of f64, and that of f64 is the C library's, lane by lane, in one place: slow, and right.
#ifndef HEDDLE_CPU_SIMD_FMA_H
#define HEDDLE_CPU_SIMD_FMA_H

#include "shift.h"
#include "vec.h"

#include <math.h>
#if defined(__SSE2__) && !defined(__FMA__)
#define FMA_BY_F64 1
#define FMA_F64    static __attribute__((noinline, unused))
#include <emmintrin.h>
#else
#define FMA_BY_F64 0
#define FMA_F64    INLINE
#endif

DECLARE_VECTOR(vec_f32, vec_f32_memory, float);
DECLARE_VECTOR(vec_f64, vec_f64_memory, double);

#if FMA_BY_F64
// p + c rounded to odd: of the two numbers around it the one whose last bit is set, unless it is a
// number itself. Rounding that to f32 is rounding p + c (Boldo and Melquiond 2008). The error of
// the sum (Knuth) says on which side of it p + c lies; NaN is on neither.
INLINE __m128d odd_sum(__m128d p, __m128d c)
{
    const __m128d s = _mm_add_pd(p, c), back = _mm_sub_pd(s, p);
    const __m128d e = _mm_add_pd(_mm_sub_pd(p, _mm_sub_pd(s, back)), _mm_sub_pd(c, back));
    const __m128d zero = _mm_setzero_pd();
    const __m128i rounded =
        _mm_castpd_si128(_mm_or_pd(_mm_cmplt_pd(e, zero), _mm_cmpgt_pd(e, zero)));
    const __m128i bits = _mm_castpd_si128(s), one = _mm_set1_epi64x(1);
    const __m128i step = _mm_and_si128(rounded, _mm_andnot_si128(bits, one)); // of even ones
    const __m128i inwards = _mm_srli_epi64(_mm_xor_si128(bits, _mm_castpd_si128(e)), 63);
    const __m128i mask = _mm_sub_epi64(_mm_setzero_si128(), inwards);
    return _mm_castsi128_pd(_mm_add_epi64(bits, _mm_sub_epi64(_mm_xor_si128(step, mask), mask)));
}

// The products are exact in f64.
INLINE __m128 fma_by_f64(__m128 a, __m128 b, __m128 c)
{
    const __m128d low = odd_sum(_mm_mul_pd(_mm_cvtps_pd(a), _mm_cvtps_pd(b)), _mm_cvtps_pd(c));
    const __m128 ha = _mm_movehl_ps(a, a), hb = _mm_movehl_ps(b, b), hc = _mm_movehl_ps(c, c);
    const __m128d high = odd_sum(_mm_mul_pd(_mm_cvtps_pd(ha), _mm_cvtps_pd(hb)), _mm_cvtps_pd(hc));
    return _mm_movelh_ps(_mm_cvtpd_ps(low), _mm_cvtpd_ps(high));
}
#endif

// a * b + c, rounded once.
INLINE vec_f32 fma_f32(vec_f32 a, vec_f32 b, vec_f32 c)
{
#if defined(__AVX512F__)
    return (vec_f32)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
#elif defined(__AVX2__)
    return (vec_f32)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
#elif defined(__ARM_NEON)
    return (vec_f32)vfmaq_f32((float32x4_t)c, (float32x4_t)a, (float32x4_t)b);
#elif FMA_BY_F64
    return (vec_f32)fma_by_f64((__m128)a, (__m128)b, (__m128)c);
#else
    for (int i = 0; i < (int)(VECTOR_BYTES / sizeof(float)); i++) c[i] = fmaf(a[i], b[i], c[i]);
    return c;
#endif
}

FMA_F64 vec_f64 fma_f64(vec_f64 a, vec_f64 b, vec_f64 c)
{
#if defined(__AVX512F__)
    return (vec_f64)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
#elif defined(__AVX2__)
    return (vec_f64)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
#elif defined(__ARM_NEON)
    return (vec_f64)vfmaq_f64((float64x2_t)c, (float64x2_t)a, (float64x2_t)b);
#else
    for (int i = 0; i < (int)(VECTOR_BYTES / sizeof(double)); i++) c[i] = fma(a[i], b[i], c[i]);
    return c;
#endif
}

// A pointer whose making the compiler may not look into: it keeps a register of its own.
#define HIDE(p) __asm__("" : "+r"(p))

// Registers of the set: how many sums can be kept at once.
#if defined(__AVX512F__) || defined(__ARM_NEON)
#define HAS_32_REGISTERS 1
#else
#define HAS_32_REGISTERS 0
#endif

// What is inlined many times. Checked code is so much larger that it would take minutes to compile.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SHARED static __attribute__((noinline))
#else
#define SHARED INLINE
#endif

// Whether sums can take one lane of a register as their weight: then LANE is lane l of w, else w.
#if defined(__aarch64__)
#define BY_LANE    1
#define LANE(w, l) SPLAT((w)[l])
#else
#define BY_LANE    0
#define LANE(w, l) ((void)(l), (w))
#endif

// Keeps the making of vectors that are marked so in the order in which they are marked: loads then
// stand as far before their use as they are written.
#if defined(__aarch64__)
#define PIN(v) __asm__ volatile("" : "+w"(v))
#elif defined(__x86_64__)
#define PIN(v) __asm__ volatile("" : "+v"(v))
#else
#define PIN(v) (void)(v)
#endif

// Neighbours of the lanes of a vector: the last lane of p before those of x; those of x from the
// second on, before the first of n.
#if VECTOR_BYTES == 64
#define LAST_LANE_F32(p, x) UP_16(p, x, 1)
#define NEXT_LANE_F32(x, n) UP_16(x, n, 15)
#define LAST_LANE_F64(p, x) UP_8(p, x, 1)
#define NEXT_LANE_F64(x, n) UP_8(x, n, 7)
#elif VECTOR_BYTES == 32
#define LAST_LANE_F32(p, x) UP_8(p, x, 1)
#define NEXT_LANE_F32(x, n) UP_8(x, n, 7)
#define LAST_LANE_F64(p, x) UP_4(p, x, 1)
#define NEXT_LANE_F64(x, n) UP_4(x, n, 3)
#else
#define LAST_LANE_F32(p, x) UP_4(p, x, 1)
#define NEXT_LANE_F32(x, n) UP_4(x, n, 3)
#define LAST_LANE_F64(p, x) UP_2(p, x, 1)
#define NEXT_LANE_F64(x, n) UP_2(x, n, 1)
#endif

// Lanes of a from lane l > 0 on, then those of b.
#if VECTOR_BYTES == 16
#define FROM_LANE_F32(a, b, l) ((l) == 1 ? UP_4(a, b, 3) : (l) == 2 ? UP_4(a, b, 2) : UP_4(a, b, 1))
#define FROM_LANE_F64(a, b, l) UP_2(a, b, 1)
#endif

// Lines of the cache. Whether vector k of a block that begins with a line begins with one, too.
#define LINE_BYTES     64
#define LINE_STARTS(k) ((k)*VECTOR_BYTES % LINE_BYTES == 0)

#endif
