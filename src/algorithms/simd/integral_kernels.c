// SPDX-License-Identifier: Apache-2.0
// Rows of summed-area tables of u8 in sums of 32 bits: sums of 8 or 16 bytes at once in three steps
// of Hillis and Steele 1986 over lanes of 16 bits, where the compiler has vectors.
#include "integral_kernels.h"

#include <string.h>

#include "algorithms/support/isa.h"

#if defined(__AVX2__)
#include <immintrin.h>

enum { GROUP = 16 };

// out = above + all + the sums so far of GROUP bytes; gives all with theirs added. The halves of
// the register have sums of their own; then the second one gets the first one's last.
static inline uint32_t scan_group(const uint8_t *in, uint32_t all, const uint32_t *above,
                                  uint32_t *out)
{
    const __m256i last = _mm256_set1_epi16(0x0f0e);
    __m256i x = _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)in));
    x = _mm256_add_epi16(x, _mm256_slli_si256(x, 2));
    x = _mm256_add_epi16(x, _mm256_slli_si256(x, 4));
    x = _mm256_add_epi16(x, _mm256_slli_si256(x, 8));
    const __m256i first = _mm256_permute2x128_si256(x, x, 0x08); // behind a half of zeros
    x = _mm256_add_epi16(x, _mm256_shuffle_epi8(first, last));
    const __m256i before = _mm256_set1_epi32((int)all);
    const __m256i low = _mm256_cvtepu16_epi32(_mm256_castsi256_si128(x)),
                  high = _mm256_cvtepu16_epi32(_mm256_extracti128_si256(x, 1)),
                  low_above = _mm256_loadu_si256((const __m256i *)above),
                  high_above = _mm256_loadu_si256((const __m256i *)(above + 8));
    _mm256_storeu_si256((__m256i *)out, _mm256_add_epi32(_mm256_add_epi32(low_above, before), low));
    _mm256_storeu_si256((__m256i *)(out + 8),
                        _mm256_add_epi32(_mm256_add_epi32(high_above, before), high));
    return all + (uint32_t)_mm256_extract_epi16(x, 15);
}
#define SCAN_GROUP
#elif defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector) && __has_builtin(__builtin_convertvector)
enum { GROUP = 8 };
typedef uint8_t bytes __attribute__((vector_size(8)));
typedef uint16_t halves __attribute__((vector_size(16)));
typedef uint32_t words __attribute__((vector_size(32)));

static inline halves sums_of(halves x)
{
    const halves none = {0};
    x += __builtin_shufflevector(none, x, 0, 8, 9, 10, 11, 12, 13, 14);
    x += __builtin_shufflevector(none, x, 0, 1, 8, 9, 10, 11, 12, 13);
    return x + __builtin_shufflevector(none, x, 0, 1, 2, 3, 8, 9, 10, 11);
}

static inline uint32_t scan_group(const uint8_t *in, uint32_t all, const uint32_t *above,
                                  uint32_t *out)
{
    bytes x;
    words sums;
    memcpy(&x, in, sizeof x);
    const halves so_far = sums_of(__builtin_convertvector(x, halves));
    memcpy(&sums, above, sizeof sums);
    sums += __builtin_convertvector(so_far, words) + all;
    memcpy(out, &sums, sizeof sums);
    return all + so_far[GROUP - 1];
}
#define SCAN_GROUP
#endif
#endif

static void sum_row(const uint8_t *in, const uint32_t *above, uint32_t *out, int64_t w)
{
    uint32_t all = 0;
    int64_t x = 0;
#ifdef SCAN_GROUP
    for (; x + GROUP <= w; x += GROUP) all = scan_group(in + x, all, above + x, out + x);
#endif
    for (; x < w; x++) out[x] = above[x] + (all += in[x]);
}

hd__integral_row *HD__OF_ISA(hd__integral_row_of)(void)
{
    return sum_row;
}
