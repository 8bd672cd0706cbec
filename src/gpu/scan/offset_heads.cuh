// SPDX-License-Identifier: Apache-2.0
//
// Where segments begin in a tile of a scan: of each lane's elements a bit, as in key_heads.cuh.
#pragma once
#include "device/offsets.cuh"
#include "scan/scan_lanes.cuh"

#define HD_WARPS (HD_THREADS / HD_WARP)
#define HD_TILE  ((int64_t)HD_WARPS * HD_CHUNK)

HD_FN void hd_or_to(uint32_t *p, uint32_t x)
{
    uint32_t old;
    asm volatile("atom.or.b32 %0, [%1], %2;" : "=r"(old) : "l"(p), "r"(x) : "memory");
}

// Sets the bits of a tile's heads; the whole block calls, and waits behind it.
HD_FN void hd_mark_heads(const hd_view *offsets, const hd_heads_how *how, int64_t first, int64_t n,
                         uint32_t *bits, int64_t *where)
{
    // Backward, the first element of a segment is the one before an offset.
    const int64_t low = how->backward ? n - first - HD_TILE + 1 : first;
    for (int k = (int)threadIdx.x; k < HD_TILE / 32; k += HD_THREADS) bits[k] = 0;
    if (threadIdx.x < HD_WARP) {
        const int64_t begin = hd_first_at_least(offsets, how->count, low, 0);
        if (threadIdx.x == 0) *where = begin;
    }
    hd_block_barrier();
    for (int64_t i = *where + threadIdx.x; i < how->count; i += HD_THREADS) {
        const int64_t x = hd_bound(offsets, i), at = how->backward ? n - x - first : x - first;
        if (x >= low + HD_TILE) break;
        if (at >= 0 && at < HD_TILE) hd_or_to(bits + at / 32, 1u << (at & 31));
    }
    if (first == 0 && threadIdx.x == 0) hd_or_to(bits, 1);
    hd_block_barrier();
}

HD_FN uint32_t hd_heads_of_bits(const uint32_t *bits, int warp)
{
    uint32_t heads = 0;
#pragma unroll
    for (int r = 0; r < HD_ROWS; r++) {
        const int at = warp * HD_CHUNK + r * HD_ROW + hd_lane() * HD_K;
        heads |= (bits[at / 32] >> (at & 31) & ((1u << HD_K) - 1)) << (r * HD_K);
    }
    return heads;
}

// Every block looks at its share of the offsets.
HD_FN bool hd_share_is_bad(const hd_view *offsets, int64_t count, int64_t n)
{
    const int64_t share = (count + gridDim.x - 1) / gridDim.x, begin = blockIdx.x * share;
    bool bad = false;
    for (int64_t i = begin + threadIdx.x; i < begin + share && i < count; i += HD_THREADS)
        bad = bad || hd_is_bad(offsets, i, n);
    return bad;
}
