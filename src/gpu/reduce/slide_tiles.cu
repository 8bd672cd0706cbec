// SPDX-License-Identifier: Apache-2.0
//
// slide_tiles: a block has a tile of windows of a row, and the nodes of their elements in shared
// memory: level after level from one half to the other, and those that set bits of the width name
// are kept for the end.
#include "device/kernel.cuh"
#include "reduce/slide.cuh"

extern __shared__ __align__(16) char hk_tile_memory[];

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    slide_tiles(const __grid_constant__ hk_inputs in, const __grid_constant__ hk_slide_how how,
                const __grid_constant__ hk_view out)
{
    hk_begin();
    const int64_t row = blockIdx.x / how.tiles, first = (blockIdx.x - row * how.tiles) * how.tile;
    const int windows = how.count - first < how.tile ? (int)(how.count - first) : (int)how.tile;
    const int width = (int)how.width, tile = (int)how.tile;
    int length = windows + width - 1; // nodes of the level
    hk_node *level = (hk_node *)hk_tile_memory, *next = level + tile + width - 1;
    hk_node *const kept = next + tile + width - 1;
    for (int i = (int)threadIdx.x; i < length; i += HK_THREADS)
        level[i] = hk_transform(hk_item(&in, row * how.length + first + i), first + i);
    hk_block_barrier();
    int bits = 0;
#pragma unroll 1
    for (int k = 0; k < (int)how.top; k++) {
        if (width >> k & 1) {
            const int before = width >> (k + 1) << (k + 1); // elements of larger nodes
            for (int i = (int)threadIdx.x; i < windows; i += HK_THREADS)
                kept[bits * tile + i] = level[before + i];
            bits++;
        }
        length -= 1 << k;
        for (int i = (int)threadIdx.x; i < length; i += HK_THREADS)
            next[i] = hk_combine(level[i], level[i + (1 << k)]);
        hk_block_barrier();
        hk_node *const other = level;
        level = next, next = other;
    }
    for (int i = (int)threadIdx.x; i < windows; i += HK_THREADS) {
        hk_node n = level[i];
#pragma unroll 1
        for (int b = bits - 1; b >= 0; b--) n = hk_combine(n, kept[b * tile + i]);
        hk_give(&out, 0, row * how.count + first + i, n, how.width);
    }
}
