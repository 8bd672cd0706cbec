// SPDX-License-Identifier: Apache-2.0
//
// The decoupled look-back of a scan (Merrill and Garland 2016), in the order of the one tree, so
// that an operator that rounds gives the same bits each time: tile aggregates are nodes of the
// tree, and the last of 32 sibling tiles, which waits for the others in any case, publishes the
// node above. A tile's prefix is the fold of its preceding siblings at every level; blocks start in
// rising order, so what a tile polls for is under way. Selections, whose look-back is over
// integers, have device/lookback.cuh.
//
// Nodes travel in words tagged by the epoch (words.cuh). The epoch counter lives on the device, so
// that a recorded launch can be replayed. The last block, which has waited for all others, advances
// it for the next launch.
#pragma once
#include "device/words.cuh"

struct hk_scan_state {
    uint64_t *word;    // of the tiles' nodes, then of every 32 tiles', ...
    uint32_t *control; // two words that others use, then the epoch counter
};

struct hk_scan_how {
    int64_t n, tiles;  // whole tiles; one more block takes the rest, if there is any
    int64_t index;     // of element 0, for arg operators
    int32_t top;       // the highest level
    int32_t in_place;  // outputs take the place of elements
    int64_t level[12]; // where each begins, in nodes
};

// ---- What a scan goes on after ------------------------------------------------------------------

struct hk_carried {
    hk_base node;
    uint32_t any;
};

HK_FN hk_prefix hk_prefix_of(const hk_carried *c, hk_node filler)
{
    hk_prefix p = hk_empty_prefix(filler);
    if (HK_CARRIES && c->any) hk_append(&p, hk_node_of_value(c->node));
    return p;
}

// ---- Nodes between blocks -----------------------------------------------------------------------

HK_FN uint32_t hk_launch_epoch(const uint32_t *control)
{
    return hk_load_relaxed(control + 2) + 1;
}

HK_FN uint64_t *hk_node_at(const hk_scan_state *s, const hk_scan_how *how, int level, int64_t k)
{
    return s->word + (how->level[level] + k) * HK_NODE_WORDS;
}

// The nodes of level k before a tile, one a lane.
HK_FN hk_node hk_preceding(const hk_scan_state *s, const hk_scan_how *how, int k, int64_t tile,
                           hk_node filler, uint32_t epoch)
{
    const int64_t at = tile >> (5 * k);
    const int m = (int)(at & 31);
    if (m == 0) return filler;
    return hk_await(hk_node_at(s, how, k, (at & ~(int64_t)31) + hk_lane()), hk_lane() < m, filler,
                    epoch, 0);
}

// Publishes the node of a whole tile, and those above that end with it. Gives the highest, and its
// level: everything before the next tile is what is before that node, and it.
HK_FN int hk_publish_nodes(const hk_scan_state *s, const hk_scan_how *how, int64_t tile,
                           uint32_t epoch, hk_node *n)
{
    int k = 0;
    hk_publish(hk_node_at(s, how, 0, tile), *n, epoch);
#pragma unroll 1
    for (; k < how->top && (tile >> (5 * k) & 31) == 31; k++) {
        const hk_node preceding = hk_preceding(s, how, k, tile, *n, epoch);
        *n = hk_warp_node(hk_lane() == 31 ? *n : preceding);
        hk_publish(hk_node_at(s, how, k + 1, tile >> (5 * (k + 1))), *n, epoch);
    }
    return k;
}

// The fold of everything before a tile; and, if `own` is the node of level `high` that ends with
// it, of everything before the next.
HK_FN hk_prefix hk_scan_look_back(const hk_scan_state *s, const hk_scan_how *how, int64_t tile,
                                  uint32_t epoch, const hk_carried *carried, hk_node own, int high,
                                  hk_prefix *after)
{
    hk_prefix p = hk_prefix_of(carried, own);
#pragma unroll 1
    for (int k = how->top; k >= 0; k--) {
        const int m = (int)(tile >> (5 * k) & 31);
        const hk_node n = hk_preceding(s, how, k, tile, own, epoch);
        if (!HK_EXCLUSIVE && k == high) {
            *after = p;
            hk_append_lanes(after, hk_lane() == m ? own : n, m + 1);
        }
        if (m > 0) hk_append_lanes(&p, n, m);
    }
    return p;
}
