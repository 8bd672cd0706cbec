// SPDX-License-Identifier: Apache-2.0
//
// segment_tiles: what each tile of reduce_segments has: the items of segment_search.cuh from
// t x HK_ITEMS on, for tile t. Where the first segment of each tile is known (`given`), tiles have
// so many elements instead.
#include "device/kernel.cuh"
#include "device/segment_search.cuh"
#include "reduce/segment_tile.cuh"

struct hk_segment_tiles_how {
    int64_t segments, n, tiles;
    const int64_t *given; // or null
    const uint32_t
        *control; // launches done, see scan_lookback.cuh; reduce_segments counts this one
    int64_t by_warps;
};

HK_FN int64_t hk_of_next_lane(int64_t x)
{
    const uint32_t low = hk_word_from((uint32_t)x, hk_lane() + 1);
    return (int64_t)((uint64_t)hk_word_from((uint32_t)((uint64_t)x >> 32), hk_lane() + 1) << 32 |
                     low);
}

// The chunk of a segment that began earlier, if one begins among elements low .. high - 1.
HK_FN void hk_take_chunk(const hk_view *offsets, hk_segment_tile *p, int64_t low, int64_t high,
                         int64_t n)
{
    if (p->share.first == 0) return;
    const int64_t begin = hk_bound(offsets, p->share.first - 1),
                  end = hk_bound(offsets, p->share.first);
    if (begin < 0 || begin > low || end > n || end - begin <= HK_ITEMS) return;
    int64_t c = (low - begin + HK_ITEMS - 1) / HK_ITEMS;
    if (c == 0) c = 1; // the first is that of the tile where the segment begins
    const int64_t at = begin + c * HK_ITEMS;
    if (at >= high || at + HK_ITEMS > end) return;
    p->share.first--;
    p->share.from = at;
    p->share.length = HK_ITEMS;
    p->share.is_long = 1;
    p->longer.begin = begin;
    p->longer.end = end;
}

// The segments that begin here, among elements low .. high: the last may be longer than a tile.
HK_FN void hk_take_segments(const hk_view *offsets, hk_segment_tile *p, int64_t next, int64_t low,
                            int64_t high, int64_t n)
{
    const int64_t begin = hk_bound(offsets, p->share.first), last = hk_bound(offsets, next - 1);
    const int64_t end = hk_bound(offsets, next);
    if (begin < low || last < begin || last > high || end < last || end > n) {
        p->share.segments = -1;
        return;
    }
    p->share.from = begin;
    p->share.length = (int32_t)((end - last <= HK_ITEMS ? end : last + HK_ITEMS) - begin);
    p->share.is_long = end - last > HK_ITEMS;
    p->longer.begin = last;
    p->longer.end = end;
}

// What tile `tile` has, whose first segment is `first`, and the first one of the next tile `next`.
HK_FN void hk_make_tile(const hk_view *offsets, const hk_segment_tiles_how *how, int64_t tile,
                        int64_t first, int64_t next, hk_segment_tile *part)
{
    const bool known = how->given != 0;
    hk_segment_tile p = {{0, first, 0, (int16_t)(next - first), 0}, {0, 0, 0, 0}};
    p.longer.epoch = hk_load_relaxed(how->control + 2) + 1;
    const int64_t low = tile * HK_ITEMS - (known ? 0 : first);
    int64_t high = (tile + 1) * HK_ITEMS - (known ? 0 : next);
    if (high > how->n) high = how->n;
    if (next < first || next - first > HK_ITEMS || low < 0 || low > high)
        p.share.segments = -1;
    else if (next > first)
        hk_take_segments(offsets, &p, next, low, high, how->n);
    else
        hk_take_chunk(offsets, &p, low, high, how->n);
    part[tile] = p;
}

// Few tiles: a warp finds the first segment of one, a block has one tile less than warps.
HK_FN void hk_tiles_by_warps(const hk_view *offsets, const hk_segment_tiles_how *how,
                             int64_t *first_of_warp, hk_segment_tile *part)
{
    const int warp = (int)threadIdx.x / HK_WARP;
    const int64_t begin = (int64_t)blockIdx.x * (HK_WARPS - 1);
    const int64_t first =
        hk_first_by_warp(offsets, how->segments, how->n, begin + warp, how->tiles);
    if (hk_lane() == 0) first_of_warp[warp] = first;
    hk_block_barrier();
    const int64_t tile = begin + threadIdx.x;
    if (threadIdx.x >= HK_WARPS - 1 || tile >= how->tiles) return;
    hk_make_tile(offsets, how, tile, first_of_warp[threadIdx.x], first_of_warp[threadIdx.x + 1],
                 part);
}

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    segment_tiles(const __grid_constant__ hk_view offsets,
                  const __grid_constant__ hk_segment_tiles_how how, hk_segment_tile *part)
{
    hk_begin();
    __shared__ int64_t first_of_warp[HK_WARPS];
    if (how.by_warps != 0) {
        hk_tiles_by_warps(&offsets, &how, first_of_warp, part);
        return;
    }
    // A warp has 31 tiles: every lane finds the first segment of one, its neighbour's is the next.
    const int64_t warp = ((int64_t)blockIdx.x * HK_THREADS + threadIdx.x) / HK_WARP;
    const int64_t tile = warp * (HK_WARP - 1) + hk_lane();
    const int64_t first = how.given == 0
                              ? hk_first_of(&offsets, how.segments, how.n, tile, how.tiles)
                          : tile <= how.tiles ? how.given[tile]
                                              : 0;
    const int64_t next = hk_of_next_lane(first);
    if (tile >= how.tiles || hk_lane() == HK_WARP - 1) return;
    hk_make_tile(&offsets, &how, tile, first, next, part);
}
