// SPDX-License-Identifier: Apache-2.0
//
// sort_large_pass: one digit of the large segments, whose tiles blocks take by ticket. The first
// tile of a segment publishes where its digits begin, so that the others look back no further.
#include "device/kernel.cuh"
#include "segment_sort/segments.cuh"
#include "sort/sort_tile.cuh"

// Elements alternate between the output and spare memory, so that the last pass writes the output.
HK_FN hk_sides hk_sides_of(const hk_segments_how *how)
{
    const bool last = how->pass == how->passes - 1, to_out = (how->passes - how->pass) % 2 != 0;
    hk_sides s;
    s.iota = how->pass == 0;
    s.key = s.iota ? how->key_in : to_out ? how->key_spare : how->key_out;
    s.key_to = to_out ? how->key_out : how->key_spare;
    s.value = 0;
    s.value_to = 0;
#if HK_VALUE_BYTES > 0
    s.value = to_out ? how->order_spare : how->order;
    s.value_to = to_out ? how->order : how->order_spare;
    if (last && HK_KNOWN) s.key_to = 0;
#endif
    return s;
}

// The sum of what threads before this one give; those behind HK_RADIX give nothing.
HK_FN uint32_t hk_sum_before(uint32_t own, uint32_t *of_warp)
{
    const int warp = (int)threadIdx.x / HK_WARP;
    const uint32_t to = hk_sum_to_lane(own);
    uint32_t before = to - own;
    if (threadIdx.x < HK_RADIX && hk_lane() == 31) of_warp[warp] = to;
    hk_block_barrier();
    for (int w = 0; w < warp && w < HK_RADIX / HK_WARP; w++) before += of_warp[w];
    return before;
}

HK_FN void hk_copy_back(const hk_sides *s, int64_t first, int valid)
{
    for (int k = (int)threadIdx.x; k < valid; k += HK_THREADS) {
        if (s->key_to != 0) s->key_to[first + k] = s->key[first + k];
#if HK_VALUE_BYTES > 0
        s->value_to[first + k] = s->value[first + k];
#endif
    }
}

extern "C" __global__ void __launch_bounds__(HK_THREADS, HK_BLOCKS)
    sort_large_pass(const __grid_constant__ hk_segments_how how)
{
    hk_begin();
    __shared__ uint32_t ticket;
    hk_sort_tile *const shared = (hk_sort_tile *)hk_tile_memory;
    if (how.control->bad != 0) return;
    const int64_t tiles = (int64_t)(how.control->large & HK_LARGE_TILES);
    const hk_sides sides = hk_sides_of(&how);
#pragma unroll 1
    for (;;) {
        if (threadIdx.x == 0) ticket = hk_add_to(how.control->ticket + how.pass, 1);
        hk_block_barrier();
        const int64_t tile = ticket;
        if (tile >= tiles) return;
        const int64_t number = how.tile_segment[tile];
        const hk_large_segment s = how.large[number];
        hk_tile_at at;
        at.first = s.begin + (tile - s.tile) * HK_TILE;
        at.valid = s.end - at.first < HK_TILE ? (int)(s.end - at.first) : HK_TILE;
        at.number = (int)tile;
        at.is_first = tile == s.tile;
        if (how.pass >= (int)sizeof(hk_bits)) {
            hk_copy_back(&sides, at.first, at.valid);
            hk_block_barrier(); // all know the ticket
            continue;
        }
        uint64_t begin = 0;
        if (at.is_first) {
            const uint32_t *const count =
                how.count + (number * (int)sizeof(hk_bits) + how.pass) * HK_RADIX;
            const uint32_t own = threadIdx.x < HK_RADIX ? count[threadIdx.x] : 0;
            begin = s.begin + (uint64_t)hk_sum_before(own, shared->of_warp);
        }
        hk_pass_tile(shared, &sides, at, how.word, begin, how.pass * HK_DIGIT_BITS,
                     hk_tag_of((uint32_t)how.pass + 1));
    }
}
