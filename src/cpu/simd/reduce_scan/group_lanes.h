// SPDX-License-Identifier: Apache-2.0
// Groups of eight elements, one in each lane of eight vectors, and the head flags of the groups in
// their lanes, for elements of 1, 2, 4 and 8 bytes: `size` is a constant after inlining.
#ifndef HEDDLE_CPU_SIMD_REDUCE_SCAN_GROUP_LANES_H
#define HEDDLE_CPU_SIMD_REDUCE_SCAN_GROUP_LANES_H

#include "cpu/simd/lanes.h"
#include "cpu/simd/vec.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

typedef uint8_t lanes8 __attribute__((vector_size(VECTOR_BYTES)));
typedef uint16_t lanes16 __attribute__((vector_size(VECTOR_BYTES)));
typedef uint32_t lanes32 __attribute__((vector_size(VECTOR_BYTES)));
typedef uint64_t lanes64 __attribute__((vector_size(VECTOR_BYTES)));
typedef uint64_t lanes64_in_memory
    __attribute__((vector_size(VECTOR_BYTES), aligned(1), may_alias));

// ---- Elements -----------------------------------------------------------------------------------

// Each 16 bytes of a vector hold the groups of 128 consecutive bytes, so that no element crosses
// from one 16 bytes to another: AVX2 and AVX-512 interleave within them by one cheap instruction.
#define GROUPS_APART 128

INLINE lanes64 load_apart(const uint8_t *x)
{
#if defined(__AVX512F__)
    const __m128i *v = (const __m128i *)x;
    __m512i all = _mm512_castsi128_si512(_mm_loadu_si128(v));
    all = _mm512_inserti32x4(all, _mm_loadu_si128(v + GROUPS_APART / 16), 1);
    all = _mm512_inserti32x4(all, _mm_loadu_si128(v + 2 * GROUPS_APART / 16), 2);
    return (lanes64)_mm512_inserti32x4(all, _mm_loadu_si128(v + 3 * GROUPS_APART / 16), 3);
#elif defined(__AVX2__)
    const __m128i *v = (const __m128i *)x;
    return (lanes64)_mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128(v)),
                                            _mm_loadu_si128(v + GROUPS_APART / 16), 1);
#else
    return *(const lanes64_in_memory *)x;
#endif
}

INLINE void store_apart(uint8_t *o, lanes64 x)
{
#if defined(__AVX512F__)
    __m128i *v = (__m128i *)o;
    _mm_storeu_si128(v, _mm512_castsi512_si128((__m512i)x));
    _mm_storeu_si128(v + GROUPS_APART / 16, _mm512_extracti32x4_epi32((__m512i)x, 1));
    _mm_storeu_si128(v + 2 * GROUPS_APART / 16, _mm512_extracti32x4_epi32((__m512i)x, 2));
    _mm_storeu_si128(v + 3 * GROUPS_APART / 16, _mm512_extracti32x4_epi32((__m512i)x, 3));
#elif defined(__AVX2__)
    __m128i *v = (__m128i *)o;
    _mm_storeu_si128(v, _mm256_castsi256_si128((__m256i)x));
    _mm_storeu_si128(v + GROUPS_APART / 16, _mm256_extracti128_si256((__m256i)x, 1));
#else
    *(lanes64_in_memory *)o = x;
#endif
}

#if defined(__AVX512F__)
#define ZIP(part, bits) _mm512_unpack##part##_epi##bits
#define WHOLE           __m512i
#elif defined(__AVX2__)
#define ZIP(part, bits) _mm256_unpack##part##_epi##bits
#define WHOLE           __m256i
#endif
#if defined(__AVX2__)
#define ZIP_LOW(bits, n, a, b)  ((lanes64)ZIP(lo, bits)((WHOLE)(a), (WHOLE)(b)))
#define ZIP_HIGH(bits, n, a, b) ((lanes64)ZIP(hi, bits)((WHOLE)(a), (WHOLE)(b)))
#else
#define ZIP_LOW(bits, n, a, b)  ((lanes64)LOW_##n((lanes##bits)(a), (lanes##bits)(b)))
#define ZIP_HIGH(bits, n, a, b) ((lanes64)HIGH_##n((lanes##bits)(a), (lanes##bits)(b)))
#endif

