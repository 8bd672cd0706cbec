// SPDX-License-Identifier: Apache-2.0
//
// Elements in shared memory, for reduce_segments. Place 0 is the first that is wanted. Gaps are after every 32
// places: threads at even distances meet in different banks. In front of place 0 there is a group for what else
// lies in the first run.
#define HD_BATCH (HD_DIRECT ? 2 : 4) // runs a thread has under way
#define HD_GROUP 32
#define HD_FILL  ((int)(sizeof(hd_element) < 4 ? 4 / sizeof(hd_element) : 1))
#define HD_ROOM                                                                                    \
    (HD_ITEMS + HD_ITEMS / 8) // a tile, and some elements that its last segment has behind it
#define HD_SPAN (HD_ROOM + HD_GROUP)

HD_FN uint32_t hd_place(uint32_t i)
{
    return i + i / HD_GROUP * HD_FILL + (HD_GROUP + HD_FILL);
}

// What is brought: places 0 .. until - 1, by whole runs of HD_K elements as they lie in the input.
struct hd_stretch {
    int64_t first; // element of the first run,
    int before;    // of which so many are not wanted
    int until, runs;
};

HD_FN hd_stretch hd_stretch_of(int64_t from, int length)
{
    hd_stretch t;
    t.first = from & -(int64_t)HD_K;
    t.before = (int)(from & (HD_K - 1));
    t.until = length;
    t.runs = (int)((uint32_t)(t.before + length) / HD_K);
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
    const int64_t i = t->first + run * HD_K;
    if (hd_has_run(t, run, HD_BATCH - 1)) {
#pragma unroll
        for (int b = 0; b < HD_BATCH; b++) hd_items(in, i + b * HD_THREADS * HD_K, batch->e[b]);
    } else {
#pragma unroll
        for (int b = 0; b < HD_BATCH - 1; b++)
            if (hd_has_run(t, run, b)) hd_items(in, i + b * HD_THREADS * HD_K, batch->e[b]);
    }
}

// Where the elements of a thread's run go. From one run to its next the distance is the same, gaps counted.
#define HD_STRIDE (HD_THREADS * HD_K + HD_THREADS * HD_K / HD_GROUP * HD_FILL)

struct hd_spots {
    hd_element *to[HD_K];
};

HD_FN hd_spots hd_spots_of(const hd_stretch *t, int run, hd_element *x)
{
    const uint32_t at = (uint32_t)(HD_GROUP + run * HD_K - t->before);
    hd_spots s;
#pragma unroll
    for (int j = 0; j < HD_K; j++) s.to[j] = x + (at + j + (at + j) / HD_GROUP * HD_FILL);
    return s;
}

HD_FN void hd_store(const hd_stretch *t, int run, const hd_batch *batch, const hd_spots *s)
{
    if (hd_has_run(t, run, HD_BATCH - 1)) {
#pragma unroll
        for (int b = 0; b < HD_BATCH; b++)
#pragma unroll
            for (int j = 0; j < HD_K; j++) s->to[j][b * HD_STRIDE] = batch->e[b][j];
    } else {
#pragma unroll
        for (int b = 0; b < HD_BATCH - 1; b++)
            if (hd_has_run(t, run, b)) {
#pragma unroll
                for (int j = 0; j < HD_K; j++) s->to[j][b * HD_STRIDE] = batch->e[b][j];
            }
    }
}

// The elements behind whole runs, fewer than HD_K, belong to the first threads: the place of a thread's, or -1.
HD_FN int hd_loose_place(const hd_stretch *t)
{
    const int k = (int)threadIdx.x, i = t->runs * HD_K - t->before + k;
    return k < HD_K && i < t->until ? i : -1;
}

// ---- Nodes of the tree ---------------------------------------------------------------------------

// Elements from a place on: those before the next gap, and `far` for those behind it.
struct hd_near {
    const hd_element *at, *far;
    int count; // before the gap
};

HD_FN hd_near hd_near_of(const hd_element *x, uint32_t i)
{
    const hd_element *at = x + hd_place(i);
    const hd_near n = {at, at + HD_FILL, HD_GROUP - (int)(i % HD_GROUP)};
    return n;
}

// The same where no gap is met: every place is known to the compiler.
HD_FN hd_near hd_together(hd_near n)
{
    n.count = 2 * HD_GROUP;
    return n;
}

// From m < 16 elements further on.
HD_FN hd_near hd_beyond(hd_near n, uint32_t m)
{
    const hd_near b = {n.at + m, n.far + m, n.count - (int)m};
    return b;
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

// Appends R of m < 16 elements; those of each level lie behind as many as the greater bits of m say.
HD_FN void hd_append_elements(hd_prefix *p, hd_near n, int64_t index, uint32_t m)
{
    if (m & 8) hd_append(p, hd_tree_8(n, 0, index));
    if (m & 4) hd_append(p, hd_tree_4(hd_beyond(n, m & 8), 0, index + (m & 8)));
    if ((m & 3) == 0) return;
    if (m & 2) hd_append(p, hd_tree_2(hd_beyond(n, m & 12), 0, index + (m & 12)));
    if (m & 1) hd_append(p, hd_tree_1(hd_beyond(n, m & 14), 0, index + (m & 14)));
}

// The same where no gap is met.
HD_FN void hd_append_together(hd_prefix *p, hd_near n, int64_t index, uint32_t m)
{
    n = hd_together(n);
    if (m & 8) hd_append(p, hd_tree_8(n, 0, index));
    if (m & 4) hd_append(p, hd_tree_4(hd_together(hd_beyond(n, m & 8)), 0, index + (m & 8)));
    if ((m & 3) == 0) return;
    if (m & 2) hd_append(p, hd_tree_2(hd_together(hd_beyond(n, m & 12)), 0, index + (m & 12)));
    if (m & 1) hd_append(p, hd_tree_1(hd_together(hd_beyond(n, m & 14)), 0, index + (m & 14)));
}
