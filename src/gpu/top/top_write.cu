// SPDX-License-Identifier: Apache-2.0
//
// top_write: after a radix select and top_tally, the elements that come before the one of the
// wanted rank, and behind them as many that equal it as are wanted, both in the order of their
// indices. Tiles that have none are not read.
#include "device/kernel.cuh"
#include "top/top_block.cuh"

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    top_write(const __grid_constant__ hk_top_how how)
{
    hk_begin();
    __shared__ uint32_t of_warp[HK_WARPS];
    if (how.control->exact == 0) return;
    const hk_bits bound = (hk_bits)how.control->prefix;
    const int64_t ties = (int64_t)how.control->rank + 1, less = how.k - ties;
#pragma unroll 1
    for (int64_t t = blockIdx.x; t < how.tiles; t += gridDim.x) {
        const hk_top_tile tile = how.tile[t];
        if (tile.count == 0 && (tile.ties == 0 || (int64_t)tile.tie_begin >= ties)) continue;
        hk_unit x[HK_ROWS];
        const uint32_t there = hk_load_keys(&how, t, x);
        uint32_t below = 0, equal = 0, before;
#pragma unroll
        for (int r = 0; r < HK_ROWS; r++)
#pragma unroll
            for (int j = 0; j < HK_UNIT_KEYS; j++) {
                const hk_bits y = hk_order_of(x[r].x[j]);
                const uint32_t bit = 1u << (r * HK_UNIT_KEYS + j);
                if (y < bound) below |= bit;
                if (y == bound) equal |= bit;
            }
        below &= there, equal &= there;
        hk_count_in_block((uint32_t)(hk_popc((int)below) << 16 | hk_popc((int)equal)), of_warp,
                          &before);
        const int64_t first = hk_first_key(&how, t);
        hk_put_marked(x, below, first, how.candidate, how.index,
                      (int64_t)tile.begin + (before >> 16), less);
        hk_put_marked(x, equal, first, how.candidate, how.index,
                      less + (int64_t)tile.tie_begin + (before & 0xffff), how.k);
        hk_block_barrier(); // of_warp is for the next
    }
}
