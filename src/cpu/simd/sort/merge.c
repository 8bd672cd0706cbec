// SPDX-License-Identifier: Apache-2.0
// Integers merged a vector at a time (Papaphilippou, Luk and Brooks, "FLiMS: a fast lightweight
// 2-way merger for sorting", 2022). Of the next N elements of a and of b, lane i takes the less of
// a[i] and b[N - 1 - i]: together the N least of all. They rise and then fall, or turned, so
// log2 N steps sort them. How many of them are a's says where both go on; the next comparison waits
// for that number alone, not for the sorting. Where the lanes of a that are less are not the first
// ones, a or b is not sorted: the last steps are taken back, and the kernel ends.
#include "cpu/simd/vec.h"
#include "cpu/sort/merge_kernels.h"

enum { MAX_STEPS = 256 }; // between looks at whether all was sorted

#if defined(__AVX512F__)

#define V        __m512i
#define LOAD(p)  _mm512_xor_si512(_mm512_loadu_si512(p), flips)
#define STORE(p) _mm512_storeu_si512(p, _mm512_xor_si512(x, flips))

#define NAME            merge_4
#define T               uint32_t
#define LANES           16
#define REVERSED        _mm512_permutexvar_epi32(REVERSE_16, b)
#define NOT_ABOVE       _mm512_cmple_epu32_mask(a, b)
#define MIN             _mm512_min_epu32
#define EXCHANGED(mask) _mm512_mask_max_epu32(MIN(x, other), mask, x, other)
#define STEPS                                                                                      \
    STEP(0xff00, _mm512_shuffle_i64x2(x, x, 0x4e))                                                 \
    STEP(0xf0f0, _mm512_shuffle_i64x2(x, x, 0xb1))                                                 \
    STEP(0xcccc, _mm512_shuffle_epi32(x, _MM_PERM_BADC))                                           \
    STEP(0xaaaa, _mm512_shuffle_epi32(x, _MM_PERM_CDAB))
#define REVERSE_16 _mm512_set_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
#define SET        _mm512_set1_epi32((int32_t)flip)
#include "merge.inc"

#define NAME            merge_8
#define T               uint64_t
#define LANES           8
#define REVERSED        _mm512_permutexvar_epi64(REVERSE_8, b)
#define NOT_ABOVE       _mm512_cmple_epu64_mask(a, b)
#define MIN             _mm512_min_epu64
#define EXCHANGED(mask) _mm512_mask_max_epu64(MIN(x, other), mask, x, other)
#define STEPS                                                                                      \
    STEP(0xf0, _mm512_shuffle_i64x2(x, x, 0x4e))                                                   \
    STEP(0xcc, _mm512_permutex_epi64(x, 0x4e))                                                     \
    STEP(0xaa, _mm512_shuffle_epi32(x, _MM_PERM_BADC))
#define REVERSE_8 _mm512_set_epi64(0, 1, 2, 3, 4, 5, 6, 7)
#define SET       _mm512_set1_epi64((int64_t)flip)
#include "merge.inc"

#define MERGE_4 merge_4
#define MERGE_8 merge_8

#elif defined(__AVX2__)

#define NAME     merge_4
#define T        uint32_t
#define LANES    8
#define REVERSED _mm256_permutevar8x32_epi32(b, _mm256_set_epi32(0, 1, 2, 3, 4, 5, 6, 7))
#define NOT_ABOVE                                                                                  \
    _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(_mm256_min_epu32(a, b), a)))
#define MIN             _mm256_min_epu32
#define EXCHANGED(mask) _mm256_blend_epi32(MIN(x, other), _mm256_max_epu32(x, other), mask)
#define STEPS                                                                                      \
    STEP(0xf0, _mm256_permute4x64_epi64(x, 0x4e))                                                  \
    STEP(0xcc, _mm256_shuffle_epi32(x, 0x4e))                                                      \
    STEP(0xaa, _mm256_shuffle_epi32(x, 0xb1))
#define V        __m256i
#define LOAD(p)  _mm256_xor_si256(_mm256_loadu_si256((const __m256i *)(const void *)(p)), flips)
#define STORE(p) _mm256_storeu_si256((__m256i *)(void *)(p), _mm256_xor_si256(x, flips))
#define SET      _mm256_set1_epi32((int32_t)flip)
#include "merge.inc"

#define MERGE_4 merge_4
#define MERGE_8 NULL

#else
#define MERGE_4 NULL
#define MERGE_8 NULL
#endif

extern const hd__cpu_merge_kernels HD__NAME(merge_kernels);
const hd__cpu_merge_kernels HD__NAME(merge_kernels) = {MERGE_4, MERGE_8};
