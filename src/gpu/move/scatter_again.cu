// SPDX-License-Identifier: Apache-2.0
//
// scatter_again: behind scatter_last, which found places with two sources: the last of each is written. The call
// is over.
#include "device/kernel.cuh"
#include "move/sources.cuh"

extern "C" __global__ void __launch_bounds__(HD_THREADS)
    scatter_again(const __grid_constant__ hd_inputs in, const __grid_constant__ hd_view index,
                  const __grid_constant__ hd_view out, const __grid_constant__ hd_scatter_how how,
                  const __grid_constant__ hd_last last)
{
    hd_begin();
    __shared__ uint64_t call;
    __shared__ uint32_t found;
    if (threadIdx.x == 0) {
        call = hd_load_relaxed_64(last.call) + 1;
        found = hd_load_relaxed(last.found);
    }
    hd_block_barrier();
    if (threadIdx.x == 0 && hd_add_to(last.done, 1) == gridDim.x - 1) { // all have read
        hd_store_relaxed_64(last.call, call);
        hd_store_relaxed(last.found, 0);
        hd_store_relaxed(last.done, 0);
    }
    if (found == 0) return;
    const int64_t first = (int64_t)blockIdx.x * (HD_THREADS * HD_ROWS) + threadIdx.x;
    hd_memory_space at[HD_ROWS];
    uint64_t source[HD_ROWS];
    hd_places(&how, &index, first, at, 0);
#pragma unroll
    for (int r = 0; r < HD_ROWS; r++) source[r] = at[r] != HD_NONE ? last.source[at[r]] : 0;
#pragma unroll
    for (int r = 0; r < HD_ROWS; r++) {
        const int64_t i = first + r * HD_THREADS;
        if (source[r] == (call << HD_SOURCE_BITS | (uint64_t)(i + 1)))
            hd_put(&out, at[r], hd_one_0(&in, i));
    }
}
