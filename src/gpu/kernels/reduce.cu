// SPDX-License-Identifier: Apache-2.0
//
// reduce_tiles: R(n) in one launch. A block makes the node of its tile, an aligned power of two of
// chunks; of 32 siblings the last to arrive makes the node above them, and so on up; the last block of
// all folds what is left, largest first, with the nodes of the elements after the last whole tile.
// Counters are zero before the launch and after it.
#define HD_WARPS (HD_THREADS / HD_WARP)

struct hd_reduce_state {
    hd_node *node;     // of the tiles, then of every 32 tiles, ...
    uint32_t *arrived; // the same, for every 32 of them
    uint32_t *done;    // blocks
    hd_node *rest;     // nodes after the last whole tile, largest first
    uint32_t *rest_count;
};

struct hd_reduce_how {
    int64_t n, tiles;
    int64_t index;  // of element 0, for arg operators
    int64_t chunks; // a warp in a tile: a power of two
};

// ---- A tile --------------------------------------------------------------------------------------

#if HD_FREE
// Any grouping gives the same bits: every lane folds what it reads, in rising order.
HD_FN hd_node hd_warp_chunks(const hd_inputs *in, int64_t first, int64_t chunks, int64_t index)
{
    hd_node sum;
    for (int64_t c = 0; c < chunks; c++) {
        hd_element e[HD_ROWS][HD_K];
        const int64_t at = first + c * HD_CHUNK, mine = index + at + hd_lane() * HD_K;
        hd_read_chunk(in, at, e);
        hd_node rows = hd_lane_node(e[0], mine);
#pragma unroll
        for (int r = 1; r < HD_ROWS; r++)
            rows = hd_combine(rows, hd_lane_node(e[r], mine + r * HD_ROW));
        sum = c == 0 ? rows : hd_combine(sum, rows);
    }
#pragma unroll
    for (int d = 1; d < HD_WARP; d *= 2) sum = hd_combine(sum, hd_from_xor(sum, d));
    return sum;
}
#else
HD_FN hd_node hd_warp_chunks(const hd_inputs *in, int64_t first, int64_t chunks, int64_t index)
{
    hd_node wait1, wait2, t; // nodes of 1 and 2 chunks on their way to 4
    for (int64_t c = 0; c < chunks; c++) {
        hd_element e[HD_ROWS][HD_K];
        hd_read_chunk(in, first + c * HD_CHUNK, e);
        t = hd_over_rows(hd_row_nodes(e, first + c * HD_CHUNK, index));
        if (c == 0) wait1 = wait2 = t;
        if (c & 1) {
            t = hd_combine(wait1, t);
            if (c & 2)
                t = hd_combine(wait2, t);
            else
                wait2 = t;
        } else {
            wait1 = t;
        }
    }
    return t;
}
#endif

// The node of HD_WARPS nodes, one a warp; right in warp 0.
HD_FN hd_node hd_over_warps(hd_node n, hd_node *shared)
{
    if (hd_lane() == 0) shared[threadIdx.x / HD_WARP] = n;
    hd_block_barrier();
    n = shared[hd_lane() & (HD_WARPS - 1)];
#pragma unroll
    for (int d = 1; d < HD_WARPS; d *= 2) n = hd_up(n, d);
    return n;
}

// ---- What is left after the whole tiles ----------------------------------------------------------

struct hd_rest {
    hd_node *node;
    int count;
};

HD_FN void hd_put_lanes(hd_rest *rest, hd_node n, int m)
{
#pragma unroll
    for (int k = 0; k < 5; k++) {
        // Counted from the largest: how many are set above bit k.
        if ((m >> k & 1) && hd_lane() == (m >> (k + 1) << (k + 1)))
            rest->node[rest->count + hd_popc(m >> (k + 1))] = n;
        n = hd_up(n, 1 << k);
    }
    rest->count += hd_popc(m);
}

// The rows, lanes and elements of a chunk that is not whole: m < HD_CHUNK elements. One warp.
HD_FN void hd_put_part(const hd_inputs *in, int64_t first, int m, int64_t index, hd_rest *rest)
{
    const int rows = m / HD_ROW, lanes = m % HD_ROW / HD_K, elements = m % HD_K;
    const hd_node filler = hd_lift(hd_item(in, first), index + first);
    hd_node of_row = filler, n = filler;
    for (int r = 0; r < rows; r++) {
        hd_element e[HD_K];
        const int64_t at = first + r * HD_ROW + hd_lane() * HD_K;
        hd_items(in, at, e);
        const hd_node whole = hd_warp_node(hd_lane_node(e, index + at));
        if (hd_lane() == r) of_row = whole;
    }
    hd_put_lanes(rest, of_row, rows);
    first += rows * HD_ROW;
    if (hd_lane() < lanes) {
        hd_element e[HD_K];
        hd_items(in, first + hd_lane() * HD_K, e);
        n = hd_lane_node(e, index + first + hd_lane() * HD_K);
    }
    hd_put_lanes(rest, n, lanes);
    first += lanes * HD_K;
    n = filler;
    if (hd_lane() < elements)
        n = hd_lift(hd_item(in, first + hd_lane()), index + first + hd_lane());
    hd_put_lanes(rest, n, elements);
}

