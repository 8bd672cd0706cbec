// SPDX-License-Identifier: Apache-2.0
//
// Two sorted runs in shared memory, merged: each thread finds on its diagonal where its HK_ROWS
// elements begin, and merges them one by one.
#pragma once
#include "sort/merge_path.cuh"

struct hk_merge_tile {
    const hk_in_0 *x; // count_a elements of a, then those of b
    int count_a, count;
};

// a's elements among the first d of the tile.
HK_FN int hk_split_at(const hk_merge_tile *t, int d)
{
    const int count_b = t->count - t->count_a;
    int low = d > count_b ? d - count_b : 0, high = d < t->count_a ? d : t->count_a;
    while (low < high) {
        const int i = (low + high) / 2;
        if (hk_before(t->x[t->count_a + d - 1 - i], t->x[i]))
            high = i;
        else
            low = i + 1;
    }
    return low;
}

// Which elements come d-th and after it, from a's element i on, and themselves; gives a's element
// behind them. Both heads are at hand: a step reads one element. What it gives behind the last
// element of the tile means nothing.
HK_FN int hk_merge_items(const hk_merge_tile *t, int d, int i, uint16_t *from, hk_in_0 *own)
{
    const int last = t->count - 1;
    int j = t->count_a + d - i;
    hk_in_0 of_a = t->x[i < last ? i : last], of_b = t->x[j < last ? j : last];
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++) {
        const bool take_b = i >= t->count_a || (j < t->count && hk_before(of_b, of_a));
        from[r] = (uint16_t)(take_b ? j : i);
        own[r] = take_b ? of_b : of_a;
        const int next = take_b ? ++j : ++i;
        const hk_in_0 x = t->x[next < last ? next : last];
        if (take_b)
            of_b = x;
        else
            of_a = x;
    }
    return i;
}

// ---- Arrays without gaps ------------------------------------------------------------------------

// The tile's elements of a and of b, one after the other in shared memory: all are requested before
// the first is stored.
HK_FN void hk_stage_runs(const hk_in_0 *a, const hk_in_0 *b, const hk_merge_tile *t, hk_in_0 *x)
{
    const int mine = (int)threadIdx.x;
    const hk_in_0 *const from_a = a + mine, *const from_b = b - t->count_a + mine;
    hk_in_0 own[HK_ROWS];
    if (t->count == HK_TILE) {
#pragma unroll
        for (int r = 0; r < HK_ROWS; r++)
            own[r] = (r * HK_THREADS + mine < t->count_a ? from_a : from_b)[r * HK_THREADS];
#pragma unroll
        for (int r = 0; r < HK_ROWS; r++) x[r * HK_THREADS + mine] = own[r];
        return;
    }
#pragma unroll 1
    for (int k = mine; k < t->count; k += HK_THREADS)
        x[k] = (k < t->count_a ? from_a : from_b)[k - mine];
}

HK_FN void hk_write_tile(hk_in_0 *to, const hk_in_0 *x, int count)
{
    to += threadIdx.x;
    x += threadIdx.x;
    if (count == HK_TILE) {
#pragma unroll
        for (int r = 0; r < HK_ROWS; r++) to[r * HK_THREADS] = x[r * HK_THREADS];
        return;
    }
#pragma unroll 1
    for (int k = 0; k + (int)threadIdx.x < count; k += HK_THREADS) to[k] = x[k];
}
