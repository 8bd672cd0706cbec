// SPDX-License-Identifier: Apache-2.0
//
// What the kernels of a merge sort by a comparison share: sorted runs, of which a pass merges
// pairs. A tile of the outputs is of one pair.
#pragma once
#include "sort/merge_tile.cuh"

#if HK_WIDE
typedef uint64_t hk_index;
#else
typedef uint32_t hk_index;
#endif

struct hk_runs_how {
    int64_t n, tiles;
    int64_t run; // elements of a run, but for the last: tiles times a power of two
    const hk_in_0 *from;
    hk_in_0 *to;
    const hk_index *index_from; // 0: indices are not wanted
    hk_index *index_to;
    int64_t *split;     // elements of a pair's first run before each tile
    uint32_t *unsorted; // set where the comparison contradicts itself
};

// The pair of runs of a tile.
struct hk_pair {
    int64_t first;  // its first element
    int64_t na, nb; // of its runs
};

HK_FN hk_pair hk_pair_of(const hk_runs_how *how, int64_t tile)
{
    hk_pair p;
    p.first = tile * HK_TILE / (2 * how->run) * (2 * how->run);
    const int64_t left = how->n - p.first;
    p.na = left < how->run ? left : how->run;
    p.nb = left - p.na < how->run ? left - p.na : how->run;
    return p;
}
