// SPDX-License-Identifier: Apache-2.0
//
// sort_short_segments: a block has the segments that begin in its tile of HK_ITEMS segments and
// elements, checks their offsets, lists the longer ones for the launches that follow, and sorts
// those of up to HK_SHORT keys: it brings them to shared memory, in which lanes, groups of lanes
// and warps sort those of like lengths by networks, and writes them as they lie. Elements outside
// of all segments stay where they are.
#include "device/kernel.cuh"
#include "device/offsets.cuh"
#include "segment_sort/network.cuh"
#include "segment_sort/segments.cuh"

#define HK_LANE_KEYS 8
#define HK_GROUPS    6 // of segments by length: up to 8 keys, a lane; up to 16, two lanes; ...
#define HK_LOADS     8 // of a thread under way
#define HK_ROOM      (HK_ITEMS + HK_SHORT)
#define HK_LONGS     (HK_ITEMS / HK_SHORT + 2)
#define HK_AT(i)     ((i) + (i) / HK_WARP) // spreads lanes that are 8 keys apart over the banks
#define HK_STABLE    (HK_VALUE_BYTES > 0)

struct hk_short_tile {
    hk_bits key[HK_AT(HK_ROOM) + 1];
    uint16_t index[HK_STABLE ? HK_AT(HK_ROOM) + 1 : 1];
    uint32_t list[HK_ITEMS]; // of the groups, each half as long as the one before
    uint32_t count[HK_GROUPS];
    uint32_t begin, end; // of short segments, from the tile's first element on
    uint32_t bad, longs;
    uint32_t long_begin[HK_LONGS], long_end[HK_LONGS]; // behind each other
    uint64_t large;
};

// ---- Which segments there are -------------------------------------------------------------------

HK_FN void hk_least_in_block(uint32_t *p, uint32_t x)
{
    asm volatile(
        "{ .reg .u64 q; cvta.to.shared.u64 q, %0; red.relaxed.cta.shared.min.u32 [q], %1; }"
        :
        : "l"(p), "r"(x)
        : "memory");
}

HK_FN void hk_most_in_block(uint32_t *p, uint32_t x)
{
    asm volatile(
        "{ .reg .u64 q; cvta.to.shared.u64 q, %0; red.relaxed.cta.shared.max.u32 [q], %1; }"
        :
        : "l"(p), "r"(x)
        : "memory");
}

// A lane's segment to the list of its group (-1: none), a warp at once. All lanes call.
HK_FN void hk_list_short(hk_short_tile *tile, int group, uint32_t begin, uint32_t length)
{
    uint32_t mine = 0, of_lane = 0; // lanes of this lane's group; of the group that it counts
#pragma unroll
    for (int g = 0; g < HK_GROUPS; g++) {
        const uint32_t lanes = hk_ballot(group == g);
        if (group == g) mine = lanes;
        if (hk_lane() == g) of_lane = (uint32_t)hk_popc((int)lanes);
    }
    uint32_t at = 0;
    if (of_lane > 0) at = hk_add_in_block(tile->count + hk_lane(), of_lane);
    at = hk_word_from(at, group < 0 ? 0 : group);
    if (group < 0) return;
    at += (uint32_t)hk_popc((int)(mine & ((1u << hk_lane()) - 1)));
    if (at < HK_ITEMS >> (group + 1)) // more only where offsets are bad
        tile->list[HK_ITEMS - (HK_ITEMS >> group) + at] = begin << 16 | length;
}

// Whether a segment that begins here is as it may be.
HK_FN bool hk_is_good(const hk_segments_how *how, int64_t begin, int64_t end, int64_t low,
                      int64_t high)
{
    return begin >= 0 && begin >= low && begin <= high && end >= begin && end <= how->n;
}

