// SPDX-License-Identifier: Apache-2.0
//
// sort_segment_tiles: the first segment of each tile of sort_short_segments, and the number of all
// segments behind the last; and a cleared control.
#include "device/kernel.cuh"
#include "device/segment_search.cuh"
#include "segment_sort/segments.cuh"

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    sort_segment_tiles(const __grid_constant__ hk_view offsets,
                       const __grid_constant__ hk_segments_how how)
{
    hk_begin();
    const int64_t tile = (int64_t)blockIdx.x * HK_THREADS + threadIdx.x;
    if (tile < (int64_t)(sizeof(hk_segments_control) / sizeof(uint32_t)))
        ((uint32_t *)how.control)[tile] = 0;
    if (tile <= how.tiles)
        how.first[tile] = hk_first_of(&offsets, how.segments, how.n, tile, how.tiles);
}
