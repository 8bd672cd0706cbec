// SPDX-License-Identifier: Apache-2.0
//
// Where segments begin in a tile of a scan: of each lane's elements a bit, as in key_heads.cuh.
#pragma once
#include "device/offsets.cuh"
#include "scan/scan_lanes.cuh"

#define HK_WARPS (HK_THREADS / HK_WARP)
#define HK_TILE  ((int64_t)HK_WARPS * HK_CHUNK)

HK_FN void hk_or_to(uint32_t *p, uint32_t x)
{
    uint32_t old;
    asm volatile("atom.or.b32 %0, [%1], %2;" : "=r"(old) : "l"(p), "r"(x) : "memory");
}

// Sets the bits of a tile's heads; the whole block calls, and waits behind it.
HK_FN void hk_mark_heads(const hk_view *offsets, const hk_heads_how *how, int64_t first, int64_t n,
                         uint32_t *bits, int64_t *where)
{
    // Backward, the first element of a segment is the one before an offset.
    const int64_t low = how->backward ? n - first - HK_TILE + 1 : first;
    for (int k = (int)threadIdx.x; k < HK_TILE / 32; k += HK_THREADS) bits[k] = 0;
    if (threadIdx.x < HK_WARP) {
        const int64_t begin = hk_first_at_least(offsets, how->count, low, 0);
        if (threadIdx.x == 0) *where = begin;
    }
    hk_block_barrier();
    for (int64_t i = *where + threadIdx.x; i < how->count; i += HK_THREADS) {
        const int64_t x = hk_bound(offsets, i), at = how->backward ? n - x - first : x - first;
        if (x >= low + HK_TILE) break;
        if (at >= 0 && at < HK_TILE) hk_or_to(bits + at / 32, 1u << (at & 31));
    }
    if (first == 0 && threadIdx.x == 0) hk_or_to(bits, 1);
    hk_block_barrier();
}

HK_FN uint32_t hk_heads_of_bits(const uint32_t *bits, int warp)
{
    uint32_t heads = 0;
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++) {
        const int at = warp * HK_CHUNK + r * HK_ROW + hk_lane() * HK_K;
        heads |= (bits[at / 32] >> (at & 31) & ((1u << HK_K) - 1)) << (r * HK_K);
    }
    return heads;
}

// Every block looks at its share of the offsets.
HK_FN bool hk_share_is_bad(const hk_view *offsets, int64_t count, int64_t n)
{
    const int64_t share = (count + gridDim.x - 1) / gridDim.x, begin = blockIdx.x * share;
    bool bad = false;
    for (int64_t i = begin + threadIdx.x; i < begin + share && i < count; i += HK_THREADS)
        bad = bad || hk_is_bad(offsets, i, n);
    return bad;
}
