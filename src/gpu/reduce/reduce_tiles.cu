// SPDX-License-Identifier: Apache-2.0
//
// reduce_tiles: R(n) in one launch. A block makes the node of its tile, an aligned power of two of chunks, and leaves
// it for the last block (words.cuh), which folds all of them, largest first: the nodes of the tiles, of small tiles,
// a chunk a warp each, and those of the elements after the last of them. Where there are many tiles, the youngest of
// 32 siblings makes the node above them, and so on up.
#include "device/kernel.cuh"
#include "device/chunk.cuh"
#include "device/words.cuh"

#define HD_WARPS (HD_THREADS / HD_WARP)

struct hd_reduce_state {
    uint64_t *word;  // of the tiles' nodes, then of every 32 tiles', ...
    uint64_t *small; // of the small tiles', fewer than 32
    hd_node *rest;   // nodes after the last small tile, largest first
    uint32_t *rest_count;
    uint32_t *clock; // see scan_blocks.cuh
};

struct hd_reduce_how {
    int64_t n, tiles, small;
    int64_t index;  // of element 0, for arg operators
    int64_t chunks; // a warp in a tile: a power of two, at most HD_MOST_CHUNKS
    int64_t few;    // tiles, at most 1024: fewer go to the last block at once
};

// Adds a lane's small integers, four or two in one instruction where they fill words.
HD_FN hd_short hd_add_small(hd_short sum, const hd_element *e)
{
    const int each = sizeof(hd_element) < 4 ? 4 / sizeof(hd_element) : 1, words = HD_K / each;
    const bool is_signed = (hd_short)-1 < 0;
    if (words * each != HD_K) {
#pragma unroll
        for (int j = 0; j < HD_K; j++) sum += hd_short_of(e[j]);
        return sum;
    }
    union {
        hd_element e[HD_K];
        uint32_t w[words > 0 ? words : 1];
    } u;
#pragma unroll
    for (int j = 0; j < HD_K; j++) u.e[j] = e[j];
#pragma unroll
    for (int k = 0; k < words; k++)
        if (each == 4 && is_signed)
            asm("dp4a.s32.s32 %0, %1, %2, %0;" : "+r"(sum) : "r"(u.w[k]), "r"(0x01010101));
        else if (each == 4)
            asm("dp4a.u32.u32 %0, %1, %2, %0;" : "+r"(sum) : "r"(u.w[k]), "r"(0x01010101));
        else if (is_signed)
            asm("dp2a.lo.s32.s32 %0, %1, %2, %0;" : "+r"(sum) : "r"(u.w[k]), "r"(0x0101));
        else
            asm("dp2a.lo.u32.u32 %0, %1, %2, %0;" : "+r"(sum) : "r"(u.w[k]), "r"(0x0101));
    return sum;
}

// ---- A tile --------------------------------------------------------------------------------------

// Where any grouping gives the same bits, every lane folds what it reads. Small integers: no sum of a chunk leaves
// 32 bits.
HD_FN hd_node hd_fold_chunk(hd_element e[HD_ROWS][HD_K], int64_t index)
{
    if (HD_SHORT) {
        hd_short rows = 0;
#pragma unroll
        for (int r = 0; r < HD_ROWS; r++) rows = hd_add_small(rows, e[r]);
        return hd_node_of_short(rows);
    }
    hd_node rows = hd_lane_node(e[0], index, 0);
#pragma unroll
    for (int r = 1; r < HD_ROWS; r++)
        rows = hd_combine(rows, hd_lane_node(e[r], index + r * HD_ROW, 0));
    return rows;
}

// Puts the node of each warp's chunks into shared memory.
HD_FN void hd_warp_sums(const hd_inputs *in, int64_t begin, int chunks, int64_t index,
                        hd_node *shared)
{
    const int warp = (int)threadIdx.x / HD_WARP;
    hd_node sum = hd_identity();
#pragma unroll 1
    for (int c = warp; c < chunks; c += HD_WARPS) {
        hd_element e[HD_ROWS][HD_K];
        const int64_t first = hd_opaque(begin + (int64_t)c * HD_CHUNK);
        hd_read_chunk(in, first, e);
        sum = hd_combine(sum, hd_fold_chunk(e, index + first + hd_lane() * HD_K));
    }
#pragma unroll
    for (int d = 1; d < HD_WARP; d *= 2) sum = hd_combine(sum, hd_from_xor(sum, d));
    if (hd_lane() == 0) shared[warp] = sum;
}

