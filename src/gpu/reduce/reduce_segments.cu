// SPDX-License-Identifier: Apache-2.0
//
// reduce_segments: each segment is a tree of its own from its first element on. A block takes a tile of the
// segments and elements together (parts.cu), and of these the segments that begin there, whole, if they have
// at most HD_ITEMS elements. Longer ones are cut into chunks of HD_ITEMS elements from their first on; a
// block takes the chunk that begins among its elements, if one does, and leaves its node for others (words.cuh): of 32
// siblings the youngest waits for the others and makes the node above; who has the last chunk folds the nodes and
// what is left of the segment.
//
// Elements go through shared memory (places.cuh). A segment of fewer than 16 is a thread's. Others are cut again:
// into pieces of 16, one thread each, these into blocks of 32 pieces, one warp each; a thread folds the nodes of
// a segment. A piece that begins in places 16u .. 16u + 15 is the only one to do so: u is the place of its node,
// and of the segment's number where it begins. Blocks of pieces likewise.
#include "device/kernel.cuh"
#include "device/offsets.cuh"
#include "device/words.cuh"
#include "reduce/parts.cuh"
#include "reduce/places.cuh"

#define HD_PIECE   16
#define HD_BLOCK   (32 * HD_PIECE)
#define HD_WARPS   (HD_THREADS / HD_WARP)
#define HD_WINDOWS ((HD_SPAN / HD_PIECE + 31) / 32 * 32)
#define HD_CROSSES ((HD_SPAN / HD_BLOCK + 3) / 2 * 2)
#define HD_BOUNDS  HD_KEYS_AT_ONCE // offsets that a thread reads at once

struct hd_segments_how {
    int64_t n, room;   // room: of the outputs
    int64_t has_empty; // whether there is a value for a segment without elements
};

struct hd_segments_state {
    const hd_part *part; // of each tile
    uint64_t *word;      // of chunks' nodes: of that which begins at element i at i / HD_ITEMS
    uint32_t *clock;     // see scan_blocks.cuh
    uint32_t *fault;
};

struct hd_targets {
    hd_view out, values;
};

// Elements, and at the end of them where each segment begins, as a place; behind the last the end of all. Segments
// and elements are no more than HD_ROOM together, so that they never meet, if an element has two bytes; where tiles
// are of elements alone (HD_ROWS is 2), there may be as many segments besides.
#define HD_BESIDE (HD_ROWS == 2 ? 2 * (HD_ITEMS + 2) : sizeof(hd_element) == 1 ? HD_ITEMS : 0)
#define HD_X                                                                                       \
    (HD_SPAN + HD_SPAN / HD_GROUP * HD_FILL +                                                      \
     (HD_BESIDE + sizeof(hd_element) - 1) / sizeof(hd_element))
#define HD_BEGINS ((int)(HD_X * sizeof(hd_element) / 2))

struct hd_shared {
    hd_element x[HD_X];
    hd_node piece[HD_WINDOWS];
    hd_node block[HD_SPAN / HD_BLOCK + 1];
    uint32_t has_pieces, has_blocks; // some segment has
    uint32_t bad;
    // Segments of 16 and more: 1 + the one that begins in 16 places, and the one that place 512w - 1 is in. 0: none.
    union {
        uint16_t starts[HD_WINDOWS];
        uint32_t words[HD_WINDOWS / 2];
    };
    union {
        uint16_t crosses[HD_CROSSES];
        uint32_t cross_words[HD_CROSSES / 2];
    };
};

HD_FN uint16_t *hd_begins(hd_shared *s, int segments)
{
    return (uint16_t *)s->x + (HD_BEGINS - 1 - segments);
}

// ---- Nodes in shared memory ----------------------------------------------------------------------

// Nodes over 2, 4, .. nodes; R of m < 32 of them is appended.
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
HD_FN void hd_append_slice(hd_prefix *p, const hd_shared *s, int begin, int length, int64_t index)
{
    const int blocks = length / HD_BLOCK, pieces = length % HD_BLOCK / HD_PIECE;
    const int at = begin + blocks * HD_BLOCK, whole = length & -HD_PIECE;
    if (blocks > 0) hd_append_nodes(p, s->block + begin / HD_BLOCK, blocks);
    if (pieces > 0) hd_append_nodes(p, s->piece + at / HD_PIECE, pieces);
    hd_append_elements(p, s->x, begin + whole, index + whole, length % HD_PIECE);
}

