// SPDX-License-Identifier: Apache-2.0
// Packing 64 elements by 64 bits, for each size of elements: what depends on the instruction set.
// Every pack_64_SIZE may write 64 elements, though fewer are selected.
#ifndef HEDDLE_CPU_SIMD_SELECT_PACK_WORDS_H
#define HEDDLE_CPU_SIMD_SELECT_PACK_WORDS_H

#include "cpu/simd/vec.h"

// ---- 64 bytes into bits: which are not zero ----------------------------------------------------

#if defined(__AVX512BW__)
INLINE uint64_t bits_of(const uint8_t *b)
{
    const __m512i v = _mm512_loadu_si512(b);
    return _mm512_test_epi8_mask(v, v);
}
#elif defined(__AVX2__)
INLINE uint64_t bits_of(const uint8_t *b)
{
    const __m256i zero = _mm256_setzero_si256();
    const __m256i low = _mm256_cmpeq_epi8(_mm256_loadu_si256((const void *)b), zero);
    const __m256i high = _mm256_cmpeq_epi8(_mm256_loadu_si256((const void *)(b + 32)), zero);
    return ~((uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32 |
             (uint32_t)_mm256_movemask_epi8(low));
}
#elif defined(__SSE2__)
#include <emmintrin.h>
INLINE uint64_t bits_of(const uint8_t *b)
{
    uint64_t zeros = 0;
    for (int k = 0; k < 4; k++) {
        const __m128i v = _mm_loadu_si128((const void *)(b + 16 * k));
        zeros |= (uint64_t)_mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_setzero_si128())) << (16 * k);
    }
    return ~zeros;
}
#elif defined(__ARM_NEON)
INLINE uint8x16_t weighed(const uint8_t *b)
{
    const uint8x16_t weight = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    const uint8x16_t v = vld1q_u8(b);
    return vandq_u8(vtstq_u8(v, v), weight);
}
INLINE uint64_t bits_of(const uint8_t *b)
{
    const uint8x16_t low = vpaddq_u8(weighed(b), weighed(b + 16));
    const uint8x16_t sums = vpaddq_u8(low, vpaddq_u8(weighed(b + 32), weighed(b + 48)));
    return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(sums, sums)), 0);
}

// Sixteen lanes of all or no bits, four of them in a vector, as weighed bytes.
INLINE uint8x16_t weighed_lanes(uint32x4_t a, uint32x4_t b, uint32x4_t c, uint32x4_t d)
{
    const uint8x16_t weight = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    const uint16x8_t low = vuzp1q_u16(vreinterpretq_u16_u32(a), vreinterpretq_u16_u32(b));
    const uint16x8_t high = vuzp1q_u16(vreinterpretq_u16_u32(c), vreinterpretq_u16_u32(d));
    return vandq_u8(vuzp1q_u8(vreinterpretq_u8_u16(low), vreinterpretq_u8_u16(high)), weight);
}

INLINE uint64_t bits_of_weighed(const uint8x16_t *w)
{
    const uint8x16_t sums = vpaddq_u8(vpaddq_u8(w[0], w[1]), vpaddq_u8(w[2], w[3]));
    return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(sums, sums)), 0);
}

#define EQUALS_U32(x) vceqq_u32(vld1q_u32(x), vld1q_u32((x)-1))
#define EQUALS_F32(x) vceqq_f32(vld1q_f32(x), vld1q_f32((x)-1))

// 64 elements: which differ from the one before. A load from one place earlier costs three where it
// crosses lines: the first of sixteen takes lanes of the vector before instead.
INLINE uint64_t changes_u32(const uint32_t *x)
{
    uint8x16_t w[4];
    uint32x4_t before = vdupq_n_u32(x[-1]);
    for (int k = 0; k < 4; k++, x += 16) {
        const uint32x4_t first = vld1q_u32(x);
        w[k] = weighed_lanes(vceqq_u32(first, vextq_u32(before, first, 3)), EQUALS_U32(x + 4),
                             EQUALS_U32(x + 8), EQUALS_U32(x + 12));
        before = vld1q_u32(x + 12);
    }
    return ~bits_of_weighed(w);
}

INLINE uint64_t changes_f32(const float *x)
{
    uint8x16_t w[4];
    float32x4_t before = vdupq_n_f32(x[-1]);
    for (int k = 0; k < 4; k++, x += 16) {
        const float32x4_t first = vld1q_f32(x);
        w[k] = weighed_lanes(vceqq_f32(first, vextq_f32(before, first, 3)), EQUALS_F32(x + 4),
                             EQUALS_F32(x + 8), EQUALS_F32(x + 12));
        before = vld1q_f32(x + 12);
    }
    return ~bits_of_weighed(w);
}
#define HAS_CHANGES   1
#else
INLINE uint64_t bits_of(const uint8_t *b)
{
    uint64_t bits = 0;
    for (int i = 0; i < 64; i++) bits |= (uint64_t)(b[i] != 0) << i;
    return bits;
}
#endif

