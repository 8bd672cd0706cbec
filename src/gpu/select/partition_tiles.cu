// SPDX-License-Identifier: Apache-2.0
//
// partition_tiles: a stable partition in two: the elements whose label is set, then the others. How many are selected
// before each tile, and in all, is known (select_tally, select_begins), so that no block waits for another.
#include "device/kernel.cuh"
#include "device/lookback.cuh"
#include "select/select_tile.cuh"

// A chunk in parts of so few rows that registers hold them.
#define HD_PART_ROWS (HD_ROWS < 4 ? HD_ROWS : 4)
#define HD_PARTS     (HD_ROWS / HD_PART_ROWS)
#define HD_PART_SIZE (HD_PART_ROWS * HD_ROW)

HD_FN int hd_selected_in(const hd_choice *c, int part)
{
    int count = 0;
#pragma unroll
    for (int q = 0; q < HD_PART_ROWS; q++)
        count += (int)hd_field(c->in_row, part * HD_PART_ROWS + q);
    return count;
}

// In each part the elements that are chosen come first, then the others.
HD_FN void hd_gather_both(const hd_choice *c, const hd_chunk *p)
{
    char *const chunk = p->at;
#pragma unroll
    for (int part = 0; part < HD_PARTS; part++) {
        hd_lane_words u[HD_PART_ROWS];
#pragma unroll
        for (int q = 0; q < HD_PART_ROWS; q++)
            hd_tile_items(chunk, part * HD_PART_SIZE + q * HD_ROW + hd_lane() * HD_K, u[q].e);
        hd_warp_barrier();
        hd_element *const front = (hd_element *)chunk + part * HD_PART_SIZE;
        hd_element *row = front, *const rest = front + hd_selected_in(c, part);
#pragma unroll
        for (int q = 0; q < HD_PART_ROWS; q++) {
            const int r = part * HD_PART_ROWS + q, at = q * HD_ROW + hd_lane() * HD_K;
            hd_element *to = row + hd_field(c->before, r);
            hd_element *other = rest + (at - (int)(to - front));
#pragma unroll
            for (int j = 0; j < HD_K; j++) {
                if (hd_is_in(c, r, j))
                    *to++ = u[q].e[j];
                else if (part * HD_PART_SIZE + at + j < p->valid)
                    *other++ = u[q].e[j];
            }
            row += hd_field(c->in_row, r);
        }
    }
}

// The parts of a chunk, to where the chosen and the others go.
HD_FN void hd_write_both(const hd_view *out, const hd_choice *c, const hd_chunk *p, int64_t rest,
                         int64_t room)
{
    int64_t chosen = p->chosen;
#pragma unroll
    for (int part = 0; part < HD_PARTS; part++) {
        const int left = p->valid - part * HD_PART_SIZE, m = hd_selected_in(c, part);
        const int others = (left > HD_PART_SIZE ? HD_PART_SIZE : left > 0 ? left : 0) - m;
        const char *from = p->at + part * HD_PART_SIZE * sizeof(hd_element);
        hd_write_staged(out, from, 0, m, chosen, room);
        hd_write_staged(out, from, m, others, rest, room);
        chosen += m;
        rest += others;
    }
}

// The last tile knows the totals.
HD_FN void hd_finish(const hd_select_how *how, const hd_select_out *to, int64_t total)
{
    if (HD_COUNTS) {
        hd_put_count(&to->counts, 0, total);
        hd_put_count(&to->counts, 1, how->n - total);
    }
    if (HD_BEGINS) {
        hd_put_begin(&to->begins, 0, 0);
        hd_put_begin(&to->begins, 1, total);
        hd_put_begin(&to->begins, 2, how->n);
    }
}

extern "C" __global__ void __launch_bounds__(HD_THREADS, HD_BLOCKS)
    partition_tiles(const __grid_constant__ hd_inputs in, const __grid_constant__ hd_select_how how,
                    hd_state state, const __grid_constant__ hd_select_out to)
{
    hd_begin();
    extern __shared__ __align__(128) char tile[];
    __shared__ uint32_t of_warp[HD_WARPS];
    __shared__ uint64_t arrival;
    hd_chunk p = hd_begin_tile(&in, &how, tile, &arrival);
    const uint64_t before_tile = state.word[blockIdx.x];
    hd_choice c;
    hd_select_from(&in, &how, tile, &arrival, &p, &c);
    if (hd_lane() == 0) of_warp[threadIdx.x / HD_WARP] = (uint32_t)p.count;
    hd_block_barrier();
    if (HD_EARLY && p.bulk) hd_await_bulk(&arrival);
    hd_forget_bits(&c);
    if (HD_OUT) hd_gather_both(&c, &p);
    hd_warp_barrier();
    p.chosen = (int64_t)before_tile + hd_sum_before_warp(of_warp);
    const int64_t rest = (int64_t)state.word[how.tiles] + p.first - p.chosen;
    if (HD_OUT) hd_write_both(&to.out, &c, &p, rest, how.room);
    if (HD_INDICES) {
        uint16_t *offsets = hd_staged_offsets(&p, tile);
        hd_warp_barrier();
        hd_forget_bits(&c);
        hd_gather_offsets(&c, &p, offsets);
        hd_write_indices(&to.indices, &p, rest, how.index_room, offsets);
    }
    if (blockIdx.x == how.tiles - 1 && threadIdx.x == HD_THREADS - 1)
        hd_finish(&how, &to, p.chosen + p.count);
}
