// SPDX-License-Identifier: Apache-2.0
//
// merge_tiles: a block has a tile of the merged row. It brings its elements of a and of b to shared
// memory; each thread finds where its HK_ROWS elements begin, merges them one by one and leaves
// them (HK_MOVES), or which they are; then the block writes them. Where elements are not sorted, or
// a comparison contradicts itself, splits fall or threads do not meet; merge_unsorted then has the
// last word.
#include "device/kernel.cuh"
#include "sort/block_vote.cuh"
#include "merge/row_splits.cuh"
#include "merge/bulk_runs.cuh"

// Elements that fit registers are put in order, unless it must be known where they were.
#define HK_MOVES (!HK_INDICES && sizeof(hk_in_0) <= 8)

#define HK_FLIPS (HK_FLOATS && HK_MOVES && HK_CONTIGUOUS)

// The thread's elements, from the first-th of the tile on, or which they are, and where a's begin
// and end.
HK_FN int hk_merge_own(const hk_merge_tile *t, int first, uint16_t *place, hk_in_0 *own, int *end)
{
    const int begin = hk_split_at(t, first);
    *end = hk_merge_items(t, first, begin, !HK_MOVES, place, own);
    return begin;
}

// The splits before and behind the tile, each found by a warp.
HK_FN void hk_find_splits(const hk_inputs *in, const hk_merge_how *how, int64_t row, int64_t d,
                          int64_t *found)
{
    const int warp = (int)threadIdx.x / HK_WARP;
    for (int k = warp; k < 2; k += HK_THREADS / HK_WARP) {
        const int64_t at = hk_split_of(in, how, row, d + k * HK_TILE, 5);
        if (hk_lane() == 0) found[k] = at;
    }
    hk_block_barrier();
}

// Whether the tile's threads met: where tiles have words of their own, nothing has cleared these.
HK_FN void hk_say_sorted(const hk_merge_how *how, bool joins)
{
    if (how->split != 0) {
        if (!joins) hk_store_relaxed(how->unsorted, 1);
        return;
    }
    const bool all = hk_all_of_block(joins);
    if (threadIdx.x == 0) hk_store_relaxed(how->unsorted + blockIdx.x, !all);
}

HK_FN hk_merge_tile hk_stage_views(const hk_inputs *in, int64_t at_a, int64_t at_b, int count_a,
                                   int count, hk_in_0 *x)
{
    const hk_merge_tile t = {x, count_a, count, 0, count_a, HK_AS_IS};
    for (int k = (int)threadIdx.x; k < count; k += HK_THREADS)
        x[k] = k < count_a ? hk_one_0(in, at_a + k) : hk_one_1(in, at_b + k - count_a);
    hk_stage_end(&t, count_a > 0 ? hk_one_0(in, at_a) : hk_one_1(in, at_b), x);
    hk_block_barrier();
    return t;
}

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    merge_tiles(const __grid_constant__ hk_inputs in, const __grid_constant__ hk_merge_how how,
                const __grid_constant__ hk_view out, const __grid_constant__ hk_view indices)
{
    hk_begin();
    __shared__ __align__(16) char stage[HK_STAGE_BYTES];
    __shared__ int64_t found[2];
    __shared__ uint16_t from[HK_MOVES ? 1 : HK_TILE], ends[HK_THREADS];
    hk_in_0 *const x = (hk_in_0 *)stage;
    const int64_t row = blockIdx.x / how.tiles, tile = blockIdx.x - row * how.tiles;
    const int64_t all = how.na + how.nb, d = tile * HK_TILE;
    const int count = all - d < HK_TILE ? (int)(all - d) : HK_TILE;
    const int64_t *const split = how.split + row * (how.tiles + 1) + tile;
    if (how.split == 0) hk_find_splits(&in, &how, row, d, found);
    const int64_t a = how.split == 0 ? found[0] : split[0], b = d - a;
    const int64_t count_a = (how.split == 0 ? found[1] : split[1]) - a;
    if (count_a < 0 || count_a > count) { // it can only be so where they are not sorted
        if (threadIdx.x == 0) hk_store_relaxed(how.unsorted + (how.split == 0 ? blockIdx.x : 0), 1);
        return;
    }
    const int64_t at_a = row * how.na + a, at_b = row * how.nb + b;
    bool nan = false;
    const hk_merge_tile t = HK_CONTIGUOUS
                                ? hk_stage_tile((const hk_in_0 *)in.view[0].data + at_a,
                                                (const hk_in_0 *)in.view[1].data + at_b,
                                                (int)count_a, count, false, HK_FLIPS, stage, &nan)
                                : hk_stage_views(&in, at_a, at_b, (int)count_a, count, x);
    hk_in_0 own[HK_ROWS];
    const int first = (int)threadIdx.x * HK_ROWS;
    int begin = 0, end = 0;
    if (first < count) {
        uint16_t place[HK_ROWS];
        hk_merge_tile with_nan = t;
        with_nan.as = HK_AS_KEYS_WITH_NAN;
        begin = HK_FLIPS && nan ? hk_merge_own(&with_nan, first, place, own, &end)
                                : hk_merge_own(&t, first, place, own, &end);
        ends[threadIdx.x] = (uint16_t)end;
#pragma unroll
        for (int r = 0; r < HK_ROWS; r++)
            if (!HK_MOVES) from[first + r] = place[r];
    }
    hk_block_barrier();
    if (HK_MOVES) {
#pragma unroll
        for (int r = 0; r < HK_ROWS; r++)
            hk_store_as(x + first + r, HK_FLIPS ? hk_flip(own[r]) : own[r], true);
        hk_block_barrier();
    }
    // Each thread begins where the one before it ended, or what was taken is no permutation.
    const bool joins = first >= count || ((first == 0 || begin == ends[threadIdx.x - 1]) &&
                                          (first + HK_ROWS < count || end == t.count_a));
    hk_say_sorted(&how, joins);
    if (HK_MOVES && HK_CONTIGUOUS) {
        hk_write_tile((hk_in_0 *)out.data + row * all + d, x, count, false);
        return;
    }
    for (int k = (int)threadIdx.x; k < count; k += HK_THREADS) {
        const int i = HK_MOVES ? k : from[k];
        if (HK_OUT)
            hk_put(&out, row * all + d + k,
                   HK_MOVES        ? x[k]
                   : i < t.count_a ? x[i + t.begin_a]
                                   : x[i + t.begin_b - t.count_a]);
        if (HK_INDICES)
            hk_put_index(&indices, row * all + d + k,
                         i < t.count_a ? a + i : how.na + b + i - t.count_a);
    }
}
