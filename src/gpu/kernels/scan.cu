// SPDX-License-Identifier: Apache-2.0
//
// scan_tiles: out[i] = R(i + 1), or R(i), in one pass. Blocks take tiles by ticket. Tile sums are nodes of
// the tree; of 32 siblings the last to arrive makes the node above. A tile's prefix is the fold of its
// elder siblings at every level, which it waits for. The last output of a tile is the prefix of the next.
//
// Nodes travel in 64-bit words, 32 bits of the node under 32 bits of the launch's number, so that a word
// says itself whether it is there. Ticket, number and counters live on the device and are left as the
// next launch needs them: a recorded launch can be played again.
struct hd_scan_state {
    uint64_t *word;    // of the tiles' nodes, then of every 32 tiles', ...
    uint32_t *arrived; // for every 32 of them
    uint32_t *clock;   // ticket, blocks done, launches done
};

struct hd_scan_how {
    int64_t n, tiles; // whole tiles; one more block takes the rest, if there is any
    int64_t index;    // of element 0, for arg operators
    int32_t top;      // the highest level
    int32_t unused;
    int64_t level[12], counter[12]; // where each begins, in nodes and in counters
};

// ---- Nodes between blocks ------------------------------------------------------------------------

HD_FN void hd_publish(uint64_t *word, hd_node n, uint32_t launch)
{
    const hd_words x = hd_words_of(n);
#pragma unroll
    for (int k = 0; k < HD_NODE_WORDS; k++)
        if (hd_lane() == (k & 31))
            hd_store_relaxed_64(word + k, (uint64_t)launch << 32 | x.w[k]);
}