// ---- Pieces --------------------------------------------------------------------------------------

// The segment of 16 elements or more that is the last to begin at place 16u + 15 or before, if that place is in
// it; else it may be another, or -1. All lanes call, each with the next u.
HD_FN int hd_owner(const hd_shared *s, int u)
{
    const uint32_t own = s->starts[u];
    const uint32_t lanes = hd_ballot(own != 0) & ((2u << hd_lane()) - 1);
    int nearest;
    asm("bfind.u32 %0, %1;" : "=r"(nearest) : "r"(lanes));
    const uint32_t k = hd_word_from(own, nearest);
    return (int)(lanes != 0 ? k : s->crosses[u / 32]) - 1;
}

// The node of a piece, whose first element has an index in its segment. All lanes call; those without a piece get
// nothing.
HD_FN hd_node hd_piece_node(const hd_shared *s, bool whole, int at, int64_t index)
{
    hd_node n;
    const hd_near x = hd_near_of(s->x, at);
    if (hd_all(!whole || x.count >= HD_PIECE)) {
        if (whole) n = hd_tree_16(hd_together(x), index);
    } else if (whole) {
        n = hd_tree_16(x, index);
    }
    return n;
}

// Of the segments that are 16 or longer.
HD_FN void hd_make_pieces(hd_shared *s, const uint16_t *begins, int until)
{
#pragma unroll 1
    for (int u = (int)threadIdx.x; (u & -HD_WARP) * HD_PIECE < until - (HD_PIECE - 1);
         u += HD_THREADS) {
        const int k = hd_owner(s, u), q = HD_PIECE * u + HD_PIECE - 1;
        const int begin = k < 0 ? q : begins[k], end = k < 0 ? 0 : begins[k + 1];
        const int index = (q - begin) & -HD_PIECE, at = begin + index;
        const bool whole = at + HD_PIECE <= end;
        const hd_node n = hd_piece_node(s, whole, at, index);
        if (whole) s->piece[u] = n;
    }
    hd_block_barrier();
}

// Of a slice alone, a segment, a chunk, or the rest of one, which begins in the first places: a warp has 32 pieces
// at once, and makes their block. `index`: of its first element in the segment.
HD_FN void hd_make_alone(hd_shared *s, const hd_stretch *t, int64_t index)
{
    const int pieces = (t->until - t->from) / HD_PIECE;
#pragma unroll 1
    for (int u = (int)threadIdx.x; (u & -HD_WARP) < pieces; u += HD_THREADS) {
        hd_node n = hd_piece_node(s, u < pieces, t->from + u * HD_PIECE, index + u * HD_PIECE);
        if ((u & -HD_WARP) + HD_WARP <= pieces) {
            n = hd_warp_node(n);
            if (hd_lane() == 0) s->block[u / HD_WARP] = n;
        } else if (u < pieces) {
            s->piece[t->from / HD_PIECE + u] = n;
        }
    }
    hd_block_barrier();
}

// Of many segments: the block that begins in places 512v .. 512v + 511 is of the segment that goes on behind.
HD_FN void hd_make_blocks(hd_shared *s, const uint16_t *begins, int until)
{
    for (int v = (int)threadIdx.x / HD_WARP; (v + 1) * HD_BLOCK <= until; v += HD_WARPS) {
        const int k = s->crosses[v + 1] - 1;
        if (k < 0) continue;
        const int begin = begins[k], q = HD_BLOCK * v + HD_BLOCK - 1;
        const int at = begin + ((q - begin) & -HD_BLOCK);
        if (at + HD_BLOCK > begins[k + 1]) continue;
        const hd_node n = hd_warp_node(s->piece[at / HD_PIECE + hd_lane()]);
        if (hd_lane() == 0) s->block[v] = n;
    }
    hd_block_barrier();
}

// ---- Results -------------------------------------------------------------------------------------

// What a segment's result needs.
struct hd_results {
    const hd_targets *to;
    const hd_segments_how *how;
    const hd_segments_state *state;
    const hd_empty *empty;
    hd_node init;
};

