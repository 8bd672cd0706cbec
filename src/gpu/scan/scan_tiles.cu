// SPDX-License-Identifier: Apache-2.0
//
// scan_tiles: out[i] = R(i + 1), or R(i), in one pass: a block takes a tile up the tree, learns what is before
// it (scan_blocks.cuh), and goes down again. The last output of a tile is the prefix of the next, which writes it; in
// place the tile does so itself, for nothing tells that its elements were read.
#include "device/kernel.cuh"
#include "scan/pairs.cuh"
#include "device/tile.cuh"
#include "scan/key_heads.cuh"
#include "scan/offset_heads.cuh"
#include "scan/scan_blocks.cuh"
#include "scan/scan_lanes.cuh"

// Elements of row r of a warp's chunk, which lies in the tile from `place` on or is held.
HD_FN void hd_row_items(const char *tile, int place, const hd_held *held, bool lies, int r,
                        hd_element *e)
{
    if (lies) {
        hd_tile_items(tile, place + r * HD_ROW + hd_lane() * HD_K, e);
    } else {
#pragma unroll
        for (int j = 0; j < HD_K; j++) e[j] = held->e[HD_HELD > 0 ? r - HD_LAIN : 0][j];
    }
}

// What a chunk's rows have in common on their way down.
struct hd_way_down {
    hd_prefix of_row; // what is before each row
    hd_node next;     // before the next chunk
    bool any;         // whether there is something before this one
    int64_t first, limit, index;
    uint32_t heads;
};

// The outputs of the rows from r on, HD_TURN of them.
HD_FN void hd_give_rows(const hd_scan_out *to, const char *tile, int place, const hd_held *held,
                        bool lie, int r, const hd_way_down *w, hd_base init, hd_empty empty)
{
    const int64_t first = w->first + hd_lane() * HD_K;
    hd_node t[HD_TURN], after[HD_TURN];
    hd_prefix before[HD_TURN];
#pragma unroll
    for (int k = 0; k < HD_TURN; k++) {
        hd_element e[HD_K];
        hd_row_items(tile, place, held, lie, r + k, e);
        t[k] =
            hd_lane_node(e, w->index + first + (r + k) * HD_ROW, hd_heads_of_row(w->heads, r + k));
    }
    hd_before_rows(w->of_row, r, w->any, w->next, t, before, after);
#pragma unroll
    for (int k = 0; k < HD_TURN; k++) {
        hd_element e[HD_K];
        hd_row_items(tile, place, held, lie, r + k, e);
        hd_give_row(to, e, before[k], after[k], first + (r + k) * HD_ROW, w->limit, w->index, init,
                    empty, hd_heads_of_row(w->heads, r + k));
    }
}

