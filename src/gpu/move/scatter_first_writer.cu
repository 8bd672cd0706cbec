// SPDX-License-Identifier: Apache-2.0
//
// scatter_first_writer: the first source that comes to a destination is written; whether others
// come as well is left in the bitmap.
#include "device/kernel.cuh"
#include "move/destination_bitmap.cuh"
#include "move/sources.cuh"

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    scatter_first_writer(const __grid_constant__ hk_inputs in,
                         const __grid_constant__ hk_view index, const __grid_constant__ hk_view out,
                         const __grid_constant__ hk_scatter_how how, uint64_t *bad,
                         const __grid_constant__ hk_destination_bitmap bitmap)
{
    hk_begin();
    const int64_t first = (int64_t)blockIdx.x * (HK_THREADS * HK_ROWS) + threadIdx.x;
    hk_destination at[HK_ROWS];
    hk_in_0 x[HK_ROWS];
    hk_elements(&how, &in, first, x);
    hk_destinations(&how, &index, first, at, bad);
    hk_drop_last(&how, &index, first, at);
#pragma unroll
    for (int r = 0; r < HK_ROWS; r += HK_BITMAP_ROWS) hk_test_and_set(&bitmap, at + r);
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++)
        if (at[r] != HK_NONE) hk_put(&out, at[r], x[r]);
}
