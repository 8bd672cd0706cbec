// SPDX-License-Identifier: Apache-2.0
//
// histogram_shared: counts in shared memory, HK_COPIES of them, each for some lanes of every warp,
// so that lanes with equal bins do not wait for each other; where there are fewer than lanes,
// elements of one bin that follow each other are counted first. Where a block has room for all bins
// (HK_WHOLE), the elements outside have a counter behind them. Where it has room for some alone,
// blocks of several ranges read the same elements.
#include "device/kernel.cuh"
#include "histogram/tally.cuh"

#define HK_COPIES HK_ITEMS
#define HK_WHOLE  HK_CONTIGUOUS

extern __shared__ uint32_t hk_counters[];

// Number `bin` of the range, of a lane's copy.
HK_FN void hk_add_count(uint32_t bin, uint32_t count)
{
    uint32_t first;
    asm("{ .reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t; }"
        : "=r"(first)
        : "l"(hk_counters + (threadIdx.x & (HK_COPIES - 1))));
    asm volatile("red.relaxed.cta.shared.add.u32 [%0], %1;"
                 :
                 : "r"(first + bin * (4 * HK_COPIES)), "r"(count)
                 : "memory");
}

HK_FN int64_t hk_range_begin(const hk_histogram *h)
{
    return HK_WHOLE ? 0 : blockIdx.x % h->ranges * h->range;
}

HK_FN void hk_tally_bin(const hk_histogram *h, uint32_t bin, hk_tally *t)
{
    const uint32_t begin = (uint32_t)hk_range_begin(h), k = bin - begin;
    if (!HK_WHOLE) {
        const bool outside = bin == (uint32_t)h->bins;
        t->outside += outside && begin == 0;
        if (outside || k >= (uint32_t)h->range) return;
    }
    if (HK_COPIES == HK_WARP) {
        hk_add_count(k, 1);
        return;
    }
    if (k != t->bin) {
        if (t->count != 0) hk_add_count(t->bin, t->count);
        t->bin = k;
        t->count = 0;
    }
    t->count++;
}

extern "C" __global__ void __launch_bounds__(HK_THREADS, HK_BLOCKS)
    histogram_shared(const __grid_constant__ hk_inputs in, const __grid_constant__ hk_histogram h)
{
    hk_begin();
    const int64_t begin = hk_range_begin(&h);
    const int bins =
        HK_WHOLE ? (int)h.bins + 1 : (int)(h.bins - begin < h.range ? h.bins - begin : h.range);
    for (int k = (int)threadIdx.x; k < bins * HK_COPIES; k += HK_THREADS) hk_counters[k] = 0;
    hk_block_barrier();
    hk_tally t = {0, 0, 0};
    hk_tally_tiles(&in, &h, blockIdx.x / h.ranges, gridDim.x / h.ranges, &t);
    if (t.count != 0) hk_add_count(t.bin, t.count);
    if (!HK_WHOLE) hk_tally_outside(&h, t.outside);
    hk_block_barrier();
    for (int k = (int)threadIdx.x; k < bins; k += HK_THREADS) {
        uint32_t sum = 0;
#pragma unroll 8
        for (int c = 0; c < HK_COPIES; c++)
            sum += hk_counters[k * HK_COPIES + ((c + threadIdx.x) & (HK_COPIES - 1))];
        if (sum != 0) hk_add_to_long(h.counts + begin + k, sum);
    }
}
