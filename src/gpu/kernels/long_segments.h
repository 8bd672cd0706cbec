// SPDX-License-Identifier: Apache-2.0
//
// Segments longer than a tile, for reduce_segments: chunks of HD_ITEMS elements from their first on, whose nodes blocks
// leave for each other (words.h). Of 32 siblings the youngest waits for the others and makes the node above.
struct hd_segments_state {
    const hd_part *part; // of each tile
    uint64_t *word;      // of chunks' nodes: of that which begins at element i at i / HD_ITEMS
    uint32_t *clock;     // see scan_blocks.h
    uint32_t *fault;
};

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

// The node of a chunk of a long segment. A warp calls.
HD_FN hd_node hd_chunk_node(const hd_shared *s)
{
    const int each = HD_ITEMS >= HD_BLOCK ? HD_BLOCK : HD_PIECE;
    const hd_node *n = HD_ITEMS >= HD_BLOCK ? s->block : s->piece;
    hd_prefix q = hd_empty_prefix(*n);
    hd_append_nodes(&q, n, HD_ITEMS / each);
    return q.node;
}

// ---- Chunks in registers -------------------------------------------------------------------------

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
#ifndef HD_IDENTITY
    if (threadIdx.x == 0) s->x[hd_place(0)] = hd_item(in, from); // for hd_empty_prefix
#endif
    hd_block_barrier();
}
