// SPDX-License-Identifier: Apache-2.0
//
// Segments of a tile in shared memory, for reduce_segments: where they begin, and nodes of their parts. Those of 16
// elements and more are cut into pieces of 16, these into blocks of 32 pieces. A piece that begins in places
// 16u .. 16u + 15 is the only one to do so: u is the place of its node, and of the segment's number where it begins.
// Blocks of pieces likewise.
#define HD_PIECE   16
#define HD_BLOCK   (32 * HD_PIECE)
#define HD_WARPS   (HD_THREADS / HD_WARP)
#define HD_WINDOWS ((HD_ROOM / HD_PIECE + 64) / 64 * 64)

// Elements, and from the end of them backward where each segment begins, as a place; one before the first, and
// behind the last a warp's that begin at the end of all. Segments and elements are no more than HD_ROOM together, so
// that they never meet, if an element has two bytes; where tiles are of elements alone (HD_ROWS is 2), there may be as
// many segments besides.
#define HD_BESIDE                                                                                  \
    (8 + 2 * HD_WARP + (HD_ROWS == 2 ? 2 * HD_ITEMS : sizeof(hd_element) == 1 ? HD_ITEMS : 0))
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
    // 1 + the last segment that begins in 16 places, of those that are entered; 0: none.
    uint32_t starts[HD_WINDOWS];
};

// Where segment k begins, k from -1 on; the next is before it.
HD_FN uint16_t *hd_begin_of(hd_shared *s, int k)
{
    return (uint16_t *)s->x + (HD_BEGINS - 2) - k;
}

HD_FN void hd_clear(hd_shared *s)
{
    const int k = (int)threadIdx.x;
#pragma unroll
    for (int b = 0; b * HD_THREADS < HD_WINDOWS; b++)
        if (b * HD_THREADS + k < HD_WINDOWS) s->starts[b * HD_THREADS + k] = 0;
    if (k == 0) s->has_pieces = s->has_blocks = s->bad = 0;
}