HD_FN void hd_give_segment(const hd_results *r, int64_t segment, hd_node n, int64_t length)
{
    if (HD_HAS_INIT) n = hd_combine(r->init, n);
    hd_give(&r->to->out, &r->to->values, segment, n, length);
}

HD_FN void hd_give_nothing(const hd_results *r, int64_t segment)
{
    if (r->how->has_empty == 0) {
        hd_store_relaxed(r->state->fault, HD_NO_VALUE);
        return;
    }
    hd_put(&r->to->out, segment, r->empty->out);
#if HD_VALUES
    hd_put_value(&r->to->values, segment, r->empty->value);
#endif
}

// ---- Long segments -------------------------------------------------------------------------------

HD_FN uint64_t *hd_chunk_word(const hd_segments_state *s, const hd_long *l, int64_t chunk)
{
    return s->word + (l->begin / HD_ITEMS + chunk) * HD_NODE_WORDS;
}

// Warp 0 has the node of chunk c. The youngest of 32 siblings makes the node above them, which goes on in its place.
HD_FN void hd_hand_up(const hd_segments_state *s, const hd_long *l, int64_t c, hd_node n)
{
    int64_t step = 1;
#pragma unroll 1
    for (int64_t at = c; (at & 31) == 31; at >>= 5) {
        const hd_node elder = hd_await(hd_chunk_word(s, l, c - (31 - hd_lane()) * step),
                                       hd_lane() < 31, n, l->launch, s->fault);
        n = hd_warp_node(hd_lane() < 31 ? elder : n);
        step *= 32;
    }
    hd_publish(hd_chunk_word(s, l, c), n, l->launch);
}

// R of all chunks, at least one.
HD_FN hd_prefix hd_fold_chunks(const hd_segments_state *s, const hd_long *l, int64_t chunks,
                               hd_node filler)
{
    hd_prefix p = hd_empty_prefix(filler);
    int top = 0;
    while (chunks >> (5 * (top + 1)) > 0) top++;
#pragma unroll 1
    for (int k = top; k >= 0; k--) {
        const int64_t count = chunks >> (5 * k);
        const int m = (int)(count & 31);
        const int64_t at = (((count & ~(int64_t)31) + hd_lane() + 1) << (5 * k)) - 1;
        if (m == 0) continue;
        hd_append_lanes(
            &p, hd_await(hd_chunk_word(s, l, at), hd_lane() < m, filler, l->launch, s->fault), m);
    }
    return p;
}

// ---- All of it -----------------------------------------------------------------------------------

HD_FN void hd_clear(hd_shared *s)
{
    const int k = (int)threadIdx.x;
#pragma unroll
    for (int b = 0; b * HD_THREADS < HD_WINDOWS / 2; b++)
        if (b * HD_THREADS + k < HD_WINDOWS / 2) s->words[b * HD_THREADS + k] = 0;
    if (k < HD_CROSSES / 2) s->cross_words[k] = 0;
    if (k == 0) s->has_pieces = s->has_blocks = s->bad = 0;
}

// Offsets of a thread's segments, from its k-th on.
struct hd_bounds {
    int64_t at[HD_BOUNDS];
};

HD_FN void hd_ask_bounds(const hd_view *offsets, const hd_share *p, int k, hd_bounds *bounds)
{
#pragma unroll
    for (int b = 0; b < HD_BOUNDS; b++)
        if (k + b * HD_THREADS < p->segments)
            bounds->at[b] = hd_bound(offsets, p->first + k + b * HD_THREADS);
}

// Puts down where the tile's segments begin; the first bounds are asked for already. One that cannot be is told, and
// lies at the end of all.
HD_FN void hd_put_begins(const hd_view *offsets, const hd_share *p, const hd_stretch *t,
                         hd_bounds *bounds, hd_shared *s, uint32_t *fault)
{
    const int all = p->segments;
    uint16_t *begin = hd_begins(s, all);
    uint32_t high = 0, most = 0;
#pragma unroll 1
    for (int k = (int)threadIdx.x; k < all;) {
#pragma unroll
        for (int b = 0; b < HD_BOUNDS; b++)
            if (k + b * HD_THREADS < all) {
                const uint64_t i = (uint64_t)(bounds->at[b] - t->base);
                const uint32_t low = (uint32_t)i, until = (uint32_t)t->until;
                high |= (uint32_t)(i >> 32);
                most = low > most ? low : most;
                begin[k + b * HD_THREADS] = (uint16_t)(low < until ? low : until);
            }
        k += HD_BOUNDS * HD_THREADS;
        hd_ask_bounds(offsets, p, k, bounds);
    }
    if (high != 0 || most > (uint32_t)t->until) hd_store_relaxed(fault, HD_BAD_OFFSETS);
    if (threadIdx.x == 0) begin[all] = (uint16_t)t->until;
}

