// SPDX-License-Identifier: Apache-2.0
//
// scan_tiles: out[i] = R(i + 1), or R(i), in one pass: a block takes a tile up the tree, learns what is before
// it (scan_blocks.h), and goes down again. The last output of a tile is the prefix of the next.

extern "C" __global__ void __launch_bounds__(HD_THREADS, HD_BLOCKS)
    scan_tiles(const __grid_constant__ hd_inputs in, const __grid_constant__ hd_scan_how how,
               hd_scan_state state, hd_base init, const __grid_constant__ hd_empty empty,
               const __grid_constant__ hd_scan_out to, const __grid_constant__ hd_carried carried
#if HD_HEADS
               ,
               const __grid_constant__ hd_view from, const __grid_constant__ hd_heads_how heads_how,
               uint32_t *fault
#endif
    )
{
    extern __shared__ __align__(128) char tile[];
    __shared__ hd_node of_warp[HD_WARPS], before_warp[HD_WARPS];
    __shared__ uint32_t number;
    const int warp = (int)threadIdx.x / HD_WARP, place = warp * HD_CHUNK;
    const int64_t which = blockIdx.x, begin = which * HD_TILE, first = begin + place;
#if HD_BULK
    __shared__ uint64_t arrival;
    const bool bulk = which < how.tiles;
    if (bulk && threadIdx.x == 0)
        hd_begin_bulk(tile, in.view[0].data + begin * (int64_t)sizeof(hd_element),
                      (uint32_t)(HD_TILE * sizeof(hd_element)), &arrival);
#else
    const bool bulk = false;
#endif
    if (!bulk) hd_bring_chunk(&in, first, how.n, tile, place);
    if (threadIdx.x == HD_THREADS - 1) number = hd_launch_number(state.clock);
#if HD_HEADS == 1
    __shared__ uint32_t bits[HD_TILE / 32];
    __shared__ int64_t where;
    if (heads_how.check && hd_share_is_bad(&from, heads_how.count, how.n))
        hd_store_relaxed(fault, HD_BAD_OFFSETS);
    hd_mark_heads(&from, &heads_how, begin, how.n, bits, &where);
    const uint32_t heads = hd_heads_of_bits(bits, warp);
#elif HD_HEADS == 2
    const uint32_t heads = which < how.tiles ? hd_heads_of_keys(&from, first)
                                             : hd_heads_of_some_keys(&from, first, how.n);
#else
    const uint32_t heads = 0;
#endif
#if HD_BULK
    hd_block_barrier(); // the mbarrier is made
    if (bulk) hd_await_bulk(&arrival);
#endif
    const hd_node rows = hd_tile_rows(tile, place, how.index + first, heads);
    const hd_node whole = hd_over_rows(rows);
    if (hd_lane() == 0) of_warp[warp] = whole;
    hd_block_barrier();
    if (warp == 0) {
        const uint32_t launch = number;
        const hd_node mine = of_warp[hd_lane() & (HD_WARPS - 1)];
        hd_node sum = mine;
#pragma unroll
        for (int d = 1; d < HD_WARPS; d *= 2) sum = hd_up(sum, d);
        if (which < how.tiles) hd_hand_up(&state, &how, which, sum, launch);
        hd_prefix after, p = hd_look_back(&state, &how, which, sum, launch, &carried, &after);
#if !HD_EXCLUSIVE
        if (hd_lane() == 0 && which < how.tiles)
            hd_give(&to.out, &to.values, begin + HD_TILE - 1, hd_with_init(after.node, init),
                    hd_count_under(after.node, how.index + begin + HD_TILE));
#endif
        p = hd_before_lane(p, mine, HD_WARPS);
        if (hd_lane() < HD_WARPS) before_warp[hd_lane()] = p.node;
    }
    hd_block_barrier();
    hd_prefix p, next;
    p.node = before_warp[warp];
    p.any = which > 0 || warp > 0 || (HD_CARRIES && carried.any);
    next.node = before_warp[warp < HD_WARPS - 1 ? warp + 1 : warp];
    next.any = true;
    const hd_prefix of_row = hd_before_lane(p, rows, HD_ROWS);
    // The last output of a whole tile is written above.
    const int64_t end = begin + HD_TILE - !HD_EXCLUSIVE, limit = how.n < end ? how.n : end;
#pragma unroll 2
    for (int r = 0; r < HD_ROWS; r++) {
        hd_prefix row, after = next;
        hd_element e[HD_K];
        row.node = hd_from_lane(of_row.node, r);
        row.any = p.any || r > 0;
        const hd_node of_next = hd_from_lane(of_row.node, r + 1 < HD_ROWS ? r + 1 : r);
        if (r + 1 < HD_ROWS) after.node = of_next;
        const int at = r * HD_ROW + hd_lane() * HD_K;
        hd_tile_items(tile, place + at, e);
        hd_give_row(&to, e, row, after, first + at, limit, how.index, init, empty,
                    hd_heads_of_row(heads, r));
    }
}
