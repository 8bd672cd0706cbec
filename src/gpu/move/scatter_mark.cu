// SPDX-License-Identifier: Apache-2.0
//
// scatter_mark: leaves 1 + the greatest source that goes there at each place that was claimed twice, which was
// zero.
#include "device/kernel.cuh"
#include "move/claims.cuh"
#include "move/queue.cuh"

extern "C" __global__ void __launch_bounds__(HD_THREADS)
    scatter_mark(const __grid_constant__ hd_view index, const __grid_constant__ hd_scatter_how how,
                 const uint32_t *twice, hd_source *winner)
{
    hd_begin();
    __shared__ uint32_t turn;
    hd_tiles t = hd_first_tile(&how, &turn);
    while (t.tile < t.count) {
        hd_ask_tile(&how, &t);
        const int64_t first = hd_first_source(&t);
        hd_memory_space at[HD_ROWS];
        hd_places(&how, &index, first, at, 0);
#pragma unroll
        for (int r = 0; r < HD_ROWS; r++)
            if (at[r] != HD_NONE && !hd_is_twice(twice, at[r])) at[r] = HD_NONE;
#pragma unroll
        for (int r = 0; r < HD_ROWS; r++)
            if (at[r] != HD_NONE)
                hd_most_of_sources(winner + at[r], (hd_source)(first + r * HD_THREADS + 1));
        hd_next_tile(&how, &t, &turn);
    }
}
