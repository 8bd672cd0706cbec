// SPDX-License-Identifier: Apache-2.0
//
// What the kernels of a merge sort by a comparison share: sorted runs, of which a pass merges
// pairs. A tile of the outputs is of one pair.
#pragma once
#include "merge/merge_tile.cuh"
#include "merge/split_search.cuh"

#if HK_WIDE
typedef uint64_t hk_index;
#else
typedef uint32_t hk_index;
#endif

// Of all launches of a call; merge_sort_block clears it.
struct hk_runs_state {
    uint32_t failed;   // the pass that did not get a permutation, for the comparison contradicts
                       // itself; 0: none
    uint32_t unsorted; // some tile's first element comes before the last one of the tile before it
};

struct hk_runs_how {
    int64_t n, tiles;
    int32_t pass;  // 1, 2, ...: a run has 2^(pass - 1) tiles, but for the last
    int32_t items; // of a tile
    const hk_in_0 *from;
    hk_in_0 *to;
    const hk_index *index_from; // where indices are wanted
    hk_index *index_to;
    int64_t *split; // elements of a pair's first run before each tile; 0: tiles search themselves
    hk_runs_state *state;
};

// The pair of runs of a tile.
struct hk_pair {
    int64_t first;  // its first element
    int64_t na, nb; // of its runs
};

HK_FN hk_pair hk_pair_of(const hk_runs_how *how, int64_t tile)
{
    hk_pair p;
    p.first = (tile >> how->pass << how->pass) * how->items;
    const int64_t left = how->n - p.first, run = (int64_t)how->items << (how->pass - 1);
    p.na = left < run ? left : run;
    p.nb = left - p.na < run ? left - p.na : run;
    return p;
}

// Whether there is nothing left for a pass: one before it failed, or found that tiles are in order
// as they are. All blocks of a launch see the same.
HK_FN bool hk_is_over(const hk_runs_state *state, int pass)
{
    const uint32_t failed = hk_load_relaxed(&state->failed);
    const uint32_t unsorted = hk_load_relaxed(&state->unsorted);
    return (failed != 0 && failed < (uint32_t)pass) || (pass > 1 && unsorted == 0);
}

// ---- Splits -------------------------------------------------------------------------------------

struct hk_path {
    const hk_in_0 *a, *b;
};

HK_FN bool hk_crosses(const hk_path *p, int64_t d, int64_t i)
{
    return hk_before(p->b[d - 1 - i], p->a[i]);
}

// How many elements of a pair's first run are among its first d, found by groups of 2^bits lanes.
HK_FN int64_t hk_split_of(const hk_runs_how *how, const hk_pair *pair, int64_t d, int bits)
{
    const hk_path path = {how->from + pair->first, how->from + pair->first + pair->na};
    const int64_t all = pair->na + pair->nb;
    if (d > all) d = all;
    return hk_search_path(&path, d, d > pair->nb ? d - pair->nb : 0, d < pair->na ? d : pair->na,
                          bits);
}
