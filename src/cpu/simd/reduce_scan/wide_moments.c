// SPDX-License-Identifier: Apache-2.0
// Moments of groups of HD__MOMENT_GROUP f64, or integers of 32 and 64 bits, as moments.c has them
// of f32. Here the mean has two parts and a merge thrice the work, so that groups go side by side
// in all lanes that the instruction set has.
#include "cpu/simd/vec.h"

DECLARE_VECTOR(V, VM, double);

#define LANES ((int)(VECTOR_BYTES / sizeof(double)))

// Batches of LANES groups ahead that are fetched: the processor does not foresee as many places.
// 2^23 f64 on one core (Xeon, AVX-512): 6.7 ms with 1, 6.4 with 2, 7.0 with 4, 11.1 without.
#define AHEAD 2

typedef struct wide {
    V mean, low, m2;
} wide;

// a + step in two parts.
INLINE wide moved_by(V a, V step)
{
    const V mean = a + step, moved = mean - a;
    return (wide){.mean = mean, .low = (a - (mean - moved)) + (step - moved)};
}

// As variance_wide in core/operators/builtin_structures.c where both counts are the same: half is
// half of it, a power of two, so that fused or not is the same.
INLINE wide merge(wide a, wide b, double half)
{
    const V d = (b.mean - a.mean) + (b.low - a.low);
    wide r = moved_by(a.mean, d * 0.5);
    r.low = a.low + r.low;
    r.m2 = (a.m2 + b.m2) + (d * d) * half;
    return r;
}

// The same of two elements, whose low and m2 are 0: what is added to that is -0 at most in low,
// where the sign of a zero is never seen.
INLINE wide merge_elements(V a, V b)
{
    const V d = b - a;
    wide r = moved_by(a, d * 0.5);
    r.m2 = (d * d) * 0.5;
    return r;
}

// ---- LANES elements of as many groups: element i of all of them in x[i] -------------------------

// The transpose step over blocks of `width` lanes: of each pair of blocks the left ones of a and b,
// and the right ones.
#if VECTOR_BYTES == 64
#define LEFT_1  0, 8, 2, 10, 4, 12, 6, 14
#define RIGHT_1 1, 9, 3, 11, 5, 13, 7, 15
#define LEFT_2  0, 1, 8, 9, 4, 5, 12, 13
#define RIGHT_2 2, 3, 10, 11, 6, 7, 14, 15
#define LEFT_4  0, 1, 2, 3, 8, 9, 10, 11
#define RIGHT_4 4, 5, 6, 7, 12, 13, 14, 15
#elif VECTOR_BYTES == 32
#define LEFT_1  0, 4, 2, 6
#define RIGHT_1 1, 5, 3, 7
#define LEFT_2  0, 1, 4, 5
#define RIGHT_2 2, 3, 6, 7
#else
#define LEFT_1  0, 2
#define RIGHT_1 1, 3
#endif

