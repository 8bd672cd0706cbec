// SPDX-License-Identifier: Apache-2.0
// Scans of float sums straight from their elements: in f64 of f32, and compensated.
#include "cpu/simd/lanes.h"
#include "widen.h"

#define LANES_OF __builtin_shufflevector

// Whether all lanes are finite: then x - x is 0, else NaN.
INLINE bool finite_single(single x)
{
    const single d = x - x;
#if VECTOR_BYTES == 64
    return _mm512_cmp_ps_mask((__m512)d, (__m512)d, _CMP_UNORD_Q) == 0;
#elif VECTOR_BYTES == 32
    return _mm256_movemask_ps(_mm256_cmp_ps((__m256)d, (__m256)d, _CMP_UNORD_Q)) == 0;
#elif defined(__ARM_NEON)
    return vaddvq_f32((float32x4_t)d) == 0;
#else
    return d[0] + d[1] + d[2] + d[3] == 0;
#endif
}

INLINE bool finite_twice(twice x)
{
    const twice d = x - x;
#if VECTOR_BYTES == 64
    return _mm512_cmp_pd_mask((__m512d)d, (__m512d)d, _CMP_UNORD_Q) == 0;
#elif VECTOR_BYTES == 32
    return _mm256_movemask_pd(_mm256_cmp_pd((__m256d)d, (__m256d)d, _CMP_UNORD_Q)) == 0;
#elif defined(__ARM_NEON)
    return vaddvq_f64((float64x2_t)d) == 0;
#else
    return d[0] + d[1] == 0;
#endif
}

#define LOAD_SINGLE(p)     (*(const single_memory *)(p))
#define LOAD_TWICE(p)      (*(const twice_memory *)(p))
#define STORE_SINGLE(p, v) (*(single_memory *)(p) = (v))
#define STORE_TWICE(p, v)  (*(twice_memory *)(p) = (v))

#if VECTOR_BYTES == 64
// The transpose of eight rows of eight, in 8 shuffles of f32 where f64 take 24.
INLINE void turn_eight(single *x)
{
    single half[4];
    for (int h = 0; h < 2; h++) { // of four rows the first four, then the others
        const single a = x[2 * h], b = x[2 * h + 1];
        half[h] = LANES_OF(a, b, 0, 8, 16, 24, 1, 9, 17, 25, 2, 10, 18, 26, 3, 11, 19, 27);
        half[2 + h] = LANES_OF(a, b, 4, 12, 20, 28, 5, 13, 21, 29, 6, 14, 22, 30, 7, 15, 23, 31);
    }
    for (int h = 0; h < 2; h++) {
        const single a = half[2 * h], b = half[2 * h + 1];
        x[2 * h] = LANES_OF(a, b, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
        x[2 * h + 1] = LANES_OF(a, b, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31);
    }
}

// By way of memory: widening what is loaded takes no shuffle.
INLINE void load_wide(twice *v, const float *x)
{
    single s[4];
    for (int j = 0; j < 4; j++) s[j] = LOAD_SINGLE(x + 16 * j);
    turn_eight(s);
    __asm__("" : "+m"(s)); // else compilers take the halves of registers
    for (int j = 0; j < 8; j++) v[j] = widen((const float *)s + 8 * j);
}

INLINE void store_wide(float *x, const twice *v)
{
    single s[4];
    for (int j = 0; j < 4; j++) {
        const __m256 a = _mm512_cvtpd_ps((__m512d)v[2 * j]);
        const __m256 b = _mm512_cvtpd_ps((__m512d)v[2 * j + 1]);
        s[j] = (single)_mm512_insertf32x8(_mm512_castps256_ps512(a), b, 1);
    }
    turn_eight(s);
    for (int j = 0; j < 4; j++) STORE_SINGLE(x + 16 * j, s[j]);
}
#endif

// ---- f32 ----------------------------------------------------------------------------------------

#define T      float
#define V      single
#define I      single_bits
#define LANES  (VECTOR_BYTES / 4)
#define EVEN   OF_SINGLE(EVEN)
#define ODD    OF_SINGLE(ODD)
#define LOW    OF_SINGLE(LOW)
#define HIGH   OF_SINGLE(HIGH)
#define NEXT   OF_SINGLE(NEXT)
#define FINITE finite_single
#define NAME   scan_pair_f32
#define E      float
#define O      float
#define LOAD   LOAD_SINGLE
#define STORE  STORE_SINGLE
#define PAIRS  1
#include "fused_scan.inc"
#undef NAME
#undef E
#undef O
#undef LOAD
#undef STORE
#undef T
#undef V
#undef I
#undef LANES
#undef EVEN
#undef ODD
#undef LOW
#undef HIGH
#undef NEXT
#undef FINITE

// ---- f64 ----------------------------------------------------------------------------------------

#define T      double
#define V      twice
#define I      twice_bits
#define LANES  (VECTOR_BYTES / 8)
#define EVEN   OF_TWICE(EVEN)
#define ODD    OF_TWICE(ODD)
#define LOW    OF_TWICE(LOW)
#define HIGH   OF_TWICE(HIGH)
#define NEXT   OF_TWICE(NEXT)
#define FINITE finite_twice
#define NAME   scan_pair_f64
#define E      double
#define O      double
#define LOAD   LOAD_TWICE
#define STORE  STORE_TWICE
#include "fused_scan.inc"
#undef NAME
#undef E
#undef LOAD

// ---- f64 of f32, into f64 and into f32 ----------------------------------------------------------

#define E    float
#define LOAD widen
#if VECTOR_BYTES == 64
#define LOAD_GROUPS load_wide
#endif
#define NAME scan_wide_pair_f64
#include "fused_scan.inc"
#undef NAME
#undef PAIRS
#define PAIRS 0
#define NAME  scan_wide_f64
#include "fused_scan.inc"
#undef NAME
#undef O
#undef STORE
#define O     float
#define STORE narrow
#if VECTOR_BYTES == 64
#define STORE_GROUPS store_wide
#endif
#define NAME scan_wide_f32
#include "fused_scan.inc"
#undef NAME
#undef PAIRS
#define PAIRS 1
#define NAME  scan_wide_pair_f32
#include "fused_scan.inc"

#define ROW(name) &HD__NAME(name##_row)

extern const hd__cpu_fused_scans HD__NAME(fused_scans);
const hd__cpu_fused_scans HD__NAME(fused_scans) = {
    .pair_f32 = ROW(scan_pair_f32),
    .pair_f64 = ROW(scan_pair_f64),
    .wide = {{ROW(scan_wide_f32), ROW(scan_wide_f64)},
             {ROW(scan_wide_pair_f32), ROW(scan_wide_pair_f64)}},
};
