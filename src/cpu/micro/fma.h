// SPDX-License-Identifier: Apache-2.0
// Fused multiply-add of vectors. Where the instruction set has none (x86's baseline) it is the C
// library's, lane by lane: slow, and right.
#ifndef HD__FMA_H
#define HD__FMA_H

#include "shift.h"
#include "vec.h"

#include <math.h>

DECLARE_VECTOR(vec_f32, vec_f32_memory, float);
DECLARE_VECTOR(vec_f64, vec_f64_memory, double);

// a * b + c, rounded once.
INLINE vec_f32 fma_f32(vec_f32 a, vec_f32 b, vec_f32 c)
{
#if defined(__AVX512F__)
    return (vec_f32)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
#elif defined(__AVX2__)
    return (vec_f32)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
#elif defined(__ARM_NEON)
    return (vec_f32)vfmaq_f32((float32x4_t)c, (float32x4_t)a, (float32x4_t)b);
#else
    for (int i = 0; i < (int)(VECTOR_BYTES / sizeof(float)); i++) c[i] = fmaf(a[i], b[i], c[i]);
    return c;
#endif
}

INLINE vec_f64 fma_f64(vec_f64 a, vec_f64 b, vec_f64 c)
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
#define MANY_REGISTERS 1
#else
#define MANY_REGISTERS 0
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

// Keeps the making of vectors that are marked so in the order in which they are marked: loads then stand
// as far before their use as they are written.
#if defined(__aarch64__)
#define PIN(v) __asm__ volatile("" : "+w"(v))
#elif defined(__x86_64__)
#define PIN(v) __asm__ volatile("" : "+v"(v))
#else
#define PIN(v) (void)(v)
#endif

// Neighbours of the lanes of a vector: the last lane of p before those of x; those of x from the second
// on, before the first of n.
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
