// SPDX-License-Identifier: Apache-2.0
//
// scan_tiles: out[i] = R(i + 1), or R(i), in one pass: a block takes a tile up the tree, learns
// what is before it (scan_lookback.cuh), and goes down again. The last output of a tile is the
// prefix of the next, which writes it; in place the tile does so itself, for nothing tells that its
// elements were read.
#include "device/kernel.cuh"
#include "scan/pairs.cuh"
#include "device/tile.cuh"
#include "scan/scan_heads.cuh"
#include "scan/scan_lanes.cuh"
#include "scan/scan_lookback.cuh"

// Elements of row r of a warp's chunk, which lies in the tile from `place` on or is registers.
HK_FN void hk_row_items(const char *tile, int place, const hk_register_tile *registers, bool lies,
                        int r, hk_element *e)
{
    if (lies) {
        hk_tile_items(tile, place + r * HK_ROW + hk_lane() * HK_K, e);
    } else {
#pragma unroll
        for (int j = 0; j < HK_K; j++)
            e[j] = registers->e[HK_REGISTER_ROWS > 0 ? r - HK_SHARED_ROWS : 0][j];
    }
}

// What a chunk's rows have in common on their way down.
struct hk_way_down {
    hk_prefix of_row; // what is before each row
    hk_node next;     // before the next chunk
    bool any;         // whether there is something before this one
    int64_t first, limit, index;
    uint32_t heads;
};

// The outputs of the rows from r on, HK_ROWS_UNROLLED of them.
HK_FN void hk_give_rows(const hk_scan_out *to, const char *tile, int place,
                        const hk_register_tile *registers, bool lie, int r, const hk_way_down *w,
                        hk_base init, hk_empty empty)
{
    const int64_t first = w->first + hk_lane() * HK_K;
    hk_node t[HK_ROWS_UNROLLED], after[HK_ROWS_UNROLLED];
    hk_prefix before[HK_ROWS_UNROLLED];
#pragma unroll
    for (int k = 0; k < HK_ROWS_UNROLLED; k++) {
        hk_element e[HK_K];
        hk_row_items(tile, place, registers, lie, r + k, e);
        t[k] =
            hk_lane_node(e, w->index + first + (r + k) * HK_ROW, hk_heads_of_row(w->heads, r + k));
    }
    hk_before_rows(w->of_row, r, w->any, w->next, t, before, after);
#pragma unroll
    for (int k = 0; k < HK_ROWS_UNROLLED; k++) {
        hk_element e[HK_K];
        hk_row_items(tile, place, registers, lie, r + k, e);
        hk_give_row(to, e, before[k], after[k], first + (r + k) * HK_ROW, w->limit, w->index, init,
                    empty, hk_heads_of_row(w->heads, r + k));
    }
}

// Begins the bulk copies of what lies together: a tile, or a warp's rows that are not registers,
// each with its mbarrier.
HK_FN void hk_begin_bulk_tile(const hk_inputs *in, int64_t first, char *tile, int place,
                              uint64_t *arrival)
{
    if ((HK_REGISTER_ROWS > 0 ? hk_lane() : threadIdx.x) == 0)
        hk_begin_bulk(tile + place * sizeof(hk_element),
                      in->view[0].data + first * (int64_t)sizeof(hk_element),
                      (uint32_t)((HK_REGISTER_ROWS > 0 ? HK_SHARED_ROWS * HK_ROW : HK_TILE) *
                                 sizeof(hk_element)),
                      arrival + (HK_REGISTER_ROWS > 0 ? threadIdx.x / HK_WARP : 0));
}

