// SPDX-License-Identifier: Apache-2.0
//
// merge_sort_tiles: a pass of a merge sort, pairs of runs become one run each. A block brings its
// elements of both runs to shared memory, each thread merges HK_ROWS of them, and the block writes
// them in order. Where splits fall or threads do not meet, for the comparison contradicts itself,
// merge_sort_mend copies the runs as they are.
#include "device/kernel.cuh"
#include "merge_sort/runs.cuh"

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    merge_sort_tiles(const __grid_constant__ hk_runs_how how)
{
    hk_begin();
    __shared__ __align__(16) char stage[HK_STAGE_BYTES];
    __shared__ uint16_t from[HK_TILE], ends[HK_THREADS];
    hk_in_0 *const x = (hk_in_0 *)stage;
    const int64_t tile = blockIdx.x, at = tile * HK_TILE;
    const hk_pair pair = hk_pair_of(&how, tile);
    const int64_t d = at - pair.first, left = pair.na + pair.nb - d;
    const int count = left < HK_TILE ? (int)left : HK_TILE;
    const int64_t a = how.split[tile], b = d - a;
    const int64_t count_a = (left > HK_TILE ? how.split[tile + 1] : pair.na) - a;
    if (count_a < 0 || count_a > count) {
        if (threadIdx.x == 0) hk_store_relaxed(how.unsorted, 1);
        return;
    }
    const hk_merge_tile t = {x, (int)count_a, count};
    const int64_t at_a = pair.first + a, at_b = pair.first + pair.na + b - count_a;
    hk_stage_runs(how.from + at_a, how.from + at_b + count_a, &t, x);
    hk_in_0 own[HK_ROWS];
    hk_block_barrier();
    const int first = (int)threadIdx.x * HK_ROWS;
    uint16_t place[HK_ROWS];
    int begin = 0, end = 0;
    if (first < count) {
        begin = hk_split_at(&t, first);
        end = hk_merge_items(&t, first, begin, place, own);
        ends[threadIdx.x] = (uint16_t)end;
    }
    hk_block_barrier();
    const bool indices = how.index_to != 0;
    if (first < count) {
        const bool joins = threadIdx.x == 0 || begin == ends[threadIdx.x - 1];
        const bool last = first + HK_ROWS >= count;
        if (!joins || (last && end != t.count_a)) hk_store_relaxed(how.unsorted, 1);
    }
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++) x[first + r] = own[r];
    if (indices) {
#pragma unroll
        for (int r = 0; r < HK_ROWS; r++) from[first + r] = place[r];
    }
    hk_block_barrier();
    hk_write_tile(how.to + at, x, count);
    if (!indices) return;
    for (int k = (int)threadIdx.x; k < count; k += HK_THREADS) {
        const int i = from[k];
        how.index_to[at + k] = how.index_from[(i < t.count_a ? at_a : at_b) + i];
    }
}
