// SPDX-License-Identifier: Apache-2.0
//
// scatter_write: out[index[i]] = in[i], where no index comes twice.
#include "device/kernel.cuh"
#include "move/sources.cuh"

extern "C" __global__ void __launch_bounds__(HD_THREADS)
    scatter_write(const __grid_constant__ hd_inputs in, const __grid_constant__ hd_view index,
                  const __grid_constant__ hd_view out, const __grid_constant__ hd_scatter_how how,
                  uint64_t *bad)
{
    hd_begin();
    const int64_t first = (int64_t)blockIdx.x * (HD_THREADS * HD_ROWS) + threadIdx.x;
    hd_memory_space at[HD_ROWS];
    hd_in_0 x[HD_ROWS];
    hd_elements(&how, &in, first, x);
    hd_places(&how, &index, first, at, bad);
#pragma unroll
    for (int r = 0; r < HD_ROWS; r++)
        if (at[r] != HD_NONE) hd_put(&out, at[r], x[r]);
}
