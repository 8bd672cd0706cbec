// SPDX-License-Identifier: Apache-2.0
//
// Lanes and integers: sums over lanes, counts that blocks share.
#pragma once

#define HD_WARPS (HD_THREADS / HD_WARP)

HD_FN uint32_t hd_word_from_xor(uint32_t x, int distance)
{
    uint32_t y;
    asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 0x1f, 0xffffffff;"
                 : "=r"(y)
                 : "r"(x), "r"(distance));
    return y;
}

HD_FN uint64_t hd_long_from_xor(uint64_t x, int distance)
{
    const uint32_t low = hd_word_from_xor((uint32_t)x, distance);
    return (uint64_t)hd_word_from_xor((uint32_t)(x >> 32), distance) << 32 | low;
}

HD_FN uint64_t hd_long_from(uint64_t x, int lane)
{
    const uint32_t low = hd_word_from((uint32_t)x, lane);
    return (uint64_t)hd_word_from((uint32_t)(x >> 32), lane) << 32 | low;
}

// Sums of the lanes up to each.
HD_FN uint32_t hd_sum_to_lane(uint32_t x)
{
#pragma unroll
    for (int d = 1; d < HD_WARP; d *= 2) {
        uint32_t y;
        asm volatile("shfl.sync.up.b32 %0, %1, %2, 0, 0xffffffff;" : "=r"(y) : "r"(x), "r"(d));
        if (hd_lane() >= d) x += y;
    }
    return x;
}

HD_FN uint64_t hd_long_sum_to_lane(uint64_t x)
{
#pragma unroll
    for (int d = 1; d < HD_WARP; d *= 2) {
        const uint32_t low = hd_word_from((uint32_t)x, hd_lane() - d);
        const uint32_t high = hd_word_from((uint32_t)(x >> 32), hd_lane() - d);
        if (hd_lane() >= d) x += (uint64_t)high << 32 | low;
    }
    return x;
}

HD_FN void hd_add_to_long(uint64_t *p, uint64_t x)
{
    asm volatile("red.relaxed.gpu.global.add.u64 [%0], %1;" : : "l"(p), "l"(x) : "memory");
}

HD_FN int hd_clz(uint32_t x)
{
    int y;
    asm("clz.b32 %0, %1;" : "=r"(y) : "r"(x));
    return y;
}

HD_FN void hd_most_to_long(uint64_t *p, uint64_t x)
{
    asm volatile("red.relaxed.gpu.global.max.u64 [%0], %1;" : : "l"(p), "l"(x) : "memory");
}
