// SPDX-License-Identifier: Apache-2.0
//
// scatter_last: each destination keeps its last source under the number of the call, so that it is
// never cleared; the first source that comes to a destination is written. Where others come as
// well, scatter_again writes the last.
#include "device/kernel.cuh"
#include "move/sources.cuh"

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    scatter_last(const __grid_constant__ hk_inputs in, const __grid_constant__ hk_view index,
                 const __grid_constant__ hk_view out, const __grid_constant__ hk_scatter_how how,
                 uint64_t *bad, const __grid_constant__ hk_last last)
{
    hk_begin();
    const int64_t first = (int64_t)blockIdx.x * (HK_THREADS * HK_ROWS) + threadIdx.x;
    const uint64_t call = (*last.call + 1) << HK_SOURCE_BITS;
    hk_destination at[HK_ROWS];
    uint64_t old[HK_ROWS];
    hk_in_0 x[HK_ROWS];
    hk_elements(&how, &in, first, x);
    hk_destinations(&how, &index, first, at, bad);
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++)
        if (hk_is_followed(at[r])) at[r] = HK_NONE;
    hk_drop_last(&how, &index, first, at);
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++)
        if (at[r] != HK_NONE)
            old[r] = hk_max_to_long(last.source + at[r], call | (first + r * HK_THREADS + 1));
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++) {
        if (at[r] == HK_NONE) continue;
        if (old[r] < call)
            hk_put(&out, at[r], x[r]);
        else
            hk_store_relaxed(last.found, 1);
    }
}
