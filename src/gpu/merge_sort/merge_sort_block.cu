// SPDX-License-Identifier: Apache-2.0
//
// merge_sort_block: tiles become sorted runs. A thread sorts one or two runs of HK_ITEMS elements
// by exchanges of neighbours; then pairs of runs, of longer ones, are merged in shared memory. An
// exchange keeps a permutation whatever the comparison says; a merge whose threads do not meet, for
// the comparison contradicts itself, is left out. Tiles that are in order stay as they are.
#include "device/kernel.cuh"
#include "sort/block_vote.cuh"
#include "merge/staged_runs.cuh"
#include "merge_sort/runs.cuh"

// Neighbours that are in the wrong order change places, HK_ITEMS times: odd-even transposition sort
// (Habermann 1972), which is stable.
HK_FN void hk_sort_own(hk_in_0 *own, uint16_t *place, int valid)
{
#pragma unroll
    for (int step = 0; step < HK_ITEMS; step++)
#pragma unroll
        for (int r = step % 2; r + 1 < HK_ITEMS; r += 2) {
            if (r + 1 >= valid || !hk_before(own[r + 1], own[r])) continue;
            const hk_in_0 x = own[r];
            own[r] = own[r + 1], own[r + 1] = x;
            const uint16_t p = place[r];
            place[r] = place[r + 1], place[r + 1] = p;
        }
}

// Whether no element of the tile comes before its neighbour.
HK_FN bool hk_in_order(const hk_in_0 *x, const hk_in_0 *own, int first, int count)
{
    bool in_order = first == 0 || first >= count || !hk_before(own[0], x[first - 1]);
#pragma unroll
    for (int r = 1; r < HK_ROWS; r++)
        if (first + r < count && hk_before(own[r], own[r - 1])) in_order = false;
    return hk_all_of_block(in_order);
}

// A round: pairs of runs of `run` elements become one run each.
HK_FN void hk_merge_round(hk_in_0 *x, uint16_t *places, uint16_t *ends, int run, int count)
{
    const int first = (int)threadIdx.x * HK_ROWS, base = first / (2 * run) * (2 * run);
    const int d = first - base, left = count - base;
    const int na = left < run ? left : run, nb = left - na < run ? left - na : run;
    const hk_merge_tile t = {x + base, na, na + nb, 0, na, HK_AS_IS};
    hk_in_0 own[HK_ROWS];
    uint16_t from[HK_ROWS], place[HK_ROWS];
    int begin = 0, end = 0;
    if (first < count) {
        begin = hk_split_at(&t, d);
        end = hk_merge_items(&t, d, begin, HK_INDICES, from, own);
        ends[threadIdx.x] = (uint16_t)end;
        if (HK_INDICES) {
#pragma unroll
            for (int r = 0; r < HK_ROWS; r++)
                if (d + r < t.count) place[r] = places[base + from[r]];
        }
    }
    hk_block_barrier();
    const bool joins = first >= count || ((d == 0 || begin == ends[threadIdx.x - 1]) &&
                                          (d + HK_ROWS < t.count || end == na));
    if (!hk_all_of_block(joins)) return;
    if (first < count) {
#pragma unroll
        for (int r = 0; r < HK_ROWS; r++) {
            hk_store_as(x + first + r, own[r], true);
            if (HK_INDICES && d + r < t.count) places[first + r] = place[r];
        }
    }
    hk_block_barrier();
}

// The tile in x becomes one run, whose elements were at `places`.
HK_FN void hk_sort_staged(hk_in_0 *x, uint16_t *places, uint16_t *ends, int count)
{
    const int first = (int)threadIdx.x * HK_ROWS;
    hk_in_0 own[HK_ROWS];
    uint16_t place[HK_ROWS];
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++) {
        own[r] = hk_load_as(x + first + r, true);
        place[r] = (uint16_t)(first + r);
        if (HK_INDICES) places[first + r] = place[r];
    }
    if (hk_in_order(x, own, first, count)) return;
#pragma unroll
    for (int k = 0; k < HK_ROWS; k += HK_ITEMS) {
        if (count == HK_TILE)
            hk_sort_own(own + k, place + k, HK_ITEMS);
        else
            hk_sort_own(own + k, place + k, count - first - k);
    }
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++) {
        hk_store_as(x + first + r, own[r], true);
        if (HK_INDICES) places[first + r] = place[r];
    }
    hk_block_barrier();
#pragma unroll 1
    for (int run = HK_ITEMS; run < count; run *= 2) hk_merge_round(x, places, ends, run, count);
}

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    merge_sort_block(const __grid_constant__ hk_runs_how how)
{
    hk_begin();
    __shared__ __align__(16) char stage[HK_STAGE_BYTES];
    __shared__ uint16_t places[HK_INDICES ? HK_TILE : 1], ends[HK_THREADS];
    hk_in_0 *const x = (hk_in_0 *)stage;
    if (blockIdx.x == 0 && threadIdx.x == 0 && how.state != 0) {
        how.state->failed = 0;
        how.state->unsorted = 0;
    }
    const int64_t begin = (int64_t)blockIdx.x * HK_TILE;
    const int count = how.n - begin < HK_TILE ? (int)(how.n - begin) : HK_TILE;
    const hk_merge_tile all = {x, count, count, 0, count, HK_AS_IS};
    hk_stage_runs(how.from + begin, how.from + begin + count, &all, true, x);
    hk_block_barrier();
    hk_sort_staged(x, places, ends, count);
    hk_write_tile(how.to + begin, x, count, true);
    if (!HK_INDICES) return;
    for (int k = (int)threadIdx.x; k < count; k += HK_THREADS)
        how.index_to[begin + k] = (hk_index)(begin + places[k]);
}