// Puts the nodes of a block's chunks into shared memory, its warps taking turns: all of them read what lies
// together.
HD_FN void hd_chunk_nodes(const hd_inputs *in, int64_t begin, int chunks, int64_t index,
                          hd_node *shared)
{
#pragma unroll 1
    for (int c = (int)threadIdx.x / HD_WARP; c < chunks; c += HD_WARPS) {
        hd_element e[HD_ROWS][HD_K];
        const int64_t first = hd_opaque(begin + (int64_t)c * HD_CHUNK);
        hd_read_chunk(in, first, e);
        const hd_node n = hd_over_rows(hd_row_nodes(e, first, index));
        if (hd_lane() == 0) shared[c] = n;
    }
}

// Either; gives how many nodes there are.
HD_FN int hd_block_chunks(const hd_inputs *in, int64_t begin, int chunks, int64_t index,
                          hd_node *shared)
{
    if (HD_FREE)
        hd_warp_sums(in, begin, chunks, index, shared);
    else
        hd_chunk_nodes(in, begin, chunks, index, shared);
    return HD_FREE ? HD_WARPS : chunks;
}

// The node over m nodes in shared memory, a power of two. One warp.
HD_FN hd_node hd_over_shared(hd_node *shared, int m)
{
#pragma unroll 1
    for (; m > HD_WARP; m /= 2)
#pragma unroll 1
        for (int i = hd_lane(); i < m / 2; i += HD_WARP) {
            const hd_node n = hd_combine(shared[2 * i], shared[2 * i + 1]);
            hd_warp_barrier();
            shared[i] = n;
            hd_warp_barrier();
        }
    hd_node n = shared[hd_lane() & (m - 1)];
#pragma unroll 1
    for (int d = 1; d < m; d *= 2) n = hd_up(n, d);
    return n;
}

// ---- What is left after the tiles ----------------------------------------------------------------

struct hd_rest {
    hd_node *node;
    int count;
};

HD_FN void hd_put_lanes(hd_rest *rest, hd_node n, int m)
{
#pragma unroll 1
    for (int k = 0; k < 5; k++) {
        // Counted from the largest: how many are set above bit k.
        if ((m >> k & 1) && hd_lane() == (m >> (k + 1) << (k + 1)))
            rest->node[rest->count + hd_popc(m >> (k + 1))] = n;
        n = hd_up(n, 1 << k);
    }
    rest->count += hd_popc(m);
}

// Where what is left after the chunks from `first` on begins.
HD_FN int64_t hd_after_chunks(int64_t first, int64_t n)
{
    return first + (n - first) / HD_CHUNK * HD_CHUNK;
}

// Nodes of its rows. Each warp has rows of its own, the first one as few as can be, for it has what is left after
// them: one after another they would keep everyone waiting.
HD_FN void hd_rest_rows(const hd_inputs *in, int64_t first, const hd_reduce_how *how,
                        hd_node *of_row)
{
    first = hd_after_chunks(first, how->n);
    const int rows = (int)(how->n - first) / HD_ROW;
#pragma unroll 1
    for (int r = HD_WARPS - 1 - (int)threadIdx.x / HD_WARP; r < rows; r += HD_WARPS) {
        const int64_t at = first + r * HD_ROW + hd_lane() * HD_K;
        hd_element e[HD_K];
        hd_items(in, at, e);
        const hd_node n = hd_warp_node(hd_lane_node(e, how->index + at, 0));
        if (hd_lane() == 0) of_row[r] = n;
    }
}

// Nodes of lanes' runs after the last row, and of elements.
struct hd_ends {
    hd_node filler, run, one;
    int chunks, rows, runs, ones;
};

