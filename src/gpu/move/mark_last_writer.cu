// SPDX-License-Identifier: Apache-2.0
//
// mark_last_writer: stores 1 + the last source of each destination that has several, where zero
// was.
#include "device/kernel.cuh"
#include "move/destination_bitmap.cuh"
#include "move/queue.cuh"

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    mark_last_writer(const __grid_constant__ hk_view index,
                     const __grid_constant__ hk_scatter_how how, const uint32_t *twice,
                     hk_source *last_writer)
{
    hk_begin();
    __shared__ uint32_t ticket;
    hk_tiles t = hk_first_tile(&how, &ticket);
    while (t.tile < t.count) {
        hk_take_tile(&how, &t);
        const int64_t first = hk_first_source(&t);
        hk_destination at[HK_ROWS];
        hk_destinations(&how, &index, first, at, 0);
#pragma unroll
        for (int r = 0; r < HK_ROWS; r++)
            if (at[r] != HK_NONE && !hk_is_duplicate(twice, at[r])) at[r] = HK_NONE;
#pragma unroll
        for (int r = 0; r < HK_ROWS; r++)
            if (at[r] != HK_NONE)
                hk_most_of_sources(last_writer + at[r], (hk_source)(first + r * HK_THREADS + 1));
        hk_next_tile(&how, &t, &ticket);
    }
}
