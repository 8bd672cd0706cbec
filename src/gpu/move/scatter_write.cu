// SPDX-License-Identifier: Apache-2.0
//
// scatter_write: out[index[i]] = in[i], where no index comes twice.
#include "device/kernel.cuh"
#include "move/sources.cuh"

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    scatter_write(const __grid_constant__ hk_inputs in, const __grid_constant__ hk_view index,
                  const __grid_constant__ hk_view out, const __grid_constant__ hk_scatter_how how,
                  uint64_t *bad)
{
    hk_begin();
    const int64_t first = (int64_t)blockIdx.x * (HK_THREADS * HK_ROWS) + threadIdx.x;
    hk_destination at[HK_ROWS];
    hk_in_0 x[HK_ROWS];
    hk_elements(&how, &in, first, x);
    hk_destinations(&how, &index, first, at, bad);
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++)
        if (at[r] != HK_NONE) hk_put(&out, at[r], x[r]);
}