HD_FN hd_ends hd_rest_ends(const hd_inputs *in, int64_t first, const hd_reduce_how *how)
{
    hd_ends x;
    x.chunks = (int)((how->n - first) / HD_CHUNK);
    const int64_t row = hd_after_chunks(first, how->n);
    const int left = (int)(how->n - row);
    x.rows = left / HD_ROW;
    x.runs = left % HD_ROW / HD_K;
    x.ones = left % HD_K;
    const int64_t at = row + x.rows * HD_ROW + hd_lane() * HD_K, end = how->n - x.ones + hd_lane();
    x.filler = hd_lift(hd_item(in, first), how->index + first);
    x.run = x.one = x.filler;
    if (hd_lane() < x.runs) {
        hd_element e[HD_K];
        hd_items(in, at, e);
        x.run = hd_lane_node(e, how->index + at, 0);
    }
    if (hd_lane() < x.ones) x.one = hd_lift(hd_item(in, end), how->index + end);
    return x;
}

// Nodes of what is left: of fewer than HD_WARPS chunks and of rows, which are in shared memory, then of lanes'
// runs in the row after them, and of elements. One warp. Loops that are not unrolled keep this short: it is compiled
// with every kernel, and runs once.
HD_FN void hd_put_rest(const hd_ends *x, hd_reduce_state *s, const hd_node *shared,
                       const hd_node *of_row)
{
    hd_rest rest = {s->rest, 0};
#pragma unroll 1
    for (int kind = 0; kind < 4; kind++) {
        const int m = kind == 0 ? x->chunks : kind == 1 ? x->rows : kind == 2 ? x->runs : x->ones;
        if (m == 0) continue;
        hd_node n = kind == 2 ? x->run : x->one;
        if (kind < 2) n = (kind == 0 ? shared : of_row)[hd_lane() < m ? hd_lane() : 0];
        hd_put_lanes(&rest, n, m);
    }
    if (hd_lane() == 0) *s->rest_count = (uint32_t)rest.count;
    hd_warp_barrier();
}

// ---- Above the tiles -----------------------------------------------------------------------------

// Where the nodes of level k begin.
HD_FN uint64_t *hd_level(const hd_reduce_state *s, int64_t tiles, int k)
{
    int64_t at = 0;
#pragma unroll 1
    for (int j = 0; j < k; j++) at += tiles >> 5 * j;
    return s->word + at * HD_NODE_WORDS;
}

// Warp 0 has the node of a tile.
HD_FN void hd_hand_up(const hd_reduce_state *s, const hd_reduce_how *how, int64_t tile, hd_node n,
                      uint32_t launch)
{
    const int64_t tiles = how->tiles;
    hd_publish(s->word + tile * HD_NODE_WORDS, n, launch);
    if (tiles < how->few) return;
#pragma unroll 1
    for (int k = 0; (tile & 31) == 31; k++) {
        const uint64_t *word = hd_level(s, tiles, k) + (tile - 31 + hd_lane()) * HD_NODE_WORDS;
        n = hd_warp_node(hd_await(word, hd_lane() < 31, n, launch, 0));
        tile >>= 5;
        hd_publish(hd_level(s, tiles, k + 1) + tile * HD_NODE_WORDS, n, launch);
    }
}

// Of few tiles: the nodes over every 32, in the lanes of their numbers.
HD_FN hd_node hd_over_groups(const hd_reduce_state *s, int groups, hd_node filler, uint32_t launch)
{
    hd_node above = filler;
#pragma unroll 1
    for (int base = 0; base < groups; base += HD_ROWS) {
        hd_node t[HD_ROWS];
        uint32_t here;
        do {
            here = 1;
#pragma unroll
            for (int r = 0; r < HD_ROWS; r++) {
                const int g = base + r < groups ? base + r : groups - 1;
                const uint64_t *word = s->word + (g * HD_WARP + hd_lane()) * HD_NODE_WORDS;
                hd_words x = hd_words_of(filler);
#pragma unroll
                for (int k = 0; k < HD_NODE_WORDS; k++) {
                    const uint64_t w = hd_load_relaxed_64(word + k);
                    x.w[k] = (uint32_t)w;
                    here &= (uint32_t)(w >> 32) == launch;
                }
                t[r] = x.node;
            }
        } while (!hd_all(here));
        const hd_node n = hd_rows_up(hd_turn_rows(t, HD_ROWS, 1));
        if (hd_lane() / HD_ROWS == base / HD_ROWS) above = n;
    }
    return above;
}