// ---- Counts -------------------------------------------------------------------------------------

// How many bits are set in each four of m, and up to and with each byte: the uppermost has all. A
// count of a register's bits goes through the vector unit on some machines, and takes longer.
typedef struct sums {
    uint64_t fours, bytes;
} sums;

INLINE sums sums_of(uint64_t m)
{
    const uint64_t pairs = m - (m >> 1 & 0x5555555555555555u);
    uint64_t fours = (pairs & 0x3333333333333333u) + (pairs >> 2 & 0x3333333333333333u);
#if defined(__aarch64__)
    __asm__("" : "+r"(fours)); // else gcc sees through this, and makes it that count
#endif
    return (sums){fours, ((fours + (fours >> 4)) & 0x0f0f0f0f0f0f0f0fu) * 0x0101010101010101u};
}

// How many are set before byte k.
INLINE unsigned set_before(sums s, int k)
{
    return (unsigned)(s.bytes << 8 >> (8 * k) & 255);
}

static const uint64_t places[256] __attribute__((unused)) = {
#include "set_positions.inc"
};

#if defined(__ARM_NEON)

// ---- NEON: a table look-up moves the selected bytes to the front --------------------------------

#define LANE4(k) 4 * (k), 4 * (k) + 1, 4 * (k) + 2, 4 * (k) + 3
#define ROW4(a, b, c, d)                                                                           \
    {                                                                                              \
        LANE4(a), LANE4(b), LANE4(c), LANE4(d)                                                     \
    }
static const uint8_t fours[16][16] = {
    ROW4(0, 0, 0, 0), ROW4(0, 0, 0, 0), ROW4(1, 0, 0, 0), ROW4(0, 1, 0, 0),
    ROW4(2, 0, 0, 0), ROW4(0, 2, 0, 0), ROW4(1, 2, 0, 0), ROW4(0, 1, 2, 0),
    ROW4(3, 0, 0, 0), ROW4(0, 3, 0, 0), ROW4(1, 3, 0, 0), ROW4(0, 1, 3, 0),
    ROW4(2, 3, 0, 0), ROW4(0, 2, 3, 0), ROW4(1, 2, 3, 0), ROW4(0, 1, 2, 3),
};

INLINE void pack_64_4(uint32_t *out, const uint32_t *in, uint64_t m, sums s)
{
    for (int k = 0; k < 8; k++) {
        const unsigned low = m >> (8 * k) & 15, high = m >> (8 * k + 4) & 15;
        uint32_t *const o = out + set_before(s, k);
        const uint8x16_t x = vld1q_u8((const uint8_t *)(in + 8 * k));
        const uint8x16_t y = vld1q_u8((const uint8_t *)(in + 8 * k + 4));
        vst1q_u8((uint8_t *)o, vqtbl1q_u8(x, vld1q_u8(fours[low])));
        vst1q_u8((uint8_t *)(o + (s.fours >> (8 * k) & 15)), vqtbl1q_u8(y, vld1q_u8(fours[high])));
    }
}

// The numbers of the set bits, counted from `base`; 64 may be written.
INLINE void places_64(uint32_t *out, uint32_t base, uint64_t m, sums s)
{
    for (int k = 0; k < 8; k++) {
        const uint16x8_t place = vmovl_u8(vcreate_u8(places[m >> (8 * k) & 255]));
        const uint32x4_t first = vdupq_n_u32(base + 8 * (uint32_t)k);
        uint32_t *const o = out + set_before(s, k);
        vst1q_u32(o, vaddw_u16(first, vget_low_u16(place)));
        vst1q_u32(o + 4, vaddw_high_u16(first, place));
    }
}

INLINE void pack_64_1(uint8_t *out, const uint8_t *in, uint64_t m, sums s)
{
    for (int k = 0; k < 8; k++) {
        const uint8x8_t place = vcreate_u8(places[m >> (8 * k) & 255]);
        const uint8x8_t x = vld1_u8(in + 8 * k);
        vst1_u8(out + set_before(s, k), vtbl1_u8(x, place));
    }
}

INLINE void pack_64_2(uint16_t *out, const uint16_t *in, uint64_t m, sums s)
{
    for (int k = 0; k < 8; k++) {
        const uint8x8_t first = vshl_n_u8(vcreate_u8(places[m >> (8 * k) & 255]), 1);
        const uint8x16_t place = vcombine_u8(vzip1_u8(first, vadd_u8(first, vdup_n_u8(1))),
                                             vzip2_u8(first, vadd_u8(first, vdup_n_u8(1))));
        const uint8x16_t x = vld1q_u8((const uint8_t *)(in + 8 * k));
        vst1q_u8((uint8_t *)(out + set_before(s, k)), vqtbl1q_u8(x, place));
    }
}

static const uint8_t twos[4][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15},
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
};