// Segments of 16 elements and more have to be entered for hd_make_pieces; others may be.
HD_FN void hd_enter(hd_shared *s, int k, uint32_t begin)
{
    asm volatile("{ .reg .u64 t; cvta.to.shared.u64 t, %0; red.shared.max.u32 [t], %1; }"
                 :
                 : "l"(s->starts + begin / HD_PIECE), "r"(k + 1)
                 : "memory");
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

HD_FN void hd_append_nodes(hd_prefix *p, const hd_node *n, uint32_t m)
{
    if (m >= 4) {
        if (m & 16) hd_append(p, hd_combine(hd_nodes_8(n), hd_nodes_8(n + 8))), n += 16;
        if (m & 8) hd_append(p, hd_nodes_8(n)), n += 8;
        if (m & 4) hd_append(p, hd_nodes_4(n)), n += 4;
    }
    if (m & 2) hd_append(p, hd_nodes_2(n)), n += 2;
    if (m & 1) hd_append(p, n[0]);
}

// Appends R of the whole pieces of a slice: blocks of them, and what is left.
HD_FN void hd_append_pieces(hd_prefix *p, const hd_shared *s, uint32_t begin, uint32_t length)
{
    const uint32_t blocks = length / HD_BLOCK, pieces = length % HD_BLOCK / HD_PIECE;
    const uint32_t at = begin + blocks * HD_BLOCK;
    if (blocks > 0) hd_append_nodes(p, s->block + begin / HD_BLOCK, blocks);
    hd_append_nodes(p, s->piece + at / HD_PIECE, pieces);
}

// Appends R of a slice that begins at place 0, and in its segment at `index`: behind its pieces no gap is met.
HD_FN void hd_append_slice(hd_prefix *p, const hd_shared *s, int length, int64_t index)
{
    const int whole = length & -HD_PIECE;
    hd_append_pieces(p, s, 0, (uint32_t)length);
    hd_append_together(p, hd_near_of(s->x, whole), index + whole, length - whole);
}

// ---- Pieces --------------------------------------------------------------------------------------

// Segments by their number + 1, 0 is none. The owner of places 16u .. 16u + 15 is the last that is entered and begins
// there or before: if a piece begins there, it is the owner's.

HD_FN int hd_highest(uint32_t lanes)
{
    int lane;
    asm("bfind.u32 %0, %1;" : "=r"(lane) : "r"(lanes));
    return lane;
}

// The owner of u - 1, u a multiple of 32. All lanes call.
HD_FN uint32_t hd_owner_before(const hd_shared *s, uint32_t u)
{
    for (; u > 0; u -= HD_WARP) {
        const uint32_t own = s->starts[u - HD_WARP + hd_lane()], lanes = hd_ballot(own != 0);
        if (lanes != 0) return hd_word_from(own, hd_highest(lanes));
    }
    return 0;
}

struct hd_owners {
    uint32_t even, odd; // of 2v, 2v + 1
};

// All lanes call, each with the next v, the first with a multiple of 32.
HD_FN hd_owners hd_owners_of(const hd_shared *s, uint32_t v)
{
    const uint32_t low = s->starts[2 * v], high = s->starts[2 * v + 1],
                   own = low > high ? low : high;
    const uint32_t all = hd_ballot(own != 0), lanes = all & ((1u << hd_lane()) - 1);
    uint32_t before = hd_word_from(own, hd_highest(lanes));
    if (lanes == 0) before = 0;
    if (!hd_all(low > 0 | before > 0)) {
        const uint32_t first = hd_owner_before(s, 2 * (v & -HD_WARP));
        before = before > first ? before : first;
    }
    hd_owners o;
    o.even = low > before ? low : before;
    o.odd = high > o.even ? high : o.even;
    return o;
}

struct hd_cut {
    int at, index; // a piece's place, and in its segment
    bool whole;    // it is one
    bool has_blocks;
};

// The piece that begins in places 16u .. 16u + 15, if one does: pieces of a segment begin at the same place of each 16.
// Where there is no owner a segment without elements is.
HD_FN hd_cut hd_cut_of(hd_shared *s, uint32_t u, uint32_t owner)
{
    const uint16_t *begins = hd_begin_of(s, (int)owner - 1);
    const uint32_t begin = begins[0], end = begins[-1], at = u * HD_PIECE | begin % HD_PIECE;
    const hd_cut c = {(int)at, (int)(at - begin), at + HD_PIECE <= end, end >= begin + HD_BLOCK};
    return c;
}

// Of the segments that are 16 or longer. A thread has two pieces, of which only the second can meet a gap.
HD_FN void hd_make_pieces(hd_shared *s, int until)
{
#pragma unroll 1
    for (uint32_t v = threadIdx.x; (int)(v & -HD_WARP) * HD_GROUP < until - (HD_PIECE - 1);
         v += HD_THREADS) {
        const hd_owners o = hd_owners_of(s, v);
        const hd_cut p = hd_cut_of(s, 2 * v, o.even);
        if (p.whole) {
            s->piece[2 * v] = hd_tree_16(hd_together(hd_near_of(s->x, p.at)), p.index);
            if (p.has_blocks) s->has_blocks = 1;
        }
        const hd_cut q = hd_cut_of(s, 2 * v + 1, o.odd);
        const hd_near x = hd_near_of(s->x, q.at);
        if (hd_all(!q.whole | (q.at % HD_PIECE == 0))) {
            if (q.whole) s->piece[2 * v + 1] = hd_tree_16(hd_together(x), q.index);
        } else if (q.whole) {
            s->piece[2 * v + 1] = hd_tree_16(x, q.index);
        }
    }
    hd_block_barrier();
}

// Of a slice alone, a segment, a chunk, or the rest of one, which begins at place 0: a warp has 32 pieces at once,
// and makes their block. `index`: of its first element in the segment.
HD_FN void hd_make_alone(hd_shared *s, int length, int64_t index)
{
    const int pieces = length / HD_PIECE;
#pragma unroll 1
    for (int u = (int)threadIdx.x; (u & -HD_WARP) < pieces; u += HD_THREADS) {
        hd_node n;
        if (u < pieces)
            n = hd_tree_16(hd_together(hd_near_of(s->x, u * HD_PIECE)), index + u * HD_PIECE);
        if ((u & -HD_WARP) + HD_WARP <= pieces) {
            n = hd_warp_node(n);
            if (hd_lane() == 0) s->block[u / HD_WARP] = n;
        } else if (u < pieces) {
            s->piece[u] = n;
        }
    }
    hd_block_barrier();
}

// Of many segments: the block that begins in places 512v .. 512v + 511 is of the segment that goes on behind.
HD_FN void hd_make_blocks(hd_shared *s, int until)
{
    for (int v = (int)threadIdx.x / HD_WARP; (v + 1) * HD_BLOCK <= until; v += HD_WARPS) {
        const uint16_t *begins =
            hd_begin_of(s, (int)hd_owner_before(s, (uint32_t)(v + 1) * HD_WARP) - 1);
        const int begin = begins[0];
        const int at = v * HD_BLOCK | (begin & (HD_BLOCK - 1));
        if (at + HD_BLOCK > begins[-1]) continue;
        const hd_node n = hd_warp_node(s->piece[at / HD_PIECE + hd_lane()]);
        if (hd_lane() == 0) s->block[v] = n;
    }
    hd_block_barrier();
}
