// SPDX-License-Identifier: Apache-2.0
//
// reduce_segments: each segment is a tree of its own from its first element on. A block takes a
// tile of the segments and elements together (segment_tiles.cu), and of these the segments that
// begin there, whole, if they have at most HK_ITEMS elements. Longer ones are cut into chunks of
// HK_ITEMS elements from their first on; a block takes the chunk that begins among its elements, if
// one does, and publishes its node (words.cuh): the last chunk of 32 waits for the others and
// publishes the node above them; the block of the segment's last chunk folds the nodes and the
// elements after them.
//
// Elements go through shared memory (padded_tile.cuh). A segment of fewer than 16 is a thread's.
// Others are cut again: into pieces of 16, one thread each, these into blocks of 32 pieces, one
// warp each; a thread folds the nodes of a segment. A piece that begins in places 16u .. 16u + 15
// is the only one to do so: u is the place of its node, and of the segment's number where it
// begins. Blocks of pieces likewise.
#include "device/kernel.cuh"
#include "device/offsets.cuh"
#include "device/words.cuh"
#include "reduce/segment_tile.cuh"
#include "reduce/padded_tile.cuh"

#define HK_PIECE   16
#define HK_BLOCK   (32 * HK_PIECE)
#define HK_WARPS   (HK_THREADS / HK_WARP)
#define HK_WINDOWS ((HK_SPAN / HK_PIECE + 31) / 32 * 32)
#define HK_CROSSES ((HK_SPAN / HK_BLOCK + 3) / 2 * 2)
#define HK_BOUNDS  HK_KEYS_AT_ONCE // offsets that a thread reads at once

struct hk_segments_how {
    int64_t n, room;   // room: of the outputs
    int64_t has_empty; // whether there is a value for a segment without elements
};

struct hk_segments_state {
    const hk_segment_tile *part; // of each tile
    uint64_t *word;    // of chunks' nodes: of that which begins at element i at i / HK_ITEMS
    uint32_t *control; // see scan_lookback.cuh
    uint32_t *fault;
};

struct hk_targets {
    hk_view out, values;
};

// Elements, and at the end of them where each segment begins, as a place; behind the last the end
// of all. Segments and elements are no more than HK_ROOM together, so that they never meet, if an
// element has two bytes; where tiles are of elements alone (HK_ROWS is 2), there may be as many
// segments besides.
#define HK_BESIDE (HK_ROWS == 2 ? 2 * (HK_ITEMS + 2) : sizeof(hk_element) == 1 ? HK_ITEMS : 0)
#define HK_X                                                                                       \
    (HK_SPAN + HK_SPAN / HK_GROUP * HK_FILL +                                                      \
     (HK_BESIDE + sizeof(hk_element) - 1) / sizeof(hk_element))
#define HK_BEGINS ((int)(HK_X * sizeof(hk_element) / 2))

struct hk_shared {
    hk_element x[HK_X];
    hk_node piece[HK_WINDOWS];
    hk_node block[HK_SPAN / HK_BLOCK + 1];
    uint32_t has_pieces, has_blocks; // some segment has
    uint32_t bad;
    // Segments of 16 and more: 1 + the one that begins in 16 places, and the one that place 512w -
    // 1 is in. 0: none.
    union {
        uint16_t starts[HK_WINDOWS];
        uint32_t words[HK_WINDOWS / 2];
    };
    union {
        uint16_t crosses[HK_CROSSES];
        uint32_t cross_words[HK_CROSSES / 2];
    };
};

HK_FN uint16_t *hk_begins(hk_shared *s, int segments)
{
    return (uint16_t *)s->x + (HK_BEGINS - 1 - segments);
}

// ---- Nodes in shared memory ---------------------------------------------------------------------

// Nodes over 2, 4, .. nodes; R of m < 32 of them is appended.
HK_FN hk_node hk_nodes_2(const hk_node *n)
{
    return hk_combine(n[0], n[1]);
}
HK_FN hk_node hk_nodes_4(const hk_node *n)
{
    return hk_combine(hk_nodes_2(n), hk_nodes_2(n + 2));
}
HK_FN hk_node hk_nodes_8(const hk_node *n)
{
    return hk_combine(hk_nodes_4(n), hk_nodes_4(n + 4));
}

