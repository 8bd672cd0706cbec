// SPDX-License-Identifier: Apache-2.0
//
// scatter_winners: the sources that scatter_mark left at their places are written.
#include "device/kernel.cuh"
#include "move/claims.cuh"
#include "move/queue.cuh"

extern "C" __global__ void __launch_bounds__(HD_THREADS)
    scatter_winners(const __grid_constant__ hd_inputs in, const __grid_constant__ hd_view index,
                    const __grid_constant__ hd_view out, const __grid_constant__ hd_scatter_how how,
                    const uint32_t *twice, const hd_source *winner)
{
    hd_begin();
    __shared__ uint32_t turn;
    hd_tiles t = hd_first_tile(&how, &turn);
    while (t.tile < t.count) {
        hd_ask_tile(&how, &t);
        const int64_t first = hd_first_source(&t);
        hd_memory_space at[HD_ROWS];
        hd_places(&how, &index, first, at, 0);
        hd_source most[HD_ROWS];
#pragma unroll
        for (int r = 0; r < HD_ROWS; r++)
            most[r] = at[r] != HD_NONE && hd_is_twice(twice, at[r]) ? winner[at[r]] : 0;
#pragma unroll
        for (int r = 0; r < HD_ROWS; r++) {
            const int64_t i = first + r * HD_THREADS;
            if (most[r] == (hd_source)(i + 1)) hd_put(&out, at[r], hd_one_0(&in, i));
        }
        hd_next_tile(&how, &t, &turn);
    }
}
