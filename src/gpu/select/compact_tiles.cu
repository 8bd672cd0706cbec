// SPDX-License-Identifier: Apache-2.0
//
// compact_tiles: the elements whose label is set, or which begin a run (unique), in one pass: while a block learns what
// was selected before it, by decoupled look-back [D. Merrill, M. Garland, NVIDIA NVR-2016-002], its warps move
// their elements together. HD_KNOWN: what is selected before each tile is known (select_tally), and no block waits.
#include "device/kernel.cuh"
#include "select/select_lookback.cuh"

// Where the selected elements of a warp's chunk go, and the block's turn ends.
HD_FN uint32_t hd_learn_before(hd_block *b, const hd_state *state, const hd_turn *turn,
                               int64_t tiles, hd_own mine, hd_chunk *p)
{
    uint32_t left_before = 0; // blocks
    hd_ask_blocks(b, state, turn, tiles, mine);
    hd_block_barrier();
    if (threadIdx.x == 0) left_before = hd_leave_turn(state);
    p->chosen = (int64_t)b->before + b->of_warp[threadIdx.x / HD_WARP];
    return left_before;
}

extern "C" __global__ void __launch_bounds__(HD_THREADS, HD_BLOCKS)
    compact_tiles(const __grid_constant__ hd_inputs in, const __grid_constant__ hd_select_how how,
                  hd_state state, const __grid_constant__ hd_select_out to)
{
    hd_begin();
    extern __shared__ __align__(128) char tile[];
    __shared__ hd_block block;
    __shared__ uint64_t arrival;
    const bool teller = !HD_KNOWN && threadIdx.x == HD_THREADS - 1;
    hd_chunk p = hd_begin_tile(&in, &how, tile, &arrival);
    const uint64_t before_tile = HD_KNOWN ? state.word[blockIdx.x] : 0;
    hd_asked asked = {};
    if (teller) asked = hd_ask_turn(&state);
    hd_choice c;
    hd_select_from(&in, &how, tile, &arrival, &p, &c);
    if (hd_lane() == 0) block.of_warp[threadIdx.x / HD_WARP] = (uint32_t)p.count;
    if (teller) hd_tell_turn(asked, blockIdx.x, block.turn);
    hd_block_barrier(); // the turn is known; all have looked at their neighbours
    if (HD_EARLY && HD_IN_PLACE && p.bulk) hd_await_bulk(&arrival);
    hd_turn turn = {};
    hd_own mine = {};
    if (!HD_KNOWN) {
        turn = hd_turn_of(&state, block.turn);
        mine = hd_tell_blocks(&block, &turn, how.tiles);
    }
    if (HD_EARLY && !HD_IN_PLACE && p.bulk) hd_await_bulk(&arrival);
    hd_forget_bits(&c);
    if (HD_OUT) hd_gather_selected(&c, p.at); // while other blocks tell what they have
    uint32_t left_before = 0;
    if (HD_KNOWN) {
        hd_warp_barrier();
        p.chosen = (int64_t)before_tile + hd_sum_before_warp(block.of_warp);
    } else {
        left_before = hd_learn_before(&block, &state, &turn, how.tiles, mine, &p);
    }
    // In its own place, what did not move is not written: the tile after it may yet read its end.
    if (HD_OUT && (HD_IN_PLACE != 1 || p.chosen + p.count < p.first + HD_CHUNK))
        hd_write_staged(&to.out, p.at, 0, p.count, p.chosen, how.room);
    if (HD_INDICES) {
        uint16_t *offsets = hd_staged_offsets(&p, tile);
        hd_warp_barrier();
        hd_forget_bits(&c);
        hd_gather_offsets(&c, &p, offsets);
        hd_write_indices(&to.indices, &p, 0, how.index_room, offsets);
    }
    if (!HD_KNOWN && threadIdx.x == 0) hd_end_turn(&state, left_before, how.tiles);
}
