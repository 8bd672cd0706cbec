// SPDX-License-Identifier: Apache-2.0
//
// scatter_last_writer: the sources that mark_last_writer left at their destinations are written.
#include "device/kernel.cuh"
#include "move/destination_bitmap.cuh"
#include "move/queue.cuh"

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    scatter_last_writer(const __grid_constant__ hk_inputs in, const __grid_constant__ hk_view index,
                        const __grid_constant__ hk_view out,
                        const __grid_constant__ hk_scatter_how how, const uint32_t *twice,
                        const hk_source *last_writer)
{
    hk_begin();
    __shared__ uint32_t ticket;
    hk_tiles t = hk_first_tile(&how, &ticket);
    while (t.tile < t.count) {
        hk_take_tile(&how, &t);
        const int64_t first = hk_first_source(&t);
        hk_destination at[HK_ROWS];
        hk_destinations(&how, &index, first, at, 0);
        hk_source most[HK_ROWS];
#pragma unroll
        for (int r = 0; r < HK_ROWS; r++)
            most[r] = at[r] != HK_NONE && hk_is_duplicate(twice, at[r]) ? last_writer[at[r]] : 0;
#pragma unroll
        for (int r = 0; r < HK_ROWS; r++) {
            const int64_t i = first + r * HK_THREADS;
            if (most[r] == (hk_source)(i + 1)) hk_put(&out, at[r], hk_one_0(&in, i));
        }
        hk_next_tile(&how, &t, &ticket);
    }
}