// R(n): the nodes that stand at each level after the last 32, highest level first; then the small tiles' and the
// rest. Warp 0 of the last block waits for them.
HD_FN hd_prefix hd_fold_up(const hd_reduce_state *s, const hd_reduce_how *how, int rest,
                           hd_node filler, uint32_t launch)
{
    hd_prefix p = hd_empty_prefix(filler);
    int top = 0;
#pragma unroll 1
    while (how->tiles >> 5 * (top + 1) > 0) top++;
#pragma unroll 1
    for (int k = top; k >= -1; k--) {
        const int64_t count = k >= 0 ? how->tiles >> 5 * k : how->small;
        const uint64_t *level = k >= 0 ? hd_level(s, how->tiles, k) : s->small;
        const int m = (int)(count & 31);
        if (m == 0) continue;
        hd_node n;
        if (k == 1 && how->tiles < how->few)
            n = hd_over_groups(s, m, filler, launch);
        else
            n = hd_await(level + ((count & ~(int64_t)31) + hd_lane()) * HD_NODE_WORDS,
                         hd_lane() < m, filler, launch, 0);
        hd_append_lanes(&p, n, m);
    }
#pragma unroll 1
    for (int k = 0; k < rest; k++) hd_append(&p, s->rest[k]);
    return p;
}

extern "C" __global__ void __launch_bounds__(HD_THREADS)
    reduce_tiles(const __grid_constant__ hd_inputs in, const __grid_constant__ hd_reduce_how how,
                 hd_reduce_state state, hd_node init, const __grid_constant__ hd_view out,
                 const __grid_constant__ hd_view values)
{
    hd_begin();
    __shared__ hd_node shared[HD_WARPS * HD_MOST_CHUNKS], of_row[HD_ROWS];
    const int64_t tile = blockIdx.x, small = tile - how.tiles; // below 0: a large one
    const bool is_rest = small == how.small;
    int64_t begin = tile * how.chunks * HD_WARPS * HD_CHUNK;
    int chunks = (int)how.chunks * HD_WARPS;
    if (small >= 0) {
        begin = (how.tiles * how.chunks + small) * HD_WARPS * HD_CHUNK;
        chunks = is_rest ? (int)((how.n - begin) / HD_CHUNK) : HD_WARPS;
    }
    uint32_t launch = 0;
    if (threadIdx.x < HD_WARP) launch = hd_load_relaxed(state.clock + 2) + 1;
    const int nodes = hd_block_chunks(&in, begin, chunks, how.index, shared);
    hd_ends ends;
    if (is_rest) hd_rest_rows(&in, begin, &how, of_row);
    if (is_rest && threadIdx.x < HD_WARP) ends = hd_rest_ends(&in, begin, &how);
    hd_block_barrier();
    if (threadIdx.x >= HD_WARP) return;
    hd_node n;
    if (is_rest) {
        hd_put_rest(&ends, &state, shared, of_row);
        n = ends.filler;
    } else {
        n = hd_over_shared(shared, nodes);
        if (small < 0)
            hd_hand_up(&state, &how, tile, n, launch);
        else
            hd_publish(state.small + small * HD_NODE_WORDS, n, launch);
    }
    if (tile != gridDim.x - 1) return;
    const hd_prefix p = hd_fold_up(&state, &how, is_rest ? (int)*state.rest_count : 0, n, launch);
    if (hd_lane() != 0) return;
    hd_store_relaxed(state.clock + 2, launch); // all blocks have read it
    hd_give(&out, &values, 0, HD_HAS_INIT ? hd_combine(init, p.node) : p.node, how.n);
}
