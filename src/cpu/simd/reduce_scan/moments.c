// SPDX-License-Identifier: Apache-2.0
// Moments of groups of HD__MOMENT_GROUP f32, straight from the elements: perfect nodes of a
// variance, whose counts are powers of two, so that the tree's formula has no division. Two groups
// go side by side in the lanes of vectors of two f64, which every instruction set has.
// wide_moments.c has those of f64.
#include "cpu/simd/vec.h"

#if defined(__FMA__)
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

typedef double D __attribute__((vector_size(16)));
typedef float F __attribute__((vector_size(16)));
typedef float FM __attribute__((vector_size(16), aligned(4), may_alias));

typedef struct duo {
    D mean, m2;
} duo;

// a + b * by, where by is a power of two and no bit of b * by is lost: then fused or not is the
// same.
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

// As variance_moments in core/operators/builtin_structures.c where both counts are the same: half
// is half of it. Half of a difference loses a bit only where that is the least of all numbers,
// which those of f32 never are.
INLINE duo merge(duo a, duo b, double half)
{
    const D d = b.mean - a.mean;
    return (duo){add_scaled(a.mean, d, 0.5), add_scaled(a.m2 + b.m2, d * d, half)};
}

// The same of two elements: their m2 are 0, and what is added to that is not -0.
INLINE duo merge_elements(D a, D b)
{
    const D d = b - a;
    return (duo){add_scaled(a, d, 0.5), (d * d) * 0.5};
}

INLINE duo merge_four(const D *x)
{
    return merge(merge_elements(x[0], x[1]), merge_elements(x[2], x[3]), 1);
}

// ---- Eight elements of two groups, element i of both in x[i] ------------------------------------

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

INLINE void load_eight(D *x, const float *a, const float *b)
{
    for (int i = 0; i < 8; i += 4) {
        const F u = *(const FM *)(a + i), v = *(const FM *)(b + i);
        const F low = __builtin_shufflevector(u, v, 0, 4, 1, 5);
        const F high = __builtin_shufflevector(u, v, 2, 6, 3, 7);
        x[i] = widen(low);
        x[i + 1] = widen(__builtin_shufflevector(low, low, 2, 3, 2, 3));
        x[i + 2] = widen(high);
        x[i + 3] = widen(__builtin_shufflevector(high, high, 2, 3, 2, 3));
    }
}

// ---- Groups -------------------------------------------------------------------------------------

INLINE duo moments_of_two(const float *a, const float *b)
{
    duo node[HD__MOMENT_GROUP / 8];
    for (int j = 0; j < HD__MOMENT_GROUP / 8; j++) {
        D x[8];
        load_eight(x, a + 8 * j, b + 8 * j);
        node[j] = merge(merge_four(x), merge_four(x + 4), 2);
    }
    for (int n = HD__MOMENT_GROUP / 16, half = 4; n > 0; n /= 2, half *= 2)
        for (int j = 0; j < n; j++) node[j] = merge(node[2 * j], node[2 * j + 1], half);
    return node[0];
}

hd__cpu_moments_of HD__NAME(moments_f32);

void HD__NAME(moments_f32)(void *nodes, const void *elements, int64_t groups)
{
    hd__moments *out = nodes;
    const float *in = elements;
    for (int64_t g = 0; g < groups; g += 2, in += 2 * HD__MOMENT_GROUP) {
        const bool two = g + 1 < groups;
        const duo d = moments_of_two(in, two ? in + HD__MOMENT_GROUP : in);
        out[g] = (hd__moments){HD__MOMENT_GROUP, d.mean[0], d.m2[0]};
        if (two) out[g + 1] = (hd__moments){HD__MOMENT_GROUP, d.mean[1], d.m2[1]};
    }
}
