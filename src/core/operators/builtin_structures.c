// SPDX-License-Identifier: Apache-2.0
// Built-in monoids whose nodes are structures: extremes with their index, and moments. Order is
// always kept, so the left operand stands at the lower index.
#include "builtin.h"

#define ARG(name, T, better)                                                                       \
    HD_OPERATOR(name, T, HD_NO_SOURCE, HD_ASSOCIATIVE | HD_EXACT, { return better ? b : a; })

ARG(argmin_signed, hd__arg_signed, b.value < a.value)
ARG(argmax_signed, hd__arg_signed, b.value > a.value)
ARG(argmin_unsigned, hd__arg_unsigned, b.value < a.value)
ARG(argmax_unsigned, hd__arg_unsigned, b.value > a.value)
// A NaN is more extreme than any number; the first one stays.
ARG(argmin_float, hd__arg_float, a.value == a.value && !(b.value >= a.value))
ARG(argmax_float, hd__arg_float, a.value == a.value && !(b.value <= a.value))

// Chan, Golub and LeVeque's merge of two samples' moments.
HD_OPERATOR(variance_moments, hd__moments, HD_NO_SOURCE, HD_ASSOCIATIVE | HD_COMMUTATIVE, {
    hd__moments r;
    double d = b.mean - a.mean;
    if (a.count == 0) return b;
    if (b.count == 0) return a;
    r.count = a.count + b.count;
    if (a.count == b.count) { // perfect nodes: the same bits without the divisions
        r.mean = a.mean + d * 0.5;
        r.m2 = (a.m2 + b.m2) + (d * d) * (a.count * 0.5);
        return r;
    }
    r.mean = a.mean + d * (b.count / r.count);
    r.m2 = (a.m2 + b.m2) + (d * d) * (a.count * b.count / r.count);
    return r;
})

// The same with the mean in two parts. The difference of two means is right to about 2^-100 of
// them: where they are near each other that of the first parts is exact, and the second parts hold
// what rounding took from the first (two-sum; the sum of at most 64 of them is as small). gcc would
// gather nodes into vectors and divide in every lane: 2^22 strided f64 26 ms, 16 without.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC optimize("no-tree-vectorize")
#endif
HD_OPERATOR(variance_wide, hd__wide_moments, HD_NO_SOURCE, HD_ASSOCIATIVE | HD_COMMUTATIVE, {
    hd__wide_moments r;
    double d = (b.mean - a.mean) + (b.low - a.low);
    double step;
    double moved;
    r.count = a.count + b.count;
    if (a.count == b.count) { // as above
        step = d * 0.5;
        r.m2 = (a.m2 + b.m2) + (d * d) * (a.count * 0.5);
    } else {
        step = d * (b.count / r.count);
        r.m2 = (a.m2 + b.m2) + (d * d) * (a.count * b.count / r.count);
    }
    r.mean = a.mean + step;
    moved = r.mean - a.mean;
    r.low = a.low + ((a.mean - (r.mean - moved)) + (step - moved));
    return r;
})

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC pop_options
#endif

const hd_operator *hd__builtin_moments(bool wide)
{
    return wide ? variance_wide : variance_moments;
}

const hd_operator *hd__builtin(hd__op op, hd_type type)
{
    if (op == HD__SUM_EXACT) return hd__builtin_limbs(type);
    if (op == HD__NORM2) return hd__builtin_norm();
    if (op == HD__ARGMIN || op == HD__ARGMAX) {
        const bool least = op == HD__ARGMIN;
        if (type == HD_F64) return least ? argmin_float : argmax_float;
        if (type == HD_U64) return least ? argmin_unsigned : argmax_unsigned;
        return least ? argmin_signed : argmax_signed;
    }
    return hd__is_float(type) ? hd__builtin_float(op, type) : hd__builtin_integer(op, type);
}