HK_FN void hk_append_nodes(hk_prefix *p, const hk_node *n, int m)
{
    if (m & 16) hk_append(p, hk_combine(hk_nodes_8(n), hk_nodes_8(n + 8))), n += 16;
    if (m & 8) hk_append(p, hk_nodes_8(n)), n += 8;
    if (m & 4) hk_append(p, hk_nodes_4(n)), n += 4;
    if (m & 2) hk_append(p, hk_nodes_2(n)), n += 2;
    if (m & 1) hk_append(p, n[0]);
}

// Appends R of a slice, at least one element: blocks of pieces, pieces, elements.
HK_FN void hk_append_slice(hk_prefix *p, const hk_shared *s, int begin, int length, int64_t index)
{
    const int blocks = length / HK_BLOCK, pieces = length % HK_BLOCK / HK_PIECE;
    const int at = begin + blocks * HK_BLOCK, whole = length & -HK_PIECE;
    if (blocks > 0) hk_append_nodes(p, s->block + begin / HK_BLOCK, blocks);
    if (pieces > 0) hk_append_nodes(p, s->piece + at / HK_PIECE, pieces);
    hk_append_elements(p, s->x, begin + whole, index + whole, length % HK_PIECE);
}

// ---- Pieces -------------------------------------------------------------------------------------

// The segment of 16 elements or more that is the last to begin at place 16u + 15 or before, if that
// place is in it; else it may be another, or -1. All lanes call, each with the next u.
HK_FN int hk_owner(const hk_shared *s, int u)
{
    const uint32_t own = s->starts[u];
    const uint32_t lanes = hk_ballot(own != 0) & ((2u << hk_lane()) - 1);
    int nearest;
    asm("bfind.u32 %0, %1;" : "=r"(nearest) : "r"(lanes));
    const uint32_t k = hk_word_from(own, nearest);
    return (int)(lanes != 0 ? k : s->crosses[u / 32]) - 1;
}

// The node of a piece, whose first element has an index in its segment. All lanes call; those
// without a piece get nothing.
HK_FN hk_node hk_piece_node(const hk_shared *s, bool whole, int at, int64_t index)
{
    hk_node n;
    const hk_near x = hk_near_of(s->x, at);
    if (hk_all(!whole || x.count >= HK_PIECE)) {
        if (whole) n = hk_tree_16(hk_together(x), index);
    } else if (whole) {
        n = hk_tree_16(x, index);
    }
    return n;
}

// Of the segments that are 16 or longer.
HK_FN void hk_make_pieces(hk_shared *s, const uint16_t *begins, int until)
{
#pragma unroll 1
    for (int u = (int)threadIdx.x; (u & -HK_WARP) * HK_PIECE < until - (HK_PIECE - 1);
         u += HK_THREADS) {
        const int k = hk_owner(s, u), q = HK_PIECE * u + HK_PIECE - 1;
        const int begin = k < 0 ? q : begins[k], end = k < 0 ? 0 : begins[k + 1];
        const int index = (q - begin) & -HK_PIECE, at = begin + index;
        const bool whole = at + HK_PIECE <= end;
        const hk_node n = hk_piece_node(s, whole, at, index);
        if (whole) s->piece[u] = n;
    }
    hk_block_barrier();
}

// Of a slice alone, a segment, a chunk, or the rest of one, which begins in the first places: a
// warp has 32 pieces at once, and makes their block. `index`: of its first element in the segment.
HK_FN void hk_make_alone(hk_shared *s, const hk_range *t, int64_t index)
{
    const int pieces = (t->until - t->from) / HK_PIECE;
#pragma unroll 1
    for (int u = (int)threadIdx.x; (u & -HK_WARP) < pieces; u += HK_THREADS) {
        hk_node n = hk_piece_node(s, u < pieces, t->from + u * HK_PIECE, index + u * HK_PIECE);
        if ((u & -HK_WARP) + HK_WARP <= pieces) {
            n = hk_warp_node(n);
            if (hk_lane() == 0) s->block[u / HK_WARP] = n;
        } else if (u < pieces) {
            s->piece[t->from / HK_PIECE + u] = n;
        }
    }
    hk_block_barrier();
}

