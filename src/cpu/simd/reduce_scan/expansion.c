// SPDX-License-Identifier: Apache-2.0
// Exact sums, the usual case, expansions: sums in the lanes of a few vectors, each with a second
// one that takes what rounding cuts off the first [D. E. Knuth's two-sum; as in S. Collange, D.
// Defour, S. Graillat and R. Iakymchuk's expansions, Parallel Computing 49 (2015)]. Where that is
// rounded too, or anything is not finite, the result is 0 and the bins of bins.c take over.
#include "cpu/simd/vec.h"

extern hd__cpu_expansion_of HD__NAME(expansion_f32), HD__NAME(expansion_f64);

// Sums side by side: an addition takes as many cycles. SSE2 has registers for two.
#if defined(__AVX2__) || defined(__ARM_NEON)
#define CHAINS 4
#else
#define CHAINS 2
#endif
#define LANES (VECTOR_BYTES / 8)
#define STEP  (CHAINS * LANES)

typedef double V __attribute__((vector_size(VECTOR_BYTES)));
typedef double VM __attribute__((vector_size(VECTOR_BYTES), aligned(8), may_alias));
typedef float FM __attribute__((vector_size(VECTOR_BYTES / 2), aligned(4), may_alias));
typedef int64_t I __attribute__((vector_size(VECTOR_BYTES)));

_Static_assert(HD__EXPANSION_STEP % STEP == 0 && 2 * STEP <= HD__EXPANSION_MAX,
               "expansions of every instruction set");

// Work on a vector takes longer than what the processor looks ahead; it asks for what comes later.
#define AHEAD 1024 // bytes
INLINE void prefetch(const char *at, int bytes)
{
    for (int k = 0; k < bytes; k += 64) __builtin_prefetch(at + AHEAD + k);
}

INLINE V load(const void *in, int64_t i, bool narrow)
{
    if (narrow) return __builtin_convertvector(*(const FM *)((const float *)in + i), V);
    return *(const VM *)((const double *)in + i);
}

// *sum + x: the rounded sum, and what was cut off.
INLINE V two_sum(V *sum, V x)
{
    const V a = *sum, s = a + x, b = s - a;
    *sum = s;
    return (a - (s - b)) + (x - b);
}

INLINE int expansion_of(double *expansion, const void *in, int64_t n, bool narrow, bool one)
{
    V first[CHAINS] = {{0}}, second[CHAINS] = {{0}};
    I lost[CHAINS] = {{0}};
    for (int64_t i = 0; i < n; i += STEP) {
        prefetch((const char *)in + i * (narrow ? 4 : 8), STEP * (narrow ? 4 : 8));
        for (int c = 0; c < CHAINS; c++) {
            V rest = two_sum(&first[c], load(in, i + c * LANES, narrow));
            if (!one) rest = two_sum(&second[c], rest);
            lost[c] |= rest != (V){0};
        }
    }
    I any = lost[0];
    for (int c = 1; c < CHAINS; c++) any |= lost[c];
    for (int k = 0; k < LANES; k++)
        if (any[k]) return 0;
    for (int c = 0; c < CHAINS; c++) {
        *(VM *)(expansion + c * LANES) = first[c];
        if (!one) *(VM *)(expansion + STEP + c * LANES) = second[c];
    }
    return one ? STEP : 2 * STEP;
}

// Of f32 no bit is lost in f64 as long as exponents are near each other.
int HD__NAME(expansion_f32)(double *expansion, const void *in, int64_t n)
{
    const int count = expansion_of(expansion, in, n, true, true);
    return count > 0 ? count : expansion_of(expansion, in, n, true, false);
}

int HD__NAME(expansion_f64)(double *expansion, const void *in, int64_t n)
{
    return expansion_of(expansion, in, n, false, false);
}