// The node at word, where it is wanted: waits for it. All lanes call.
HD_FN hd_node hd_await(const uint64_t *word, bool wanted, hd_node filler, uint32_t launch)
{
    hd_words x = hd_words_of(filler);
    bool here = !wanted;
    for (;;) {
        if (!here) {
            here = true;
#pragma unroll
            for (int k = 0; k < HD_NODE_WORDS; k++) {
                const uint64_t w = hd_load_relaxed_64(word + k);
                x.w[k] = (uint32_t)w;
                here = here && (uint32_t)(w >> 32) == launch;
            }
        }
        if (hd_all(here)) return x.node;
    }
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

#if HD_ASK == 2
// Appends the three lowest levels, which are asked for together; gives back the lowest, one a lane.
HD_FN hd_node hd_append_low_levels(hd_prefix *p, hd_prefix *above, const hd_scan_state *s,
                                   const hd_scan_how *how, int64_t tile, hd_node filler,
                                   uint32_t launch)
{
    hd_words x[3];
    const uint64_t *word[3];
    bool here[3];
#pragma unroll
    for (int k = 0; k < 3; k++) {
        const int64_t at = tile >> (5 * k);
        x[k] = hd_words_of(filler);
        word[k] = hd_node_at(s, how, k, (at & ~(int64_t)31) + hd_lane());
        here[k] = hd_lane() >= (int)(at & 31);
    }
    do {
#pragma unroll
        for (int k = 2; k >= 0; k--)
            if (!here[k]) {
                here[k] = true;
#pragma unroll
                for (int j = 0; j < HD_NODE_WORDS; j++) {
                    const uint64_t w = hd_load_relaxed_64(word[k] + j);
                    x[k].w[j] = (uint32_t)w;
                    here[k] = here[k] && (uint32_t)(w >> 32) == launch;
                }
            }
    } while (!hd_all(here[0] && here[1] && here[2]));
#pragma unroll
    for (int k = 2; k >= 0; k--) {
        const int m = (int)(tile >> (5 * k) & 31);
        if (k == 0) *above = *p;
        if (m > 0) hd_append_lanes(p, x[k].node, m);
    }
    return x[0].node;
}
#endif

// The fold of everything before a tile; and, if it is whole and has a last output to write, the fold of
// everything before the next.
HD_FN hd_prefix hd_look_back(const hd_scan_state *s, const hd_scan_how *how, int64_t tile,
                             hd_node sum, uint32_t launch, const hd_carried *carried,
                             hd_prefix *after)
{
    hd_prefix p = hd_prefix_of(carried, sum), above;
#if HD_ASK == 2
    for (int k = how->top; k > 2; k--) hd_append_level(&p, s, how, k, tile, sum, launch);
    const hd_node elder = hd_append_low_levels(&p, &above, s, how, tile, sum, launch);
#else
    for (int k = how->top; k > 0; k--) hd_append_level(&p, s, how, k, tile, sum, launch);
    above = p;
    const hd_node elder = hd_append_level(&p, s, how, 0, tile, sum, launch);
#endif
#if !HD_EXCLUSIVE
    const int m = (int)(tile & 31);
    *after = above;
    if (m < 31) {
        hd_append_lanes(after, hd_lane() == m ? sum : elder, m + 1);
    } else if (tile < how->tiles) { // the last of 32: nodes above will be there
        *after = hd_prefix_of(carried, sum);
        for (int k = how->top; k > 0; k--)
            hd_append_level(after, s, how, k, tile + 1, sum, launch);
    }
#endif
    return p;
}

// ---- A tile --------------------------------------------------------------------------------------

// One thread of every block reads the launch's number and counts itself: the last of all blocks to do so
// leaves the clock as the next launch needs it.
HD_FN uint32_t hd_launch_number(uint32_t *clock)
{
    const uint32_t launch = hd_load_relaxed(clock + 2) + 1;
    hd_fence(); // read before it is counted; unseen: relaxed accesses are no race for the model
    if (hd_add_to(clock + 1, 1) == gridDim.x - 1) {
        hd_store_relaxed(clock, 0);
        hd_store_relaxed(clock + 1, 0);
        hd_store_relaxed(clock + 2, launch);
    }
    return launch;
}

extern "C" __global__ void __launch_bounds__(HD_THREADS, HD_BLOCKS)
    scan_tiles(const __grid_constant__ hd_inputs in, const __grid_constant__ hd_scan_how how,
               hd_scan_state state, hd_base init, const __grid_constant__ hd_empty empty,
               const __grid_constant__ hd_scan_out to, const __grid_constant__ hd_carried carried
#if HD_HEADS
               ,
               const __grid_constant__ hd_view from, const __grid_constant__ hd_heads_how heads_how,
               uint32_t *fault
#endif
    )
{
    __shared__ hd_node of_warp[HD_WARPS], before_warp[HD_WARPS];
    __shared__ uint32_t ticket[2];
    const int warp = (int)threadIdx.x / HD_WARP;
#if HD_TICKET == 1
    if (threadIdx.x == 0) ticket[0] = hd_add_to(state.clock, 1);
    hd_block_barrier();
    const int64_t tile = ticket[0];
#else
    const int64_t tile = blockIdx.x;
#endif
    const int64_t first = tile * HD_TILE + (int64_t)warp * HD_CHUNK;
    hd_element e[HD_ROWS][HD_K];
    if (tile < how.tiles)
        hd_read_chunk(&in, first, e);
    else
        hd_read_some(&in, first, how.n, e);
    if (threadIdx.x == HD_THREADS - 1) ticket[1] = hd_launch_number(state.clock);
#if HD_HEADS == 1
    __shared__ uint32_t bits[HD_TILE / 32];
    __shared__ int64_t where;
    if (heads_how.check && hd_share_is_bad(&from, heads_how.count, how.n))
        hd_store_relaxed(fault, HD_BAD_OFFSETS);
    hd_mark_heads(&from, &heads_how, tile * HD_TILE, how.n, bits, &where);
    const uint32_t heads = hd_heads_of_bits(bits, warp);
#elif HD_HEADS == 2
    const uint32_t heads = tile < how.tiles ? hd_heads_of_keys(&from, first)
                                            : hd_heads_of_some_keys(&from, first, how.n);
#else
    const uint32_t heads = 0;
#endif
    const hd_node rows = hd_row_nodes(e, first, how.index, heads);
    const hd_node whole = hd_over_rows(rows);
    if (hd_lane() == 0) of_warp[warp] = whole;
    hd_block_barrier();
    const uint32_t launch = ticket[1];
    if (warp < HD_HANDER) { // warp 0 looks back; it or warp 1 hands up
        const hd_node mine = of_warp[hd_lane() & (HD_WARPS - 1)];
        hd_node sum = mine;
#pragma unroll
        for (int d = 1; d < HD_WARPS; d *= 2) sum = hd_up(sum, d);
        if (warp == HD_HANDER - 1 && tile < how.tiles) hd_hand_up(&state, &how, tile, sum, launch);
        if (warp == 0) {
            hd_prefix after, p = hd_look_back(&state, &how, tile, sum, launch, &carried, &after);
#if !HD_EXCLUSIVE
            if (hd_lane() == 0 && tile < how.tiles)
                hd_give(&to.out, &to.values, (tile + 1) * HD_TILE - 1,
                        hd_with_init(after.node, init),
                        hd_count_under(after.node, how.index + (tile + 1) * HD_TILE));
#endif
            p = hd_before_lane(p, mine, HD_WARPS);
            if (hd_lane() < HD_WARPS) before_warp[hd_lane()] = p.node;
        }
    }
    hd_block_barrier();
    hd_prefix p, next;
    p.node = before_warp[warp];
    p.any = tile > 0 || warp > 0 || (HD_CARRIES && carried.any);
    next.node = before_warp[warp < HD_WARPS - 1 ? warp + 1 : warp];
    next.any = true;
    const hd_prefix of_row = hd_before_lane(p, rows, HD_ROWS);
    // The last output of a whole tile is written above.
    const int64_t end = (tile + 1) * HD_TILE - !HD_EXCLUSIVE;
    const int64_t limit = how.n < end ? how.n : end;
#pragma unroll
    for (int r = 0; r < HD_ROWS; r++) {
        hd_prefix row, after = next;
        row.node = hd_from_lane(of_row.node, r);
        row.any = p.any || r > 0;
        if (r + 1 < HD_ROWS) after.node = hd_from_lane(of_row.node, r + 1);
        hd_give_row(&to, e[r], row, after, first + r * HD_ROW + hd_lane() * HD_K, limit, how.index,
                    init, empty, hd_heads_of_row(heads, r));
    }
}
