// SPDX-License-Identifier: Apache-2.0
//
// scatter_again: behind scatter_last, which found destinations with two sources: the last of each
// is written. The call is over.
#include "device/kernel.cuh"
#include "move/sources.cuh"

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    scatter_again(const __grid_constant__ hk_inputs in, const __grid_constant__ hk_view index,
                  const __grid_constant__ hk_view out, const __grid_constant__ hk_scatter_how how,
                  const __grid_constant__ hk_last last)
{
    hk_begin();
    __shared__ uint64_t call;
    __shared__ uint32_t found;
    if (threadIdx.x == 0) {
        call = hk_load_relaxed_64(last.call) + 1;
        found = hk_load_relaxed(last.found);
    }
    hk_block_barrier();
    if (threadIdx.x == 0 && hk_add_to(last.done, 1) == gridDim.x - 1) { // all have read
        hk_store_relaxed_64(last.call, call);
        hk_store_relaxed(last.found, 0);
        hk_store_relaxed(last.done, 0);
    }
    if (found == 0) return;
    const int64_t first = (int64_t)blockIdx.x * (HK_THREADS * HK_ROWS) + threadIdx.x;
    hk_destination at[HK_ROWS];
    uint64_t source[HK_ROWS];
    hk_destinations(&how, &index, first, at, 0);
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++) source[r] = at[r] != HK_NONE ? last.source[at[r]] : 0;
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++) {
        const int64_t i = first + r * HK_THREADS;
        if (source[r] == (call << HK_SOURCE_BITS | (uint64_t)(i + 1)))
            hk_put(&out, at[r], hk_one_0(&in, i));
    }
}
