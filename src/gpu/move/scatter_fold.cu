// SPDX-License-Identifier: Apache-2.0
//
// scatter_fold: sources lie by destination, in their order; each destination's are the one tree of
// its own, and what was there before comes on its left. A lane takes a destination with few
// sources, a warp one with many.
#include "device/kernel.cuh"
#include "device/warp.cuh"

#define HK_FEW    32
#define HK_LEVELS 48

struct hk_fold_how {
    int64_t n, limit; // a key of `limit` or more is of no destination
    int64_t fresh;    // nothing was there before
};

// The tree over destinations begin .. end - 1 of a lane's own: at most HK_FEW.
HK_FN hk_prefix hk_fold_few(const hk_inputs *in, int64_t begin, int64_t end)
{
    hk_node pending[6]; // node k is pending where bit k of the count so far is set
    for (int64_t i = begin; i < end; i++) {
        hk_node n = hk_transform(hk_item(in, i), i - begin);
        const int64_t c = i - begin;
        int k = 0;
        for (; c >> k & 1; k++) n = hk_combine(pending[k], n);
        pending[k] = n;
    }
    hk_prefix p = hk_empty_prefix(pending[0]);
#pragma unroll 1
    for (int k = 5; k >= 0; k--)
        if ((end - begin) >> k & 1) hk_append(&p, pending[k]);
    return p;
}

// The same by a whole warp, row after row.
HK_FN hk_prefix hk_fold_many(const hk_inputs *in, int64_t begin, int64_t end)
{
    hk_node pending[HK_LEVELS];
    const int64_t rows = (end - begin) / HK_WARP;
    const int left = (int)((end - begin) % HK_WARP);
    for (int64_t c = 0; c < rows; c++) {
        const int64_t i = begin + c * HK_WARP + hk_lane();
        hk_node n = hk_warp_node(hk_transform(hk_item(in, i), i - begin));
        int k = 0;
        for (; c >> k & 1; k++) n = hk_combine(pending[k], n);
        pending[k] = n;
    }
    hk_prefix p = hk_empty_prefix(pending[0]);
    int top = 0;
    while (rows >> top > 1) top++;
#pragma unroll 1
    for (int k = top; k >= 0; k--)
        if (rows >> k & 1) hk_append(&p, pending[k]);
    const int64_t i = begin + rows * HK_WARP + (hk_lane() < left ? hk_lane() : 0);
    if (left > 0) hk_append_lanes(&p, hk_transform(hk_item(in, i), i - begin), left);
    return p;
}

// Results of less than a word wait beside: destinations that share a word are read and written by
// several threads.
HK_FN void hk_fold_into(const hk_view *out, int64_t at, hk_out *result, hk_node n, bool fresh)
{
    if (!fresh) n = hk_combine(hk_old(out, at), n);
    const hk_out x = hk_finalize(n, 1);
    if (HK_APART)
        *result = x;
    else
        hk_put(out, at, x);
}

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    scatter_fold(const __grid_constant__ hk_inputs in, const __grid_constant__ hk_view out,
                 const __grid_constant__ hk_fold_how how, const hk_sort_key *key,
                 const int64_t *begin, const uint64_t *runs, hk_out *result)
{
    hk_begin();
    const int64_t all = (int64_t)*runs, step = (int64_t)gridDim.x * HK_THREADS;
    const int64_t first = (int64_t)blockIdx.x * HK_THREADS + (threadIdx.x & ~31u);
    for (int64_t r = first; r < all; r += step) {
        const int64_t mine = r + hk_lane();
        int64_t from = 0, to = 0, at = -1;
        if (mine < all) {
            from = begin[mine];
            to = mine + 1 < all ? begin[mine + 1] : how.n;
            if ((uint64_t)key[from] < (uint64_t)how.limit) at = (int64_t)key[from];
        }
        if (at >= 0 && to - from <= HK_FEW)
            hk_fold_into(&out, at, result + mine, hk_fold_few(&in, from, to).node, how.fresh != 0);
        uint32_t many = hk_ballot(at >= 0 && to - from > HK_FEW);
        for (; many != 0; many &= many - 1) {
            const int64_t run = r + hk_popc((int)((many & (0u - many)) - 1));
            const int64_t b = begin[run], e = run + 1 < all ? begin[run + 1] : how.n;
            const hk_prefix p = hk_fold_many(&in, b, e);
            if (hk_lane() == 0)
                hk_fold_into(&out, (int64_t)key[b], result + run, p.node, how.fresh != 0);
        }
    }
}
