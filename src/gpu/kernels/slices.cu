// SPDX-License-Identifier: Apache-2.0
//
// reduce_slices: each slice, a row or a segment, is a tree of its own from its first element on; a warp
// takes one, chunk after chunk. Where offsets are not good, a fault is left for the host to find, and
// nothing outside of the array is read.
#define HD_WARPS  (HD_THREADS / HD_WARP)
#define HD_LEVELS 48

struct hd_slices_how {
    int64_t slices, length; // of each; -1: between offsets
    int64_t n;
    int64_t has_empty; // whether there is a value for a slice without elements
};

enum { HD_BAD_OFFSETS = 1, HD_NO_VALUE = 2 };

// Appends what is left of a slice after its whole chunks: m < HD_CHUNK elements, HD_K is 1.
HD_FN void hd_append_part(const hd_inputs *in, int64_t first, int m, int64_t index, hd_prefix *p)
{
    const hd_node filler = hd_lift(hd_item(in, first), index + first);
    hd_node of_row = filler, n = filler;
    const int rows = m / HD_ROW, lanes = m % HD_ROW;
    for (int r = 0; r < rows; r++) {
        const int64_t at = first + r * HD_ROW + hd_lane();
        const hd_node whole = hd_warp_node(hd_lift(hd_item(in, at), index + at));
        if (hd_lane() == r) of_row = whole;
    }
    if (rows > 0) hd_append_lanes(p, of_row, rows);
    first += rows * HD_ROW;
    if (hd_lane() < lanes) n = hd_lift(hd_item(in, first + hd_lane()), index + first + hd_lane());
    if (lanes > 0) hd_append_lanes(p, n, lanes);
}

// R of the elements begin .. end - 1, at least one.
HD_FN hd_prefix hd_fold_slice(const hd_inputs *in, int64_t begin, int64_t end)
{
    hd_node waiting[HD_LEVELS]; // node k waits where bit k of the chunks so far is set
    const int64_t chunks = (end - begin) / HD_CHUNK;
    const int part = (int)((end - begin) % HD_CHUNK);
    for (int64_t c = 0; c < chunks; c++) {
        hd_element e[HD_ROWS][HD_K];
        const int64_t first = begin + c * HD_CHUNK;
        hd_read_chunk(in, first, e);
        hd_node n = hd_over_rows(hd_row_nodes(e, first, -begin));
        int k = 0;
        for (; c >> k & 1; k++) n = hd_combine(waiting[k], n);
        waiting[k] = n;
    }
    hd_prefix p = hd_empty_prefix(hd_lift(hd_item(in, begin), 0));
    int top = 0; // every node below the highest has waited once
    while (chunks >> top > 1) top++;
#pragma unroll 1
    for (int k = top; k >= 0; k--)
        if (chunks >> k & 1) hd_append(&p, waiting[k]);
    if (part > 0) hd_append_part(in, begin + chunks * HD_CHUNK, part, -begin, &p);
    return p;
}

extern "C" __global__ void __launch_bounds__(HD_THREADS)
    reduce_slices(const __grid_constant__ hd_inputs in, const __grid_constant__ hd_slices_how how,
                  const __grid_constant__ hd_view offsets, hd_node init,
                  const __grid_constant__ hd_empty empty, const __grid_constant__ hd_view out,
                  const __grid_constant__ hd_view values, uint32_t *fault)
{
    const int64_t slice = (int64_t)blockIdx.x * HD_WARPS + threadIdx.x / HD_WARP;
    if (slice >= how.slices) return;
#if HD_OFFSETS
    int64_t begin = hd_bound(&offsets, slice), end = hd_bound(&offsets, slice + 1);
    if (begin < 0 || end < begin || end > how.n) {
        if (hd_lane() == 0) hd_store_relaxed(fault, HD_BAD_OFFSETS);
        begin = end = 0;
    }
#else
    const int64_t begin = slice * how.length, end = begin + how.length;
#endif
    if (begin == end) {
        if (hd_lane() != 0) return;
        if (how.has_empty == 0) {
            hd_store_relaxed(fault, HD_NO_VALUE);
            return;
        }
        hd_put(&out, slice, empty.out);
#if HD_VALUES
        hd_put_value(&values, slice, empty.value);
#endif
        return;
    }
    const hd_prefix p = hd_fold_slice(&in, begin, end);
    if (hd_lane() != 0) return;
#if HD_HAS_INIT
    hd_give(&out, &values, slice, hd_combine(init, p.node), end - begin);
#else
    hd_give(&out, &values, slice, p.node, end - begin);
#endif
}
