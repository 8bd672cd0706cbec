// SPDX-License-Identifier: Apache-2.0
//
// reduce_tiles: R(n) in one launch. A block makes the node of its tile, an aligned power of two of
// chunks, and leaves it for the last block (words.cuh), which folds all of them, largest first: the
// nodes of the tiles, of small tiles, a chunk a warp each, and those of the elements after the last
// of them. Where there are many tiles, the last tile of 32 publishes the node above them, and so
// on up.
#include "device/kernel.cuh"
#include "device/chunk.cuh"
#include "device/words.cuh"

#define HK_WARPS (HK_THREADS / HK_WARP)

struct hk_reduce_state {
    uint64_t *word;  // of the tiles' nodes, then of every 32 tiles', ...
    uint64_t *small; // of the small tiles', fewer than 32
    hk_node *rest;   // nodes after the last small tile, largest first
    uint32_t *rest_count;
    uint32_t *control; // see scan_lookback.cuh
};

struct hk_reduce_how {
    int64_t n, tiles, small;
    int64_t index;  // of element 0, for arg operators
    int64_t chunks; // a warp in a tile: a power of two, at most HK_MOST_CHUNKS
    int64_t few;    // tiles, at most 1024: fewer go to the last block at once
};

// Adds a lane's small integers, four or two in one instruction where they fill words.
HK_FN hk_short hk_add_small(hk_short sum, const hk_element *e)
{
    const int each = sizeof(hk_element) < 4 ? 4 / sizeof(hk_element) : 1, words = HK_K / each;
    const bool is_signed = (hk_short)-1 < 0;
    if (words * each != HK_K) {
#pragma unroll
        for (int j = 0; j < HK_K; j++) sum += hk_short_of(e[j]);
        return sum;
    }
    union {
        hk_element e[HK_K];
        uint32_t w[words > 0 ? words : 1];
    } u;
#pragma unroll
    for (int j = 0; j < HK_K; j++) u.e[j] = e[j];
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

// ---- A tile -------------------------------------------------------------------------------------

// Where any grouping gives the same bits, every lane folds what it reads. Small integers: no sum of
// a chunk leaves 32 bits.
HK_FN hk_node hk_fold_chunk(hk_element e[HK_ROWS][HK_K], int64_t index)
{
    if (HK_SHORT) {
        hk_short rows = 0;
#pragma unroll
        for (int r = 0; r < HK_ROWS; r++) rows = hk_add_small(rows, e[r]);
        return hk_node_of_short(rows);
    }
    hk_node rows = hk_lane_node(e[0], index, 0);
#pragma unroll
    for (int r = 1; r < HK_ROWS; r++)
        rows = hk_combine(rows, hk_lane_node(e[r], index + r * HK_ROW, 0));
    return rows;
}

// Puts the node of each warp's chunks into shared memory.
HK_FN void hk_warp_sums(const hk_inputs *in, int64_t begin, int chunks, int64_t index,
                        hk_node *shared)
{
    const int warp = (int)threadIdx.x / HK_WARP;
    hk_node sum = hk_identity();
#pragma unroll 1
    for (int c = warp; c < chunks; c += HK_WARPS) {
        hk_element e[HK_ROWS][HK_K];
        const int64_t first = hk_opaque(begin + (int64_t)c * HK_CHUNK);
        hk_read_chunk(in, first, e);
        sum = hk_combine(sum, hk_fold_chunk(e, index + first + hk_lane() * HK_K));
    }
#pragma unroll
    for (int d = 1; d < HK_WARP; d *= 2) sum = hk_combine(sum, hk_from_xor(sum, d));
    if (hk_lane() == 0) shared[warp] = sum;
}

// Puts the nodes of a block's chunks into shared memory, its warps taking turns: all of them read
// what lies together.
HK_FN void hk_chunk_nodes(const hk_inputs *in, int64_t begin, int chunks, int64_t index,
                          hk_node *shared)
{
#pragma unroll 1
    for (int c = (int)threadIdx.x / HK_WARP; c < chunks; c += HK_WARPS) {
        hk_element e[HK_ROWS][HK_K];
        const int64_t first = hk_opaque(begin + (int64_t)c * HK_CHUNK);
        hk_read_chunk(in, first, e);
        const hk_node n = hk_over_rows(hk_row_nodes(e, first, index));
        if (hk_lane() == 0) shared[c] = n;
    }
}

// Either; gives how many nodes there are.
HK_FN int hk_block_chunks(const hk_inputs *in, int64_t begin, int chunks, int64_t index,
                          hk_node *shared)
{
    if (HK_FREE)
        hk_warp_sums(in, begin, chunks, index, shared);
    else
        hk_chunk_nodes(in, begin, chunks, index, shared);
    return HK_FREE ? HK_WARPS : chunks;
}

// The node over m nodes in shared memory, a power of two. One warp.
HK_FN hk_node hk_over_shared(hk_node *shared, int m)
{
#pragma unroll 1
    for (; m > HK_WARP; m /= 2)
#pragma unroll 1
        for (int i = hk_lane(); i < m / 2; i += HK_WARP) {
            const hk_node n = hk_combine(shared[2 * i], shared[2 * i + 1]);
            hk_warp_barrier();
            shared[i] = n;
            hk_warp_barrier();
        }
    hk_node n = shared[hk_lane() & (m - 1)];
#pragma unroll 1
    for (int d = 1; d < m; d *= 2) n = hk_up(n, d);
    return n;
}

// ---- What is left after the tiles ---------------------------------------------------------------

struct hk_rest {
    hk_node *node;
    int count;
};

HK_FN void hk_put_lanes(hk_rest *rest, hk_node n, int m)
{
#pragma unroll 1
    for (int k = 0; k < 5; k++) {
        // Counted from the largest: how many are set above bit k.
        if ((m >> k & 1) && hk_lane() == (m >> (k + 1) << (k + 1)))
            rest->node[rest->count + hk_popc(m >> (k + 1))] = n;
        n = hk_up(n, 1 << k);
    }
    rest->count += hk_popc(m);
}

// Where what is left after the chunks from `first` on begins.
HK_FN int64_t hk_after_chunks(int64_t first, int64_t n)
{
    return first + (n - first) / HK_CHUNK * HK_CHUNK;
}

// Nodes of its rows. Each warp has rows of its own, the first one as few as can be, for it has what
// is left after them: one after another they would keep everyone waiting.
HK_FN void hk_rest_rows(const hk_inputs *in, int64_t first, const hk_reduce_how *how,
                        hk_node *of_row)
{
    first = hk_after_chunks(first, how->n);
    const int rows = (int)(how->n - first) / HK_ROW;
#pragma unroll 1
    for (int r = HK_WARPS - 1 - (int)threadIdx.x / HK_WARP; r < rows; r += HK_WARPS) {
        const int64_t at = first + r * HK_ROW + hk_lane() * HK_K;
        hk_element e[HK_K];
        hk_items(in, at, e);
        const hk_node n = hk_warp_node(hk_lane_node(e, how->index + at, 0));
        if (hk_lane() == 0) of_row[r] = n;
    }
}

// Nodes of lanes' runs after the last row, and of elements.
struct hk_ends {
    hk_node filler, run, one;
    int chunks, rows, runs, ones;
};

HK_FN hk_ends hk_rest_ends(const hk_inputs *in, int64_t first, const hk_reduce_how *how)
{
    hk_ends x;
    x.chunks = (int)((how->n - first) / HK_CHUNK);
    const int64_t row = hk_after_chunks(first, how->n);
    const int left = (int)(how->n - row);
    x.rows = left / HK_ROW;
    x.runs = left % HK_ROW / HK_K;
    x.ones = left % HK_K;
    const int64_t at = row + x.rows * HK_ROW + hk_lane() * HK_K, end = how->n - x.ones + hk_lane();
    x.filler = hk_transform(hk_item(in, first), how->index + first);
    x.run = x.one = x.filler;
    if (hk_lane() < x.runs) {
        hk_element e[HK_K];
        hk_items(in, at, e);
        x.run = hk_lane_node(e, how->index + at, 0);
    }
    if (hk_lane() < x.ones) x.one = hk_transform(hk_item(in, end), how->index + end);
    return x;
}

// Nodes of what is left: of fewer than HK_WARPS chunks and of rows, which are in shared memory,
// then of lanes' runs in the row after them, and of elements. One warp. Loops that are not unrolled
// keep this short: it is compiled with every kernel, and runs once.
HK_FN void hk_put_rest(const hk_ends *x, hk_reduce_state *s, const hk_node *shared,
                       const hk_node *of_row)
{
    hk_rest rest = {s->rest, 0};
#pragma unroll 1
    for (int kind = 0; kind < 4; kind++) {
        const int m = kind == 0 ? x->chunks : kind == 1 ? x->rows : kind == 2 ? x->runs : x->ones;
        if (m == 0) continue;
        hk_node n = kind == 2 ? x->run : x->one;
        if (kind < 2) n = (kind == 0 ? shared : of_row)[hk_lane() < m ? hk_lane() : 0];
        hk_put_lanes(&rest, n, m);
    }
    if (hk_lane() == 0) *s->rest_count = (uint32_t)rest.count;
    hk_warp_barrier();
}

// ---- Above the tiles ----------------------------------------------------------------------------

// Where the nodes of level k begin.
HK_FN uint64_t *hk_level(const hk_reduce_state *s, int64_t tiles, int k)
{
    int64_t at = 0;
#pragma unroll 1
    for (int j = 0; j < k; j++) at += tiles >> 5 * j;
    return s->word + at * HK_NODE_WORDS;
}

// Warp 0 has the node of a tile.
HK_FN void hk_publish_nodes(const hk_reduce_state *s, const hk_reduce_how *how, int64_t tile,
                            hk_node n, uint32_t epoch)
{
    const int64_t tiles = how->tiles;
    hk_publish(s->word + tile * HK_NODE_WORDS, n, epoch);
    if (tiles < how->few) return;
#pragma unroll 1
    for (int k = 0; (tile & 31) == 31; k++) {
        const uint64_t *word = hk_level(s, tiles, k) + (tile - 31 + hk_lane()) * HK_NODE_WORDS;
        n = hk_warp_node(hk_await(word, hk_lane() < 31, n, epoch, 0));
        tile >>= 5;
        hk_publish(hk_level(s, tiles, k + 1) + tile * HK_NODE_WORDS, n, epoch);
    }
}

// Of few tiles: the nodes over every 32, in the lanes of their numbers.
HK_FN hk_node hk_over_groups(const hk_reduce_state *s, int groups, hk_node filler, uint32_t epoch)
{
    hk_node above = filler;
#pragma unroll 1
    for (int base = 0; base < groups; base += HK_ROWS) {
        hk_node t[HK_ROWS];
        uint32_t here;
        do {
            here = 1;
#pragma unroll
            for (int r = 0; r < HK_ROWS; r++) {
                const int g = base + r < groups ? base + r : groups - 1;
                const uint64_t *word = s->word + (g * HK_WARP + hk_lane()) * HK_NODE_WORDS;
                hk_words x = hk_words_of(filler);
#pragma unroll
                for (int k = 0; k < HK_NODE_WORDS; k++) {
                    const uint64_t w = hk_load_relaxed_64(word + k);
                    x.w[k] = (uint32_t)w;
                    here &= (uint32_t)(w >> 32) == epoch;
                }
                t[r] = x.node;
            }
        } while (!hk_all(here));
        const hk_node n = hk_rows_up(hk_transpose_reduce(t, HK_ROWS, 1));
        if (hk_lane() / HK_ROWS == base / HK_ROWS) above = n;
    }
    return above;
}

// R(n): the nodes that stand at each level after the last 32, highest level first; then the small
// tiles' and the rest. Warp 0 of the last block waits for them.
HK_FN hk_prefix hk_fold_up(const hk_reduce_state *s, const hk_reduce_how *how, int rest,
                           hk_node filler, uint32_t epoch)
{
    hk_prefix p = hk_empty_prefix(filler);
    int top = 0;
#pragma unroll 1
    while (how->tiles >> 5 * (top + 1) > 0) top++;
#pragma unroll 1
    for (int k = top; k >= -1; k--) {
        const int64_t count = k >= 0 ? how->tiles >> 5 * k : how->small;
        const uint64_t *level = k >= 0 ? hk_level(s, how->tiles, k) : s->small;
        const int m = (int)(count & 31);
        if (m == 0) continue;
        hk_node n;
        if (k == 1 && how->tiles < how->few)
            n = hk_over_groups(s, m, filler, epoch);
        else
            n = hk_await(level + ((count & ~(int64_t)31) + hk_lane()) * HK_NODE_WORDS,
                         hk_lane() < m, filler, epoch, 0);
        hk_append_lanes(&p, n, m);
    }
#pragma unroll 1
    for (int k = 0; k < rest; k++) hk_append(&p, s->rest[k]);
    return p;
}

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    reduce_tiles(const __grid_constant__ hk_inputs in, const __grid_constant__ hk_reduce_how how,
                 hk_reduce_state state, hk_node init, const __grid_constant__ hk_view out,
                 const __grid_constant__ hk_view values)
{
    hk_begin();
    __shared__ hk_node shared[HK_WARPS * HK_MOST_CHUNKS], of_row[HK_ROWS];
    const int64_t tile = blockIdx.x, small = tile - how.tiles; // below 0: a large one
    const bool is_rest = small == how.small;
    int64_t begin = tile * how.chunks * HK_WARPS * HK_CHUNK;
    int chunks = (int)how.chunks * HK_WARPS;
    if (small >= 0) {
        begin = (how.tiles * how.chunks + small) * HK_WARPS * HK_CHUNK;
        chunks = is_rest ? (int)((how.n - begin) / HK_CHUNK) : HK_WARPS;
    }
    uint32_t epoch = 0;
    if (threadIdx.x < HK_WARP) epoch = hk_load_relaxed(state.control + 2) + 1;
    const int nodes = hk_block_chunks(&in, begin, chunks, how.index, shared);
    hk_ends ends;
    if (is_rest) hk_rest_rows(&in, begin, &how, of_row);
    if (is_rest && threadIdx.x < HK_WARP) ends = hk_rest_ends(&in, begin, &how);
    hk_block_barrier();
    if (threadIdx.x >= HK_WARP) return;
    hk_node n;
    if (is_rest) {
        hk_put_rest(&ends, &state, shared, of_row);
        n = ends.filler;
    } else {
        n = hk_over_shared(shared, nodes);
        if (small < 0)
            hk_publish_nodes(&state, &how, tile, n, epoch);
        else
            hk_publish(state.small + small * HK_NODE_WORDS, n, epoch);
    }
    if (tile != gridDim.x - 1) return;
    const hk_prefix p = hk_fold_up(&state, &how, is_rest ? (int)*state.rest_count : 0, n, epoch);
    if (hk_lane() != 0) return;
    hk_store_relaxed(state.control + 2, epoch); // all blocks have read it
    hk_give(&out, &values, 0, HK_HAS_INIT ? hk_combine(init, p.node) : p.node, how.n);
}
