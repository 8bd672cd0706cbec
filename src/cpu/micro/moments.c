// SPDX-License-Identifier: Apache-2.0
// Moments of groups of HD__MOMENT_GROUP elements, straight from the elements: perfect nodes of a variance,
// whose counts are powers of two, so that the tree's formula has no division. Two groups go side by side
// in the lanes of vectors of two f64, which every instruction set has.
#include "vec.h"

#if defined(__FMA__)
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

typedef double D __attribute__((vector_size(16)));
typedef double DM __attribute__((vector_size(16), aligned(8), may_alias));
typedef float F __attribute__((vector_size(16)));
typedef float FM __attribute__((vector_size(16), aligned(4), may_alias));

typedef struct duo {
    D mean, m2;
} duo;

// a + b * by, where by is a power of two and no bit of b * by is lost: then fused or not is the same.
INLINE D add_scaled(D a, D b, double by)
{
    const D scale = {by, by};
#if defined(__ARM_NEON)
    return (D)vfmaq_f64((float64x2_t)a, (float64x2_t)b, (float64x2_t)scale);
#elif defined(__FMA__)
    return (D)_mm_fmadd_pd((__m128d)b, (__m128d)scale, (__m128d)a);
#else
    return a + b * scale;
#endif
}

// The mean of two: half of a difference loses a bit only where that is the least of all numbers, which
// differences of f32 never are.
INLINE D between(D a, D d, bool narrow)
{
    return narrow ? add_scaled(a, d, 0.5) : a + d * 0.5;
}

// As variance_moments in core/builtin_structures.c where both counts are the same: half is half of it.
INLINE duo merge(duo a, duo b, double half, bool narrow)
{
    const D d = b.mean - a.mean;
    return (duo){between(a.mean, d, narrow), add_scaled(a.m2 + b.m2, d * d, half)};
}

// The same of two elements: their m2 are 0, and what is added to that is not -0.
INLINE duo merge_elements(D a, D b, bool narrow)
{
    const D d = b - a;
    return (duo){between(a, d, narrow), (d * d) * 0.5};
}

INLINE duo merge_four(const D *x, bool narrow)
{
    return merge(merge_elements(x[0], x[1], narrow), merge_elements(x[2], x[3], narrow), 1, narrow);
}

// ---- Eight elements of two groups, element i of both in x[i] -------------------------------------

// The lower two of four, widened; compilers make scalars of __builtin_convertvector here.
INLINE D widen(F v)
{
#if defined(__ARM_NEON)
    return (D)vcvt_f64_f32(vget_low_f32((float32x4_t)v));
#elif defined(__SSE2__)
    return (D)_mm_cvtps_pd((__m128)v);
#else
    return (D){v[0], v[1]};
#endif
}

INLINE void load_f32(D *x, const void *a, const void *b)
{
    for (int i = 0; i < 8; i += 4) {
        const F u = *(const FM *)((const float *)a + i), v = *(const FM *)((const float *)b + i);
        const F low = __builtin_shufflevector(u, v, 0, 4, 1, 5);
        const F high = __builtin_shufflevector(u, v, 2, 6, 3, 7);
        x[i] = widen(low);
        x[i + 1] = widen(__builtin_shufflevector(low, low, 2, 3, 2, 3));
        x[i + 2] = widen(high);
        x[i + 3] = widen(__builtin_shufflevector(high, high, 2, 3, 2, 3));
    }
}

INLINE void load_f64(D *x, const void *a, const void *b)
{
    for (int i = 0; i < 8; i += 2) {
        const D u = *(const DM *)((const double *)a + i), v = *(const DM *)((const double *)b + i);
        x[i] = __builtin_shufflevector(u, v, 0, 2);
        x[i + 1] = __builtin_shufflevector(u, v, 1, 3);
    }
}

// ---- Groups ---------------------------------------------------------------------------------------

typedef void load_eight(D *x, const void *a, const void *b);

INLINE duo moments_of_two(const char *a, const char *b, size_t size, load_eight *load)
{
    const bool narrow = size == sizeof(float);
    duo node[HD__MOMENT_GROUP / 8];
    for (size_t j = 0; j < HD__MOMENT_GROUP / 8; j++) {
        D x[8];
        load(x, a + 8 * j * size, b + 8 * j * size);
        node[j] = merge(merge_four(x, narrow), merge_four(x + 4, narrow), 2, narrow);
    }
    for (int n = HD__MOMENT_GROUP / 16, half = 4; n > 0; n /= 2, half *= 2)
        for (int j = 0; j < n; j++) node[j] = merge(node[2 * j], node[2 * j + 1], half, narrow);
    return node[0];
}

INLINE void moments_of(hd__moments *out, const char *in, int64_t groups, size_t size,
                       load_eight *load)
{
    const size_t bytes = HD__MOMENT_GROUP * size;
    for (int64_t g = 0; g < groups; g += 2, in += 2 * bytes) {
        const bool two = g + 1 < groups;
        const duo d = moments_of_two(in, two ? in + bytes : in, size, load);
        out[g] = (hd__moments){HD__MOMENT_GROUP, d.mean[0], d.m2[0]};
        if (two) out[g + 1] = (hd__moments){HD__MOMENT_GROUP, d.mean[1], d.m2[1]};
    }
}

hd__moments_of HD__NAME(moments_f32), HD__NAME(moments_f64);

void HD__NAME(moments_f32)(hd__moments *out, const void *in, int64_t groups)
{
    moments_of(out, in, groups, sizeof(float), load_f32);
}

void HD__NAME(moments_f64)(hd__moments *out, const void *in, int64_t groups)
{
    moments_of(out, in, groups, sizeof(double), load_f64);
}