HK_FN void hk_list_segments(const hk_view *offsets, const hk_segments_how *how, hk_short_tile *tile,
                            int64_t first, int64_t next)
{
    const int64_t low = blockIdx.x * (int64_t)HK_ITEMS - first;
    const int64_t high = (blockIdx.x + 1) * (int64_t)HK_ITEMS - next;
    const int64_t from = hk_bound(offsets, first);
#pragma unroll 1
    for (int64_t s = first + threadIdx.x; s - threadIdx.x < next; s += HK_THREADS) {
        int group = -1;
        uint32_t at = 0, length = 0;
        if (s < next) {
            const int64_t begin = hk_bound(offsets, s), end = hk_bound(offsets, s + 1);
            if (hk_is_good(how, begin, end, low, high)) {
                at = (uint32_t)(begin - from);
                length = (uint32_t)(end - begin);
            } else {
                hk_most_in_block(&tile->bad, 1);
            }
        }
        const bool is_short = length > 0 && length <= HK_SHORT;
        if (is_short && length > 1) group = length <= HK_LANE_KEYS ? 0 : 29 - hk_clz(length - 1);
        const uint32_t lanes = hk_ballot(is_short);
        if (is_short && (lanes & ((1u << hk_lane()) - 1)) == 0) hk_least_in_block(&tile->begin, at);
        if (is_short && lanes >> hk_lane() == 1) hk_most_in_block(&tile->end, at + length);
        hk_list_short(tile, group, at, length);
        if (length > HK_SHORT) {
            const uint32_t k = hk_add_in_block(&tile->longs, 1);
            if (k < HK_LONGS) {
                tile->long_begin[k] = (uint32_t)from + at;
                tile->long_end[k] = (uint32_t)from + at + length;
            }
        }
    }
}

// ---- Longer ones --------------------------------------------------------------------------------

HK_FN uint64_t hk_add_long_to(uint64_t *p, uint64_t x)
{
    uint64_t old;
    asm volatile("atom.relaxed.gpu.global.add.u64 %0, [%1], %2;"
                 : "=l"(old)
                 : "l"(p), "l"(x)
                 : "memory");
    return old;
}

HK_FN void hk_report_bad(const hk_segments_how *how)
{
    hk_store_relaxed(how->fault, HK_BAD_OFFSETS);
    hk_store_relaxed(&how->control->bad, 1);
}

HK_FN void hk_list_medium(const hk_segments_how *how, uint32_t begin, uint32_t length)
{
    const int c = hk_class_of(length);
    const uint32_t at = hk_add_to(&how->control->medium[c], 1);
    if (at >= hk_room_of(how->n, c)) { // segments overlap
        hk_report_bad(how);
        return;
    }
    const hk_medium_segment m = {begin, length};
    how->medium[hk_list_of(how->n, c) + at] = m;
}

// The block's threads clear a large segment's counts and say whose its tiles are.
HK_FN void hk_list_large(const hk_segments_how *how, hk_short_tile *tile, uint32_t begin,
                         uint32_t end)
{
    const uint64_t tiles =
        ((uint64_t)(end - begin) + (uint32_t)how->large_tile - 1) / (uint32_t)how->large_tile;
    hk_block_barrier();
    if (threadIdx.x == 0) tile->large = hk_add_long_to(&how->control->large, 1ull << 40 | tiles);
    hk_block_barrier();
    const int64_t number = (int64_t)(tile->large >> 40);
    const int64_t at = (int64_t)(tile->large & HK_LARGE_TILES);
    if (number >= how->large_room || at + (int64_t)tiles > how->large_tiles_room) {
        if (threadIdx.x == 0) hk_report_bad(how);
        return;
    }
    const hk_large_segment large = {begin, end, (uint32_t)at, 0};
    if (threadIdx.x == 0) how->large[number] = large;
    const int64_t counts = (int64_t)sizeof(hk_bits) * HK_RADIX;
    for (int64_t k = threadIdx.x; k < counts; k += HK_THREADS) how->count[number * counts + k] = 0;
    for (int64_t k = threadIdx.x; k < (int64_t)tiles; k += HK_THREADS)
        how->tile_segment[at + k] = (uint32_t)number;
}