// Lanes of a and b interleaved, within each 16 bytes: their lower halves, their upper halves.
INLINE lanes64 zip_low(lanes64 a, lanes64 b, int size)
{
    return size == 1   ? ZIP_LOW(8, 16, a, b)
           : size == 2 ? ZIP_LOW(16, 8, a, b)
           : size == 4 ? ZIP_LOW(32, 4, a, b)
                       : ZIP_LOW(64, 2, a, b);
}

INLINE lanes64 zip_high(lanes64 a, lanes64 b, int size)
{
    return size == 1   ? ZIP_HIGH(8, 16, a, b)
           : size == 2 ? ZIP_HIGH(16, 8, a, b)
           : size == 4 ? ZIP_HIGH(32, 4, a, b)
                       : ZIP_HIGH(64, 2, a, b);
}

// One step of a transpose. With the bits of an element's address as (vector, lane), the highest bit
// of the vector becomes the lowest of the lane, and the highest of the lane the vector's lowest.
INLINE void zip_eight(lanes64 *v, int size)
{
    lanes64 to[8];
    for (int j = 0; j < 4; j++) {
        to[2 * j] = zip_low(v[j], v[j + 4], size);
        to[2 * j + 1] = zip_high(v[j], v[j + 4], size);
    }
    for (int j = 0; j < 8; j++) v[j] = to[j];
}

// e[k] = element k of each group.
INLINE void load_groups(lanes64 *e, const void *x, int size)
{
    for (int j = 0; j < 8; j++) e[j] = load_apart((const uint8_t *)x + 16 * j);
    for (int lanes = 16 / size; lanes > 1; lanes /= 2) zip_eight(e, size);
}

// The way back takes as many steps, but three for bytes: in 16 bytes are two whole groups. Vector k
// enters, and leaves for memory, with its number's bits rotated right by the number of steps.
INLINE void store_groups(void *o, const lanes64 *e, int size)
{
    const int steps = size == 8 ? 1 : size == 4 ? 2 : 3;
    lanes64 v[8];
    for (int k = 0; k < 8; k++) v[(k >> steps | k << (3 - steps)) & 7] = e[k];
    for (int step = 0; step < steps; step++) zip_eight(v, size);
    for (int k = 0; k < 8; k++)
        store_apart((uint8_t *)o + 16 * ((k >> steps | k << (3 - steps)) & 7), v[k]);
}

// ---- Head flags ---------------------------------------------------------------------------------

// The flags of a group, 0 or 1 each, in its lane. Elements of 8 bytes: as bytes, all in low; of 4
// bytes: as bytes, four in low, four in high; of 2 and 1 bytes: as bits, in low.
typedef struct group_flags {
    lanes64 low, high;
} group_flags;

// A set of flags is a sum of these: bit k stands for flag k on a little-endian machine, where the
// first byte is an integer's lowest.
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define FLAG(k)         (1u << (k))
#define LOWER(n, a, b)  EVEN_##n(a, b) // the lower halves of lanes twice as wide
#define HIGHER(n, a, b) ODD_##n(a, b)
#else
#define FLAG(k)         (1u << (7 - (k)))
#define LOWER(n, a, b)  ODD_##n(a, b)
#define HIGHER(n, a, b) EVEN_##n(a, b)
#endif
#define FLAG_BYTES(set) (((set)&1) | ((set)&2) << 7 | ((set)&4) << 14 | ((set)&8) << 21)

#if VECTOR_BYTES == 64
#define OF_64(half, v) ((lanes64)half(16, (lanes32)(v)[0], (lanes32)(v)[1]))
#elif VECTOR_BYTES == 32
#define OF_64(half, v) ((lanes64)half(8, (lanes32)(v)[0], (lanes32)(v)[1]))
#else
#define OF_64(half, v) ((lanes64)half(4, (lanes32)(v)[0], (lanes32)(v)[1]))
#endif

