// SPDX-License-Identifier: Apache-2.0
//
// scatter_fold: sources lie by place, in their order; each place's are the one tree of its own, and what was
// there before comes on its left. A lane takes a place with few sources, a warp one with many.
#include "device/kernel.cuh"
#include "device/warp.cuh"

#define HD_FEW    32
#define HD_LEVELS 48

struct hd_fold_how {
    int64_t n, limit; // a key of `limit` or more is of no place
};

// The tree over places begin .. end - 1 of a lane's own: at most HD_FEW.
HD_FN hd_prefix hd_fold_few(const hd_inputs *in, int64_t begin, int64_t end)
{
    hd_node waiting[6]; // node k waits where bit k of the count so far is set
    for (int64_t i = begin; i < end; i++) {
        hd_node n = hd_lift(hd_item(in, i), i - begin);
        const int64_t c = i - begin;
        int k = 0;
        for (; c >> k & 1; k++) n = hd_combine(waiting[k], n);
        waiting[k] = n;
    }
    hd_prefix p = hd_empty_prefix(waiting[0]);
#pragma unroll 1
    for (int k = 5; k >= 0; k--)
        if ((end - begin) >> k & 1) hd_append(&p, waiting[k]);
    return p;
}

// The same by a whole warp, row after row.
HD_FN hd_prefix hd_fold_many(const hd_inputs *in, int64_t begin, int64_t end)
{
    hd_node waiting[HD_LEVELS];
    const int64_t rows = (end - begin) / HD_WARP;
    const int left = (int)((end - begin) % HD_WARP);
    for (int64_t c = 0; c < rows; c++) {
        const int64_t i = begin + c * HD_WARP + hd_lane();
        hd_node n = hd_warp_node(hd_lift(hd_item(in, i), i - begin));
        int k = 0;
        for (; c >> k & 1; k++) n = hd_combine(waiting[k], n);
        waiting[k] = n;
    }
    hd_prefix p = hd_empty_prefix(waiting[0]);
    int top = 0;
    while (rows >> top > 1) top++;
#pragma unroll 1
    for (int k = top; k >= 0; k--)
        if (rows >> k & 1) hd_append(&p, waiting[k]);
    const int64_t i = begin + rows * HD_WARP + (hd_lane() < left ? hd_lane() : 0);
    if (left > 0) hd_append_lanes(&p, hd_lift(hd_item(in, i), i - begin), left);
    return p;
}

// Results of less than a word wait beside: places that share a word are read and written by several threads.
HD_FN void hd_fold_into(const hd_view *out, int64_t at, hd_out *result, hd_node n)
{
    const hd_out x = hd_lower(hd_combine(hd_old(out, at), n), 1);
    if (HD_APART)
        *result = x;
    else
        hd_put(out, at, x);
}

extern "C" __global__ void __launch_bounds__(HD_THREADS)
    scatter_fold(const __grid_constant__ hd_inputs in, const __grid_constant__ hd_view out,
                 const __grid_constant__ hd_fold_how how, const hd_sort_key *key,
                 const int64_t *begin, const uint64_t *runs, hd_out *result)
{
    hd_begin();
    const int64_t all = (int64_t)*runs, step = (int64_t)gridDim.x * HD_THREADS;
    const int64_t first = (int64_t)blockIdx.x * HD_THREADS + (threadIdx.x & ~31u);
    for (int64_t r = first; r < all; r += step) {
        const int64_t mine = r + hd_lane();
        int64_t from = 0, to = 0, at = -1;
        if (mine < all) {
            from = begin[mine];
            to = mine + 1 < all ? begin[mine + 1] : how.n;
            if ((uint64_t)key[from] < (uint64_t)how.limit) at = (int64_t)key[from];
        }
        if (at >= 0 && to - from <= HD_FEW)
            hd_fold_into(&out, at, result + mine, hd_fold_few(&in, from, to).node);
        uint32_t many = hd_ballot(at >= 0 && to - from > HD_FEW);
        for (; many != 0; many &= many - 1) {
            const int64_t run = r + hd_popc((int)((many & (0u - many)) - 1));
            const int64_t b = begin[run], e = run + 1 < all ? begin[run + 1] : how.n;
            const hd_prefix p = hd_fold_many(&in, b, e);
            if (hd_lane() == 0) hd_fold_into(&out, (int64_t)key[b], result + run, p.node);
        }
    }
}
