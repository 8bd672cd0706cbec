// SPDX-License-Identifier: Apache-2.0
//
// top_tally: after a radix select, how many elements of each tile come before the one of the wanted
// rank, and how many equal it.
#include "device/kernel.cuh"
#include "top/top_block.cuh"

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    top_tally(const __grid_constant__ hk_top_how how)
{
    hk_begin();
    __shared__ uint32_t of_warp[HK_WARPS];
    if (how.control->exact == 0) return;
    const hk_bits bound = (hk_bits)how.control->prefix;
#pragma unroll 1
    for (int64_t t = blockIdx.x; t < how.tiles; t += gridDim.x) {
        hk_unit x[HK_ROWS];
        const uint32_t there = hk_load_keys(&how, t, x);
        uint32_t counts = 0, before; // of ties below, of the others from bit 16 on
#pragma unroll
        for (int r = 0; r < HK_ROWS; r++)
#pragma unroll
            for (int j = 0; j < HK_UNIT_KEYS; j++) {
                const hk_bits y = hk_order_of(x[r].x[j]);
                if ((there >> (r * HK_UNIT_KEYS + j) & 1) == 0) continue;
                counts += y < bound ? 1u << 16 : y == bound ? 1 : 0;
            }
        const uint32_t all = hk_count_in_block(counts, of_warp, &before);
        if (threadIdx.x == 0) {
            how.tile[t].count = all >> 16;
            how.tile[t].ties = all & 0xffff;
        }
        hk_block_barrier(); // of_warp is for the next
    }
}