#if defined(__SSE2__)
// Bit k of byte j of `bits`: flag k of group j.
INLINE void flag_bits(uint8_t *bits, const uint8_t *head_flags, int vectors)
{
    for (int j = 0; j < vectors; j++) {
        const uint8_t *from = head_flags + j * VECTOR_BYTES;
#if defined(__AVX512F__)
        const __m512i v = _mm512_loadu_si512(from);
        const uint64_t mask = _mm512_test_epi8_mask(v, v);
#elif defined(__AVX2__)
        const __m256i v = _mm256_loadu_si256((const __m256i *)from);
        const uint32_t mask = (uint32_t)_mm256_movemask_epi8(_mm256_slli_epi16(v, 7));
#else
        const __m128i v = _mm_loadu_si128((const __m128i *)from);
        const uint16_t mask = (uint16_t)_mm_movemask_epi8(_mm_slli_epi16(v, 7));
#endif
        memcpy(bits + j * (VECTOR_BYTES / 8), &mask, sizeof mask);
    }
}

INLINE lanes64 narrow_flags(const uint8_t *head_flags, int size)
{
    _Alignas(VECTOR_BYTES) uint8_t bits[VECTOR_BYTES];
    flag_bits(bits, head_flags, 8 / size);
    if (size == 1) return *(const lanes64_in_memory *)bits;
#if defined(__AVX512F__)
    return (lanes64)_mm512_cvtepu8_epi16(*(const __m256i *)bits);
#elif defined(__AVX2__)
    return (lanes64)_mm256_cvtepu8_epi16(*(const __m128i *)bits);
#else
    return (lanes64)_mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *)bits), _mm_setzero_si128());
#endif
}
#else
INLINE lanes64 narrow_flags(const uint8_t *head_flags, int size)
{
    lanes64 v[8];
    const int vectors = 8 / size;
    for (int j = 0; j < vectors; j++) {
        v[j] = *(const lanes64_in_memory *)(head_flags + j * VECTOR_BYTES);
        v[j] |= v[j] >> 7;
        v[j] |= v[j] >> 14;
        v[j] = (v[j] | v[j] >> 28) & 255;
    }
    for (int j = 0; j < vectors / 2; j++) v[j] = OF_64(LOWER, v + 2 * j);
    for (int j = 0; j < vectors / 4; j++)
        v[j] = (lanes64)LOWER(8, (lanes16)v[2 * j], (lanes16)v[2 * j + 1]);
    return size == 2 ? v[0] : (lanes64)LOWER(16, (lanes8)v[0], (lanes8)v[1]);
}
#endif

INLINE group_flags load_flags(const uint8_t *head_flags, int size)
{
    if (size <= 2) return (group_flags){.low = narrow_flags(head_flags, size)};
    const lanes64_in_memory *v = (const lanes64_in_memory *)head_flags;
    if (size == 8) return (group_flags){.low = v[0]};
    return (group_flags){OF_64(LOWER, v), OF_64(HIGHER, v)};
}

#if defined(__AVX512F__)
#define BLEND(bits, x, set, yes, no)                                                               \
    ((lanes64)_mm512_mask_blend_epi##bits(                                                         \
        _mm512_test_epi##bits##_mask((__m512i)(x), (__m512i)((lanes##bits){0} + (set))),           \
        (__m512i)(no), (__m512i)(yes)))
#else
#define BLEND(bits, x, set, yes, no)                                                               \
    blend((lanes64)(((lanes##bits)(x) & (set)) == (lanes##bits){0}), yes, no)

INLINE lanes64 blend(lanes64 none, lanes64 yes, lanes64 no)
{
    return (none & no) | (~none & yes);
}
#endif

// By lane: yes where a flag of the set is up, else no.
INLINE lanes64 if_flag(group_flags f, unsigned set, lanes64 yes, lanes64 no, int size)
{
    const unsigned bytes = FLAG_BYTES(set), more = FLAG_BYTES(set >> 4);
    if (size == 1) return BLEND(8, f.low, (uint8_t)set, yes, no);
    if (size == 2) return BLEND(16, f.low, (uint16_t)set, yes, no);
    if (size == 4) return BLEND(32, (bytes != 0 ? f.low : f.high), bytes | more, yes, no);
    return BLEND(64, f.low, bytes | (uint64_t)more << 32, yes, no);
}

// Whether there is a head in each of n groups.
static __attribute__((noinline)) void any_flags(uint8_t *out, const uint8_t *head_flags, int64_t n)
{
    for (int64_t j = 0; j < n; j++) {
        uint64_t eight;
        memcpy(&eight, head_flags + 8 * j, sizeof eight);
        out[j] = eight != 0;
    }
}

#endif
