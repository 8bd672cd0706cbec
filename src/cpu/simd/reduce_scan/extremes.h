// SPDX-License-Identifier: Apache-2.0
// Minimum and maximum of two vectors, by the one instruction where there is one. Floats propagate
// NaN and order -0 below +0, as the definition does (core/operators/builtin_floats.c).
#ifndef HEDDLE_CPU_SIMD_REDUCE_SCAN_EXTREMES_H
#define HEDDLE_CPU_SIMD_REDUCE_SCAN_EXTREMES_H

#include "cpu/simd/vec.h"

#if defined(__ARM_NEON)
#define MIN_i8(a, b)  ((V)vminq_s8((int8x16_t)(a), (int8x16_t)(b)))
#define MAX_i8(a, b)  ((V)vmaxq_s8((int8x16_t)(a), (int8x16_t)(b)))
#define MIN_u8(a, b)  ((V)vminq_u8((uint8x16_t)(a), (uint8x16_t)(b)))
#define MAX_u8(a, b)  ((V)vmaxq_u8((uint8x16_t)(a), (uint8x16_t)(b)))
#define MIN_i16(a, b) ((V)vminq_s16((int16x8_t)(a), (int16x8_t)(b)))
#define MAX_i16(a, b) ((V)vmaxq_s16((int16x8_t)(a), (int16x8_t)(b)))
#define MIN_u16(a, b) ((V)vminq_u16((uint16x8_t)(a), (uint16x8_t)(b)))
#define MAX_u16(a, b) ((V)vmaxq_u16((uint16x8_t)(a), (uint16x8_t)(b)))
#define MIN_i32(a, b) ((V)vminq_s32((int32x4_t)(a), (int32x4_t)(b)))
#define MAX_i32(a, b) ((V)vmaxq_s32((int32x4_t)(a), (int32x4_t)(b)))
#define MIN_u32(a, b) ((V)vminq_u32((uint32x4_t)(a), (uint32x4_t)(b)))
#define MAX_u32(a, b) ((V)vmaxq_u32((uint32x4_t)(a), (uint32x4_t)(b)))
#define MIN_f32(a, b) ((V)vminq_f32((float32x4_t)(a), (float32x4_t)(b)))
#define MAX_f32(a, b) ((V)vmaxq_f32((float32x4_t)(a), (float32x4_t)(b)))
#define MIN_f64(a, b) ((V)vminq_f64((float64x2_t)(a), (float64x2_t)(b)))
#define MAX_f64(a, b) ((V)vmaxq_f64((float64x2_t)(a), (float64x2_t)(b)))
#elif defined(__AVX512F__)
#define X86(name, suffix) _mm512_##name##_##suffix
#define R                 __m512i
#elif defined(__AVX2__)
#define X86(name, suffix) _mm256_##name##_##suffix
#define R                 __m256i
#endif

#if defined(__AVX2__)
#define MIN_i8(a, b)  ((V)X86(min, epi8)((R)(a), (R)(b)))
#define MAX_i8(a, b)  ((V)X86(max, epi8)((R)(a), (R)(b)))
#define MIN_u8(a, b)  ((V)X86(min, epu8)((R)(a), (R)(b)))
#define MAX_u8(a, b)  ((V)X86(max, epu8)((R)(a), (R)(b)))
#define MIN_i16(a, b) ((V)X86(min, epi16)((R)(a), (R)(b)))
#define MAX_i16(a, b) ((V)X86(max, epi16)((R)(a), (R)(b)))
#define MIN_u16(a, b) ((V)X86(min, epu16)((R)(a), (R)(b)))
#define MAX_u16(a, b) ((V)X86(max, epu16)((R)(a), (R)(b)))
#define MIN_i32(a, b) ((V)X86(min, epi32)((R)(a), (R)(b)))
#define MAX_i32(a, b) ((V)X86(max, epi32)((R)(a), (R)(b)))
#define MIN_u32(a, b) ((V)X86(min, epu32)((R)(a), (R)(b)))
#define MAX_u32(a, b) ((V)X86(max, epu32)((R)(a), (R)(b)))
#endif
#if defined(__AVX512F__)
#define MIN_i64(a, b) ((V)_mm512_min_epi64((R)(a), (R)(b)))
#define MAX_i64(a, b) ((V)_mm512_max_epi64((R)(a), (R)(b)))
#define MIN_u64(a, b) ((V)_mm512_min_epu64((R)(a), (R)(b)))
#define MAX_u64(a, b) ((V)_mm512_max_epu64((R)(a), (R)(b)))
#endif

// a where mask, else b; I is the integer vector a comparison gives.
#define CHOOSE(I, mask, a, b) ((V)(((I)(a) & (mask)) | ((I)(b) & ~(mask))))

#ifndef MIN_i8
#define MIN_i8(a, b) CHOOSE(I, (b) < (a), b, a)
#define MAX_i8(a, b) CHOOSE(I, (b) > (a), b, a)
#define MIN_u8       MIN_i8
#define MAX_u8       MAX_i8
#define MIN_i16      MIN_i8
#define MAX_i16      MAX_i8
#define MIN_u16      MIN_i8
#define MAX_u16      MAX_i8
#define MIN_i32      MIN_i8
#define MAX_i32      MAX_i8
#define MIN_u32      MIN_i8
#define MAX_u32      MAX_i8
#endif
#ifndef MIN_i64
#define MIN_i64(a, b) CHOOSE(I, (b) < (a), b, a)
#define MAX_i64(a, b) CHOOSE(I, (b) > (a), b, a)
#define MIN_u64       MIN_i64
#define MAX_u64       MAX_i64
#endif

// Without an instruction of these rules: equal operands are zeros of two signs or the same bits
// (or-ing keeps a sign, and-ing drops it); a NaN on the left stays, one on the right is chosen
// because no comparison with it holds.
#ifndef MIN_f32
#define MIN_f32(a, b)                                                                              \
    CHOOSE(I, (a) == (b), (I)(a) | (I)(b), CHOOSE(I, ((a) < (b)) | ((a) != (a)), a, b))
#define MAX_f32(a, b)                                                                              \
    CHOOSE(I, (a) == (b), (I)(a) & (I)(b), CHOOSE(I, ((a) > (b)) | ((a) != (a)), a, b))
#define MIN_f64 MIN_f32
#define MAX_f64 MAX_f32
#endif

#endif
