// SPDX-License-Identifier: Apache-2.0
//
// run_tiles: runs of equal elements, in one pass by decoupled look-back [D. Merrill, M. Garland,
// NVIDIA NVR-2016-002]: the first element of each, where it begins, and how long it is; and what
// reduce_segments wants to know of runs of keys (HK_ITEMS).
#include "device/kernel.cuh"
#include "device/offsets.cuh"
#include "select/select_front.cuh"
#include "select/select_lookback.cuh"

// What reduce_segments wants to know of runs: indices are where they begin, and behind the last the
// end.
struct hk_select_runs {
    int64_t room;   // of results: no more runs are counted
    int64_t *part;  // the first run that begins in each HK_ITEMS elements; then the number of runs
    int64_t *count; // runs that have room, and runs
    uint32_t *fault;
};

// Parts that begin in a chunk, of which `selected` runs begin before.
HK_FN void hk_put_parts(const hk_select_runs *runs, const hk_selection *c, int64_t first, int64_t n,
                        int64_t selected)
{
    const int items = HK_ITEMS > 0 ? HK_ITEMS : 1;
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++) {
        const int64_t at = first + r * HK_ROW + hk_lane() * HK_K,
                      mine = selected + hk_field(c->before, r);
        if (at % items == 0 && at < n)
            runs->part[at / items] = mine < runs->room ? mine : runs->room;
        selected += hk_field(c->in_row, r);
    }
}

HK_FN void hk_put_end(const hk_select_runs *runs, const hk_view *starts, int64_t n, int64_t total)
{
    const int items = HK_ITEMS > 0 ? HK_ITEMS : 1;
    const int64_t written = total < runs->room ? total : runs->room;
    if (total <= runs->room) hk_put_index(starts, total, n);
    runs->part[(n + items - 1) / items] = written;
    runs->count[0] = written;
    runs->count[1] = total;
    if (total > runs->room) hk_store_relaxed(runs->fault, HK_NO_ROOM);
}

// 1 + the position in the chunk of its last head; 0: there is none.
HK_FN uint32_t hk_last_head(const hk_selection *c)
{
    int last = 0;
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++)
#pragma unroll
        for (int j = 0; j < HK_K; j++)
            if (hk_is_in(c, r, j)) last = r * HK_ROW + hk_lane() * HK_K + j + 1;
#pragma unroll
    for (int d = 1; d < HK_WARP; d *= 2) {
        const int other = (int)hk_word_from_xor((uint32_t)last, d);
        if (other > last) last = other;
    }
    return (uint32_t)last;
}

// Indices of heads; and the lengths of the runs that end where one of them begins.
HK_FN void hk_write_runs(const hk_select_how *how, const hk_select_out *to, const hk_chunk *p,
                         const uint16_t *offset)
{
    for (int k = hk_lane(); k < p->count; k += HK_WARP) {
        const int64_t index = p->first + offset[k], at = p->selected + k;
        if (HK_INDICES && at < how->index_room) hk_put_index(&to->indices, at, index);
        const int64_t begin = k > 0 ? p->first + offset[k > 0 ? k - 1 : 0] : p->last - 1;
        if (HK_LENGTHS && at > 0 && at - 1 < how->length_room)
            hk_put_length(&to->lengths, at - 1, index - begin);
    }
}

// The last tile knows the totals.
HK_FN void hk_finish(const hk_select_how *how, const hk_select_out *to, const hk_select_runs *runs,
                     int64_t total, int64_t last)
{
    if (HK_LENGTHS && total > 0 && total - 1 < how->length_room)
        hk_put_length(&to->lengths, total - 1, how->n - (last - 1));
    if (HK_ITEMS) hk_put_end(runs, &to->indices, how->n, total);
}

// What is before the warp's chunk; gives how many blocks have left.
HK_FN uint32_t hk_learn_before(hk_block *b, const hk_state *state, const hk_ticket *ticket,
                               int64_t tiles, hk_own mine, hk_chunk *p)
{
    const int warp = (int)threadIdx.x / HK_WARP;
    uint32_t left_before = 0;
    hk_poll_counts(b, state, ticket, tiles, mine);
    hk_block_barrier();
    if (threadIdx.x == 0) left_before = hk_retire_block(state);
    p->selected = (int64_t)b->before + b->of_warp[warp];
    p->last = (int64_t)b->last;
    if (HK_LENGTHS && b->last_of_warp[warp] > 0)
        p->last = (int64_t)blockIdx.x * HK_TILE + b->last_of_warp[warp];
    return left_before;
}

extern "C" __global__ void __launch_bounds__(HK_THREADS, HK_BLOCKS)
    run_tiles(const __grid_constant__ hk_inputs in, const __grid_constant__ hk_select_how how,
              hk_state state, const __grid_constant__ hk_select_out to,
              const __grid_constant__ hk_select_runs runs)
{
    hk_begin();
    extern __shared__ __align__(128) char tile[];
    __shared__ hk_block block;
    __shared__ uint64_t arrival;
    const int warp = (int)threadIdx.x / HK_WARP;
    hk_chunk p = hk_begin_tile(&in, &how, tile, &arrival);
    hk_epoch epoch = {};
    if (threadIdx.x == HK_THREADS - 1) epoch = hk_read_epoch(&state);
    hk_selection c;
    hk_select_from(&in, &how, tile, &arrival, &p, &c);
    if (hk_lane() == 0) block.of_warp[warp] = (uint32_t)p.count;
    if (threadIdx.x == HK_THREADS - 1) hk_broadcast_ticket(epoch, blockIdx.x, block.ticket);
    if (HK_LENGTHS) {
        const uint32_t last_head = hk_last_head(&c);
        if (hk_lane() == 0)
            block.last_of_warp[warp] = last_head > 0 ? (uint32_t)p.position + last_head : 0;
    }
    hk_block_barrier(); // the ticket is known; all have looked at their neighbours
    const hk_ticket ticket = hk_ticket_of(&state, block.ticket);
    const hk_own mine = hk_publish_counts(&block, &ticket, how.tiles);
    hk_forget_bits(&c);
    if (HK_OUT) hk_gather_selected(&c, p.at); // while other blocks tell what they have
    const uint32_t left_before = hk_learn_before(&block, &state, &ticket, how.tiles, mine, &p);
    if (HK_OUT) hk_write_staged(&to.out, p.at, 0, p.count, p.selected, how.room);
    if (HK_INDICES || HK_LENGTHS) {
        uint16_t *offsets = hk_staged_offsets(&p, tile);
        hk_warp_barrier();
        hk_forget_bits(&c);
        hk_gather_offsets(&c, &p, offsets);
        hk_write_runs(&how, &to, &p, offsets);
        if (p.count > 0) p.last = p.first + offsets[p.count - 1] + 1;
    }
    if (HK_ITEMS) hk_put_parts(&runs, &c, p.first, how.n, p.selected);
    if (blockIdx.x == how.tiles - 1 && threadIdx.x == HK_THREADS - 1)
        hk_finish(&how, &to, &runs, p.selected + p.count, p.last);
    if (threadIdx.x == 0) hk_end_launch(&state, left_before, how.tiles * (1 + HK_LENGTHS));
}
