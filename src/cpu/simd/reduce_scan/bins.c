// SPDX-License-Identifier: Apache-2.0
// Exact sums of f64 of any exponents: fractions are added up in bins, by sign and the upper bits of
// the exponent, shifted left by the lower ones. This is the large superaccumulator of R. M. Neal
// ("Fast exact summation using small and large superaccumulators", 2015) with eight exponents an
// entry, so that the table fits the first cache. Vectors compute fractions and offsets; a bin takes
// one addition of 16 bytes.
#include "core/operators/builtin.h"
#include "cpu/simd/vec.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#else
typedef uint32_t halves __attribute__((vector_size(8), may_alias));
#endif

extern hd__cpu_bin_sum HD__NAME(bins_f64);

// Elements whose fractions are computed before any of them is added.
#define BATCH HD__EXPANSION_STEP
#define LANES ((int)sizeof(V) / 8)
#define AHEAD 2048 // prefetch distance in bytes
#define SIGN  ((uint64_t)1 << 63)

DECLARE_VECTOR(V, VM, uint64_t);
typedef uint64_t pair __attribute__((vector_size(16), may_alias));
typedef uint64_t word __attribute__((may_alias));

_Static_assert(sizeof(pair) == sizeof(hd__cpu_bin) && HD__BIN_EXPONENTS == 8,
               "three bits of exponents");

// x times 2^by. SSE2 moves all lanes up by as much as the first.
INLINE V moved_up(V x, V by)
{
#if defined(__SSE2__) && !defined(__AVX2__)
    const __m128i first = _mm_sll_epi64((__m128i)x, (__m128i)by);
    const __m128i second = _mm_sll_epi64((__m128i)x, (__m128i)(V){by[1], 0});
    return (V)_mm_shuffle_pd((__m128d)first, (__m128d)second, 2);
#else
    return x << by;
#endif
}

// Fractions, and the offsets of their bins in bytes. Bit 11 of the result is set where an element
// is not finite.
INLINE V take_apart(V bits, V *fraction, V *offset)
{
    const V exponent = bits >> 52 & 0x7ff, normal = (exponent + 0x7ff) >> 11;
    *fraction = moved_up((bits & 0xfffffffffffff) | normal << 52, (exponent + 1 - normal) & 7);
    *offset = bits >> 55 << 4;
    return exponent + 1;
}

INLINE void add(char *bin, const uint64_t *fraction)
{
#if defined(__SSE2__) // of which gcc 12 makes more instructions by itself
    const __m128i x = _mm_loadl_epi64((const __m128i *)fraction);
    *(pair *)bin += (pair)_mm_unpacklo_epi32(x, _mm_setzero_si128());
#else
    *(pair *)bin += __builtin_convertvector(*(const halves *)fraction, pair);
#endif
}

// What is not finite comes out of the bins again: the flags of it.
static uint64_t take_back(hd__cpu_bin *bins, const word *in, int64_t n)
{
    uint64_t flags = 0;
    for (int64_t i = 0; i < n; i++) {
        if ((in[i] >> 52 & 0x7ff) != 0x7ff) continue;
        const uint64_t fraction = ((in[i] & 0xfffffffffffff) | (uint64_t)1 << 52) << 7;
        bins[in[i] >> 55].low -= (uint32_t)fraction;
        bins[in[i] >> 55].high -= fraction >> 32;
        flags |= in[i] << 12 != 0 ? HD__LIMBS_NAN
                 : in[i] & SIGN   ? HD__LIMBS_BELOW
                                  : HD__LIMBS_ABOVE;
    }
    return flags;
}

INLINE uint64_t any_of(V x)
{
    uint64_t all = 0;
    for (int k = 0; k < LANES; k++) all |= x[k];
    return all;
}

uint64_t HD__NAME(bins_f64)(hd__cpu_bin *bins, const void *in, int64_t n)
{
    _Alignas(64) uint64_t fraction[BATCH], offset[BATCH];
    const word *x = in;
    V some = {0}, special = {0};
    for (int64_t i = 0; i < n; i += BATCH) {
        for (int k = 0; k < BATCH; k += LANES) {
            if (k % 8 == 0) __builtin_prefetch((const char *)(x + i + k) + AHEAD);
            const V bits = *(const VM *)(x + i + k);
            some |= bits ^ SIGN;
            special |= take_apart(bits, (V *)(fraction + k), (V *)(offset + k)) & 0x800;
        }
        // Through memory: extracting lanes from registers takes twice as long.
        __asm__ volatile("" : : "r"(fraction), "r"(offset) : "memory");
#pragma GCC unroll 8
        for (int k = 0; k < BATCH; k++) add((char *)bins + offset[k], &fraction[k]);
    }
    const uint64_t flags = any_of(special) != 0 ? take_back(bins, x, n) : 0;
    return flags | (any_of(some) != 0 ? HD__LIMBS_SOME : 0);
}
