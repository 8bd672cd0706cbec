// SPDX-License-Identifier: Apache-2.0
//
// merge_sort_tiles: a pass of a merge sort, pairs of runs become one run each. A block brings its
// elements of both runs to shared memory, each thread merges HK_ROWS of them, and the block writes
// them in order. Elements that all come from one run are copied. Where splits fall or threads do
// not meet, for the comparison contradicts itself, the passes after this one do nothing.
#include "device/kernel.cuh"
#include "merge/bulk_runs.cuh"
#include "merge_sort/runs.cuh"

#define HK_WARPS (HK_THREADS / HK_WARP)

// The splits before and behind the tile, each found by a warp.
HK_FN void hk_find_splits(const hk_runs_how *how, const hk_pair *pair, int64_t d, int64_t *split)
{
    const int warp = (int)threadIdx.x / HK_WARP;
    for (int k = warp; k < 2; k += HK_WARPS) {
        const int64_t at = hk_split_of(how, pair, d + k * HK_TILE, 5);
        if (hk_lane() == 0) split[k] = at;
    }
    hk_block_barrier();
}

HK_FN void hk_copy_tile(const hk_runs_how *how, int64_t from, int64_t to, int count)
{
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++) {
        const int k = r * HK_THREADS + (int)threadIdx.x;
        if (k >= count) continue;
        hk_store_as(how->to + to + k, hk_load_as(how->from + from + k, true), true);
        if (HK_INDICES) how->index_to[to + k] = how->index_from[from + k];
    }
}

// The tile's elements to x, in order, and to `from` which they are; whether all threads met.
HK_FN bool hk_merge_staged(const hk_merge_tile *t, hk_in_0 *x, uint16_t *from, uint16_t *ends)
{
    hk_in_0 own[HK_ROWS];
    uint16_t place[HK_ROWS];
    const int first = (int)threadIdx.x * HK_ROWS;
    int begin = 0, end = 0;
    if (first < t->count) {
        begin = hk_split_at(t, first);
        end = hk_merge_items(t, first, begin, HK_INDICES, place, own);
        ends[threadIdx.x] = (uint16_t)end;
    }
    hk_block_barrier();
    if (first >= t->count) return true;
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++) {
        hk_store_as(x + first + r, own[r], true);
        if (HK_INDICES) from[first + r] = place[r];
    }
    const bool last = first + HK_ROWS >= t->count;
    return (first == 0 || begin == ends[threadIdx.x - 1]) && (!last || end == t->count_a);
}

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    merge_sort_tiles(const __grid_constant__ hk_runs_how how)
{
    hk_begin();
    __shared__ __align__(16) char stage[HK_STAGE_BYTES];
    __shared__ uint16_t from[HK_INDICES ? HK_TILE : 1], ends[HK_THREADS];
    __shared__ int64_t split[2];
    hk_in_0 *const x = (hk_in_0 *)stage;
    const bool over = hk_is_over(how.state, how.pass);
    const int64_t tile = blockIdx.x, at = tile * HK_TILE;
    const hk_pair pair = hk_pair_of(&how, tile);
    const int64_t d = at - pair.first, left = pair.na + pair.nb - d;
    const int count = left < HK_TILE ? (int)left : HK_TILE;
    if (how.pass == 1 && threadIdx.x == 0 && tile > 0 && hk_before(how.from[at], how.from[at - 1]))
        hk_store_relaxed(&how.state->unsorted, 1);
    if (how.split == 0) hk_find_splits(&how, &pair, d, split);
    const int64_t a = how.split == 0 ? split[0] : how.split[tile], b = d - a;
    const int64_t end = how.split == 0 ? split[1] : left > HK_TILE ? how.split[tile + 1] : pair.na;
    const int64_t count_a = end - a;
    if (over) return;
    if (count_a < 0 || count_a > count) {
        if (threadIdx.x == 0) hk_store_relaxed(&how.state->failed, (uint32_t)how.pass);
        return;
    }
    const int64_t at_a = pair.first + a, at_b = pair.first + pair.na + b - count_a;
    if (count_a == 0 || count_a == count) {
        hk_copy_tile(&how, count_a == 0 ? at_b : at_a, at, count);
        return;
    }
    bool nan;
    const hk_merge_tile t = hk_stage_tile(how.from + at_a, how.from + at_b + count_a, (int)count_a,
                                          count, true, false, stage, &nan);
    if (!hk_merge_staged(&t, x, from, ends))
        hk_store_relaxed(&how.state->failed, (uint32_t)how.pass);
    hk_block_barrier();
    hk_write_tile(how.to + at, x, count, true);
    if (!HK_INDICES) return;
    for (int k = (int)threadIdx.x; k < count; k += HK_THREADS) {
        const int i = from[k];
        how.index_to[at + k] = how.index_from[(i < t.count_a ? at_a : at_b) + i];
    }
}