// Warp 0, which has the nodes of all warps: publishes the tile's, looks back, and leaves what is
// before each warp. Writes the last output of the tile before and, where nobody else will, its own.
HK_FN void hk_before_warps(const hk_scan_state *state, const hk_scan_how *how, uint32_t epoch,
                           const hk_carried *carried, hk_node mine, hk_node *before_warp,
                           const hk_scan_out *to, hk_base init)
{
    const int64_t which = blockIdx.x, begin = which * HK_TILE;
    hk_node own = mine;
#pragma unroll
    for (int d = 1; d < HK_WARPS; d *= 2) own = hk_up(own, d);
    hk_prefix after;
    int high = -1;
    if (which < how->tiles) high = hk_publish_nodes(state, how, which, epoch, &own);
    const bool ends = high >= 0 && (how->in_place || which == gridDim.x - 1);
    const hk_prefix before =
        hk_scan_look_back(state, how, which, epoch, carried, own, ends ? high : -1, &after);
    if (which == gridDim.x - 1 && hk_lane() == 0) hk_store_relaxed(state->control + 2, epoch);
    const hk_prefix p = hk_before_lane(before, mine, HK_WARPS);
    if (hk_lane() < HK_WARPS) before_warp[hk_lane()] = p.node;
    if (!HK_EXCLUSIVE && hk_lane() == 0 && which > 0 && !how->in_place)
        hk_give(&to->out, &to->values, begin - 1, hk_with_init(before.node, init),
                hk_count_under(before.node, how->index + begin));
    if (!HK_EXCLUSIVE && hk_lane() == 0 && ends)
        hk_give(&to->out, &to->values, begin + HK_TILE - 1, hk_with_init(after.node, init),
                hk_count_under(after.node, how->index + begin + HK_TILE));
}

extern "C" __global__ void __launch_bounds__(HK_THREADS, HK_BLOCKS)
    scan_tiles(const __grid_constant__ hk_inputs in, const __grid_constant__ hk_scan_how how,
               hk_scan_state state, hk_base init, const __grid_constant__ hk_empty empty,
               const __grid_constant__ hk_scan_out to, const __grid_constant__ hk_carried carried,
               const __grid_constant__ hk_heads_from from)
{
    hk_begin();
    extern __shared__ __align__(128) char tile[];
    __shared__ hk_node of_warp[HK_WARPS], before_warp[HK_WARPS];
    __shared__ uint32_t epoch;
    __shared__ uint64_t arrival[HK_REGISTER_ROWS > 0 ? HK_WARPS : 1];
    const int warp = (int)threadIdx.x / HK_WARP, place = warp * (HK_SHARED_ROWS * HK_ROW);
    const int64_t which = blockIdx.x, begin = which * HK_TILE, first = begin + warp * HK_CHUNK;
    const bool bulk = HK_BULK && which < how.tiles;
    hk_register_tile registers;
    if (bulk) hk_begin_bulk_tile(&in, first, tile, place, arrival);
    hk_load_register_tile(&in, first, how.n, &registers);
    if (!bulk) hk_bring_chunk(&in, first, how.n, tile, place);
    if (threadIdx.x == HK_THREADS - 1) epoch = hk_launch_epoch(state.control);
    const uint32_t heads = hk_heads_of_chunk(&from, how.n, how.tiles);
    if (HK_BULK) hk_block_barrier(); // the mbarrier is made
    if (bulk) hk_await_bulk(arrival + (HK_REGISTER_ROWS > 0 ? warp : 0));
    const hk_node rows = hk_tile_rows(tile, place, &registers, how.index + first, heads);
    const hk_node whole = hk_over_rows(rows);
    if (hk_lane() == 0) of_warp[warp] = whole;
    hk_block_barrier();
    if (warp == 0)
        hk_before_warps(&state, &how, epoch, &carried, of_warp[hk_lane() & (HK_WARPS - 1)],
                        before_warp, &to, init);
    hk_block_barrier();
    hk_prefix p;
    p.node = before_warp[warp];
    p.any = which > 0 || warp > 0 || (HK_CARRIES && carried.any);
    hk_way_down w;
    w.next = before_warp[warp < HK_WARPS - 1 ? warp + 1 : warp];
    w.of_row = hk_before_lane(p, rows, HK_ROWS);
    w.any = p.any;
    // The last output of a whole tile is written by warp 0.
    const int64_t end = begin + HK_TILE - !HK_EXCLUSIVE;
    w.limit = how.n < end ? how.n : end;
    w.first = first;
    w.index = how.index;
    w.heads = heads;
#pragma unroll 1
    for (int r = 0; r < HK_SHARED_ROWS; r += HK_ROWS_UNROLLED)
        hk_give_rows(&to, tile, place, &registers, true, r, &w, init, empty);
#pragma unroll
    for (int r = HK_SHARED_ROWS; r < HK_ROWS; r += HK_ROWS_UNROLLED)
        hk_give_rows(&to, tile, place, &registers, false, r, &w, init, empty);
}
