// SPDX-License-Identifier: Apache-2.0
//
// reduce_segments: each segment is a tree of its own from its first element on. A block takes a tile of the
// segments and elements together (parts.cu), and of these the segments that begin there, whole, if they have
// at most HD_ITEMS elements. Longer ones are cut into chunks of HD_ITEMS elements from their first on; a
// block takes the chunk that begins among its elements, if one does, and leaves its node for others (words.h): of 32
// siblings the youngest waits for the others and makes the node above; who has the last chunk folds the nodes and
// what is left of the segment.
//
// Elements go through shared memory (places.h). A segment of fewer than 16 is a thread's. Others are cut again:
// into pieces of 16, two a thread, these into blocks of 32 pieces, one warp each; a thread folds the nodes of
// a segment (segment_pieces.h).
#define HD_BOUNDS 3 // that a thread reads at once
#define HD_SHORT  8 // the mean length below which most segments are shorter than a piece

struct hd_segments_how {
    int64_t n, room;   // room: of the outputs
    int64_t has_empty; // whether there is a value for a segment without elements
};

struct hd_targets {
    hd_view out, values;
};

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
#if HD_HAS_INIT
    n = hd_combine(r->init, n);
#endif
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

// ---- Bringing a tile -----------------------------------------------------------------------------

// Where most segments of a tile are shorter than a piece, these are given first, and others entered.
HD_FN bool hd_most_are_shorter(const hd_share *p)
{
    return p->length < HD_SHORT * p->segments;
}

// Says whether the bound cannot be.
HD_FN bool hd_take_bound(int64_t bound, const hd_share *p, int k, bool enters, hd_shared *s)
{
    const uint64_t i = (uint64_t)(bound - p->from), until = (uint64_t)p->length;
    const uint32_t begin = (uint32_t)(i < until ? i : until);
    *hd_begin_of(s, k) = (uint16_t)begin;
    if (enters) hd_enter(s, k, begin);
    return i > until;
}

// Reads where the tile's segments begin, and enters them. One that cannot be is told, and lies at the end of all.
HD_FN void hd_read_begins(const hd_view *offsets, const hd_share *p, hd_shared *s, uint32_t *fault)
{
    const bool enters = !hd_most_are_shorter(p);
    const int all = p->segments;
    uint16_t *begin = hd_begin_of(s, 0);
    bool bad = false;
    if (enters) hd_block_barrier(); // nobody clears any longer
#pragma unroll 1
    for (int k = (int)threadIdx.x; k < all; k += HD_BOUNDS * HD_THREADS) {
        int64_t bound[HD_BOUNDS];
        if (k + (HD_BOUNDS - 1) * HD_THREADS < all) {
#pragma unroll
            for (int b = 0; b < HD_BOUNDS; b++)
                bound[b] = hd_bound(offsets, p->first + k + b * HD_THREADS);
#pragma unroll
            for (int b = 0; b < HD_BOUNDS; b++)
                bad |= hd_take_bound(bound[b], p, k + b * HD_THREADS, enters, s);
        } else {
#pragma unroll
            for (int b = 0; b < HD_BOUNDS - 1 && k + b * HD_THREADS < all; b++)
                bound[b] = hd_bound(offsets, p->first + k + b * HD_THREADS);
#pragma unroll
            for (int b = 0; b < HD_BOUNDS - 1 && k + b * HD_THREADS < all; b++)
                bad |= hd_take_bound(bound[b], p, k + b * HD_THREADS, enters, s);
        }
    }
    if (bad) hd_store_relaxed(fault, HD_BAD_OFFSETS);
    if (threadIdx.x < HD_WARP) begin[-all - (int)threadIdx.x] = (uint16_t)p->length;
    if (threadIdx.x == 0) begin[1] = 0;
}

// Brings a slice alone, or where `segments` is not null those of a tile.
HD_FN void hd_bring(const hd_inputs *in, const hd_stretch *t, hd_shared *s, const hd_share *p,
                    const hd_view *segments, uint32_t *fault)
{
    int run = (int)threadIdx.x;
    hd_batch batch;
    hd_element loose;
    if (segments != 0) hd_clear(s);
    hd_fetch(in, t, run, &batch);
    const int place = hd_loose_place(t);
    if (place >= 0) loose = hd_item(in, t->first + (t->before + place));
    if (segments != 0) hd_read_begins(segments, p, s, fault);
    hd_spots spots = hd_spots_of(t, run, s->x);
#pragma unroll 1
    for (;;) {
        hd_store(t, run, &batch, &spots);
        run += HD_BATCH * HD_THREADS;
        if (run >= t->runs) break;
#pragma unroll
        for (int j = 0; j < HD_K; j++) spots.to[j] += HD_BATCH * HD_STRIDE;
        hd_fetch(in, t, run, &batch);
    }
    if (place >= 0) s->x[hd_place(place)] = loose;
    hd_block_barrier();
}

// ---- Segments of a tile, one a thread ------------------------------------------------------------

struct hd_lies {
    uint32_t begin;
    int length;
};

// Where segment k lies; behind the last are some without elements.
HD_FN hd_lies hd_lies_at(hd_shared *s, int k)
{
    const uint16_t *at = hd_begin_of(s, k);
    const hd_lies l = {at[0], (int)at[-1] - (int)at[0]};
    return l;
}

