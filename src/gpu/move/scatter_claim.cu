// SPDX-License-Identifier: Apache-2.0
//
// scatter_claim: the first source that comes to a place is written; whether others come as well is left in the
// claims.
#include "device/kernel.cuh"
#include "move/claims.cuh"
#include "move/sources.cuh"

extern "C" __global__ void __launch_bounds__(HD_THREADS)
    scatter_claim(const __grid_constant__ hd_inputs in, const __grid_constant__ hd_view index,
                  const __grid_constant__ hd_view out, const __grid_constant__ hd_scatter_how how,
                  uint64_t *bad, const __grid_constant__ hd_claims claims)
{
    hd_begin();
    const int64_t first = (int64_t)blockIdx.x * (HD_THREADS * HD_ROWS) + threadIdx.x;
    hd_memory_space at[HD_ROWS];
    hd_in_0 x[HD_ROWS];
    hd_elements(&how, &in, first, x);
    hd_places(&how, &index, first, at, bad);
    hd_drop_last(&how, &index, first, at);
#pragma unroll
    for (int r = 0; r < HD_ROWS; r += HD_CLAIMS) hd_claim(&claims, at + r);
#pragma unroll
    for (int r = 0; r < HD_ROWS; r++)
        if (at[r] != HD_NONE) hd_put(&out, at[r], x[r]);
}