HK_FN void hk_list_longs(const hk_segments_how *how, hk_short_tile *tile)
{
    const int longs = (int)tile->longs;
    for (int k = (int)threadIdx.x; k < longs; k += HK_THREADS) {
        const uint32_t length = tile->long_end[k] - tile->long_begin[k];
        if (length <= how->medium_most) hk_list_medium(how, tile->long_begin[k], length);
    }
#pragma unroll 1
    for (int k = 0; k < longs; k++) {
        const uint32_t begin = tile->long_begin[k], end = tile->long_end[k];
        if (end - begin > how->medium_most) hk_list_large(how, tile, begin, end);
    }
}

// ---- Short ones ---------------------------------------------------------------------------------

HK_FN void hk_read_keys(const hk_segments_how *how, hk_short_tile *tile, int64_t from, int length)
{
#pragma unroll 1
    for (int first = (int)threadIdx.x; first < length; first += HK_LOADS * HK_THREADS) {
        hk_bits key[HK_LOADS];
#pragma unroll
        for (int r = 0; r < HK_LOADS; r++)
            if (first + r * HK_THREADS < length)
                key[r] = how->key_in[from + first + r * HK_THREADS];
#pragma unroll
        for (int r = 0; r < HK_LOADS; r++) {
            const int i = first + r * HK_THREADS;
            if (i >= length) continue;
            tile->key[HK_AT(i)] = hk_key_from(key[r]);
            if (HK_STABLE) tile->index[HK_AT(i)] = (uint16_t)i;
        }
    }
}

HK_FN void hk_write_keys(const hk_segments_how *how, const hk_short_tile *tile, int64_t from,
                         int length)
{
    for (int i = (int)threadIdx.x; i < length; i += HK_THREADS) {
        if (how->key_out != 0) how->key_out[from + i] = tile->key[HK_AT(i)];
        if (HK_STABLE) how->order[from + i] = (uint32_t)from + tile->index[HK_AT(i)];
    }
}

// Segments of one group of lengths, one for every `lanes` lanes. Keys alone that are equal are
// alike, but for NaN.
HK_FN void hk_sort_stable(hk_short_tile *tile, int begin, int length, int lanes)
{
    const int at = hk_lane() & (lanes - 1);
    hk_indexed x[HK_LANE_KEYS];
#pragma unroll
    for (int j = 0; j < HK_LANE_KEYS; j++) {
        const int e = j * lanes + at;
        hk_bits order = HK_LAST_ORDER;
        if (e < length) order = hk_order(tile->key[HK_AT(begin + e)]);
        hk_make_item(order, e, &x[j]);
    }
    hk_sort_lane<HK_LANE_KEYS>(x);
    hk_merge_lanes<HK_LANE_KEYS>(x, lanes);
    hk_bits key[HK_LANE_KEYS];
#pragma unroll
    for (int j = 0; j < HK_LANE_KEYS; j++)
        if (at * HK_LANE_KEYS + j < length) key[j] = tile->key[HK_AT(begin + hk_index_of(x[j]))];
    hk_warp_barrier();
#pragma unroll
    for (int j = 0; j < HK_LANE_KEYS; j++) {
        const int e = at * HK_LANE_KEYS + j;
        if (e >= length) continue;
        tile->key[HK_AT(begin + e)] = key[j];
        if (HK_STABLE) tile->index[HK_AT(begin + e)] = (uint16_t)(begin + hk_index_of(x[j]));
    }
}

// False: there are NaN, and nothing was done.
HK_FN bool hk_sort_plain(hk_short_tile *tile, int begin, int length, int lanes)
{
    const int at = hk_lane() & (lanes - 1);
    hk_plain x[HK_LANE_KEYS];
    bool nan = false;
#pragma unroll
    for (int j = 0; j < HK_LANE_KEYS; j++) {
        const int e = j * lanes + at;
        x[j] = HK_LAST_ORDER;
        if (e >= length) continue;
        x[j] = hk_order(tile->key[HK_AT(begin + e)]);
        nan = nan || x[j] == HK_LAST_ORDER;
    }
    if (HK_FLOAT && hk_ballot(nan) != 0) return false;
    hk_sort_lane<HK_LANE_KEYS>(x);
    hk_merge_lanes<HK_LANE_KEYS>(x, lanes); // its shuffles come after the loads of other lanes
#pragma unroll
    for (int j = 0; j < HK_LANE_KEYS; j++) {
        const int e = at * HK_LANE_KEYS + j;
        if (e < length) tile->key[HK_AT(begin + e)] = hk_key_of_order((hk_bits)x[j]);
    }
    return true;
}

