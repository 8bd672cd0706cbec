// SPDX-License-Identifier: Apache-2.0
//
// reduce_segments: each segment is a tree of its own from its first element on. A block takes a tile of the
// segments and elements together (parts.cu), and of these the segments that begin there, whole, if they have
// at most HD_ITEMS elements. Longer ones are cut into chunks of HD_ITEMS elements from their first on; a
// block takes the chunk that begins among its elements, if one does, and hands its node up; who is the last
// to do so folds the nodes and what is left of the segment.
//
// Elements go through shared memory. There a segment is cut again: into pieces of 16, one thread each, these
// into blocks of 32 pieces, one warp each; a thread folds the nodes of a segment. A piece that begins in
// places 16u .. 16u + 15 is the only one to do so: u is the place of its node. Blocks of pieces likewise.
#define HD_PIECE 16
#define HD_BLOCK (32 * HD_PIECE)
#define HD_SPAN  (2 * HD_ITEMS) // a tile and a chunk that begins with its last element
#define HD_BATCH 4
#define HD_WARPS (HD_THREADS / HD_WARP)
#define HD_FILL  (sizeof(hd_element) < 4 ? 4 / sizeof(hd_element) : 1)

struct hd_segments_how {
    int64_t n, room;   // room: of the outputs
    int64_t has_empty; // whether there is a value for a segment without elements
};

struct hd_segments_state {
    const hd_part *part; // of each tile
    hd_node *node;       // of chunks: that which begins at element i at i / HD_ITEMS
    uint32_t *arrived, *done;
    uint32_t *fault;
};

struct hd_targets {
    hd_view out, values;
};

// What is in shared memory: segments, or one slice alone: a chunk, or the rest of a segment.
struct hd_slices {
    int segments;  // 0: one slice from place 0 on
    int end;       // of the last; of one longer than a tile that of its first chunk
    int64_t shift; // of the slice alone: from places in it to indices in its segment
};

struct hd_shared {
    hd_element x[HD_SPAN + HD_SPAN / 32 * HD_FILL];
    uint16_t begin[HD_ITEMS + 1];
    hd_node piece[HD_SPAN / HD_PIECE];
    hd_node block[HD_SPAN / HD_BLOCK + 1];
    uint32_t has_pieces, has_blocks; // some segment has
    uint32_t bad, finish;
};

// ---- Elements in shared memory -------------------------------------------------------------------

// A gap after every 32: threads at even distances meet in different banks.
HD_FN int hd_place(int i)
{
    return i + i / 32 * (int)HD_FILL;
}

struct hd_batch {
    hd_element e[HD_BATCH][HD_K];
};

HD_FN bool hd_is_whole(int64_t i, int64_t from, int64_t until)
{
    return i >= from && i + HD_K <= until;
}

// A batch is read, and later put where it belongs: other things may be done meanwhile.
HD_FN void hd_fetch(const hd_inputs *in, int64_t at, int64_t from, int64_t until, hd_batch *batch)
{
#pragma unroll
    for (int b = 0; b < HD_BATCH; b++) {
        const int64_t i = at + b * HD_THREADS * HD_K;
        if (hd_is_whole(i, from, until)) hd_items(in, i, batch->e[b]);
    }
}

HD_FN void hd_store(const hd_inputs *in, int64_t at, int64_t from, int64_t until,
                    const hd_batch *batch, int64_t base, hd_element *x)
{
#pragma unroll
    for (int b = 0; b < HD_BATCH; b++) {
        const int64_t i = at + b * HD_THREADS * HD_K;
        const bool whole = hd_is_whole(i, from, until);
#pragma unroll
        for (int j = 0; j < HD_K; j++)
            if (whole)
                x[hd_place((int)(i - base) + j)] = batch->e[b][j];
            else if (i + j >= from && i + j < until)
                x[hd_place((int)(i - base) + j)] = hd_item(in, i + j);
    }
}

