// SPDX-License-Identifier: Apache-2.0
//
// compact_tiles: the elements whose flag is set, or which begin a run (unique), in one pass: while
// a block learns what was selected before it, by decoupled look-back [D. Merrill, M. Garland,
// NVIDIA NVR-2016-002], its warps move their elements together. HK_KNOWN: what is selected before
// each tile is known (select_tally), and no block waits.
#include "device/kernel.cuh"
#include "select/select_front.cuh"
#include "select/select_lookback.cuh"

// Where the selected elements of a warp's chunk go, and the block's ticket ends.
HK_FN uint32_t hk_learn_before(hk_block *b, const hk_state *state, const hk_ticket *ticket,
                               int64_t tiles, hk_own mine, hk_chunk *p)
{
    uint32_t left_before = 0; // blocks
    hk_poll_counts(b, state, ticket, tiles, mine);
    hk_block_barrier();
    if (threadIdx.x == 0) left_before = hk_retire_block(state);
    p->selected = (int64_t)b->before + b->of_warp[threadIdx.x / HK_WARP];
    return left_before;
}

extern "C" __global__ void __launch_bounds__(HK_THREADS, HK_BLOCKS)
    compact_tiles(const __grid_constant__ hk_inputs in, const __grid_constant__ hk_select_how how,
                  hk_state state, const __grid_constant__ hk_select_out to)
{
    hk_begin();
    extern __shared__ __align__(128) char tile[];
    __shared__ hk_block block;
    __shared__ uint64_t arrival;
    const bool teller = !HK_KNOWN && threadIdx.x == HK_THREADS - 1;
    hk_chunk p = hk_begin_tile(&in, &how, tile, &arrival);
    const uint64_t before_tile = HK_KNOWN ? state.word[blockIdx.x] : 0;
    hk_epoch epoch = {};
    if (teller) epoch = hk_read_epoch(&state);
    hk_selection c;
    hk_select_from(&in, &how, tile, &arrival, &p, &c);
    if (hk_lane() == 0) block.of_warp[threadIdx.x / HK_WARP] = (uint32_t)p.count;
    if (teller) hk_broadcast_ticket(epoch, blockIdx.x, block.ticket);
    hk_block_barrier(); // the ticket is known; all have looked at their neighbours
    if (HK_EARLY && HK_IN_PLACE && p.bulk) hk_await_bulk(&arrival);
    hk_ticket ticket = {};
    hk_own mine = {};
    if (!HK_KNOWN) {
        ticket = hk_ticket_of(&state, block.ticket);
        mine = hk_publish_counts(&block, &ticket, how.tiles);
    }
    if (HK_EARLY && !HK_IN_PLACE && p.bulk) hk_await_bulk(&arrival);
    hk_forget_bits(&c);
    if (HK_OUT) hk_gather_selected(&c, p.at); // while other blocks tell what they have
    uint32_t left_before = 0;
    if (HK_KNOWN) {
        hk_warp_barrier();
        p.selected = (int64_t)before_tile + hk_sum_before_warp(block.of_warp);
    } else {
        left_before = hk_learn_before(&block, &state, &ticket, how.tiles, mine, &p);
    }
    // In its own place, what did not move is not written: the tile after it may yet read its end.
    if (HK_OUT && (HK_IN_PLACE != 1 || p.selected + p.count < p.first + HK_CHUNK))
        hk_write_staged(&to.out, p.at, 0, p.count, p.selected, how.room);
    if (HK_INDICES) {
        uint16_t *offsets = hk_staged_offsets(&p, tile);
        hk_warp_barrier();
        hk_forget_bits(&c);
        hk_gather_offsets(&c, &p, offsets);
        hk_write_indices(&to.indices, &p, 0, how.index_room, offsets);
    }
    if (!HK_KNOWN && threadIdx.x == 0) hk_end_launch(&state, left_before, how.tiles);
}