// Warps take units of a warp's worth of segments of one group, the longest first.
HK_FN void hk_sort_short(hk_short_tile *tile)
{
    const int warp = (int)threadIdx.x / HK_WARP;
    int before = 0; // units of groups so far
#pragma unroll 1
    for (int g = HK_GROUPS - 1; g >= 0; g--) {
        const int lanes = 1 << g, each = HK_WARP / lanes, count = (int)tile->count[g];
        const int units = (count + each - 1) / each;
        int unit = (warp + HK_WARPS - before % HK_WARPS) % HK_WARPS;
#pragma unroll 1
        for (; unit < units; unit += HK_WARPS) {
            const int k = unit * each + hk_lane() / lanes;
            uint32_t segment = 0;
            if (k < count) segment = tile->list[HK_ITEMS - (HK_ITEMS >> g) + k];
            const int begin = k < count ? (int)((segment >> 16) - tile->begin) : 0;
            const int length = (int)(segment & 0xffff);
            if (HK_STABLE || !hk_sort_plain(tile, begin, length, lanes))
                hk_sort_stable(tile, begin, length, lanes);
        }
        before += units;
    }
}

// ---- Outside ------------------------------------------------------------------------------------

HK_FN void hk_copy_outside(const hk_view *offsets, const hk_segments_how *how)
{
    const bool copies = how->key_out != 0 && how->key_out != how->key_in;
    if (!copies && !HK_STABLE) return;
    int64_t low = how->n, high = how->n;
    if (how->segments > 0) {
        low = hk_bound(offsets, 0);
        high = hk_bound(offsets, how->segments);
        if (low < 0 || low > how->n || high < low) return; // a tile reports it
    }
    const int64_t step = (int64_t)gridDim.x * HK_THREADS;
    for (int64_t k = (int64_t)blockIdx.x * HK_THREADS + threadIdx.x; k < low + how->n - high;
         k += step) {
        const int64_t i = k < low ? k : k - low + high;
        if (copies) how->key_out[i] = hk_key_from(how->key_in[i]);
        if (HK_STABLE) how->order[i] = (uint32_t)i;
    }
}

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    sort_short_segments(const __grid_constant__ hk_view offsets,
                        const __grid_constant__ hk_segments_how how)
{
    hk_begin();
    __shared__ hk_short_tile tile;
    const int64_t first = how.first[blockIdx.x], next = how.first[blockIdx.x + 1];
    if (threadIdx.x < HK_GROUPS) tile.count[threadIdx.x] = 0;
    if (threadIdx.x == 0) {
        tile.begin = ~0u;
        tile.end = tile.bad = tile.longs = 0;
    }
    hk_copy_outside(&offsets, &how);
    if (blockIdx.x == 0 && how.segments == 0 && how.offsets == 1 && threadIdx.x == 0 &&
        hk_is_bad(&offsets, 0, how.n))
        hk_report_bad(&how);
    if (next == first) return;
    hk_block_barrier();
    const bool searched = first >= 0 && next > first && next - first <= HK_ITEMS;
    if (searched)
        hk_list_segments(&offsets, &how, &tile, first, next);
    else if (threadIdx.x == 0)
        hk_most_in_block(&tile.bad, 1);
    hk_block_barrier();
    if (tile.bad != 0) {
        if (threadIdx.x == 0) hk_report_bad(&how);
        return;
    }
    const int64_t from = hk_bound(&offsets, first) + tile.begin;
    const int length = tile.begin == ~0u ? 0 : (int)(tile.end - tile.begin);
    hk_list_longs(&how, &tile);
    if (length == 0) return;
    hk_read_keys(&how, &tile, from, length);
    hk_block_barrier();
    hk_sort_short(&tile);
    hk_block_barrier();
    hk_write_keys(&how, &tile, from, length);
}
