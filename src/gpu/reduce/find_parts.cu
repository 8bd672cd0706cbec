// SPDX-License-Identifier: Apache-2.0
//
// find_parts: what each tile of reduce_segments has. Segments and elements are one sequence of items, a segment
// before its first element, so that segment s is item s + offset[s]; tile t has the items from t x HD_ITEMS on.
// Tiles are alike in work whatever the lengths are. Where the first segment of each tile is known (`given`),
// tiles have so many elements instead.
#include "device/kernel.cuh"
#include "reduce/parts.cuh"

struct hd_parts_how {
    int64_t segments, n, tiles;
    const int64_t *given;  // or null
    const uint32_t *clock; // launches done, see scan_blocks.cuh; reduce_segments counts this one
};

#define HD_WAYS    4  // in which a search divides what is left: its loads are under way together
#define HD_FURTHER 16 // how much further away than before is tried

// The first of segments low .. high - 1 that is item x or later.
HD_FN int64_t hd_first_among(const hd_view *offsets, int64_t low, int64_t high, int64_t x)
{
    while (low < high) {
        const int64_t step = (int64_t)((uint64_t)(high - low + HD_WAYS - 1) / HD_WAYS);
        const int64_t from = low + step - 1, last = high - 1;
        int64_t at[HD_WAYS - 1], bound[HD_WAYS - 1];
#pragma unroll
        for (int k = 0; k < HD_WAYS - 1; k++) {
            at[k] = from + k * step < last ? from + k * step : last;
            bound[k] = hd_bound(offsets, at[k]);
        }
#pragma unroll
        for (int k = 0; k < HD_WAYS - 1; k++) {
            const bool before = bound[k] < x - at[k];
            if (before && at[k] >= low) low = at[k] + 1;
            if (!before && at[k] < high) high = at[k];
        }
    }
    return low;
}

// The first segment that is an item of tile t or later: near where it were if all segments were alike. How near, is tried
// at both sides at once, further and further away.
HD_FN int64_t hd_first_of(const hd_view *offsets, const hd_parts_how *how, int64_t tile)
{
    const int64_t x = tile * HD_ITEMS;
    int64_t low = 0, high = how->segments;
    if (tile >= how->tiles) return high;
    if (tile == 0) return 0;
    const int64_t guess = (int64_t)((double)x * (double)high / (double)(how->n + high));
    for (int64_t far = 1;; far *= HD_FURTHER) {
        const int64_t left = guess - far > low ? guess - far : low;
        const int64_t right = guess + far < high ? guess + far : high;
        const int64_t at_left = hd_bound(offsets, left), at_right = hd_bound(offsets, right);
        const bool left_before = at_left < x - left, right_before = at_right < x - right;
        const bool found = (left_before || left == low) && (!right_before || right == high);
        if (left_before && left < high) low = left + 1;
        if (right_before && right < high) low = right + 1;
        if (!right_before && right < high) high = right;
        if (!left_before && left < high) high = left;
        if (found) break;
    }
    return hd_first_among(offsets, low, high, x);
}

HD_FN int64_t hd_of_next_lane(int64_t x)
{
    const uint32_t low = hd_word_from((uint32_t)x, hd_lane() + 1);
    return (int64_t)((uint64_t)hd_word_from((uint32_t)((uint64_t)x >> 32), hd_lane() + 1) << 32 |
                     low);
}

// The chunk of a segment that began earlier, if one begins among elements low .. high - 1.
HD_FN void hd_take_chunk(const hd_view *offsets, hd_part *p, int64_t low, int64_t high, int64_t n)
{
    if (p->share.first == 0) return;
    const int64_t begin = hd_bound(offsets, p->share.first - 1),
                  end = hd_bound(offsets, p->share.first);
    if (begin < 0 || begin > low || end > n || end - begin <= HD_ITEMS) return;
    int64_t c = (low - begin + HD_ITEMS - 1) / HD_ITEMS;
    if (c == 0) c = 1; // the first is that of the tile where the segment begins
    const int64_t at = begin + c * HD_ITEMS;
    if (at >= high || at + HD_ITEMS > end) return;
    p->share.first--;
    p->share.from = at;
    p->share.length = HD_ITEMS;
    p->share.is_long = 1;
    p->longer.begin = begin;
    p->longer.end = end;
}

// The segments that begin here, among elements low .. high: the last may be longer than a tile.
HD_FN void hd_take_segments(const hd_view *offsets, hd_part *p, int64_t next, int64_t low,
                            int64_t high, int64_t n)
{
    const int64_t begin = hd_bound(offsets, p->share.first), last = hd_bound(offsets, next - 1);
    const int64_t end = hd_bound(offsets, next);
    if (begin < low || last < begin || last > high || end < last || end > n) {
        p->share.segments = -1;
        return;
    }
    p->share.from = begin;
    p->share.length = (int32_t)((end - last <= HD_ITEMS ? end : last + HD_ITEMS) - begin);
    p->share.is_long = end - last > HD_ITEMS;
    p->longer.begin = last;
    p->longer.end = end;
}

extern "C" __global__ void __launch_bounds__(HD_THREADS)
    find_parts(const __grid_constant__ hd_view offsets, const __grid_constant__ hd_parts_how how,
               hd_part *part)
{
    hd_begin();
    // A warp has 31 tiles: every lane finds the first segment of one, its neighbour's is the next.
    const int64_t warp = ((int64_t)blockIdx.x * HD_THREADS + threadIdx.x) / HD_WARP;
    const int64_t tile = warp * (HD_WARP - 1) + hd_lane();
    const bool known = how.given != 0;
    const int64_t first = !known              ? hd_first_of(&offsets, &how, tile)
                          : tile <= how.tiles ? how.given[tile]
                                              : 0;
    const int64_t next = hd_of_next_lane(first);
    if (tile >= how.tiles || hd_lane() == HD_WARP - 1) return;
    hd_part p = {{0, first, 0, (int16_t)(next - first), 0}, {0, 0, 0, 0}};
    p.longer.launch = hd_load_relaxed(how.clock + 2) + 1;
    const int64_t low = tile * HD_ITEMS - (known ? 0 : first);
    int64_t high = (tile + 1) * HD_ITEMS - (known ? 0 : next);
    if (high > how.n) high = how.n;
    if (next < first || next - first > HD_ITEMS || low < 0 || low > high)
        p.share.segments = -1;
    else if (next > first)
        hd_take_segments(&offsets, &p, next, low, high, how.n);
    else
        hd_take_chunk(&offsets, &p, low, high, how.n);
    part[tile] = p;
}
