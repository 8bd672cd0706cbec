// SPDX-License-Identifier: Apache-2.0
//
// partition_tiles: a stable partition in two: the elements whose flag is set, then the others. How
// many are selected before each tile, and in all, is known (select_tally, select_begins), so that
// no block waits for another: a reduce-then-scan, not a decoupled look-back.
#include "device/kernel.cuh"
#include "device/lookback.cuh"
#include "select/select_tile.cuh"

// A chunk in parts of so few rows that registers hold them.
#define HK_PART_ROWS (HK_ROWS < 4 ? HK_ROWS : 4)
#define HK_PARTS     (HK_ROWS / HK_PART_ROWS)
#define HK_PART_SIZE (HK_PART_ROWS * HK_ROW)

HK_FN int hk_selected_in(const hk_selection *c, int part)
{
    int count = 0;
#pragma unroll
    for (int q = 0; q < HK_PART_ROWS; q++)
        count += (int)hk_field(c->in_row, part * HK_PART_ROWS + q);
    return count;
}

// In each part the elements that are selected come first, then the others.
HK_FN void hk_gather_both(const hk_selection *c, const hk_chunk *p)
{
    char *const chunk = p->at;
#pragma unroll
    for (int part = 0; part < HK_PARTS; part++) {
        hk_lane_words u[HK_PART_ROWS];
#pragma unroll
        for (int q = 0; q < HK_PART_ROWS; q++)
            hk_tile_items(chunk, part * HK_PART_SIZE + q * HK_ROW + hk_lane() * HK_K, u[q].e);
        hk_warp_barrier();
        hk_element *const front = (hk_element *)chunk + part * HK_PART_SIZE;
        hk_element *row = front, *const rest = front + hk_selected_in(c, part);
#pragma unroll
        for (int q = 0; q < HK_PART_ROWS; q++) {
            const int r = part * HK_PART_ROWS + q, at = q * HK_ROW + hk_lane() * HK_K;
            hk_element *to = row + hk_field(c->before, r);
            hk_element *other = rest + (at - (int)(to - front));
#pragma unroll
            for (int j = 0; j < HK_K; j++) {
                if (hk_is_in(c, r, j))
                    *to++ = u[q].e[j];
                else if (part * HK_PART_SIZE + at + j < p->valid)
                    *other++ = u[q].e[j];
            }
            row += hk_field(c->in_row, r);
        }
    }
}

// The parts of a chunk, to where the selected and the others go.
HK_FN void hk_write_both(const hk_view *out, const hk_selection *c, const hk_chunk *p, int64_t rest,
                         int64_t room)
{
    int64_t selected = p->selected;
#pragma unroll
    for (int part = 0; part < HK_PARTS; part++) {
        const int left = p->valid - part * HK_PART_SIZE, m = hk_selected_in(c, part);
        const int others = (left > HK_PART_SIZE ? HK_PART_SIZE : left > 0 ? left : 0) - m;
        const char *from = p->at + part * HK_PART_SIZE * sizeof(hk_element);
        hk_write_staged(out, from, 0, m, selected, room);
        hk_write_staged(out, from, m, others, rest, room);
        selected += m;
        rest += others;
    }
}

// The last tile knows the totals.
HK_FN void hk_finish(const hk_select_how *how, const hk_select_out *to, int64_t total)
{
    if (HK_COUNTS) {
        hk_put_count(&to->counts, 0, total);
        hk_put_count(&to->counts, 1, how->n - total);
    }
    if (HK_BEGINS) {
        hk_put_begin(&to->begins, 0, 0);
        hk_put_begin(&to->begins, 1, total);
        hk_put_begin(&to->begins, 2, how->n);
    }
}

extern "C" __global__ void __launch_bounds__(HK_THREADS, HK_BLOCKS)
    partition_tiles(const __grid_constant__ hk_inputs in, const __grid_constant__ hk_select_how how,
                    hk_state state, const __grid_constant__ hk_select_out to)
{
    hk_begin();
    extern __shared__ __align__(128) char tile[];
    __shared__ uint32_t of_warp[HK_WARPS];
    __shared__ uint64_t arrival;
    hk_chunk p = hk_begin_tile(&in, &how, tile, &arrival);
    const uint64_t before_tile = state.word[blockIdx.x];
    hk_selection c;
    hk_select_from(&in, &how, tile, &arrival, &p, &c);
    if (hk_lane() == 0) of_warp[threadIdx.x / HK_WARP] = (uint32_t)p.count;
    hk_block_barrier();
    if (HK_EARLY && p.bulk) hk_await_bulk(&arrival);
    hk_forget_bits(&c);
    if (HK_OUT) hk_gather_both(&c, &p);
    hk_warp_barrier();
    p.selected = (int64_t)before_tile + hk_sum_before_warp(of_warp);
    const int64_t rest = (int64_t)state.word[how.tiles] + p.first - p.selected;
    if (HK_OUT) hk_write_both(&to.out, &c, &p, rest, how.room);
    if (HK_INDICES) {
        uint16_t *offsets = hk_staged_offsets(&p, tile);
        hk_warp_barrier();
        hk_forget_bits(&c);
        hk_gather_offsets(&c, &p, offsets);
        hk_write_indices(&to.indices, &p, rest, how.index_room, offsets);
    }
    if (blockIdx.x == how.tiles - 1 && threadIdx.x == HK_THREADS - 1)
        hk_finish(&how, &to, p.selected + p.count);
}