// Puts k at a place that is zero, one half of a word.
HD_FN void hd_put_number(uint32_t *words, int place, int k)
{
    const uint32_t x = (uint32_t)k << (place % 2 * 16);
    asm volatile("{ .reg .u64 t; cvta.to.shared.u64 t, %0; red.shared.or.b32 [t], %1; }"
                 :
                 : "l"(words + place / 2), "r"(x)
                 : "memory");
}

// Segments of 16 elements and more are entered for hd_owner and hd_make_blocks. Where offsets are bad, threads may
// meet in a place; what is there is not looked at then.
HD_FN void hd_enter(hd_shared *s, int k, int begin, int end)
{
    hd_put_number(s->words, begin / HD_PIECE, k + 1);
    for (int w = begin / HD_BLOCK + 1; w * HD_BLOCK <= end; w++)
        hd_put_number(s->cross_words, w, k + 1);
    s->has_pieces = 1;
    if (end - begin >= HD_BLOCK) s->has_blocks = 1;
}

// Shorter ones are given at once, one a thread.
HD_FN void hd_give_shorter(const hd_results *r, const hd_share *p, int given, hd_shared *s)
{
    const uint16_t *begins = hd_begins(s, p->segments);
#pragma unroll 1
    for (int k = (int)threadIdx.x; k < p->segments; k += HD_THREADS) {
        const int begin = begins[k], end = begins[k + 1], length = end - begin;
        if (length >= HD_PIECE) {
            hd_enter(s, k, begin, end);
        } else if (length > 0) {
            hd_prefix q = hd_empty_prefix(hd_lift(s->x[hd_memory_space(begin)], 0));
            hd_append_elements(&q, s->x, begin, 0, length);
            if (k < given) hd_give_segment(r, p->first + k, q.node, length);
        } else if (length < 0) {
            hd_store_relaxed(r->state->fault, HD_BAD_OFFSETS);
            s->bad = 1;
        } else if (k < given) {
            hd_give_nothing(r, p->first + k);
        }
    }
    hd_block_barrier();
}

HD_FN void hd_give_slice(const hd_results *r, const hd_shared *s, int64_t segment, int begin,
                         int length)
{
    hd_prefix q = length >= HD_BLOCK ? hd_empty_prefix(s->block[begin / HD_BLOCK])
                                     : hd_empty_prefix(hd_lift(s->x[hd_memory_space(begin)], 0));
    hd_append_slice(&q, s, begin, length, 0);
    hd_give_segment(r, segment, q.node, length);
}

// The others, once their pieces are there.
HD_FN void hd_give_longer(const hd_results *r, const hd_share *p, const uint16_t *begins, int given,
                          const hd_shared *s)
{
#pragma unroll 1
    for (int k = (int)threadIdx.x; k < given; k += HD_THREADS) {
        const int begin = begins[k], length = begins[k + 1] - begin;
        if (length >= HD_PIECE) hd_give_slice(r, s, p->first + k, begin, length);
    }
}

// The node of a chunk of a long segment, which begins in the first places. A warp calls.
HD_FN hd_node hd_chunk_node(const hd_shared *s, int from)
{
    const int each = HD_ITEMS >= HD_BLOCK ? HD_BLOCK : HD_PIECE;
    const hd_node *n = HD_ITEMS >= HD_BLOCK ? s->block : s->piece + from / HD_PIECE;
    hd_prefix q = hd_empty_prefix(*n);
    hd_append_nodes(&q, n, HD_ITEMS / each);
    return q.node;
}