// The nodes over 1, 2, 4, .. elements from place i; element i has the index i + shift in its segment.
HD_FN hd_node hd_over_1(const hd_element *x, int i, int64_t shift)
{
    return hd_lift(x[hd_place(i)], i + shift);
}
HD_FN hd_node hd_over_2(const hd_element *x, int i, int64_t shift)
{
    return hd_combine(hd_over_1(x, i, shift), hd_over_1(x, i + 1, shift));
}
HD_FN hd_node hd_over_4(const hd_element *x, int i, int64_t shift)
{
    return hd_combine(hd_over_2(x, i, shift), hd_over_2(x, i + 2, shift));
}
HD_FN hd_node hd_over_8(const hd_element *x, int i, int64_t shift)
{
    return hd_combine(hd_over_4(x, i, shift), hd_over_4(x, i + 4, shift));
}

// Appends R of m < 16 elements.
HD_FN void hd_append_elements(hd_prefix *p, const hd_element *x, int i, int64_t shift, int m)
{
    if (m & 8) hd_append(p, hd_over_8(x, i, shift)), i += 8;
    if (m & 4) hd_append(p, hd_over_4(x, i, shift)), i += 4;
    if (m & 2) hd_append(p, hd_over_2(x, i, shift)), i += 2;
    if (m & 1) hd_append(p, hd_over_1(x, i, shift));
}

// The same of nodes: m < 32 of them.
HD_FN hd_node hd_nodes_2(const hd_node *n)
{
    return hd_combine(n[0], n[1]);
}
HD_FN hd_node hd_nodes_4(const hd_node *n)
{
    return hd_combine(hd_nodes_2(n), hd_nodes_2(n + 2));
}
HD_FN hd_node hd_nodes_8(const hd_node *n)
{
    return hd_combine(hd_nodes_4(n), hd_nodes_4(n + 4));
}

HD_FN void hd_append_nodes(hd_prefix *p, const hd_node *n, int m)
{
    if (m & 16) hd_append(p, hd_combine(hd_nodes_8(n), hd_nodes_8(n + 8))), n += 16;
    if (m & 8) hd_append(p, hd_nodes_8(n)), n += 8;
    if (m & 4) hd_append(p, hd_nodes_4(n)), n += 4;
    if (m & 2) hd_append(p, hd_nodes_2(n)), n += 2;
    if (m & 1) hd_append(p, n[0]);
}

// Appends R of a slice, at least one element: blocks of pieces, pieces, elements.
HD_FN void hd_append_slice(hd_prefix *p, const hd_shared *s, int begin, int length, int64_t shift)
{
    const int blocks = length / HD_BLOCK, pieces = length % HD_BLOCK / HD_PIECE;
    int at = begin;
    if (blocks > 0) hd_append_nodes(p, s->block + at / HD_BLOCK, blocks);
    at += blocks * HD_BLOCK;
    if (pieces > 0) hd_append_nodes(p, s->piece + at / HD_PIECE, pieces);
    at += pieces * HD_PIECE;
    hd_append_elements(p, s->x, at, shift, length % HD_PIECE);
}

// ---- Pieces --------------------------------------------------------------------------------------

// The slice that place q is in: false if it is in none.
HD_FN bool hd_slice_at(const hd_shared *s, const hd_slices *t, int q, int *begin, int *end,
                       int64_t *shift)
{
    int low = 0, high = t->segments; // the last that begins at q or before is before low
    while (low < high) {
        const int middle = (low + high) / 2;
        if (s->begin[middle] <= q)
            low = middle + 1;
        else
            high = middle;
    }
    *begin = low > 0 ? s->begin[low - 1] : 0;
    *end = low < t->segments ? s->begin[low] : t->end;
    *shift = t->segments > 0 ? -*begin : t->shift;
    return q >= *begin && q < *end && (low > 0 || t->segments == 0);
}

// Whether a whole part of `size` elements begins in places size x u .. size x u + size - 1, and where.
HD_FN bool hd_part_at(const hd_shared *s, const hd_slices *t, int u, int size, int *at,
                      int64_t *shift)
{
    int begin, end;
    const int q = size * u + size - 1;
    if (!hd_slice_at(s, t, q, &begin, &end, shift)) return false;
    *at = q - (q - begin) % size;
    return *at + size <= end;
}