// Of many segments: the block that begins in places 512v .. 512v + 511 is of the segment that goes
// on behind.
HK_FN void hk_make_blocks(hk_shared *s, const uint16_t *begins, int until)
{
    for (int v = (int)threadIdx.x / HK_WARP; (v + 1) * HK_BLOCK <= until; v += HK_WARPS) {
        const int k = s->crosses[v + 1] - 1;
        if (k < 0) continue;
        const int begin = begins[k], q = HK_BLOCK * v + HK_BLOCK - 1;
        const int at = begin + ((q - begin) & -HK_BLOCK);
        if (at + HK_BLOCK > begins[k + 1]) continue;
        const hk_node n = hk_warp_node(s->piece[at / HK_PIECE + hk_lane()]);
        if (hk_lane() == 0) s->block[v] = n;
    }
    hk_block_barrier();
}

// ---- Results ------------------------------------------------------------------------------------

// What a segment's result needs.
struct hk_results {
    const hk_targets *to;
    const hk_segments_how *how;
    const hk_segments_state *state;
    const hk_empty *empty;
    hk_node init;
};

HK_FN void hk_give_segment(const hk_results *r, int64_t segment, hk_node n, int64_t length)
{
    if (HK_HAS_INIT) n = hk_combine(r->init, n);
    hk_give(&r->to->out, &r->to->values, segment, n, length);
}

HK_FN void hk_give_nothing(const hk_results *r, int64_t segment)
{
    if (r->how->has_empty == 0) {
        hk_store_relaxed(r->state->fault, HK_NO_VALUE);
        return;
    }
    hk_give_empty(&r->to->out, &r->to->values, segment, *r->empty);
}

// ---- Long segments ------------------------------------------------------------------------------

HK_FN uint64_t *hk_chunk_word(const hk_segments_state *s, const hk_long *l, int64_t chunk)
{
    return s->word + (l->begin / HK_ITEMS + chunk) * HK_NODE_WORDS;
}

// Warp 0 has the node of chunk c. The last chunk of 32 makes the node above them, which is
// published in its place.
HK_FN void hk_publish_nodes(const hk_segments_state *s, const hk_long *l, int64_t c, hk_node n)
{
    int64_t step = 1;
#pragma unroll 1
    for (int64_t at = c; (at & 31) == 31; at >>= 5) {
        const hk_node preceding = hk_await(hk_chunk_word(s, l, c - (31 - hk_lane()) * step),
                                           hk_lane() < 31, n, l->epoch, s->fault);
        n = hk_warp_node(hk_lane() < 31 ? preceding : n);
        step *= 32;
    }
    hk_publish(hk_chunk_word(s, l, c), n, l->epoch);
}

// R of all chunks, at least one.
HK_FN hk_prefix hk_fold_chunks(const hk_segments_state *s, const hk_long *l, int64_t chunks,
                               hk_node filler)
{
    hk_prefix p = hk_empty_prefix(filler);
    int top = 0;
    while (chunks >> (5 * (top + 1)) > 0) top++;
#pragma unroll 1
    for (int k = top; k >= 0; k--) {
        const int64_t count = chunks >> (5 * k);
        const int m = (int)(count & 31);
        const int64_t at = (((count & ~(int64_t)31) + hk_lane() + 1) << (5 * k)) - 1;
        if (m == 0) continue;
        hk_append_lanes(
            &p, hk_await(hk_chunk_word(s, l, at), hk_lane() < m, filler, l->epoch, s->fault), m);
    }
    return p;
}

// ---- All of it ----------------------------------------------------------------------------------

HK_FN void hk_clear(hk_shared *s)
{
    const int k = (int)threadIdx.x;
#pragma unroll
    for (int b = 0; b * HK_THREADS < HK_WINDOWS / 2; b++)
        if (b * HK_THREADS + k < HK_WINDOWS / 2) s->words[b * HK_THREADS + k] = 0;
    if (k < HK_CROSSES / 2) s->cross_words[k] = 0;
    if (k == 0) s->has_pieces = s->has_blocks = s->bad = 0;
}

// Offsets of a thread's segments, from its k-th on.
struct hk_bounds {
    int64_t at[HK_BOUNDS];
};

HK_FN void hk_load_bounds(const hk_view *offsets, const hk_share *p, int k, hk_bounds *bounds)
{
#pragma unroll
    for (int b = 0; b < HK_BOUNDS; b++)
        if (k + b * HK_THREADS < p->segments)
            bounds->at[b] = hk_bound(offsets, p->first + k + b * HK_THREADS);
}

