// SPDX-License-Identifier: Apache-2.0
//
// Lanes and integers: sums over lanes, counts that blocks share.
#pragma once

#define HK_WARPS (HK_THREADS / HK_WARP)

HK_FN uint32_t hk_word_from_xor(uint32_t x, int distance)
{
    uint32_t y;
    asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 0x1f, 0xffffffff;"
                 : "=r"(y)
                 : "r"(x), "r"(distance));
    return y;
}

HK_FN uint64_t hk_long_from_xor(uint64_t x, int distance)
{
    const uint32_t low = hk_word_from_xor((uint32_t)x, distance);
    return (uint64_t)hk_word_from_xor((uint32_t)(x >> 32), distance) << 32 | low;
}

HK_FN uint64_t hk_long_from(uint64_t x, int lane)
{
    const uint32_t low = hk_word_from((uint32_t)x, lane);
    return (uint64_t)hk_word_from((uint32_t)(x >> 32), lane) << 32 | low;
}

// Sums of the lanes up to each.
HK_FN uint32_t hk_sum_to_lane(uint32_t x)
{
#pragma unroll
    for (int d = 1; d < HK_WARP; d *= 2) {
        uint32_t y;
        asm volatile("shfl.sync.up.b32 %0, %1, %2, 0, 0xffffffff;" : "=r"(y) : "r"(x), "r"(d));
        if (hk_lane() >= d) x += y;
    }
    return x;
}

HK_FN uint64_t hk_long_sum_to_lane(uint64_t x)
{
#pragma unroll
    for (int d = 1; d < HK_WARP; d *= 2) {
        const uint32_t low = hk_word_from((uint32_t)x, hk_lane() - d);
        const uint32_t high = hk_word_from((uint32_t)(x >> 32), hk_lane() - d);
        if (hk_lane() >= d) x += (uint64_t)high << 32 | low;
    }
    return x;
}

HK_FN void hk_add_to_long(uint64_t *p, uint64_t x)
{
    asm volatile("red.relaxed.gpu.global.add.u64 [%0], %1;" : : "l"(p), "l"(x) : "memory");
}

HK_FN int hk_clz(uint32_t x)
{
    int y;
    asm("clz.b32 %0, %1;" : "=r"(y) : "r"(x));
    return y;
}

HK_FN void hk_most_to_long(uint64_t *p, uint64_t x)
{
    asm volatile("red.relaxed.gpu.global.max.u64 [%0], %1;" : : "l"(p), "l"(x) : "memory");
}