HD_FN void hd_make_pieces(hd_shared *s, const hd_slices *t, bool blocks)
{
    int at;
    int64_t shift;
    for (int u = (int)threadIdx.x; u * HD_PIECE < t->end; u += HD_THREADS)
        if (hd_part_at(s, t, u, HD_PIECE, &at, &shift))
            s->piece[u] = hd_combine(hd_over_8(s->x, at, shift), hd_over_8(s->x, at + 8, shift));
    hd_block_barrier();
    if (!blocks) return;
    for (int v = (int)threadIdx.x / HD_WARP; v * HD_BLOCK < t->end; v += HD_WARPS)
        if (hd_part_at(s, t, v, HD_BLOCK, &at, &shift)) {
            const hd_node n = hd_warp_node(s->piece[at / HD_PIECE + hd_lane()]);
            if (hd_lane() == 0) s->block[v] = n;
        }
    hd_block_barrier();
}

// ---- Results -------------------------------------------------------------------------------------

HD_FN void hd_give_segment(const hd_targets *to, int64_t room, int64_t segment, hd_node n,
                           hd_node init, int64_t length)
{
    if (segment >= room) return;
#if HD_HAS_INIT
    n = hd_combine(init, n);
#endif
    hd_give(&to->out, &to->values, segment, n, length);
}

HD_FN void hd_give_nothing(const hd_targets *to, const hd_segments_how *how,
                           const hd_segments_state *state, int64_t segment, const hd_empty *empty)
{
    if (how->has_empty == 0) {
        hd_store_relaxed(state->fault, HD_NO_VALUE);
        return;
    }
    if (segment >= how->room) return;
    hd_put(&to->out, segment, empty->out);
#if HD_VALUES
    hd_put_value(&to->values, segment, empty->value);
#endif
}

// ---- Long segments -------------------------------------------------------------------------------

// Warp 0 hands up the node of chunk c of `chunks`. Where 32 siblings are there, the node above them takes
// the place of the first. Whether all are there.
HD_FN bool hd_hand_up(const hd_segments_state *s, int64_t begin, int64_t c, int64_t chunks, hd_node n)
{
    const int64_t first = begin / HD_ITEMS;
    int64_t at = c, count = chunks, step = 1;
    if (hd_lane() == 0) s->node[first + c] = n;
    for (int k = 1; at < (count & ~(int64_t)31); k++) {
        const int64_t sibling = (at & ~(int64_t)31) * step;
        if (!hd_is_last(s->arrived + first + sibling + k, 32)) break;
        n = hd_warp_node(s->node[first + sibling + hd_lane() * step]);
        at /= 32;
        count /= 32;
        step *= 32;
        if (hd_lane() == 0) s->node[first + at * step] = n;
    }
    return hd_is_last(s->done + first, (uint32_t)chunks);
}

// R of all chunks, at least one.
HD_FN hd_prefix hd_fold_chunks(const hd_segments_state *s, int64_t begin, int64_t chunks)
{
    const int64_t first = begin / HD_ITEMS;
    hd_prefix p = hd_empty_prefix(s->node[first]);
    int top = 0;
    while (chunks >> (5 * (top + 1)) > 0) top++;
    for (int k = top; k >= 0; k--) {
        const int64_t count = chunks >> (5 * k);
        const int m = (int)(count & 31);
        if (m > 0)
            hd_append_lanes(&p,
                            s->node[first + (((count & ~(int64_t)31) + (hd_lane() < m ? hd_lane() : 0))
                                             << (5 * k))],
                            m);
    }
    return p;
}

// ---- All of it -----------------------------------------------------------------------------------

// Reads where the tile's segments begin.
HD_FN void hd_read_begins(const hd_view *offsets, const hd_part *p, hd_shared *s)
{
    for (int k = (int)threadIdx.x; k < p->segments; k += HD_THREADS) {
        const int64_t begin = hd_bound(offsets, p->first + k) - p->base;
        const int64_t end = hd_bound(offsets, p->first + k + 1) - p->base;
        if (begin < 0 || begin > HD_ITEMS || end < begin) s->bad = 1;
        s->begin[k] = (uint16_t)begin;
        if (end - begin >= HD_PIECE) s->has_pieces = 1;
        if (end - begin >= HD_BLOCK) s->has_blocks = 1;
    }
}