// Puts down where the tile's segments begin; the first bounds are requested already. One that
// cannot be is told, and lies at the end of all.
HK_FN void hk_put_begins(const hk_view *offsets, const hk_share *p, const hk_range *t,
                         hk_bounds *bounds, hk_shared *s, uint32_t *fault)
{
    const int all = p->segments;
    uint16_t *begin = hk_begins(s, all);
    uint32_t high = 0, most = 0;
#pragma unroll 1
    for (int k = (int)threadIdx.x; k < all;) {
#pragma unroll
        for (int b = 0; b < HK_BOUNDS; b++)
            if (k + b * HK_THREADS < all) {
                const uint64_t i = (uint64_t)(bounds->at[b] - t->base);
                const uint32_t low = (uint32_t)i, until = (uint32_t)t->until;
                high |= (uint32_t)(i >> 32);
                most = low > most ? low : most;
                begin[k + b * HK_THREADS] = (uint16_t)(low < until ? low : until);
            }
        k += HK_BOUNDS * HK_THREADS;
        hk_load_bounds(offsets, p, k, bounds);
    }
    if (high != 0 || most > (uint32_t)t->until) hk_store_relaxed(fault, HK_BAD_OFFSETS);
    if (threadIdx.x == 0) begin[all] = (uint16_t)t->until;
}

// Puts k at a place that is zero, one half of a word.
HK_FN void hk_put_number(uint32_t *words, int place, int k)
{
    const uint32_t x = (uint32_t)k << (place % 2 * 16);
    asm volatile("{ .reg .u64 t; cvta.to.shared.u64 t, %0; red.shared.or.b32 [t], %1; }"
                 :
                 : "l"(words + place / 2), "r"(x)
                 : "memory");
}

// Segments of 16 elements and more are entered for hk_owner and hk_make_blocks. Where offsets are
// bad, threads may meet in a place; what is there is not looked at then.
HK_FN void hk_enter(hk_shared *s, int k, int begin, int end)
{
    hk_put_number(s->words, begin / HK_PIECE, k + 1);
    for (int w = begin / HK_BLOCK + 1; w * HK_BLOCK <= end; w++)
        hk_put_number(s->cross_words, w, k + 1);
    s->has_pieces = 1;
    if (end - begin >= HK_BLOCK) s->has_blocks = 1;
}

// Shorter ones are given at once, one a thread.
HK_FN void hk_give_shorter(const hk_results *r, const hk_share *p, int given, hk_shared *s)
{
    const uint16_t *begins = hk_begins(s, p->segments);
#pragma unroll 1
    for (int k = (int)threadIdx.x; k < p->segments; k += HK_THREADS) {
        const int begin = begins[k], end = begins[k + 1], length = end - begin;
        if (length >= HK_PIECE) {
            hk_enter(s, k, begin, end);
        } else if (length > 0) {
            hk_prefix q = hk_empty_prefix(hk_transform(s->x[hk_padded(begin)], 0));
            hk_append_elements(&q, s->x, begin, 0, length);
            if (k < given) hk_give_segment(r, p->first + k, q.node, length);
        } else if (length < 0) {
            hk_store_relaxed(r->state->fault, HK_BAD_OFFSETS);
            s->bad = 1;
        } else if (k < given) {
            hk_give_nothing(r, p->first + k);
        }
    }
    hk_block_barrier();
}

HK_FN void hk_give_slice(const hk_results *r, const hk_shared *s, int64_t segment, int begin,
                         int length)
{
    hk_prefix q = length >= HK_BLOCK ? hk_empty_prefix(s->block[begin / HK_BLOCK])
                                     : hk_empty_prefix(hk_transform(s->x[hk_padded(begin)], 0));
    hk_append_slice(&q, s, begin, length, 0);
    hk_give_segment(r, segment, q.node, length);
}

// The others, once their pieces are there.
HK_FN void hk_give_longer(const hk_results *r, const hk_share *p, const uint16_t *begins, int given,
                          const hk_shared *s)
{
#pragma unroll 1
    for (int k = (int)threadIdx.x; k < given; k += HK_THREADS) {
        const int begin = begins[k], length = begins[k + 1] - begin;
        if (length >= HK_PIECE) hk_give_slice(r, s, p->first + k, begin, length);
    }
}

// The node of a chunk of a long segment, which begins in the first places. A warp calls.
HK_FN hk_node hk_chunk_node(const hk_shared *s, int from)
{
    const int each = HK_ITEMS >= HK_BLOCK ? HK_BLOCK : HK_PIECE;
    const hk_node *n = HK_ITEMS >= HK_BLOCK ? s->block : s->piece + from / HK_PIECE;
    hk_prefix q = hk_empty_prefix(*n);
    hk_append_nodes(&q, n, HK_ITEMS / each);
    return q.node;
}

