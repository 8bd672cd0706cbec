// SPDX-License-Identifier: Apache-2.0
//
// What a histogram is, written a second time: the bin of one element under each rule, and values
// that hit bins, their borders and what lies outside. Shared by the tests of histograms.
#ifndef HEDDLE_TESTS_SUPPORT_HISTOGRAM_REFERENCE_H
#define HEDDLE_TESTS_SUPPORT_HISTOGRAM_REFERENCE_H

#include <math.h>
#include <string.h>

#include "check.h"
#include "reference.h"

__extension__ typedef __int128 whole; // holds every i64 and u64

typedef enum bin_rule { INTEGERS, EVEN, EDGES, LETTERS, RULES } bin_rule;

typedef struct axis {
    hd_type type;
    bin_rule rule;
    int64_t bins, first;
    double lower, upper;
    hd_type edge_type;
    const void *edges;
    int32_t letters;
    bool clamp;
} axis;

static inline whole whole_of(hd_type type, const void *element)
{
    const uint64_t bits = ref_to_whole(type, element);
    return check_is_signed(type) ? (whole)(int64_t)bits : (whole)bits;
}

static inline double double_of(hd_type type, const void *element)
{
    if (check_is_float(type)) return ref_to_double(type, element);
    return check_is_signed(type) ? (double)(int64_t)ref_to_whole(type, element)
                                 : (double)ref_to_whole(type, element);
}

// Less, equal, greater: -1, 0, 1.
static inline int compare_edge(const axis *a, const void *value, int64_t k)
{
    const char *edge = (const char *)a->edges + (size_t)k * hd_type_size(a->edge_type);
    const bool exact = !check_is_float(a->type) && !check_is_float(a->edge_type) &&
                       (a->type == HD_U64) == (a->edge_type == HD_U64);
    if (exact) {
        const whole x = whole_of(a->type, value), y = whole_of(a->edge_type, edge);
        return x < y ? -1 : x > y;
    }
    const double x = double_of(a->type, value), y = double_of(a->edge_type, edge);
    return x < y ? -1 : x > y;
}

// Edge k as numpy.linspace(lower, upper, bins + 1) has it: one rounding a step.
static inline double even_edge(const axis *a, int64_t k)
{
    const volatile double range = a->upper - a->lower;
    const volatile double step = range / (double)a->bins;
    const volatile double away = (double)k * step;
    const volatile double edge = away + a->lower;
    return k == a->bins ? a->upper : edge;
}

// -2: below, -1: nowhere, bins: above.
static inline int64_t place_of(const axis *a, const void *value)
{
    if (check_is_float(a->type) && isnan(ref_to_double(a->type, value))) return -1;
    if (a->rule == LETTERS) {
        const char c = *(const char *)value;
        if (c >= 'A' && c <= 'Z') return (c - 'A') / a->letters;
        return c >= 'a' && c <= 'z' ? (c - 'a') / a->letters : -1;
    }
    if (a->rule == INTEGERS) {
        const whole k = whole_of(a->type, value) - a->first;
        return k < 0 ? -2 : k >= a->bins ? a->bins : (int64_t)k;
    }
    if (a->rule == EVEN) {
        const double v = double_of(a->type, value);
        if (v < a->lower) return -2;
        if (v > a->upper) return a->bins;
        int64_t k = (int64_t)((v - a->lower) / (a->upper - a->lower) * (double)a->bins);
        if (k > a->bins - 1) k = a->bins - 1;
        while (k > 0 && v < even_edge(a, k)) k--;
        while (k + 1 < a->bins && v >= even_edge(a, k + 1)) k++;
        return k;
    }
    if (compare_edge(a, value, 0) < 0) return -2;
    for (int64_t k = 1; k <= a->bins; k++)
        if (compare_edge(a, value, k) < 0) return k - 1;
    return compare_edge(a, value, a->bins) == 0 ? a->bins - 1 : a->bins;
}

// The bin of an element, or -1.
static inline int64_t bin_of(const axis *a, const void *value)
{
    const int64_t k = place_of(a, value);
    if (k == -2) return a->clamp ? 0 : -1;
    if (k == a->bins) return a->clamp ? a->bins - 1 : -1;
    return k;
}

// ---- Values ---------------------------------------------------------------------------------

// x as an element of a type: rounded, or cut to the range of an integer.
static inline void put_double(hd_type type, void *to, double x)
{
    const float f = (float)x;
    const uint16_t half = type == HD_F16 || type == HD_BF16 ? ref_narrow(type, x) : 0;
    const size_t size = hd_type_size(type);
    if (type == HD_F64) memcpy(to, &x, 8);
    if (type == HD_F32) memcpy(to, &f, 4);
    if (type == HD_F16 || type == HD_BF16) memcpy(to, &half, 2);
    if (check_is_float(type)) return;
    const double most = type == HD_BOOL ? 1 : ldexp(1, (int)(8 * size) - check_is_signed(type)) - 1;
    const double least = check_is_signed(type) ? -ldexp(1, (int)(8 * size) - 1) : 0;
    x = x < least ? least : x > most ? most : floor(x);
    uint64_t bits = x >= 0x1p64 ? UINT64_MAX : x >= 0 ? (uint64_t)x : (uint64_t)(int64_t)x;
    if (type == HD_I64 && x >= 0x1p63) bits = INT64_MAX;
    memcpy(to, &bits, size);
}

typedef enum skew { UNIFORM, EQUAL, RUNS, ZIPF, SKEWS } skew;

// Values around the bins of an axis: most in them or at their borders, some outside, some anything.
static inline void fill_values(const axis *a, void *to, int64_t n, skew how, uint64_t *state)
{
    const size_t size = hd_type_size(a->type);
    const bool real = a->rule == EVEN;
    const double low = real ? a->lower : (double)a->first, high = real ? a->upper : low + a->bins;
    int64_t run = 0;
    double x = low;
    check_fill(a->type, to, n, check_is_float(a->type) ? CHECK_SPECIAL : CHECK_ORDINARY,
               check_next(state));
    for (int64_t i = 0; i < n; i++) {
        const int64_t k = check_below(state, a->bins + 2) - 1; // one outside on each side
        if (how == RUNS && run-- > 0) {
            put_double(a->type, (char *)to + (size_t)i * size, x);
            continue;
        }
        run = check_below(state, 100);
        if (how == EQUAL && i > 0) run = n;
        if (how == EQUAL)
            x = low + (high - low) / 2;
        else if (how == ZIPF)
            x = low + (high - low) / (double)(1 + check_below(state, 1 + check_below(state, 64)));
        else
            x = low + (high - low) / (double)a->bins * (double)k;
        if (check_below(state, 3) == 0 && how != EQUAL)
            x += (high - low) / (double)a->bins * (double)check_below(state, 1000) / 1000;
        if (how == EQUAL || check_below(state, 8) != 0)
            put_double(a->type, (char *)to + (size_t)i * size, x);
    }
}

#endif
