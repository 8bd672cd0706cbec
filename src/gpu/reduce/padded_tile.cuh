// SPDX-License-Identifier: Apache-2.0
//
// Elements in shared memory, for reduce_segments. Place 0 is the element whose index is a multiple
// of 32 at or before the first that is wanted, so that the HK_K elements that a thread reads at
// once never lie on both sides of a gap. Gaps are after every 32 places: threads at even distances
// meet in different banks.
#pragma once
#include "device/warp.cuh"

#define HK_BATCH 4
#define HK_GROUP 32
#define HK_FILL  ((int)(sizeof(hk_element) < 4 ? 4 / sizeof(hk_element) : 1))
#define HK_ROOM                                                                                    \
    (HK_ITEMS + HK_ITEMS / 8) // a tile, and some elements that its last segment has behind it
#define HK_SPAN (HK_ROOM + HK_GROUP)

HK_FN int hk_padded(int i)
{
    return i + (int)((uint32_t)i / HK_GROUP) * HK_FILL;
}

// What is brought: places, and of these the whole runs of HK_K.
struct hk_range {
    int64_t base; // the element of place 0
    int from, until;
    int first, runs; // where the first run begins, and how many there are
};

HK_FN hk_range hk_range_of(int64_t from, int length)
{
    hk_range t;
    t.base = from & -(int64_t)HK_GROUP;
    t.from = (int)(from & (HK_GROUP - 1));
    t.until = t.from + length;
    t.first = (t.from + HK_K - 1) & -HK_K;
    t.runs = (int)((uint32_t)(t.until > t.first ? t.until - t.first : 0) / HK_K);
    return t;
}

// A batch is read, and later put where it belongs: other things may be done meanwhile. Most threads
// have all of a batch, and ask for it once.
struct hk_batch {
    hk_element e[HK_BATCH][HK_K];
};

HK_FN bool hk_has_run(const hk_range *t, int run, int b)
{
    return run + b * HK_THREADS < t->runs;
}

#ifdef HK_ASKS
HK_FN void hk_fetch(const hk_inputs *in, const hk_range *t, int run, hk_batch *batch)
{
    const int64_t i = t->base + (t->first + run * HK_K);
    const bool all = hk_has_run(t, run, HK_BATCH - 1);
    hk_asked asked[HK_BATCH];
#pragma unroll
    for (int b = 0; b < HK_BATCH; b++)
        if (all || hk_has_run(t, run, b)) hk_ask_items(in, i + b * HK_THREADS * HK_K, &asked[b]);
#pragma unroll
    for (int b = 0; b < HK_BATCH; b++)
        if (all || hk_has_run(t, run, b)) hk_get_items(in, &asked[b], batch->e[b]);
}
#else
HK_FN void hk_fetch(const hk_inputs *in, const hk_range *t, int run, hk_batch *batch)
{
    const int64_t i = t->base + (t->first + run * HK_K);
    if (hk_has_run(t, run, HK_BATCH - 1)) {
#pragma unroll
        for (int b = 0; b < HK_BATCH; b++) hk_items(in, i + b * HK_THREADS * HK_K, batch->e[b]);
    } else {
#pragma unroll
        for (int b = 0; b < HK_BATCH - 1; b++)
            if (hk_has_run(t, run, b)) hk_items(in, i + b * HK_THREADS * HK_K, batch->e[b]);
    }
}
#endif

HK_FN void hk_store(const hk_range *t, int run, const hk_batch *batch, hk_element *x)
{
    // From one run of a thread to its next the distance is the same, gaps counted.
    const int step = HK_THREADS * HK_K + HK_THREADS * HK_K / HK_GROUP * HK_FILL;
    hk_element *to = x + hk_padded(t->first + run * HK_K);
    const bool all = hk_has_run(t, run, HK_BATCH - 1);
#pragma unroll
    for (int b = 0; b < HK_BATCH; b++)
        if (all || hk_has_run(t, run, b)) {
#pragma unroll
            for (int j = 0; j < HK_K; j++) to[b * step + j] = batch->e[b][j];
        }
}

// The elements before and after whole runs, fewer than HK_K each, belong to the first threads: the
// place of a thread's, or -1.
HK_FN int hk_loose_place(const hk_range *t)
{
    const int k = (int)threadIdx.x;
    if (k >= 2 * HK_K) return -1;
    const int i = t->first - HK_K + k + (k < HK_K ? 0 : t->runs * HK_K);
    return i >= t->from && i < t->until ? i : -1;
}

// ---- Nodes of the tree --------------------------------------------------------------------------

// Elements from a place on: those before the next gap, and `far` for those behind it.
struct hk_near {
    const hk_element *at, *far;
    int count; // before the gap
};

HK_FN hk_near hk_near_of(const hk_element *x, int i)
{
    const hk_element *at = x + hk_padded(i);
    const hk_near n = {at, at + HK_FILL, HK_GROUP - (i & (HK_GROUP - 1))};
    return n;
}

// The same where no gap is met: every place is known to the compiler.
HK_FN hk_near hk_together(hk_near n)
{
    n.count = HK_GROUP;
    return n;
}

// The nodes over 1, 2, 4, .. elements, from the j-th on; the first has the index `index` in its
// segment.
HK_FN hk_node hk_tree_1(hk_near n, int j, int64_t index)
{
    return hk_transform((j < n.count ? n.at : n.far)[j], index + j);
}
HK_FN hk_node hk_tree_2(hk_near n, int j, int64_t index)
{
    return hk_combine(hk_tree_1(n, j, index), hk_tree_1(n, j + 1, index));
}
HK_FN hk_node hk_tree_4(hk_near n, int j, int64_t index)
{
    return hk_combine(hk_tree_2(n, j, index), hk_tree_2(n, j + 2, index));
}
HK_FN hk_node hk_tree_8(hk_near n, int j, int64_t index)
{
    return hk_combine(hk_tree_4(n, j, index), hk_tree_4(n, j + 4, index));
}
HK_FN hk_node hk_tree_16(hk_near n, int64_t index)
{
    return hk_combine(hk_tree_8(n, 0, index), hk_tree_8(n, 8, index));
}

// The nodes over 4 and 8 elements from place i.
HK_FN hk_node hk_over_4(const hk_element *x, int i, int64_t index)
{
    const hk_near n = hk_near_of(x, i);
    return n.count >= 4 ? hk_tree_4(hk_together(n), 0, index) : hk_tree_4(n, 0, index);
}
HK_FN hk_node hk_over_8(const hk_element *x, int i, int64_t index)
{
    const hk_near n = hk_near_of(x, i);
    return n.count >= 8 ? hk_tree_8(hk_together(n), 0, index) : hk_tree_8(n, 0, index);
}

// Appends R of m < 16 elements from place i.
HK_FN void hk_append_elements(hk_prefix *p, const hk_element *x, int i, int64_t index, int m)
{
    if (m & 8) hk_append(p, hk_over_8(x, i, index)), i += 8, index += 8;
    if (m & 4) hk_append(p, hk_over_4(x, i, index)), i += 4, index += 4;
    if ((m & 3) == 0) return;
    if (m & 2) hk_append(p, hk_tree_2(hk_near_of(x, i), 0, index)), i += 2, index += 2;
    if (m & 1) hk_append(p, hk_transform(x[hk_padded(i)], index));
}