// Brings a slice alone, or where `segments` is not null those of a tile.
HK_FN void hk_bring(const hk_inputs *in, const hk_range *t, hk_shared *s, const hk_share *p,
                    const hk_view *segments, uint32_t *fault)
{
    int run = (int)threadIdx.x;
    hk_batch batch;
    hk_bounds bounds;
    hk_element loose;
    if (segments != 0) hk_load_bounds(segments, p, run, &bounds);
    hk_fetch(in, t, run, &batch);
    const int place = hk_loose_place(t);
    if (place >= 0) loose = hk_item(in, t->base + place);
    if (segments != 0) {
        hk_clear(s);
        hk_put_begins(segments, p, t, &bounds, s, fault);
    }
#pragma unroll 1
    for (;;) {
        hk_store(t, run, &batch, s->x);
        run += HK_BATCH * HK_THREADS;
        if (run >= t->runs) break;
        hk_fetch(in, t, run, &batch);
    }
    if (place >= 0) s->x[hk_padded(place)] = loose;
    hk_block_barrier();
}

// A chunk, or a segment of as many elements, needs no shared memory for them: a warp reads a
// block's row by row, and rows are turned into lanes.
#define HK_READS_BLOCKS (HK_DIRECT && HK_ITEMS >= HK_BLOCK)

// The nodes of HK_BLOCK elements from `at` on, HK_K or one a lane in each row.
HK_FN hk_node hk_block_of_runs(const hk_inputs *in, int64_t at, int64_t index)
{
    const int rows = HK_BLOCK / (HK_WARP * HK_K);
    hk_element e[rows][HK_K];
    hk_node t[rows];
#pragma unroll
    for (int r = 0; r < rows; r++) hk_items(in, at + (r * HK_WARP + hk_lane()) * HK_K, e[r]);
#pragma unroll
    for (int r = 0; r < rows; r++) {
        hk_node x[HK_K];
#pragma unroll
        for (int j = 0; j < HK_K; j++)
            x[j] = hk_transform(e[r][j], index + (r * HK_WARP + hk_lane()) * HK_K + j);
#pragma unroll
        for (int d = 1; d < HK_K; d *= 2)
#pragma unroll
            for (int j = 0; j < HK_K; j += 2 * d) x[j] = hk_combine(x[j], x[j + d]);
        t[r] = x[0];
    }
    hk_node n = hk_transpose_reduce(t, rows, 1);
#pragma unroll
    for (int d = rows; d < HK_WARP; d *= 2) n = hk_up(n, d);
#pragma unroll
    for (int d = 1; d < rows; d *= 2) n = hk_up(n, d);
    return n;
}

HK_FN hk_node hk_block_of_ones(const hk_inputs *in, int64_t at, int64_t index)
{
    const int rows = HK_BLOCK / HK_WARP;
    hk_node t[rows];
#pragma unroll
    for (int r = 0; r < rows; r++) {
        const int i = r * HK_WARP + hk_lane();
        t[r] = hk_transform(hk_item(in, at + i), index + i);
    }
    hk_node n = hk_up(hk_transpose_reduce(t, rows, 1), rows);
#pragma unroll
    for (int d = 1; d < rows; d *= 2) n = hk_up(n, d);
    return n;
}

HK_FN void hk_read_blocks(const hk_inputs *in, int64_t from, int64_t index, hk_shared *s)
{
#pragma unroll 1
    for (int b = (int)threadIdx.x / HK_WARP; b < HK_ITEMS / HK_BLOCK; b += HK_WARPS) {
        const int64_t at = from + b * HK_BLOCK, i = index + b * HK_BLOCK;
        const hk_node n = HK_K > 1 && HK_K <= HK_BLOCK / HK_WARP && (from & (HK_K - 1)) == 0
                              ? hk_block_of_runs(in, at, i)
                              : hk_block_of_ones(in, at, i);
        if (hk_lane() == 0) s->block[b] = n;
    }
    hk_block_barrier();
}

