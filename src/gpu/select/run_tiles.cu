// SPDX-License-Identifier: Apache-2.0
//
// run_tiles: runs of equal elements, in one pass by decoupled look-back [D. Merrill, M. Garland, NVIDIA NVR-2016-002]:
// the first element of each, where it begins, and how long it is; and what reduce_segments wants to know of runs of
// keys (HD_ITEMS).
#include "device/kernel.cuh"
#include "device/offsets.cuh"
#include "select/select_lookback.cuh"

// What reduce_segments wants to know of runs: indices are where they begin, and behind the last the end.
struct hd_select_runs {
    int64_t room;   // of results: no more runs are counted
    int64_t *part;  // the first run that begins in each HD_ITEMS elements; then the number of runs
    int64_t *count; // runs that have room, and runs
    uint32_t *fault;
};

// Parts that begin in a chunk, of which `chosen` runs begin before.
HD_FN void hd_put_parts(const hd_select_runs *runs, const hd_choice *c, int64_t first, int64_t n,
                        int64_t chosen)
{
    const int items = HD_ITEMS > 0 ? HD_ITEMS : 1;
#pragma unroll
    for (int r = 0; r < HD_ROWS; r++) {
        const int64_t at = first + r * HD_ROW + hd_lane() * HD_K,
                      mine = chosen + hd_field(c->before, r);
        if (at % items == 0 && at < n)
            runs->part[at / items] = mine < runs->room ? mine : runs->room;
        chosen += hd_field(c->in_row, r);
    }
}

HD_FN void hd_put_end(const hd_select_runs *runs, const hd_view *starts, int64_t n, int64_t total)
{
    const int items = HD_ITEMS > 0 ? HD_ITEMS : 1;
    const int64_t written = total < runs->room ? total : runs->room;
    if (total <= runs->room) hd_put_index(starts, total, n);
    runs->part[(n + items - 1) / items] = written;
    runs->count[0] = written;
    runs->count[1] = total;
    if (total > runs->room) hd_store_relaxed(runs->fault, HD_NO_ROOM);
}

// 1 + the place in the chunk of its last head; 0: there is none.
HD_FN uint32_t hd_last_head(const hd_choice *c)
{
    int last = 0;
#pragma unroll
    for (int r = 0; r < HD_ROWS; r++)
#pragma unroll
        for (int j = 0; j < HD_K; j++)
            if (hd_is_in(c, r, j)) last = r * HD_ROW + hd_lane() * HD_K + j + 1;
#pragma unroll
    for (int d = 1; d < HD_WARP; d *= 2) {
        const int other = (int)hd_word_from_xor((uint32_t)last, d);
        if (other > last) last = other;
    }
    return (uint32_t)last;
}

// Indices of heads; and the lengths of the runs that end where one of them begins.
HD_FN void hd_write_runs(const hd_select_how *how, const hd_select_out *to, const hd_chunk *p,
                         const uint16_t *offset)
{
    for (int k = hd_lane(); k < p->count; k += HD_WARP) {
        const int64_t index = p->first + offset[k], at = p->chosen + k;
        if (HD_INDICES && at < how->index_room) hd_put_index(&to->indices, at, index);
        const int64_t begin = k > 0 ? p->first + offset[k > 0 ? k - 1 : 0] : p->last - 1;
        if (HD_LENGTHS && at > 0 && at - 1 < how->length_room)
            hd_put_length(&to->lengths, at - 1, index - begin);
    }
}

// The last tile knows the totals.
HD_FN void hd_finish(const hd_select_how *how, const hd_select_out *to, const hd_select_runs *runs,
                     int64_t total, int64_t last)
{
    if (HD_LENGTHS && total > 0 && total - 1 < how->length_room)
        hd_put_length(&to->lengths, total - 1, how->n - (last - 1));
    if (HD_ITEMS) hd_put_end(runs, &to->indices, how->n, total);
}

// What is before the warp's chunk; gives how many blocks have left.
HD_FN uint32_t hd_learn_before(hd_block *b, const hd_state *state, const hd_turn *turn,
                               int64_t tiles, hd_own mine, hd_chunk *p)
{
    const int warp = (int)threadIdx.x / HD_WARP;
    uint32_t left_before = 0;
    hd_ask_blocks(b, state, turn, tiles, mine);
    hd_block_barrier();
    if (threadIdx.x == 0) left_before = hd_leave_turn(state);
    p->chosen = (int64_t)b->before + b->of_warp[warp];
    p->last = (int64_t)b->last;
    if (HD_LENGTHS && b->last_of_warp[warp] > 0)
        p->last = (int64_t)blockIdx.x * HD_TILE + b->last_of_warp[warp];
    return left_before;
}

extern "C" __global__ void __launch_bounds__(HD_THREADS, HD_BLOCKS)
    run_tiles(const __grid_constant__ hd_inputs in, const __grid_constant__ hd_select_how how,
              hd_state state, const __grid_constant__ hd_select_out to,
              const __grid_constant__ hd_select_runs runs)
{
    hd_begin();
    extern __shared__ __align__(128) char tile[];
    __shared__ hd_block block;
    __shared__ uint64_t arrival;
    const int warp = (int)threadIdx.x / HD_WARP;
    hd_chunk p = hd_begin_tile(&in, &how, tile, &arrival);
    hd_asked asked = {};
    if (threadIdx.x == HD_THREADS - 1) asked = hd_ask_turn(&state);
    hd_choice c;
    hd_select_from(&in, &how, tile, &arrival, &p, &c);
    if (hd_lane() == 0) block.of_warp[warp] = (uint32_t)p.count;
    if (threadIdx.x == HD_THREADS - 1) hd_tell_turn(asked, blockIdx.x, block.turn);
    if (HD_LENGTHS) {
        const uint32_t last_head = hd_last_head(&c);
        if (hd_lane() == 0)
            block.last_of_warp[warp] = last_head > 0 ? (uint32_t)p.place + last_head : 0;
    }
    hd_block_barrier(); // the turn is known; all have looked at their neighbours
    const hd_turn turn = hd_turn_of(&state, block.turn);
    const hd_own mine = hd_tell_blocks(&block, &turn, how.tiles);
    hd_forget_bits(&c);
    if (HD_OUT) hd_gather_selected(&c, p.at); // while other blocks tell what they have
    const uint32_t left_before = hd_learn_before(&block, &state, &turn, how.tiles, mine, &p);
    if (HD_OUT) hd_write_staged(&to.out, p.at, 0, p.count, p.chosen, how.room);
    if (HD_INDICES || HD_LENGTHS) {
        uint16_t *offsets = hd_staged_offsets(&p, tile);
        hd_warp_barrier();
        hd_forget_bits(&c);
        hd_gather_offsets(&c, &p, offsets);
        hd_write_runs(&how, &to, &p, offsets);
        if (p.count > 0) p.last = p.first + offsets[p.count - 1] + 1;
    }
    if (HD_ITEMS) hd_put_parts(&runs, &c, p.first, how.n, p.chosen);
    if (blockIdx.x == how.tiles - 1 && threadIdx.x == HD_THREADS - 1)
        hd_finish(&how, &to, &runs, p.chosen + p.count, p.last);
    if (threadIdx.x == 0) hd_end_turn(&state, left_before, how.tiles * (1 + HD_LENGTHS));
}
