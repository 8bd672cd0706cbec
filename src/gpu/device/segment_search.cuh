// SPDX-License-Identifier: Apache-2.0
//
// The first segment of each tile, where segments and elements are one sequence of items, a segment
// before its first element, so that segment s is item s + offset[s]. Tiles of as many items are
// alike in work whatever the lengths are (merge path, as in Merrill and Garland 2016).
#pragma once
#include "device/lanes.cuh"

#define HK_WAYS    4  // in which a search divides what is left: its loads are under way together
#define HK_FURTHER 16 // how much further away than before is tried

// The first of segments low .. high - 1 that is item x or later.
HK_FN int64_t hk_first_among(const hk_view *offsets, int64_t low, int64_t high, int64_t x)
{
    while (low < high) {
        const int64_t step = (int64_t)((uint64_t)(high - low + HK_WAYS - 1) / HK_WAYS);
        const int64_t from = low + step - 1, last = high - 1;
        int64_t at[HK_WAYS - 1], bound[HK_WAYS - 1];
#pragma unroll
        for (int k = 0; k < HK_WAYS - 1; k++) {
            at[k] = from + k * step < last ? from + k * step : last;
            bound[k] = hk_bound(offsets, at[k]);
        }
#pragma unroll
        for (int k = 0; k < HK_WAYS - 1; k++) {
            const bool before = bound[k] < x - at[k];
            if (before && at[k] >= low) low = at[k] + 1;
            if (!before && at[k] < high) high = at[k];
        }
    }
    return low;
}

// The first segment that is an item of this tile or later: near where it were if all segments were
// alike. How near, is tried at both sides at once, further and further away.
HK_FN int64_t hk_first_of(const hk_view *offsets, int64_t segments, int64_t n, int64_t tile,
                          int64_t tiles)
{
    const int64_t x = tile * HK_ITEMS;
    int64_t low = 0, high = segments;
    if (tile >= tiles) return high;
    if (tile == 0) return 0;
    const int64_t guess = (int64_t)((double)x * (double)high / (double)(n + high));
    for (int64_t far = 1;; far *= HK_FURTHER) {
        const int64_t left = guess - far > low ? guess - far : low;
        const int64_t right = guess + far < high ? guess + far : high;
        const int64_t at_left = hk_bound(offsets, left), at_right = hk_bound(offsets, right);
        const bool left_before = at_left < x - left, right_before = at_right < x - right;
        const bool found = (left_before || left == low) && (!right_before || right == high);
        if (left_before && left < high) low = left + 1;
        if (right_before && right < high) low = right + 1;
        if (!right_before && right < high) high = right;
        if (!left_before && left < high) high = left;
        if (found) break;
    }
    return hk_first_among(offsets, low, high, x);
}

// The same by a warp, all lanes of which call. First they try around where the segment were if all
// were alike, each further away than its neighbour; then they divide what is left.
HK_FN int64_t hk_first_by_warp(const hk_view *offsets, int64_t segments, int64_t n, int64_t tile,
                               int64_t tiles)
{
    const int64_t x = tile * HK_ITEMS;
    int64_t low = 0, high = segments, step = 0;
    if (tile >= tiles) return high;
    const int64_t guess = (int64_t)((double)x * (double)high / (double)(n + high));
    for (bool first = true; low < high; first = false) {
        const int lane = hk_lane(), half = HK_WARP / 2;
        step = (high - low + HK_WARP) / (HK_WARP + 1);
        int64_t at = low + (lane + 1) * step - 1;
        if (first)
            at = lane < half ? guess - ((int64_t)1 << 2 * (half - 1 - lane))
                             : guess + ((int64_t)1 << 2 * (lane - half));
        at = at < low ? low : at >= high ? high - 1 : at;
        // Those before the first one that is not: places rise from lane to lane.
        const uint32_t before = hk_ballot(hk_bound(offsets, at) < x - at);
        const int count = before == HK_ALL ? HK_WARP : hk_popc((int)(before & ~(before + 1)));
        const int64_t last = hk_long_from(at, count > 0 ? count - 1 : 0),
                      next = hk_long_from(at, count < HK_WARP ? count : 0);
        if (count > 0) low = last + 1;
        if (count < HK_WARP) high = next;
    }
    return low;
}