// Nodes of everything after the whole tiles, by one block: fewer than 32 chunks and a part of one.
HD_FN void hd_put_rest(const hd_inputs *in, const hd_reduce_how *how, hd_reduce_state *s,
                       hd_node *shared)
{
    const int warp = (int)threadIdx.x / HD_WARP;
    const int64_t begin = how->tiles * how->chunks * HD_WARPS * HD_CHUNK;
    const int64_t left = how->n - begin;
    const int chunks = (int)(left / HD_CHUNK), part = (int)(left % HD_CHUNK);
    for (int c = warp; c < chunks; c += HD_WARPS) {
        const hd_node n = hd_warp_chunks(in, begin + (int64_t)c * HD_CHUNK, 1, how->index);
        if (hd_lane() == 0) shared[c] = n;
    }
    hd_block_barrier();
    if (warp != 0) return;
    hd_rest rest = {s->rest, 0};
    if (chunks > 0) hd_put_lanes(&rest, shared[hd_lane() < chunks ? hd_lane() : 0], chunks);
    if (part > 0) hd_put_part(in, begin + (int64_t)chunks * HD_CHUNK, part, how->index, &rest);
    if (hd_lane() == 0) *s->rest_count = (uint32_t)rest.count;
}

// ---- Above the tiles -----------------------------------------------------------------------------

// Warp 0 has the node of a tile: hands it up as far as this block is the last of its siblings.
HD_FN void hd_hand_up(hd_reduce_state *s, int64_t tile, int64_t count, hd_node n)
{
    hd_node *level = s->node;
    uint32_t *arrived = s->arrived;
    if (hd_lane() == 0) level[tile] = n;
    while (tile < (count & ~(int64_t)31)) {
        if (!hd_is_last(arrived + tile / 32, 32)) return;
        n = hd_warp_node(level[(tile & ~(int64_t)31) + hd_lane()]);
        level += count;
        arrived += count / 32;
        tile /= 32;
        count /= 32;
        if (hd_lane() == 0) level[tile] = n;
    }
}

// R(n): the nodes that stand at each level after the last 32, highest level first; then the rest.
HD_FN hd_prefix hd_fold_up(const hd_reduce_state *s, int64_t tiles, bool has_rest)
{
    const hd_node *level[13];
    int64_t count[13];
    int top = 0;
    level[0] = s->node;
    count[0] = tiles;
    while (count[top] >= 32) {
        level[top + 1] = level[top] + count[top];
        count[top + 1] = count[top] / 32;
        top++;
    }
    const int rest = has_rest ? (int)*s->rest_count : 0;
    hd_prefix p = hd_empty_prefix(tiles > 0 ? level[0][0] : s->rest[0]);
    for (int k = top; k >= 0; k--) {
        const int m = (int)(count[k] & 31);
        if (m > 0)
            hd_append_lanes(&p, level[k][(count[k] & ~(int64_t)31) + (hd_lane() < m ? hd_lane() : 0)],
                            m);
    }
    for (int k = 0; k < rest; k++) hd_append(&p, s->rest[k]);
    return p;
}

extern "C" __global__ void __launch_bounds__(HD_THREADS)
    reduce_tiles(const __grid_constant__ hd_inputs in, const __grid_constant__ hd_reduce_how how,
                 hd_reduce_state state, hd_node init, const __grid_constant__ hd_view out,
                 const __grid_constant__ hd_view values)
{
    __shared__ hd_node shared[HD_WARP];
    const int warp = (int)threadIdx.x / HD_WARP;
    const int64_t tile = blockIdx.x;
    if (tile < how.tiles) {
        const int64_t first = (tile * HD_WARPS + warp) * how.chunks * HD_CHUNK;
        hd_node n = hd_warp_chunks(&in, first, how.chunks, how.index);
        n = hd_over_warps(n, shared);
        if (warp != 0) return;
        hd_hand_up(&state, tile, how.tiles, n);
    } else {
        hd_put_rest(&in, &how, &state, shared);
        if (warp != 0) return;
    }
    if (!hd_is_last(state.done, gridDim.x)) return;
    const hd_prefix p = hd_fold_up(&state, how.tiles, gridDim.x > how.tiles);
    if (hd_lane() != 0) return;
#if HD_HAS_INIT
    hd_give(&out, &values, 0, hd_combine(init, p.node), how.n);
#else
    hd_give(&out, &values, 0, p.node, how.n);
#endif
}