extern "C" __global__ void __launch_bounds__(HD_THREADS, HD_BLOCKS)
    scan_tiles(const __grid_constant__ hd_inputs in, const __grid_constant__ hd_scan_how how,
               hd_scan_state state, hd_base init, const __grid_constant__ hd_empty empty,
               const __grid_constant__ hd_scan_out to, const __grid_constant__ hd_carried carried
#if HD_PAIRS
               ,
               const __grid_constant__ hd_view from, const __grid_constant__ hd_heads_how heads_how,
               uint32_t *fault
#endif
    )
{
    hd_begin();
    extern __shared__ __align__(128) char tile[];
    __shared__ hd_node of_warp[HD_WARPS], before_warp[HD_WARPS];
    __shared__ uint32_t number;
    const int warp = (int)threadIdx.x / HD_WARP, place = warp * (HD_LAIN * HD_ROW);
    const int64_t which = blockIdx.x, begin = which * HD_TILE, first = begin + warp * HD_CHUNK;
    hd_held held;
    // What lies together comes by one copy: a tile, or a warp's rows that are not held.
    __shared__ uint64_t arrival[HD_HELD > 0 ? HD_WARPS : 1];
    const bool bulk = HD_BULK && which < how.tiles;
    if (bulk && (HD_HELD > 0 ? hd_lane() : threadIdx.x) == 0)
        hd_begin_bulk(tile + place * sizeof(hd_element),
                      in.view[0].data + first * (int64_t)sizeof(hd_element),
                      (uint32_t)((HD_HELD > 0 ? HD_LAIN * HD_ROW : HD_TILE) * sizeof(hd_element)),
                      arrival + (HD_HELD > 0 ? warp : 0));
    hd_hold_rows(&in, first, how.n, &held);
    if (!bulk) hd_bring_chunk(&in, first, how.n, tile, place);
    if (threadIdx.x == HD_THREADS - 1) number = hd_launch_number(state.clock);
#if HD_PAIRS == 1
    __shared__ uint32_t bits[HD_TILE / 32];
    __shared__ int64_t where;
    if (heads_how.check && hd_share_is_bad(&from, heads_how.count, how.n))
        hd_store_relaxed(fault, HD_BAD_OFFSETS);
    hd_mark_heads(&from, &heads_how, begin, how.n, bits, &where);
    const uint32_t heads = hd_heads_of_bits(bits, warp);
#elif HD_PAIRS == 2
    const uint32_t heads = which < how.tiles ? hd_heads_of_keys(&from, first)
                                             : hd_heads_of_some_keys(&from, first, how.n);
#else
    const uint32_t heads = 0;
#endif
    if (HD_BULK) hd_block_barrier(); // the mbarrier is made
    if (bulk) hd_await_bulk(arrival + (HD_HELD > 0 ? warp : 0));
    const hd_node rows = hd_tile_rows(tile, place, &held, how.index + first, heads);
    const hd_node whole = hd_over_rows(rows);
    if (hd_lane() == 0) of_warp[warp] = whole;
    hd_block_barrier();
    if (warp == 0) {
        const uint32_t launch = number;
        const hd_node mine = of_warp[hd_lane() & (HD_WARPS - 1)];
        hd_node sum = mine;
#pragma unroll
        for (int d = 1; d < HD_WARPS; d *= 2) sum = hd_up(sum, d);
        hd_node own = sum;
        hd_prefix after;
        int high = -1;
        if (which < how.tiles) high = hd_hand_up(&state, &how, which, launch, &own);
        const bool ends = high >= 0 && (how.in_place || which == gridDim.x - 1);
        hd_prefix p =
            hd_look_back(&state, &how, which, launch, &carried, own, ends ? high : -1, &after);
        if (which == gridDim.x - 1 && hd_lane() == 0) hd_store_relaxed(state.clock + 2, launch);
        const hd_prefix before = p;
        p = hd_before_lane(p, mine, HD_WARPS);
        if (hd_lane() < HD_WARPS) before_warp[hd_lane()] = p.node;
        if (!HD_EXCLUSIVE && hd_lane() == 0 && which > 0 && !how.in_place)
            hd_give(&to.out, &to.values, begin - 1, hd_with_init(before.node, init),
                    hd_count_under(before.node, how.index + begin));
        if (!HD_EXCLUSIVE && hd_lane() == 0 && ends)
            hd_give(&to.out, &to.values, begin + HD_TILE - 1, hd_with_init(after.node, init),
                    hd_count_under(after.node, how.index + begin + HD_TILE));
    }
    hd_block_barrier();
    hd_prefix p;
    p.node = before_warp[warp];
    p.any = which > 0 || warp > 0 || (HD_CARRIES && carried.any);
    hd_way_down w;
    w.next = before_warp[warp < HD_WARPS - 1 ? warp + 1 : warp];
    w.of_row = hd_before_lane(p, rows, HD_ROWS);
    w.any = p.any;
    // The last output of a whole tile is written above.
    const int64_t end = begin + HD_TILE - !HD_EXCLUSIVE;
    w.limit = how.n < end ? how.n : end;
    w.first = first;
    w.index = how.index;
    w.heads = heads;
#pragma unroll 1
    for (int r = 0; r < HD_LAIN; r += HD_TURN)
        hd_give_rows(&to, tile, place, &held, true, r, &w, init, empty);
#pragma unroll
    for (int r = HD_LAIN; r < HD_ROWS; r += HD_TURN)
        hd_give_rows(&to, tile, place, &held, false, r, &w, init, empty);
}