// This block has the last chunk of a long segment, warp 0 its node: what is left of it, and its
// result.
HK_FN void hk_end_segment(const hk_inputs *in, const hk_results *r, const hk_long *l,
                          int64_t segment, hk_node n, hk_shared *s)
{
    const int64_t length = l->end - l->begin, chunks = length / HK_ITEMS, done = chunks * HK_ITEMS;
    const hk_range t = hk_range_of(l->begin + done, (int)(length - done));
    hk_bring(in, &t, s, 0, 0, 0);
    hk_make_alone(s, &t, done);
    if (threadIdx.x >= HK_WARP) return;
    hk_publish_nodes(r->state, l, chunks - 1, n);
    hk_prefix q = hk_fold_chunks(r->state, l, chunks, n);
    if (t.until > t.from) hk_append_slice(&q, s, t.from, t.until - t.from, done);
    if (hk_lane() == 0 && segment < r->how->room) hk_give_segment(r, segment, q.node, length);
}

// The segments of a share, none of them long, as far as there is room for results.
HK_FN void hk_give_segments(const hk_results *r, const hk_share *p, int until, hk_shared *s)
{
    const int64_t room = r->how->room - p->first;
    const int given = room < p->segments ? (int)room : p->segments;
    hk_give_shorter(r, p, given, s);
    if (!s->has_pieces || s->bad) return;
    const uint16_t *begins = hk_begins(s, p->segments);
    hk_make_pieces(s, begins, until);
    if (s->has_blocks) hk_make_blocks(s, begins, until);
    hk_give_longer(r, p, begins, given, s);
}

extern "C" __global__ void __launch_bounds__(HK_THREADS, HK_BLOCKS)
    reduce_segments(const __grid_constant__ hk_inputs in,
                    const __grid_constant__ hk_segments_how how,
                    const __grid_constant__ hk_view offsets,
                    const __grid_constant__ hk_segments_state state, hk_node init,
                    const __grid_constant__ hk_empty empty, const __grid_constant__ hk_targets to)
{
    hk_begin();
    __shared__ hk_shared s;
    const hk_segment_tile *part = state.part + blockIdx.x;
    hk_share p = hk_read_share(part);
    const hk_results r = {&to, &how, &state, &empty, init};
    if (blockIdx.x == 0 && threadIdx.x == 0)
        hk_store_relaxed(state.control + 2, part->longer.epoch);
    if (p.segments < 0) {
        if (threadIdx.x == 0) hk_store_relaxed(state.fault, HK_BAD_OFFSETS);
        return;
    }
    bool alone = p.segments <= 1 && p.length >= HK_PIECE;
    hk_range t;
    if (!alone) {
        // A long segment, or one for which there is too little shared memory, comes after the
        // others, alone.
        const bool is_long = p.is_long != 0;
        const int taken = p.length + (HK_ROWS == 2 ? 0 : p.segments);
        alone = p.segments > 1 && (is_long || taken > HK_ROOM);
        if (alone) {
            p.segments--;
            p.is_long = 0;
            p.length = (int)(part->longer.begin - p.from);
        }
        t = hk_range_of(p.from, p.length);
        hk_bring(&in, &t, &s, &p, &offsets, state.fault);
        hk_give_segments(&r, &p, t.until, &s);
        if (s.bad) return;
        if (alone) {
            p.first += p.segments;
            p.segments = 1;
            p.is_long = is_long;
            p.from += p.length;
            p.length = is_long ? HK_ITEMS : (int)(part->longer.end - p.from);
            hk_block_barrier();
        }
    }
    if (alone) {
        t = hk_range_of(p.from, p.length);
        const int64_t index = p.is_long ? p.from - part->longer.begin : 0;
        if (HK_READS_BLOCKS && p.length == HK_ITEMS) {
            hk_read_blocks(&in, p.from, index, &s);
        } else {
            hk_bring(&in, &t, &s, 0, 0, 0);
            hk_make_alone(&s, &t, index);
        }
        if (!p.is_long && threadIdx.x == 0 && p.first < how.room)
            hk_give_slice(&r, &s, p.first, t.from, p.length);
    }
    if (!p.is_long) return;
    const hk_long l = part->longer;
    const int64_t chunk = p.segments > 0 ? 0 : (p.from - l.begin) / HK_ITEMS;
    const bool last = chunk == (l.end - l.begin) / HK_ITEMS - 1;
    hk_node n;
    if (threadIdx.x < HK_WARP) n = hk_chunk_node(&s, t.from);
    if (threadIdx.x < HK_WARP && !last) hk_publish_nodes(&state, &l, chunk, n);
    if (!last) return;
    hk_end_segment(&in, &r, &l, p.first + (p.segments > 0 ? p.segments - 1 : 0), n, &s);
}
