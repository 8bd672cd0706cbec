// SPDX-License-Identifier: Apache-2.0
// Blur of u8 on x86_64: two products of 16-bit numbers and their sum are one instruction there
// (pmaddwd), so numbers stand in pairs beside each other. They have a sign, so that what lies
// between the passes is kept less than it is by 2^14, and the sum of two neighbours then still has
// 16 bits. The weights are 2^15 in all; one alone would be too great for 16 bits, but has nothing
// to add (a radius of 0).
#ifndef HEDDLE_CPU_SIMD_STENCIL_BLUR_PAIRS_H
#define HEDDLE_CPU_SIMD_STENCIL_BLUR_PAIRS_H

#include "neighbours.h"

#include <emmintrin.h>

#define LANES (VECTOR_BYTES / 2) // of 16 bits
#define BLOCK VECTOR_BYTES       // elements: two vectors of them, four of sums

#if defined(__AVX512BW__)
typedef __m512i words;
#define LOAD(p)        _mm512_loadu_si512(p)
#define STORE(p, v)    _mm512_storeu_si512(p, v)
#define ALL_32(x)      _mm512_set1_epi32(x)
#define ADD_16(a, b)   _mm512_add_epi16(a, b)
#define ADD_32(a, b)   _mm512_add_epi32(a, b)
#define LOW(a, b)      _mm512_unpacklo_epi16(a, b)
#define HIGH(a, b)     _mm512_unpackhi_epi16(a, b)
#define PRODUCTS(a, b) _mm512_madd_epi16(a, b)
#define SHIFT(a, bits) _mm512_srai_epi32(a, bits)
#define TOGETHER(a, b) _mm512_packs_epi32(a, b)
#define WIDEN(p)       _mm512_cvtepu8_epi16(_mm256_loadu_si256((const __m256i *)(const void *)(p)))
#define NARROW(p, a, b)                                                                            \
    (_mm256_storeu_si256((__m256i *)(void *)(p), _mm512_cvtepi16_epi8(a)),                         \
     _mm256_storeu_si256((__m256i *)(void *)((p) + LANES), _mm512_cvtepi16_epi8(b)))
#elif defined(__AVX2__)
typedef __m256i words;
#define LOAD(p)         _mm256_loadu_si256((const __m256i *)(const void *)(p))
#define STORE(p, v)     _mm256_storeu_si256((__m256i *)(void *)(p), v)
#define ALL_32(x)       _mm256_set1_epi32(x)
#define ADD_16(a, b)    _mm256_add_epi16(a, b)
#define ADD_32(a, b)    _mm256_add_epi32(a, b)
#define LOW(a, b)       _mm256_unpacklo_epi16(a, b)
#define HIGH(a, b)      _mm256_unpackhi_epi16(a, b)
#define PRODUCTS(a, b)  _mm256_madd_epi16(a, b)
#define SHIFT(a, bits)  _mm256_srai_epi32(a, bits)
#define TOGETHER(a, b)  _mm256_packs_epi32(a, b)
#define WIDEN(p)        _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)(const void *)(p)))
#define NARROW(p, a, b) STORE(p, _mm256_permute4x64_epi64(_mm256_packus_epi16(a, b), 0xd8))
#else
typedef __m128i words;
#define LOAD(p)        _mm_loadu_si128((const __m128i *)(const void *)(p))
#define STORE(p, v)    _mm_storeu_si128((__m128i *)(void *)(p), v)
#define ALL_32(x)      _mm_set1_epi32(x)
#define ADD_16(a, b)   _mm_add_epi16(a, b)
#define ADD_32(a, b)   _mm_add_epi32(a, b)
#define LOW(a, b)      _mm_unpacklo_epi16(a, b)
#define HIGH(a, b)     _mm_unpackhi_epi16(a, b)
#define PRODUCTS(a, b) _mm_madd_epi16(a, b)
#define SHIFT(a, bits) _mm_srai_epi32(a, bits)
#define TOGETHER(a, b) _mm_packs_epi32(a, b)
#define WIDEN(p)                                                                                   \
    _mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *)(const void *)(p)), _mm_setzero_si128())
#define NARROW(p, a, b) STORE(p, _mm_packus_epi16(a, b))
#endif

#define LESS_U8 (1 << 14)

// Adds a times the first weight and b times the second, of each lane, to the sums of the lower and
// the upper lanes.
INLINE void add_pair(words sum[2], words a, words b, words weights)
{
    sum[0] = ADD_32(sum[0], PRODUCTS(LOW(a, b), weights));
    sum[1] = ADD_32(sum[1], PRODUCTS(HIGH(a, b), weights));
}

// weight[k] and weight[k + 1]: behind the last one there is a zero.
INLINE words two_weights(const hd__cpu_blur_rows *b, int64_t k)
{
    int32_t two;
    memcpy(&two, b->weight + k, sizeof two);
    return ALL_32(two);
}

INLINE words column_of(const hd__cpu_blur_rows *b, const uint8_t *const *in, int64_t k, int64_t x)
{
    const int64_t r = b->radius;
    if (k == 0) return WIDEN(in[r] + x);
    return ADD_16(WIDEN(in[r - k] + x), WIDEN(in[r + k] + x));
}

INLINE void column_block(const hd__cpu_blur_rows *b, const uint8_t *const *in, uint16_t *out,
                         int64_t x)
{
    words sum[4];
    for (int i = 0; i < 4; i++) sum[i] = ALL_32(128 - (LESS_U8 << 8));
    for (int64_t k = 0; k <= b->radius; k += 2) {
        const words weights = two_weights(b, k);
        const int64_t next = k < b->radius ? k + 1 : k;
        for (int i = 0; i < 2; i++)
            add_pair(sum + 2 * i, column_of(b, in, k, x + i * LANES),
                     column_of(b, in, next, x + i * LANES), weights);
    }
    for (int i = 0; i < 2; i++)
        STORE(out + x + i * LANES, TOGETHER(SHIFT(sum[2 * i], 8), SHIFT(sum[2 * i + 1], 8)));
}

INLINE words row_of(const uint16_t *middle, int64_t away)
{
    if (away == 0) return LOAD(middle);
    return ADD_16(LOAD(middle - away), LOAD(middle + away));
}

INLINE void row_block(const hd__cpu_blur_rows *b, const uint16_t *in, uint8_t *out, int64_t x)
{
    const uint16_t *middle = in + x + b->radius * b->step;
    words sum[4];
    for (int i = 0; i < 4; i++) sum[i] = ALL_32((1 << 21) + (LESS_U8 << 15));
    for (int64_t k = 0; k <= b->radius; k += 2) {
        const words weights = two_weights(b, k);
        const int64_t next = k < b->radius ? k + 1 : k;
        for (int i = 0; i < 2; i++)
            add_pair(sum + 2 * i, row_of(middle + i * LANES, k * b->step),
                     row_of(middle + i * LANES, next * b->step), weights);
    }
    for (int i = 0; i < 4; i++) sum[i] = SHIFT(sum[i], 22);
    NARROW(out + x, TOGETHER(sum[0], sum[1]), TOGETHER(sum[2], sum[3]));
}

#endif