INLINE void pack_64_8(uint64_t *out, const uint64_t *in, uint64_t m, sums s)
{
    for (int k = 0; k < 16; k++) {
        const unsigned low = m >> (4 * k) & 3, high = m >> (4 * k + 2) & 3;
        const uint8x16_t x = vld1q_u8((const uint8_t *)(in + 4 * k));
        const uint8x16_t y = vld1q_u8((const uint8_t *)(in + 4 * k + 2));
        vst1q_u8((uint8_t *)out, vqtbl1q_u8(x, vld1q_u8(twos[low])));
        vst1q_u8((uint8_t *)(out + low - (low >> 1)), vqtbl1q_u8(y, vld1q_u8(twos[high])));
        out += s.fours >> (4 * k) & 15;
    }
}

#elif defined(__AVX2__)

// ---- x86: bytes and halves by pext, wider ones by a permutation, or AVX-512's own ---------------

INLINE void places_64(uint32_t *out, uint32_t base, uint64_t m, sums s)
{
    for (int k = 0; k < 8; k++) {
        const __m128i place = _mm_cvtsi64_si128((long long)places[m >> (8 * k) & 255]);
        const __m256i first = _mm256_set1_epi32((int)(base + 8 * (uint32_t)k));
        _mm256_storeu_si256((void *)(out + set_before(s, k)),
                            _mm256_add_epi32(first, _mm256_cvtepu8_epi32(place)));
    }
}

INLINE void pack_64_1(uint8_t *out, const uint8_t *in, uint64_t m, sums s)
{
    for (int k = 0; k < 8; k++) {
        uint64_t x;
        memcpy(&x, in + 8 * k, sizeof x);
        x = _pext_u64(x, _pdep_u64(m >> (8 * k) & 255, 0x0101010101010101u) * 255);
        memcpy(out + set_before(s, k), &x, sizeof x);
    }
}

INLINE void pack_64_2(uint16_t *out, const uint16_t *in, uint64_t m, sums s)
{
    (void)s;
    for (int k = 0; k < 16; k++) {
        const uint64_t here = m >> (4 * k) & 15;
        uint64_t x;
        memcpy(&x, in + 4 * k, sizeof x);
        x = _pext_u64(x, _pdep_u64(here, 0x0001000100010001u) * 0xffff);
        memcpy(out, &x, sizeof x);
        out += __builtin_popcountll(here);
    }
}

#if defined(__AVX512F__)

// Into a register and from there to memory: compressing straight to memory is slow on some.
INLINE void pack_64_4(uint32_t *out, const uint32_t *in, uint64_t m, sums s)
{
    (void)s;
    for (int k = 0; k < 4; k++) {
        const __mmask16 here = (__mmask16)(m >> (16 * k));
        const __m512i x = _mm512_loadu_si512(in + 16 * k);
        _mm512_storeu_si512(out, _mm512_maskz_compress_epi32(here, x));
        out += __builtin_popcount(here);
    }
}

INLINE void pack_64_8(uint64_t *out, const uint64_t *in, uint64_t m, sums s)
{
    (void)s;
    for (int k = 0; k < 8; k++) {
        const __mmask8 here = (__mmask8)(m >> (8 * k));
        const __m512i x = _mm512_loadu_si512(in + 8 * k);
        _mm512_storeu_si512(out, _mm512_maskz_compress_epi64(here, x));
        out += __builtin_popcount(here);
    }
}

#else

INLINE __m256i permuted(const void *in, uint64_t lanes)
{
    const __m256i place = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long)lanes));
    return _mm256_permutevar8x32_epi32(_mm256_loadu_si256(in), place);
}

INLINE void pack_64_4(uint32_t *out, const uint32_t *in, uint64_t m, sums s)
{
    for (int k = 0; k < 8; k++)
        _mm256_storeu_si256((void *)(out + set_before(s, k)),
                            permuted(in + 8 * k, places[m >> (8 * k) & 255]));
}

// Each of four bits twice: the places of both halves of a selected element.
INLINE void pack_64_8(uint64_t *out, const uint64_t *in, uint64_t m, sums s)
{
    (void)s;
    for (int k = 0; k < 16; k++) {
        const uint64_t here = m >> (4 * k) & 15;
        const uint64_t twice = _pdep_u64(here, 0x55) * 3;
        _mm256_storeu_si256((void *)out, permuted(in + 4 * k, places[twice]));
        out += __builtin_popcountll(here);
    }
}

#endif

#else

// ---- Without vectors: an element that is not selected is overwritten by the next ----------------

INLINE void places_64(uint32_t *out, uint32_t base, uint64_t m, sums s)
{
    (void)s;
    for (; m != 0; m &= m - 1) *out++ = base + (uint32_t)__builtin_ctzll(m);
}

#define T          uint8_t
#define PACK_64(f) f##_1
#include "pack_plain.inc"
#define T          uint16_t
#define PACK_64(f) f##_2
#include "pack_plain.inc"
#define T          uint32_t
#define PACK_64(f) f##_4
#include "pack_plain.inc"
#define T          uint64_t
#define PACK_64(f) f##_8
#include "pack_plain.inc"

#endif

#endif