// Brings a slice alone, or where `segments` is not null those of a tile.
HD_FN void hd_bring(const hd_inputs *in, const hd_stretch *t, hd_shared *s, const hd_share *p,
                    const hd_view *segments, uint32_t *fault)
{
    int run = (int)threadIdx.x;
    hd_batch batch;
    hd_bounds bounds;
    hd_element loose;
    if (segments != 0) hd_ask_bounds(segments, p, run, &bounds);
    hd_fetch(in, t, run, &batch);
    const int place = hd_loose_place(t);
    if (place >= 0) loose = hd_item(in, t->base + place);
    if (segments != 0) {
        hd_clear(s);
        hd_put_begins(segments, p, t, &bounds, s, fault);
    }
#pragma unroll 1
    for (;;) {
        hd_store(t, run, &batch, s->x);
        run += HD_BATCH * HD_THREADS;
        if (run >= t->runs) break;
        hd_fetch(in, t, run, &batch);
    }
    if (place >= 0) s->x[hd_memory_space(place)] = loose;
    hd_block_barrier();
}

// A chunk, or a segment of as many elements, needs no shared memory for them: a warp reads a block's row by row, and
// rows are turned into lanes.
#define HD_READS_BLOCKS (HD_DIRECT && HD_ITEMS >= HD_BLOCK)

// The nodes of HD_BLOCK elements from `at` on, HD_K or one a lane in each row.
HD_FN hd_node hd_block_of_runs(const hd_inputs *in, int64_t at, int64_t index)
{
    const int rows = HD_BLOCK / (HD_WARP * HD_K);
    hd_element e[rows][HD_K];
    hd_node t[rows];
#pragma unroll
    for (int r = 0; r < rows; r++) hd_items(in, at + (r * HD_WARP + hd_lane()) * HD_K, e[r]);
#pragma unroll
    for (int r = 0; r < rows; r++) {
        hd_node x[HD_K];
#pragma unroll
        for (int j = 0; j < HD_K; j++)
            x[j] = hd_lift(e[r][j], index + (r * HD_WARP + hd_lane()) * HD_K + j);
#pragma unroll
        for (int d = 1; d < HD_K; d *= 2)
#pragma unroll
            for (int j = 0; j < HD_K; j += 2 * d) x[j] = hd_combine(x[j], x[j + d]);
        t[r] = x[0];
    }
    hd_node n = hd_turn_rows(t, rows, 1);
#pragma unroll
    for (int d = rows; d < HD_WARP; d *= 2) n = hd_up(n, d);
#pragma unroll
    for (int d = 1; d < rows; d *= 2) n = hd_up(n, d);
    return n;
}

HD_FN hd_node hd_block_of_ones(const hd_inputs *in, int64_t at, int64_t index)
{
    const int rows = HD_BLOCK / HD_WARP;
    hd_node t[rows];
#pragma unroll
    for (int r = 0; r < rows; r++) {
        const int i = r * HD_WARP + hd_lane();
        t[r] = hd_lift(hd_item(in, at + i), index + i);
    }
    hd_node n = hd_up(hd_turn_rows(t, rows, 1), rows);
#pragma unroll
    for (int d = 1; d < rows; d *= 2) n = hd_up(n, d);
    return n;
}

HD_FN void hd_read_blocks(const hd_inputs *in, int64_t from, int64_t index, hd_shared *s)
{
#pragma unroll 1
    for (int b = (int)threadIdx.x / HD_WARP; b < HD_ITEMS / HD_BLOCK; b += HD_WARPS) {
        const int64_t at = from + b * HD_BLOCK, i = index + b * HD_BLOCK;
        const hd_node n = HD_K > 1 && HD_K <= HD_BLOCK / HD_WARP && (from & (HD_K - 1)) == 0
                              ? hd_block_of_runs(in, at, i)
                              : hd_block_of_ones(in, at, i);
        if (hd_lane() == 0) s->block[b] = n;
    }
    hd_block_barrier();
}

// This block has the last chunk of a long segment, warp 0 its node: what is left of it, and its result.
HD_FN void hd_end_segment(const hd_inputs *in, const hd_results *r, const hd_long *l,
                          int64_t segment, hd_node n, hd_shared *s)
{
    const int64_t length = l->end - l->begin, chunks = length / HD_ITEMS, done = chunks * HD_ITEMS;
    const hd_stretch t = hd_stretch_of(l->begin + done, (int)(length - done));
    hd_bring(in, &t, s, 0, 0, 0);
    hd_make_alone(s, &t, done);
    if (threadIdx.x >= HD_WARP) return;
    hd_hand_up(r->state, l, chunks - 1, n);
    hd_prefix q = hd_fold_chunks(r->state, l, chunks, n);
    if (t.until > t.from) hd_append_slice(&q, s, t.from, t.until - t.from, done);
    if (hd_lane() == 0 && segment < r->how->room) hd_give_segment(r, segment, q.node, length);
}

