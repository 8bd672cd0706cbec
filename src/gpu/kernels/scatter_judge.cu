// SPDX-License-Identifier: Apache-2.0
//
// scatter_judge: one block. Whether sources are to be parted by destination before they are written, by a sample:
// from each of some windows of consecutive sources as many as there are threads. Two things speak against it:
// neighbours of places meet within a window, so that the cache joins their writes; or the window's places lie in a
// few regions, which the cache holds. How often either is so is seen by how often two samples fall together.
// Only time hangs on the answer.
#define HD_SPOTS 8    // windows
#define HD_SLOTS 4096 // of a table

struct hd_judge_how {
    int64_t n, limit;
    int32_t window;          // bits of the number of sources
    int32_t unit, region;    // bits of the number of places
    uint32_t units, regions; // pairs from which on one of these is often
};

// Numbers of `bits` bits in another order.
HD_FN uint32_t hd_scrambled(uint32_t x, int bits)
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
HD_FN uint32_t hd_meets(uint32_t *table, int64_t number, int spot)
{
    const uint64_t mixed = ((uint64_t)number + ((uint64_t)spot << 56)) * 0x9e3779b97f4a7c15ull;
    const uint32_t tag = (uint32_t)(mixed >> 32) | 1;
    uint32_t old;
    asm volatile(
        "{ .reg .u64 q; cvta.to.shared.u64 q, %1; atom.relaxed.cta.shared.exch.b32 %0, [q], %2; }"
        : "=r"(old)
        : "l"(table + tag / (uint32_t)(0x100000000ull / HD_SLOTS)), "r"(tag)
        : "memory");
    return old == tag;
}

// choice[0]: 1: sources are written as they come, 0: they are parted. Behind it tickets, zero again, and the
// pairs that were seen.
extern "C" __global__ void __launch_bounds__(HD_THREADS)
    scatter_judge(const __grid_constant__ hd_view index, const __grid_constant__ hd_judge_how how,
                  uint32_t *choice)
{
    hd_begin();
    __shared__ uint32_t unit[HD_SLOTS], region[HD_SLOTS], of_warp[HD_WARPS][2];
    const int64_t step = (how.n - ((int64_t)1 << how.window)) / (HD_SPOTS - 1);
    const bool mine = threadIdx.x >> how.window == 0;
    int64_t at[HD_SPOTS];
#pragma unroll
    for (int s = 0; s < HD_SPOTS; s++) {
        const uint32_t number = (threadIdx.x + (uint32_t)s * HD_THREADS) & ((1u << how.window) - 1);
        const int64_t i = s * step + hd_scrambled(number, how.window);
        at[s] = mine ? hd_bound(&index, i) : 0;
        if ((uint64_t)at[s] > (uint64_t)how.limit) at[s] = how.limit;
    }
    for (int k = (int)threadIdx.x; k < HD_SLOTS; k += HD_THREADS) unit[k] = region[k] = 0;
    hd_block_barrier();
    uint32_t units = 0, regions = 0;
#pragma unroll
    for (int s = 0; s < HD_SPOTS; s++) {
        if (mine) units += hd_meets(unit, at[s] >> how.unit, s);
        if (mine) regions += hd_meets(region, at[s] >> how.region, s);
        hd_block_barrier(); // redundant: without it windows displace each other's numbers
    }
    units = hd_sum_to_lane(units);
    regions = hd_sum_to_lane(regions);
    if (hd_lane() == HD_WARP - 1) {
        of_warp[threadIdx.x / HD_WARP][0] = units;
        of_warp[threadIdx.x / HD_WARP][1] = regions;
    }
    hd_block_barrier();
    if (threadIdx.x != 0) return;
    units = regions = 0;
    for (int w = 0; w < HD_WARPS; w++) {
        units += of_warp[w][0];
        regions += of_warp[w][1];
    }
    choice[0] = units >= how.units || regions >= how.regions;
    choice[1] = 0;
    choice[2] = units;
    choice[3] = regions;
}
