// SPDX-License-Identifier: Apache-2.0
//
// slide_levels: windows that are too wide for shared memory, a launch a level: the nodes of all
// elements, then those of two, of four, and at the end what windows are made of.
#include "device/kernel.cuh"
#include "reduce/slide.cuh"

HK_FN void hk_give_window(const hk_slide_how *how, const hk_view *out, int64_t row, int64_t i)
{
    const int64_t at = row * how->length + i;
    hk_node n = how->level[how->top][at];
#pragma unroll 1
    for (int k = (int)how->top - 1; k >= 0; k--)
        if (how->width >> k & 1)
            n = hk_combine(n, how->level[k][at + (how->width >> (k + 1) << (k + 1))]);
    hk_give(out, 0, row * how->count + i, n, how->width);
}

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    slide_levels(const __grid_constant__ hk_inputs in, const __grid_constant__ hk_slide_how how,
                 const __grid_constant__ hk_view out)
{
    hk_begin();
    const int64_t row = blockIdx.x / how.tiles, tile = blockIdx.x - row * how.tiles;
    const int64_t i = tile * HK_THREADS + threadIdx.x, at = row * how.length + i;
    const int64_t length = how.length - 2 * how.half + 1; // nodes of the level
    if (how.to == 0) {
        if (i < how.count) hk_give_window(&how, &out, row, i);
    } else if (how.from == 0) {
        if (i < how.length) how.to[at] = hk_transform(hk_item(&in, at), i);
    } else if (i < length) {
        how.to[at] = hk_combine(how.from[at], how.from[at + how.half]);
    }
}