// The segments of a share, none of them long, as far as there is room for results.
HD_FN void hd_give_segments(const hd_results *r, const hd_share *p, int until, hd_shared *s)
{
    const int64_t room = r->how->room - p->first;
    const int given = room < p->segments ? (int)room : p->segments;
    hd_give_shorter(r, p, given, s);
    if (!s->has_pieces || s->bad) return;
    const uint16_t *begins = hd_begins(s, p->segments);
    hd_make_pieces(s, begins, until);
    if (s->has_blocks) hd_make_blocks(s, begins, until);
    hd_give_longer(r, p, begins, given, s);
}

extern "C" __global__ void __launch_bounds__(HD_THREADS, HD_BLOCKS)
    reduce_segments(const __grid_constant__ hd_inputs in,
                    const __grid_constant__ hd_segments_how how,
                    const __grid_constant__ hd_view offsets,
                    const __grid_constant__ hd_segments_state state, hd_node init,
                    const __grid_constant__ hd_empty empty, const __grid_constant__ hd_targets to)
{
    hd_begin();
    __shared__ hd_shared s;
    const hd_part *part = state.part + blockIdx.x;
    hd_share p = hd_read_share(part);
    const hd_results r = {&to, &how, &state, &empty, init};
    if (blockIdx.x == 0 && threadIdx.x == 0) hd_store_relaxed(state.clock + 2, part->longer.launch);
    if (p.segments < 0) {
        if (threadIdx.x == 0) hd_store_relaxed(state.fault, HD_BAD_OFFSETS);
        return;
    }
    bool alone = p.segments <= 1 && p.length >= HD_PIECE;
    hd_stretch t;
    if (!alone) {
        // A long segment, or one for which there is too little shared memory, comes after the others, alone.
        const bool is_long = p.is_long != 0;
        const int taken = p.length + (HD_ROWS == 2 ? 0 : p.segments);
        alone = p.segments > 1 && (is_long || taken > HD_ROOM);
        if (alone) {
            p.segments--;
            p.is_long = 0;
            p.length = (int)(part->longer.begin - p.from);
        }
        t = hd_stretch_of(p.from, p.length);
        hd_bring(&in, &t, &s, &p, &offsets, state.fault);
        hd_give_segments(&r, &p, t.until, &s);
        if (s.bad) return;
        if (alone) {
            p.first += p.segments;
            p.segments = 1;
            p.is_long = is_long;
            p.from += p.length;
            p.length = is_long ? HD_ITEMS : (int)(part->longer.end - p.from);
            hd_block_barrier();
        }
    }
    if (alone) {
        t = hd_stretch_of(p.from, p.length);
        const int64_t index = p.is_long ? p.from - part->longer.begin : 0;
        if (HD_READS_BLOCKS && p.length == HD_ITEMS) {
            hd_read_blocks(&in, p.from, index, &s);
        } else {
            hd_bring(&in, &t, &s, 0, 0, 0);
            hd_make_alone(&s, &t, index);
        }
        if (!p.is_long && threadIdx.x == 0 && p.first < how.room)
            hd_give_slice(&r, &s, p.first, t.from, p.length);
    }
    if (!p.is_long) return;
    const hd_long l = part->longer;
    const int64_t chunk = p.segments > 0 ? 0 : (p.from - l.begin) / HD_ITEMS;
    const bool last = chunk == (l.end - l.begin) / HD_ITEMS - 1;
    hd_node n;
    if (threadIdx.x < HD_WARP) n = hd_chunk_node(&s, t.from);
    if (threadIdx.x < HD_WARP && !last) hd_hand_up(&state, &l, chunk, n);
    if (!last) return;
    hd_end_segment(&in, &r, &l, p.first + (p.segments > 0 ? p.segments - 1 : 0), n, &s);
}
