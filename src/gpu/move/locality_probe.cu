// SPDX-License-Identifier: Apache-2.0
//
// locality_probe: whether sources are to be bucketed by destination before they are written, by a
// sample: each block takes as many as it has threads from a window of consecutive sources of its
// own. Two things speak against it: neighbours of destinations meet within a window, so that the
// cache joins their writes; or the window's destinations lie in a few regions, which the cache
// holds. How often either is so is seen by how often two samples fall together. Only time hangs on
// the answer.
#include "device/kernel.cuh"
#include "device/lanes.cuh"

#define HK_SLOTS 4096 // of a table

struct hk_probe_how {
    int64_t n, limit;
    int32_t window;          // bits of the number of sources
    int32_t unit, region;    // bits of the number of destinations
    uint32_t units, regions; // pairs from which on one of these is often
};

// Numbers of `bits` bits in another order.
HK_FN uint32_t hk_scrambled(uint32_t x, int bits)
{
    const uint32_t mask = (1u << bits) - 1;
#pragma unroll
    for (int round = 0; round < 3; round++) {
        x = (x * 0x9e3779b1u + 0x632be59bu) & mask;
        x ^= x >> (bits / 2 + 1);
    }
    return x;
}

// Whether the number was there before, unless it has been displaced since.
HK_FN uint32_t hk_meets(uint32_t *table, int64_t number)
{
    const uint32_t tag = ((uint32_t)number * 0x9e3779b1u) | 1;
    uint32_t old;
    asm volatile(
        "{ .reg .u64 q; cvta.to.shared.u64 q, %1; atom.relaxed.cta.shared.exch.b32 %0, [q], %2; }"
        : "=r"(old)
        : "l"(table + tag / (uint32_t)(0x100000000ull / HK_SLOTS)), "r"(tag)
        : "memory");
    return old == tag;
}

HK_FN uint64_t hk_add_long(uint64_t *p, uint64_t x)
{
    uint64_t old;
    asm volatile("atom.relaxed.gpu.global.add.u64 %0, [%1], %2;"
                 : "=l"(old)
                 : "l"(p), "l"(x)
                 : "memory");
    return old;
}

// Pairs of units, pairs of regions and blocks in one number, 20 bits each.
HK_FN uint64_t hk_pairs_in_block(uint32_t units, uint32_t regions)
{
    __shared__ uint64_t of_warp[HK_WARPS];
    units = hk_sum_to_lane(units);
    regions = hk_sum_to_lane(regions);
    if (hk_lane() == HK_WARP - 1) of_warp[threadIdx.x / HK_WARP] = (uint64_t)regions << 20 | units;
    hk_block_barrier();
    uint64_t sum = 1ull << 40;
    if (threadIdx.x == 0)
        for (int w = 0; w < HK_WARPS; w++) sum += of_warp[w];
    return sum; // of thread 0
}

// What the blocks saw, zero between calls; what follows of it, 1: sources are written as they come,
// 0: they are bucketed.
struct hk_locality {
    uint64_t seen;
    uint32_t at_once, unused;
};

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    locality_probe(const __grid_constant__ hk_view index, const __grid_constant__ hk_probe_how how,
                   hk_locality *locality)
{
    hk_begin();
    __shared__ uint32_t unit[HK_SLOTS], region[HK_SLOTS];
    const int64_t window = (int64_t)1 << how.window;
    const int64_t step = gridDim.x > 1 ? (how.n - window) / (gridDim.x - 1) : 0;
    const uint32_t mask = (uint32_t)window - 1,
                   some = hk_scrambled(threadIdx.x & mask, how.window) ^
                          (blockIdx.x * 0x9e3779b1u & mask); // others of each window
    const bool mine = threadIdx.x < window;
    int64_t at = mine ? hk_bound(&index, blockIdx.x * step + some) : 0;
    if ((uint64_t)at > (uint64_t)how.limit) at = how.limit;
    for (int k = (int)threadIdx.x; k < HK_SLOTS; k += HK_THREADS) unit[k] = region[k] = 0;
    hk_block_barrier();
    const uint32_t units = mine ? hk_meets(unit, at >> how.unit) : 0,
                   regions = mine ? hk_meets(region, at >> how.region) : 0;
    const uint64_t own = hk_pairs_in_block(units, regions);
    if (threadIdx.x != 0) return;
    const uint64_t all = hk_add_long(&locality->seen, own) + own;
    if (all >> 40 != gridDim.x) return;
    hk_store_relaxed_64(&locality->seen, 0);
    locality->at_once =
        (uint32_t)(all & 0xfffff) >= how.units || (uint32_t)(all >> 20 & 0xfffff) >= how.regions;
}
