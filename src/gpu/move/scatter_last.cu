// SPDX-License-Identifier: Apache-2.0
//
// scatter_last: each place keeps its last source under the number of the call, so that it is never cleared; the
// first source that comes to a place is written. Where others come as well, scatter_again writes the last.
#include "device/kernel.cuh"
#include "move/sources.cuh"

extern "C" __global__ void __launch_bounds__(HD_THREADS)
    scatter_last(const __grid_constant__ hd_inputs in, const __grid_constant__ hd_view index,
                 const __grid_constant__ hd_view out, const __grid_constant__ hd_scatter_how how,
                 uint64_t *bad, const __grid_constant__ hd_last last)
{
    hd_begin();
    const int64_t first = (int64_t)blockIdx.x * (HD_THREADS * HD_ROWS) + threadIdx.x;
    const uint64_t call = (*last.call + 1) << HD_SOURCE_BITS;
    hd_memory_space at[HD_ROWS];
    uint64_t old[HD_ROWS];
    hd_in_0 x[HD_ROWS];
    hd_elements(&how, &in, first, x);
    hd_places(&how, &index, first, at, bad);
#pragma unroll
    for (int r = 0; r < HD_ROWS; r++)
        if (hd_is_followed(at[r])) at[r] = HD_NONE;
    hd_drop_last(&how, &index, first, at);
#pragma unroll
    for (int r = 0; r < HD_ROWS; r++)
        if (at[r] != HD_NONE)
            old[r] = hd_max_to_long(last.source + at[r], call | (first + r * HD_THREADS + 1));
#pragma unroll
    for (int r = 0; r < HD_ROWS; r++) {
        if (at[r] == HD_NONE) continue;
        if (old[r] < call)
            hd_put(&out, at[r], x[r]);
        else
            hd_store_relaxed(last.found, 1);
    }
}