// The segments that begin here and end here, or soon: one a thread.
HD_FN void hd_give_segments(const hd_targets *to, const hd_segments_how *how,
                            const hd_segments_state *state, const hd_slices *t, int64_t first,
                            int segments, const hd_shared *s, hd_node init, const hd_empty *empty)
{
    for (int k = (int)threadIdx.x; k < segments; k += HD_THREADS) {
        const int begin = s->begin[k];
        const int length = (k + 1 < t->segments ? s->begin[k + 1] : t->end) - begin;
        if (length == 0) {
            hd_give_nothing(to, how, state, first + k, empty);
            continue;
        }
        hd_prefix p = hd_empty_prefix(hd_over_1(s->x, begin, -begin));
        hd_append_slice(&p, s, begin, length, -begin);
        hd_give_segment(to, how->room, first + k, p.node, init, length);
    }
}

// The block has a chunk of a long segment: whether it is the last, and has to end it.
HD_FN bool hd_has_last(const hd_segments_state *state, const hd_part *l, int place, hd_shared *s)
{
    if (threadIdx.x < HD_WARP) {
        hd_prefix p = hd_empty_prefix(hd_over_1(s->x, place, 0));
        hd_append_slice(&p, s, place, HD_ITEMS, 0); // whole pieces alone
        const bool last =
            hd_hand_up(state, l->begin, l->chunk, (l->end - l->begin) / HD_ITEMS, p.node);
        if (hd_lane() == 0) s->finish = last;
    }
    hd_block_barrier();
    return s->finish != 0;
}

extern "C" __global__ void __launch_bounds__(HD_THREADS, HD_BLOCKS)
    reduce_segments(const __grid_constant__ hd_inputs in,
                    const __grid_constant__ hd_segments_how how,
                    const __grid_constant__ hd_view offsets,
                    const __grid_constant__ hd_segments_state state, hd_node init,
                    const __grid_constant__ hd_empty empty, const __grid_constant__ hd_targets to)
{
    __shared__ hd_shared s;
    const hd_part p = state.part[blockIdx.x];
    if (threadIdx.x == 0) s.has_pieces = s.has_blocks = s.bad = 0;
    hd_block_barrier();
    if (p.bad) {
        if (threadIdx.x == 0) hd_store_relaxed(state.fault, HD_BAD_OFFSETS);
        return;
    }
    const bool is_long = p.chunk >= 0;
    const int64_t chunks = is_long ? (p.end - p.begin) / HD_ITEMS : 0;
    // A chunk alone begins at place 0.
    int64_t base = p.segments > 0 ? p.base : p.from, from = p.from, until = p.until;
    hd_slices t = {p.segments, (int)(until - base), base - p.begin};
    // First the tile; then, if this block has to end a segment, what is left of it.
#pragma unroll 1
    for (int round = 0; round < 2; round++) {
        int64_t at = from / HD_K * HD_K + threadIdx.x * HD_K;
        hd_batch batch;
        hd_fetch(&in, at, from, until, &batch);
        if (round == 0) hd_read_begins(&offsets, &p, &s);
#pragma unroll 1
        for (;;) {
            hd_store(&in, at, from, until, &batch, base, s.x);
            at += HD_BATCH * HD_THREADS * HD_K;
            if (at >= until) break;
            hd_fetch(&in, at, from, until, &batch);
        }
        hd_block_barrier();
        if (s.bad) {
            if (threadIdx.x == 0) hd_store_relaxed(state.fault, HD_BAD_OFFSETS);
            return;
        }
        const int alone = t.segments > 0 ? 0 : t.end;
        if (s.has_pieces || alone >= HD_PIECE)
            hd_make_pieces(&s, &t, s.has_blocks || alone >= HD_BLOCK);
        if (round == 0) {
            hd_give_segments(&to, &how, &state, &t, p.first, p.segments - (is_long ? 1 : 0), &s,
                             init, &empty);
            const int place = (int)(p.begin + p.chunk * HD_ITEMS - base);
            if (!is_long || !hd_has_last(&state, &p, place, &s)) return;
            base = from = p.begin + chunks * HD_ITEMS;
            until = p.end;
            t.segments = 0;
            t.end = (int)(until - base);
            t.shift = chunks * HD_ITEMS;
        } else if (threadIdx.x < HD_WARP) {
            hd_prefix q = hd_fold_chunks(&state, p.begin, chunks);
            if (t.end > 0) hd_append_slice(&q, &s, 0, t.end, t.shift);
            if (hd_lane() == 0)
                hd_give_segment(&to, how.room, p.first + (p.segments > 0 ? p.segments - 1 : 0),
                                q.node, init, p.end - p.begin);
        }
    }
}