// Gives R of a segment. All lanes call, those with one to give say so; the elements behind pieces are read in one way
// for all, by places the compiler knows where no lane meets a gap.
HD_FN void hd_give_lane(const hd_results *r, const hd_shared *s, bool mine, hd_lies l,
                        int64_t segment, bool shorter)
{
    const uint32_t length = (uint32_t)l.length, m = shorter ? length : length % HD_PIECE;
    const uint32_t whole = length - m, at = l.begin + whole;
    const bool together = hd_all(!mine | (at % HD_GROUP + m <= HD_GROUP));
    if (!mine) return;
    const hd_near x = hd_near_of(s->x, at);
    hd_prefix q = hd_empty_prefix(hd_lift(s->x[hd_place(l.begin)], 0));
    if (!shorter && whole > 0) hd_append_pieces(&q, s, l.begin, length);
    if (together) {
        if (shorter || m > 0) hd_append_together(&q, x, whole, m);
    } else {
        hd_append_elements(&q, x, whole, m);
    }
    hd_give_segment(r, segment, q.node, l.length);
}

HD_FN void hd_tell_bad(const hd_results *r, hd_shared *s)
{
    hd_store_relaxed(r->state->fault, HD_BAD_OFFSETS);
    s->bad = 1;
}

// Gives segments that are shorter than a piece, and enters the others.
HD_FN void hd_give_shorter(const hd_results *r, const hd_share *p, int given, hd_shared *s)
{
#pragma unroll 1
    for (int k = (int)threadIdx.x; (k & -HD_WARP) < p->segments; k += HD_THREADS) {
        const hd_lies l = hd_lies_at(s, k);
        const bool mine = (uint32_t)(l.length - 1) < HD_PIECE - 1 && k < given;
        if (!mine) {
            if (l.length >= HD_PIECE) hd_enter(s, k, l.begin), s->has_pieces = 1;
            if (l.length < 0) hd_tell_bad(r, s);
            if (l.length == 0 && k < given) hd_give_nothing(r, p->first + k);
        }
        hd_give_lane(r, s, mine, l, p->first + k, true);
    }
    hd_block_barrier();
}

HD_FN void hd_check_lengths(const hd_results *r, const hd_share *p, hd_shared *s)
{
#pragma unroll 1
    for (int k = (int)threadIdx.x; k < p->segments; k += HD_THREADS)
        if (hd_lies_at(s, k).length < 0) hd_tell_bad(r, s);
}

// Gives all segments, or those of 16 elements and more.
HD_FN void hd_give_longer(const hd_results *r, const hd_share *p, int given, bool all, hd_shared *s)
{
    const int least = all ? 1 : HD_PIECE;
#pragma unroll 1
    for (int k = (int)threadIdx.x; (k & -HD_WARP) < given; k += HD_THREADS) {
        const hd_lies l = hd_lies_at(s, k);
        if (all && l.length == 0 && k < given) hd_give_nothing(r, p->first + k);
        hd_give_lane(r, s, l.length >= least && k < given, l, p->first + k, false);
    }
}

// ---- All of it -----------------------------------------------------------------------------------

// This block has the last chunk of a long segment, warp 0 its node: what is left of it, and its result.
HD_FN void hd_end_segment(const hd_inputs *in, const hd_results *r, const hd_long *l,
                          int64_t segment, hd_node n, hd_shared *s)
{
    const int64_t length = l->end - l->begin, chunks = length / HD_ITEMS, done = chunks * HD_ITEMS;
    const hd_stretch t = hd_stretch_of(l->begin + done, (int)(length - done));
    hd_bring(in, &t, s, 0, 0, 0);
    hd_make_alone(s, t.until, done);
    if (threadIdx.x >= HD_WARP) return;
    hd_hand_up(r->state, l, chunks - 1, n);
    hd_prefix q = hd_fold_chunks(r->state, l, chunks, n);
    if (t.until > 0) hd_append_slice(&q, s, t.until, done);
    if (hd_lane() == 0 && segment < r->how->room) hd_give_segment(r, segment, q.node, length);
}

// The segments of a share, none of them long, as far as there is room for results.
HD_FN void hd_give_segments(const hd_results *r, const hd_share *p, hd_shared *s)
{
    const int64_t room = r->how->room - p->first;
    const int given = room < p->segments ? (int)room : p->segments;
    const bool shorter = hd_most_are_shorter(p);
    if (shorter) {
        hd_give_shorter(r, p, given, s);
        if (s->bad || !s->has_pieces) return;
    } else {
        hd_check_lengths(r, p, s);
    }
    hd_make_pieces(s, p->length);
    if (s->bad) return;
    if (s->has_blocks) hd_make_blocks(s, p->length);
    hd_give_longer(r, p, given, !shorter, s);
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
        hd_give_segments(&r, &p, &s);
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
            hd_make_alone(&s, p.length, index);
        }
        if (!p.is_long && threadIdx.x == 0 && p.first < how.room) {
            hd_prefix q = hd_empty_prefix(hd_lift(s.x[hd_place(0)], 0));
            hd_append_slice(&q, &s, p.length, 0);
            hd_give_segment(&r, p.first, q.node, p.length);
        }
    }
    if (!p.is_long) return;
    const hd_long l = part->longer;
    const int64_t chunk = p.segments > 0 ? 0 : (p.from - l.begin) / HD_ITEMS;
    const bool last = chunk == (l.end - l.begin) / HD_ITEMS - 1;
    hd_node n;
    if (threadIdx.x < HD_WARP) n = hd_chunk_node(&s);
    if (threadIdx.x < HD_WARP && !last) hd_hand_up(&state, &l, chunk, n);
    if (!last) return;
    hd_end_segment(&in, &r, &l, p.first + (p.segments > 0 ? p.segments - 1 : 0), n, &s);
}
