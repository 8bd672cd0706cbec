// SPDX-License-Identifier: Apache-2.0
//
// From values to the numbers of their bins, with the bits of src/serial/histogram.c; an element
// that is outside has the number behind the last bin. hk_bin_0 and hk_bin_1 (emit_histogram.c) call
// the rule of each axis.
#pragma once

struct hk_bins {
    int64_t count, first;
    double lower, upper, step, scale; // even bins
    double off;                       // bins that a position is wrong by at most
    const char *edges;                // count + 1 of them, i64 or f64
    int32_t letters, crowded;
    float near_scale, near_shift; // the same in f32: v * near_scale + near_shift is a position
    float near_off;               // that is wrong by at most so many bins; 1: it tells nothing
};

struct hk_histogram {
    hk_bins axis[2];
    int64_t n, bins;
    int64_t range, ranges; // a block counts bins of one range of `range` bins
    uint64_t *counts;      // a word a bin, and one more for those outside
};

HK_FN uint32_t hk_below(const hk_bins *b, bool clamp)
{
    return clamp ? 0 : (uint32_t)b->count;
}

HK_FN uint32_t hk_above(const hk_bins *b, bool clamp)
{
    return (uint32_t)b->count - clamp;
}

// ---- Integers -----------------------------------------------------------------------------------

// Values, and all bins, are in the range of i32.
HK_FN uint32_t hk_signed_bin(const hk_bins *b, int32_t v, bool clamp)
{
    const uint32_t k = (uint32_t)v - (uint32_t)b->first;
    if (clamp && v < (int32_t)b->first) return 0;
    return k < (uint32_t)b->count ? k : hk_above(b, clamp);
}

// The same of u32.
HK_FN uint32_t hk_unsigned_bin(const hk_bins *b, uint32_t v, bool clamp)
{
    const uint32_t k = v - (uint32_t)b->first;
    if (clamp && v < (uint32_t)b->first) return 0;
    return k < (uint32_t)b->count ? k : hk_above(b, clamp);
}

// past: the value is one of u64 that no i64 is.
HK_FN uint32_t hk_wide_bin(const hk_bins *b, int64_t v, bool past, bool clamp)
{
    if (past) return hk_above(b, clamp);
    if (v < b->first) return hk_below(b, clamp);
    const uint64_t k = (uint64_t)v - (uint64_t)b->first;
    return k < (uint64_t)b->count ? (uint32_t)k : hk_above(b, clamp);
}

// ---- Even bins ----------------------------------------------------------------------------------

HK_FN double hk_even_edge(const hk_bins *b, int64_t k)
{
    const double away = (double)(int32_t)k * b->step;
    return away + b->lower;
}

HK_FN uint32_t hk_even_search(const hk_bins *b, double v)
{
    int64_t k = 0, end = b->count;
    while (end - k > 1) {
        const int64_t middle = k + (end - k) / 2;
        if (hk_even_edge(b, middle) <= v)
            k = middle;
        else
            end = middle;
    }
    return (uint32_t)k;
}

// Where bins are not crowded, a position is wrong by less than half a bin.
HK_FN uint32_t hk_even_near(const hk_bins *b, double v, double at)
{
    int32_t k = (int32_t)at;
    const int32_t last = (int32_t)b->count - 1;
    if (k > last) k = last;
    if (k > 0 && hk_even_edge(b, k) > v)
        k--;
    else if (k < last && hk_even_edge(b, k + 1) <= v)
        k++;
    return (uint32_t)k;
}

// The nearest whole number of a position up to 2^51, and its bits: conversions are slow.
HK_FN double hk_nearest(double at, uint32_t *bits)
{
    const double sum = at + 0x1p52;
    asm("{ .reg .b32 high; mov.b64 {%0, high}, %1; }" : "=r"(*bits) : "d"(sum));
    return sum - 0x1p52;
}

// A position that is far enough from every edge tells the bin by itself.
HK_FN uint32_t hk_even_bin(const hk_bins *b, double v, bool clamp)
{
    uint32_t k;
    if (!(v >= b->lower)) return v < b->lower ? hk_below(b, clamp) : (uint32_t)b->count;
    if (v > b->upper) return hk_above(b, clamp);
    if (b->crowded) return hk_even_search(b, v);
    const double at = (v - b->lower) * b->scale, from_edge = at - hk_nearest(at, &k);
    if (from_edge > b->off) return k;
    if (from_edge < -b->off) return k - 1;
    return hk_even_near(b, v, at);
}

// Of f32, in f32: the nearest whole number of positions up to 2^22 is in the bits of a sum, which
// beyond that are those of no bin. Near an edge, and of NaN, the rule of f64 has the word.
HK_FN uint32_t hk_even_bin_of_single(const hk_bins *b, float v, bool clamp)
{
    float at;
    asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(at) : "f"(v), "f"(b->near_scale), "f"(b->near_shift));
    const float sum = at + 0x1.8p23f, from_edge = at - (sum - 0x1.8p23f);
    if (!(from_edge > b->near_off || from_edge < -b->near_off)) return hk_even_bin(b, v, clamp);
    const uint32_t k = hk_bits_of_float(sum) - hk_bits_of_float(0x1.8p23f) - (from_edge < 0);
    const uint32_t outside = clamp && at < 0 ? 0 : hk_above(b, clamp);
    return k < (uint32_t)b->count ? k : outside;
}

// ---- Edges --------------------------------------------------------------------------------------

HK_FN uint32_t hk_bin_of_edge(const hk_bins *b, int64_t k, bool on_last, bool clamp)
{
    if (k == b->count && on_last) k--;
    return k < 0 ? hk_below(b, clamp) : k >= b->count ? hk_above(b, clamp) : (uint32_t)k;
}

HK_FN uint32_t hk_whole_edge_bin(const hk_bins *b, int64_t v, bool clamp)
{
    const int64_t *edge = (const int64_t *)b->edges;
    int64_t k = -1, end = b->count + 1; // edge[k] <= v < edge[end]
    while (end - k > 1) {
        const int64_t middle = k + (end - k) / 2;
        if (edge[middle] <= v)
            k = middle;
        else
            end = middle;
    }
    return hk_bin_of_edge(b, k, edge[b->count] == v, clamp);
}

HK_FN uint32_t hk_real_edge_bin(const hk_bins *b, double v, bool clamp)
{
    const double *edge = (const double *)b->edges;
    int64_t k = -1, end = b->count + 1;
    if (v != v) return (uint32_t)b->count;
    while (end - k > 1) {
        const int64_t middle = k + (end - k) / 2;
        if (edge[middle] <= v)
            k = middle;
        else
            end = middle;
    }
    return hk_bin_of_edge(b, k, edge[b->count] == v, clamp);
}

// ---- Letters, and all of it ---------------------------------------------------------------------

HK_FN uint32_t hk_letter_bin(const hk_bins *b, uint8_t v)
{
    const uint32_t letter = (v | 0x20u) - 'a';
    return letter < 26 ? letter / (uint32_t)b->letters : (uint32_t)b->count;
}

// The bin of an element, of two axes a row and a column.
HK_FN uint32_t hk_joint_bin(const hk_histogram *h, hk_first x, hk_second y)
{
    const uint32_t row = hk_bin_0(&h->axis[0], x);
    if (HK_AXES == 1) return row;
    const uint32_t columns = (uint32_t)h->axis[1].count, column = hk_bin_1(&h->axis[1], y);
    const bool outside = row == (uint32_t)h->axis[0].count || column == columns;
    return outside ? (uint32_t)h->bins : row * columns + column;
}