#define EXCHANGE(x, width)                                                                         \
    for (int i = 0; i < LANES; i++) {                                                              \
        if (i & (width)) continue;                                                                 \
        const V a = (x)[i], b = (x)[i + (width)];                                                  \
        (x)[i] = __builtin_shufflevector(a, b, LEFT_##width);                                      \
        (x)[i + (width)] = __builtin_shufflevector(a, b, RIGHT_##width);                           \
    }

INLINE void load(V *x, const double *const *group, int at)
{
    for (int i = 0; i < LANES; i++) x[i] = *(const VM *)(group[i] + at);
    EXCHANGE(x, 1)
#if VECTOR_BYTES >= 32
    EXCHANGE(x, 2)
#endif
#if VECTOR_BYTES >= 64
    EXCHANGE(x, 4)
#endif
}

INLINE wide merge_four(const V *x)
{
    return merge(merge_elements(x[0], x[1]), merge_elements(x[2], x[3]), 1);
}

// ---- Integers -----------------------------------------------------------------------------------

typedef uint64_t U __attribute__((vector_size(VECTOR_BYTES)));

INLINE V from_bits(U u)
{
    V x;
    memcpy(&x, &u, sizeof x);
    return x;
}

// Integers of 64 bits, which have come as if they were f64, in two parts as
// core/operators/load_finalize.c makes them. Below the leading bit of 2^52 and of 2^84 there is
// room for the lower and the upper half; turning over the upper half's sign adds 2^63.
INLINE wide parts_of(V bits, bool is_signed)
{
    const uint64_t sign = is_signed ? 0x80000000u : 0;
    const double bias = is_signed ? 0x1p84 + 0x1p63 : 0x1p84;
    U u;
    memcpy(&u, &bits, sizeof u);
    const V lower = from_bits((u & 0xffffffffu) | 0x4330000000000000u) - 0x1p52;
    const V upper = from_bits(((u >> 32) ^ sign) | 0x4530000000000000u) - bias;
    const V mean = upper + lower;
    return (wide){.mean = mean, .low = lower - (mean - upper), .m2 = {0}};
}

INLINE wide merge_four_integers(const V *x, bool is_signed)
{
    wide e[4];
    for (int i = 0; i < 4; i++) e[i] = parts_of(x[i], is_signed);
    return merge(merge(e[0], e[1], 0.5), merge(e[2], e[3], 0.5), 1);
}

// ---- Groups -------------------------------------------------------------------------------------

#define BATCH (LANES * HD__MOMENT_GROUP)

INLINE wide moments_of_eight(const double *const *group, int at, hd_type type)
{
    const bool is_signed = type == HD_I64;
    V x[8];
    for (int i = 0; i < 8; i += LANES) load(x + i, group, at + i);
    if (type != HD_I64 && type != HD_U64) return merge(merge_four(x), merge_four(x + 4), 2);
    return merge(merge_four_integers(x, is_signed), merge_four_integers(x + 4, is_signed), 2);
}

INLINE wide moments_of_groups(const double *const *group, hd_type type)
{
    wide node[HD__MOMENT_GROUP / 8];
    for (int j = 0; j < HD__MOMENT_GROUP / 8; j++) {
        for (int i = 0; i < LANES; i++) __builtin_prefetch(group[i] + 8 * j + AHEAD * BATCH);
        node[j] = moments_of_eight(group, 8 * j, type);
    }
    for (int n = HD__MOMENT_GROUP / 16, half = 4; n > 0; n /= 2, half *= 2)
        for (int j = 0; j < n; j++) node[j] = merge(node[2 * j], node[2 * j + 1], half);
    return node[0];
}

// Integers of 32 bits become f64 first.
INLINE const double *numbers(double *x, const void *in, hd_type type, int64_t n)
{
    if (type == HD_I32)
        for (int64_t i = 0; i < n; i++) x[i] = ((const int32_t *)in)[i];
    else if (type == HD_U32)
        for (int64_t i = 0; i < n; i++) x[i] = ((const uint32_t *)in)[i];
    else
        return in;
    return x;
}

INLINE void moments_of(hd__wide_moments *out, const char *in, int64_t groups, hd_type type)
{
    const int size = type == HD_I32 || type == HD_U32 ? 4 : 8;
    double buffer[BATCH];
    const double *group[LANES];
    for (int64_t g = 0; g < groups; g += LANES, in += BATCH * size) {
        const int64_t m = groups - g < LANES ? groups - g : LANES;
        const double *x = numbers(buffer, in, type, m * HD__MOMENT_GROUP);
        for (int i = 0; i < LANES; i++) // beyond the last one: that again
            group[i] = x + (i < m ? i : m - 1) * HD__MOMENT_GROUP;
        const wide w = moments_of_groups(group, type);
        for (int i = 0; i < m; i++)
            out[g + i] = (hd__wide_moments){HD__MOMENT_GROUP, w.mean[i], w.low[i], w.m2[i]};
    }
}

hd__cpu_moments_of HD__NAME(moments_f64), HD__NAME(moments_i32), HD__NAME(moments_u32),
    HD__NAME(moments_i64), HD__NAME(moments_u64);

void HD__NAME(moments_f64)(void *out, const void *in, int64_t groups)
{
    moments_of(out, in, groups, HD_F64);
}

void HD__NAME(moments_i32)(void *out, const void *in, int64_t groups)
{
    moments_of(out, in, groups, HD_I32);
}

void HD__NAME(moments_u32)(void *out, const void *in, int64_t groups)
{
    moments_of(out, in, groups, HD_U32);
}

void HD__NAME(moments_i64)(void *out, const void *in, int64_t groups)
{
    moments_of(out, in, groups, HD_I64);
}

void HD__NAME(moments_u64)(void *out, const void *in, int64_t groups)
{
    moments_of(out, in, groups, HD_U64);
}
