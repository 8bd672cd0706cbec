// SPDX-License-Identifier: Apache-2.0
//
// merge_sort_block: tiles become sorted runs. A thread sorts HK_ROWS elements by exchanges of
// neighbours; then runs of threads, of two threads, of four are merged in shared memory. An
// exchange keeps a permutation whatever the comparison says; a merge whose threads do not meet, for
// the comparison contradicts itself, is left out.
#include "device/kernel.cuh"
#include "sort/block_vote.cuh"
#include "merge_sort/runs.cuh"

// Neighbours that are in the wrong order change places, HK_ROWS times: odd-even transposition sort
// (Habermann 1972), which is stable.
HK_FN void hk_sort_own(hk_in_0 *own, uint16_t *place, int valid)
{
#pragma unroll
    for (int step = 0; step < HK_ROWS; step++)
#pragma unroll
        for (int r = step % 2; r + 1 < HK_ROWS; r += 2) {
            if (r + 1 >= valid || !hk_before(own[r + 1], own[r])) continue;
            const hk_in_0 x = own[r];
            own[r] = own[r + 1], own[r + 1] = x;
            const uint16_t p = place[r];
            place[r] = place[r + 1], place[r + 1] = p;
        }
}

// A round: pairs of runs of `run` elements become one run each.
HK_FN void hk_merge_round(hk_in_0 *x, uint16_t *places, uint16_t *ends, int run, int count,
                          bool indices)
{
    const int first = (int)threadIdx.x * HK_ROWS, base = first / (2 * run) * (2 * run);
    const int d = first - base, left = count - base;
    const int na = left < run ? left : run, nb = left - na < run ? left - na : run;
    const hk_merge_tile t = {x + base, na, na + nb};
    hk_in_0 own[HK_ROWS];
    uint16_t from[HK_ROWS], place[HK_ROWS];
    int begin = 0, end = 0;
    if (first < count) {
        begin = hk_split_at(&t, d);
        end = hk_merge_items(&t, d, begin, from, own);
        ends[threadIdx.x] = (uint16_t)end;
        if (indices) {
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
        for (int r = 0; r < HK_ROWS; r++)
            if (d + r < t.count) {
                x[first + r] = own[r];
                if (indices) places[first + r] = place[r];
            }
    }
    hk_block_barrier();
}

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    merge_sort_block(const __grid_constant__ hk_runs_how how)
{
    hk_begin();
    __shared__ __align__(16) char stage[HK_STAGE_BYTES];
    __shared__ uint16_t places[HK_TILE], ends[HK_THREADS];
    hk_in_0 *const x = (hk_in_0 *)stage;
    const int64_t begin = (int64_t)blockIdx.x * HK_TILE;
    const int count = how.n - begin < HK_TILE ? (int)(how.n - begin) : HK_TILE;
    const bool indices = how.index_to != 0;
    hk_in_0 own[HK_ROWS];
    uint16_t place[HK_ROWS];
    const hk_merge_tile all = {x, count, count};
    hk_stage_runs(how.from + begin, how.from + begin + count, &all, x);
    hk_block_barrier();
    const int first = (int)threadIdx.x * HK_ROWS;
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++)
        if (first + r < count) {
            own[r] = x[first + r];
            place[r] = (uint16_t)(first + r);
        }
    hk_sort_own(own, place, count - first);
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++)
        if (first + r < count) {
            x[first + r] = own[r];
            places[first + r] = place[r];
        }
    hk_block_barrier();
#pragma unroll 1
    for (int run = HK_ROWS; run < count; run *= 2)
        hk_merge_round(x, places, ends, run, count, indices);
    hk_write_tile(how.to + begin, x, count);
    if (!indices) return;
    for (int k = (int)threadIdx.x; k < count; k += HK_THREADS)
        how.index_to[begin + k] = (hk_index)(begin + places[k]);
}
