// SPDX-License-Identifier: Apache-2.0
// Built-in monoids of float sums whose nodes are more than a sum: what was rounded off goes along,
// or the sum of magnitudes, or both. hi is always what the plain sum would be, bit for bit.
#include "builtin.h"

#define ROUNDING (HD_ASSOCIATIVE | HD_COMMUTATIVE)

// Knuth's two-sum: s + e is a.hi + b.hi exactly. Where s is infinite or NaN, e is NaN; lo is then
// 0. No lo is ever -0, so that +0 beside the -0 of hi makes the identity.
#define PAIR(t, T, N)                                                                              \
    HD_MONOID(pair_##t, N, HD_NO_SOURCE, ROUNDING, HD_BRACES(-0.0f, 0.0f), {                       \
        N r;                                                                                       \
        const T s = a.hi + b.hi;                                                                   \
        const T y = s - a.hi;                                                                      \
        const T e = (a.hi - (s - y)) + (b.hi - y);                                                 \
        const T lo = (a.lo + b.lo) + e;                                                            \
        r.hi = s;                                                                                  \
        r.lo = lo - lo == 0 ? lo : 0;                                                              \
        return r;                                                                                  \
    })
#define SIZED(t, N)                                                                                \
    HD_MONOID(sized_##t, N, HD_NO_SOURCE, ROUNDING, HD_BRACES(-0.0f, 0.0f), {                      \
        N r;                                                                                       \
        r.hi = a.hi + b.hi;                                                                        \
        r.size = a.size + b.size;                                                                  \
        return r;                                                                                  \
    })
#define SIZED_PAIR(t, T, N)                                                                        \
    HD_MONOID(sized_pair_##t, N, HD_NO_SOURCE, ROUNDING, HD_BRACES(-0.0f, 0.0f, 0.0f), {           \
        N r;                                                                                       \
        const T s = a.hi + b.hi;                                                                   \
        const T y = s - a.hi;                                                                      \
        const T e = (a.hi - (s - y)) + (b.hi - y);                                                 \
        const T lo = (a.lo + b.lo) + e;                                                            \
        r.hi = s;                                                                                  \
        r.lo = lo - lo == 0 ? lo : 0;                                                              \
        r.size = a.size + b.size;                                                                  \
        return r;                                                                                  \
    })

PAIR(f32, float, hd__pair_f32)
PAIR(f64, double, hd__pair_f64)
SIZED(f32, hd__sized_f32)
SIZED(f64, hd__sized_f64)
SIZED_PAIR(f32, float, hd__sized_pair_f32)
SIZED_PAIR(f64, double, hd__sized_pair_f64)

const hd_operator *hd__builtin_sum(bool pairs, bool sizes, hd_type type)
{
    const bool wide = type == HD_F64;
    if (!sizes) return wide ? pair_f64 : pair_f32;
    if (!pairs) return wide ? sized_f64 : sized_f32;
    return wide ? sized_pair_f64 : sized_pair_f32;
}
