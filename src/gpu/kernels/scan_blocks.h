// SPDX-License-Identifier: Apache-2.0
//
// What a tile of a scan learns from the tiles before it. Tile sums are nodes of the tree; of 32 siblings
// the last to arrive makes the node above. A tile's prefix is the fold of its elder siblings at every
// level, which it waits for: blocks start in rising order, so what is waited for is under way.
//
// Nodes travel in words (words.h). The launch's number and counters live on the device and are left as the next
// launch needs them: a recorded launch can be played again.
struct hd_scan_state {
    uint64_t *word;    // of the tiles' nodes, then of every 32 tiles', ...
    uint32_t *arrived; // for every 32 of them
    uint32_t *clock;   // a ticket, blocks that know the number, launches done
};

struct hd_scan_how {
    int64_t n, tiles; // whole tiles; one more block takes the rest, if there is any
    int64_t index;    // of element 0, for arg operators
    int32_t top;      // the highest level
    int32_t unused;
    int64_t level[12], counter[12]; // where each begins, in nodes and in counters
};

// ---- What a scan goes on after -------------------------------------------------------------------

struct hd_carried {
    hd_base node;
    uint32_t any;
};

HD_FN hd_prefix hd_prefix_of(const hd_carried *c, hd_node filler)
{
    hd_prefix p = hd_empty_prefix(filler);
#if HD_CARRIES
    if (c->any) hd_append(&p, c->node);
#endif
    return p;
}

// ---- Nodes between blocks ------------------------------------------------------------------------

// One thread of every block reads the launch's number. Behind a barrier, when nobody waits for it, one counts the
// block: the last of all leaves the clock as the next launch needs it. (Counting at once, behind a fence, took as
// long as the elements need to come.)
HD_FN uint32_t hd_launch_number(const uint32_t *clock)
{
    return hd_load_relaxed(clock + 2) + 1;
}

HD_FN void hd_count_block(uint32_t *clock, uint32_t launch)
{
    if (hd_add_to(clock + 1, 1) != gridDim.x - 1) return;
    hd_store_relaxed(clock + 1, 0);
    hd_store_relaxed(clock + 2, launch);
}

// Whether this block is the last of `all`. The counter is then as it was.
HD_FN bool hd_last_to_arrive(uint32_t *counter, uint32_t all)
{
    uint32_t before = 0;
    if (hd_lane() == 0) {
        before = hd_add_to(counter, 1);
        if (before == all - 1) hd_store_relaxed(counter, 0);
    }
    return hd_word_from(before, 0) == all - 1;
}

HD_FN uint64_t *hd_node_at(const hd_scan_state *s, const hd_scan_how *how, int level, int64_t k)
{
    return s->word + (how->level[level] + k) * HD_NODE_WORDS;
}

#if !HD_YOUNGEST
// Hands the node of a whole tile up as far as this block is the last of its siblings.
HD_FN void hd_hand_up(const hd_scan_state *s, const hd_scan_how *how, int64_t tile, hd_node n,
                      uint32_t launch)
{
    hd_publish(hd_node_at(s, how, 0, tile), n, launch);
    for (int k = 0; k < how->top; k++) {
        if (tile >= (how->tiles >> (5 * k) & ~(int64_t)31)) return;
        if (!hd_last_to_arrive(s->arrived + how->counter[k] + tile / 32, 32)) return;
        n = hd_await(hd_node_at(s, how, k, (tile & ~(int64_t)31) + hd_lane()), true, n, launch);
        n = hd_warp_node(n);
        tile /= 32;
        hd_publish(hd_node_at(s, how, k + 1, tile), n, launch);
    }
}

// Appends the nodes of level k before a tile; gives them back, one a lane.
HD_FN hd_node hd_append_level(hd_prefix *p, const hd_scan_state *s, const hd_scan_how *how, int k,
                              int64_t tile, hd_node filler, uint32_t launch)
{
    const int64_t at = tile >> (5 * k);
    const int m = (int)(at & 31);
    if (m == 0) return filler;
    const uint64_t *word = hd_node_at(s, how, k, (at & ~(int64_t)31) + hd_lane());
    const hd_node n = hd_await(word, hd_lane() < m, filler, launch);
    hd_append_lanes(p, n, m);
    return n;
}

// The fold of everything before a tile; and, if it is whole and has a last output to write, the fold of
// everything before the next. One level after the other: asking for all at once was slower.
HD_FN hd_prefix hd_look_back(const hd_scan_state *s, const hd_scan_how *how, int64_t tile,
                             hd_node sum, uint32_t launch, const hd_carried *carried,
                             hd_prefix *after)
{
    hd_prefix p = hd_prefix_of(carried, sum);
    for (int k = how->top; k > 0; k--) hd_append_level(&p, s, how, k, tile, sum, launch);
    const hd_prefix above = p;
    const hd_node elder = hd_append_level(&p, s, how, 0, tile, sum, launch);
#if !HD_EXCLUSIVE
    const int m = (int)(tile & 31);
    *after = above;
    if (m < 31) {
        hd_append_lanes(after, hd_lane() == m ? sum : elder, m + 1);
    } else if (tile < how->tiles) { // the last of 32: nodes above will be there
        *after = hd_prefix_of(carried, sum);
        for (int k = how->top; k > 0; k--) hd_append_level(after, s, how, k, tile + 1, sum, launch);
    }
#endif
    return p;
}
#else
// The nodes of level k before a tile, one a lane.
HD_FN hd_node hd_elders(const hd_scan_state *s, const hd_scan_how *how, int k, int64_t tile,
                        hd_node filler, uint32_t launch)
{
    const int64_t at = tile >> (5 * k);
    const int m = (int)(at & 31);
    if (m == 0) return filler;
    return hd_await(hd_node_at(s, how, k, (at & ~(int64_t)31) + hd_lane()), hd_lane() < m, filler,
                    launch);
}

// Who hands up is the youngest of 32 siblings, which waits for the others in any case: nothing is counted.
HD_FN void hd_hand_up(const hd_scan_state *s, const hd_scan_how *how, int64_t tile, hd_node n,
                      uint32_t launch)
{
    hd_publish(hd_node_at(s, how, 0, tile), n, launch);
}

// The fold of everything before a tile; and, if it is whole, of everything before the next. The youngest hands up
// first, for others wait for that.
HD_FN hd_prefix hd_look_back(const hd_scan_state *s, const hd_scan_how *how, int64_t tile,
                             hd_node sum, uint32_t launch, const hd_carried *carried,
                             hd_prefix *after)
{
    const bool whole = tile < how->tiles;
    hd_node own = sum; // the node of level `high` that ends with this tile
    int high = 0;
#pragma unroll 1
    while (whole && high < how->top && (tile >> (5 * high) & 31) == 31) {
        const hd_node n = hd_elders(s, how, high, tile, sum, launch);
        own = hd_warp_node(hd_lane() == 31 ? own : n);
        high++;
        hd_publish(hd_node_at(s, how, high, tile >> (5 * high)), own, launch);
    }
    hd_prefix p = hd_prefix_of(carried, sum);
#pragma unroll 1
    for (int k = how->top; k >= 0; k--) {
        const int m = (int)(tile >> (5 * k) & 31);
        const hd_node n = hd_elders(s, how, k, tile, sum, launch);
#if !HD_EXCLUSIVE
        if (k == high && whole) {
            *after = p;
            hd_append_lanes(after, hd_lane() == m ? own : n, m + 1);
        }
#endif
        if (m > 0) hd_append_lanes(&p, n, m);
    }
    return p;
}
#endif
