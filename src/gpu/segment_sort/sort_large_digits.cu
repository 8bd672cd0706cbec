// SPDX-License-Identifier: Apache-2.0
//
// sort_large_digits: how often each digit of each pass comes in the large segments, in HK_COPIES
// copies of counters in shared memory. A block takes consecutive tiles, and gives away its counts
// where a segment ends. Words of the tiles are cleared on the way.
#include "device/kernel.cuh"
#include "segment_sort/segments.cuh"

#define HK_COPIES   HK_ITEMS
#define HK_LOADS    8 // of a thread under way
#define HK_COUNTERS ((int)sizeof(hk_bits) * HK_RADIX)

extern __shared__ uint32_t hk_digits[]; // HK_COPIES of each

HK_FN void hk_count_key(hk_bits x)
{
    const hk_bits y = hk_order(x);
    uint32_t first;
    asm("{ .reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t; }"
        : "=r"(first)
        : "l"(hk_digits + (threadIdx.x & (HK_COPIES - 1))));
#pragma unroll
    for (int p = 0; p < (int)sizeof(hk_bits); p++) {
        const uint32_t digit = (uint32_t)(y >> (p * HK_DIGIT_BITS)) & (HK_RADIX - 1);
        asm volatile("red.relaxed.cta.shared.add.u32 [%0], 1;"
                     :
                     : "r"(first + (digit + p * HK_RADIX) * (4 * HK_COPIES))
                     : "memory");
    }
}

HK_FN void hk_count_keys(const hk_bits *key, int64_t n)
{
#pragma unroll 1
    for (int64_t first = threadIdx.x; first < n; first += HK_LOADS * HK_THREADS) {
        hk_bits x[HK_LOADS];
#pragma unroll
        for (int r = 0; r < HK_LOADS; r++)
            if (first + r * HK_THREADS < n) x[r] = key[first + r * HK_THREADS];
#pragma unroll
        for (int r = 0; r < HK_LOADS; r++)
            if (first + r * HK_THREADS < n) hk_count_key(hk_key_from(x[r]));
    }
}

// Adds the block's counts to a segment's, and clears them.
HK_FN void hk_give_counts(uint32_t *count)
{
    hk_block_barrier();
    for (int k = (int)threadIdx.x; k < HK_COUNTERS; k += HK_THREADS) {
        uint32_t sum = 0;
#pragma unroll
        for (int j = 0; j < HK_COPIES; j++) {
            const int at = k * HK_COPIES + ((j + (int)threadIdx.x) & (HK_COPIES - 1));
            sum += hk_digits[at];
            hk_digits[at] = 0;
        }
        if (sum != 0) hk_add_to(count + k, sum);
    }
    hk_block_barrier();
}

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    sort_large_digits(const __grid_constant__ hk_segments_how how)
{
    hk_begin();
    if (how.control->bad != 0) return;
    const int64_t tiles = (int64_t)(how.control->large & HK_LARGE_TILES);
    const int64_t each = (tiles + gridDim.x - 1) / gridDim.x;
    int64_t tile = blockIdx.x * each;
    const int64_t end = tile + each < tiles ? tile + each : tiles;
    for (int64_t k = tile * HK_RADIX + threadIdx.x; k < end * HK_RADIX; k += HK_THREADS)
        how.word[k] = 0;
    if (tile >= end) return;
    for (int k = (int)threadIdx.x; k < HK_COUNTERS * HK_COPIES; k += HK_THREADS) hk_digits[k] = 0;
    hk_block_barrier();
#pragma unroll 1
    while (tile < end) {
        const int64_t number = how.tile_segment[tile];
        const hk_large_segment s = how.large[number];
        const int64_t length = (int64_t)s.end - s.begin;
        const int64_t first = (tile - s.tile) * how.large_tile;
        int64_t last = (end - s.tile) * how.large_tile;
        if (last > length) last = length;
        hk_count_keys(how.key_in + s.begin + first, last - first);
        hk_give_counts(how.count + number * HK_COUNTERS);
        tile = s.tile + (last + how.large_tile - 1) / how.large_tile;
    }
}
