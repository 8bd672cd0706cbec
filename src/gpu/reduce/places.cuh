// SPDX-License-Identifier: Apache-2.0
//
// Elements in shared memory, for reduce_segments. Place 0 is the element whose index is a multiple of 32 at or
// before the first that is wanted, so that the HD_K elements that a thread reads at once never lie on both sides
// of a gap. Gaps are after every 32 places: threads at even distances meet in different banks.
#pragma once
#include "device/warp.cuh"

#define HD_BATCH 4
#define HD_GROUP 32
#define HD_FILL  ((int)(sizeof(hd_element) < 4 ? 4 / sizeof(hd_element) : 1))
#define HD_ROOM                                                                                    \
    (HD_ITEMS + HD_ITEMS / 8) // a tile, and some elements that its last segment has behind it
#define HD_SPAN (HD_ROOM + HD_GROUP)

HD_FN int hd_memory_space(int i)
{
    return i + (int)((uint32_t)i / HD_GROUP) * HD_FILL;
}

// What is brought: places, and of these the whole runs of HD_K.
struct hd_stretch {
    int64_t base; // the element of place 0
    int from, until;
    int first, runs; // where the first run begins, and how many there are
};

HD_FN hd_stretch hd_stretch_of(int64_t from, int length)
{
    hd_stretch t;
    t.base = from & -(int64_t)HD_GROUP;
    t.from = (int)(from & (HD_GROUP - 1));
    t.until = t.from + length;
    t.first = (t.from + HD_K - 1) & -HD_K;
    t.runs = (int)((uint32_t)(t.until > t.first ? t.until - t.first : 0) / HD_K);
    return t;
}

// A batch is read, and later put where it belongs: other things may be done meanwhile. Most threads have all of a
// batch, and ask for it once.
struct hd_batch {
    hd_element e[HD_BATCH][HD_K];
};

HD_FN bool hd_has_run(const hd_stretch *t, int run, int b)
{
    return run + b * HD_THREADS < t->runs;
}

HD_FN void hd_fetch(const hd_inputs *in, const hd_stretch *t, int run, hd_batch *batch)
{
    const int64_t i = t->base + (t->first + run * HD_K);
    if (hd_has_run(t, run, HD_BATCH - 1)) {
#pragma unroll
        for (int b = 0; b < HD_BATCH; b++) hd_items(in, i + b * HD_THREADS * HD_K, batch->e[b]);
    } else {
#pragma unroll
        for (int b = 0; b < HD_BATCH - 1; b++)
            if (hd_has_run(t, run, b)) hd_items(in, i + b * HD_THREADS * HD_K, batch->e[b]);
    }
}

HD_FN void hd_store(const hd_stretch *t, int run, const hd_batch *batch, hd_element *x)
{
    // From one run of a thread to its next the distance is the same, gaps counted.
    const int step = HD_THREADS * HD_K + HD_THREADS * HD_K / HD_GROUP * HD_FILL;
    hd_element *to = x + hd_memory_space(t->first + run * HD_K);
    const bool all = hd_has_run(t, run, HD_BATCH - 1);
#pragma unroll
    for (int b = 0; b < HD_BATCH; b++)
        if (all || hd_has_run(t, run, b)) {
#pragma unroll
            for (int j = 0; j < HD_K; j++) to[b * step + j] = batch->e[b][j];
        }
}

// The elements before and after whole runs, fewer than HD_K each, belong to the first threads: the place of a
// thread's, or -1.
HD_FN int hd_loose_place(const hd_stretch *t)
{
    const int k = (int)threadIdx.x;
    if (k >= 2 * HD_K) return -1;
    const int i = t->first - HD_K + k + (k < HD_K ? 0 : t->runs * HD_K);
    return i >= t->from && i < t->until ? i : -1;
}

// ---- Nodes of the tree ---------------------------------------------------------------------------

// Elements from a place on: those before the next gap, and `far` for those behind it.
struct hd_near {
    const hd_element *at, *far;
    int count; // before the gap
};

HD_FN hd_near hd_near_of(const hd_element *x, int i)
{
    const hd_element *at = x + hd_memory_space(i);
    const hd_near n = {at, at + HD_FILL, HD_GROUP - (i & (HD_GROUP - 1))};
    return n;
}

// The same where no gap is met: every place is known to the compiler.
HD_FN hd_near hd_together(hd_near n)
{
    n.count = HD_GROUP;
    return n;
}

// The nodes over 1, 2, 4, .. elements, from the j-th on; the first has the index `index` in its segment.
HD_FN hd_node hd_tree_1(hd_near n, int j, int64_t index)
{
    return hd_lift((j < n.count ? n.at : n.far)[j], index + j);
}
HD_FN hd_node hd_tree_2(hd_near n, int j, int64_t index)
{
    return hd_combine(hd_tree_1(n, j, index), hd_tree_1(n, j + 1, index));
}
HD_FN hd_node hd_tree_4(hd_near n, int j, int64_t index)
{
    return hd_combine(hd_tree_2(n, j, index), hd_tree_2(n, j + 2, index));
}
HD_FN hd_node hd_tree_8(hd_near n, int j, int64_t index)
{
    return hd_combine(hd_tree_4(n, j, index), hd_tree_4(n, j + 4, index));
}
HD_FN hd_node hd_tree_16(hd_near n, int64_t index)
{
    return hd_combine(hd_tree_8(n, 0, index), hd_tree_8(n, 8, index));
}

// The nodes over 4 and 8 elements from place i.
HD_FN hd_node hd_over_4(const hd_element *x, int i, int64_t index)
{
    const hd_near n = hd_near_of(x, i);
    return n.count >= 4 ? hd_tree_4(hd_together(n), 0, index) : hd_tree_4(n, 0, index);
}
HD_FN hd_node hd_over_8(const hd_element *x, int i, int64_t index)
{
    const hd_near n = hd_near_of(x, i);
    return n.count >= 8 ? hd_tree_8(hd_together(n), 0, index) : hd_tree_8(n, 0, index);
}

// Appends R of m < 16 elements from place i.
HD_FN void hd_append_elements(hd_prefix *p, const hd_element *x, int i, int64_t index, int m)
{
    if (m & 8) hd_append(p, hd_over_8(x, i, index)), i += 8, index += 8;
    if (m & 4) hd_append(p, hd_over_4(x, i, index)), i += 4, index += 4;
    if ((m & 3) == 0) return;
    if (m & 2) hd_append(p, hd_tree_2(hd_near_of(x, i), 0, index)), i += 2, index += 2;
    if (m & 1) hd_append(p, hd_lift(x[hd_memory_space(i)], index));
}
