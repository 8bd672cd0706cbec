// SPDX-License-Identifier: Apache-2.0
//
// Two sorted runs in shared memory, merged: each thread finds on its diagonal where its HK_ROWS
// elements begin, and merges them one by one.
#pragma once
#include "merge/merge_path.cuh"
#include "merge/float_keys.cuh"

// A thread reads elements behind the last one of its tile, and forgets them.
#define HK_STAGED (HK_TILE + HK_ROWS + 1)

struct hk_merge_tile {
    const hk_in_0 *x; // a's elements from begin_a on, b's from begin_b on
    int count_a, count, begin_a, begin_b;
    int as; // HK_AS_IS or keys
};

// An element by words of 8 bytes, where it is made of them: a structure's own alignment may be less
// than that of an array of them, which is that of the powers of two in an element's size.
union hk_element_words {
    hk_in_0 x;
    uint64_t w[(sizeof(hk_in_0) + 7) / 8];
};
#define HK_BY_WORDS (sizeof(hk_in_0) % 8 == 0 && sizeof(hk_in_0) <= 32)

HK_FN hk_in_0 hk_load_as(const hk_in_0 *from, bool words)
{
    if (!HK_BY_WORDS || !words) return *from;
    hk_element_words u;
#pragma unroll
    for (int k = 0; k < (int)sizeof(hk_in_0) / 8; k++) u.w[k] = ((const uint64_t *)from)[k];
    return u.x;
}

HK_FN void hk_store_as(hk_in_0 *to, const hk_in_0 &x, bool words)
{
    if (!HK_BY_WORDS || !words) {
        *to = x;
        return;
    }
    hk_element_words u;
    u.x = x;
#pragma unroll
    for (int k = 0; k < (int)sizeof(hk_in_0) / 8; k++) ((uint64_t *)to)[k] = u.w[k];
}

// a's elements among the first d of the tile.
HK_FN int hk_split_at(const hk_merge_tile *t, int d)
{
    const int count_b = t->count - t->count_a;
    int low = d > count_b ? d - count_b : 0, high = d < t->count_a ? d : t->count_a;
    const hk_in_0 *const a = t->x + t->begin_a, *const b = t->x + t->begin_b + d - 1;
    while (low < high) {
        const int i = (low + high) / 2;
        if (hk_before_as(b[-i], a[i], t->as))
            high = i;
        else
            low = i + 1;
    }
    return low;
}

// The element `at` units into x, of which an element has `units`.
HK_FN hk_in_0 hk_staged_at(const hk_in_0 *x, int at, int units)
{
    const char *const bytes = (const char *)x + at * ((int)sizeof(hk_in_0) / units);
    return hk_load_as((const hk_in_0 *)bytes, true);
}

// The elements that come d-th and after it, from a's element i on, and, if `which`, which they are;
// gives a's element behind them. Both heads are at hand: a step reads one element. What it gives
// behind the last element of the tile means nothing. Both positions together grow by one a step, so
// that only a's is counted; in bytes, where no one asks for it.
HK_FN int hk_merge_items(const hk_merge_tile *t, int d, int i, bool which, uint16_t *from,
                         hk_in_0 *own)
{
    const int units = which ? 1 : (int)sizeof(hk_in_0);
    const int end_a = (t->begin_a + t->count_a) * units;
    const int end_b = (t->begin_b + t->count - t->count_a) * units;
    const int both = (t->begin_a + t->begin_b + d) * units;
    i = (t->begin_a + i) * units;
    int j = both - i;
    hk_in_0 of_a = hk_staged_at(t->x, i, units), of_b = hk_staged_at(t->x, j, units);
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++) { // the last step's read is within HK_STAGED, too
        const bool take_b = i >= end_a || (j < end_b && hk_before_as(of_b, of_a, t->as));
        if (which) from[r] = (uint16_t)(take_b ? j - t->begin_b + t->count_a : i - t->begin_a);
        own[r] = take_b ? of_b : of_a;
        if (!take_b) i += units;
        j = both + (r + 1) * units - i;
        const hk_in_0 x = hk_staged_at(t->x, take_b ? j : i, units);
        if (take_b)
            of_b = x;
        else
            of_a = x;
    }
    return i / units - t->begin_a;
}

HK_FN void hk_write_tile(hk_in_0 *to, const hk_in_0 *x, int count, bool words)
{
    to += threadIdx.x;
    x += threadIdx.x;
    if (count == HK_TILE) {
#pragma unroll
        for (int r = 0; r < HK_ROWS; r++)
            hk_store_as(to + r * HK_THREADS, hk_load_as(x + r * HK_THREADS, true), words);
        return;
    }
#pragma unroll 1
    for (int k = 0; k + (int)threadIdx.x < count; k += HK_THREADS) to[k] = x[k];
}
