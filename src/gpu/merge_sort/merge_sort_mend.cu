// SPDX-License-Identifier: Apache-2.0
//
// merge_sort_mend: where merge_sort_tiles did not get a permutation, since the comparison
// contradicts itself, the runs as they were. Else nothing.
#include "device/kernel.cuh"
#include "merge_sort/runs.cuh"

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    merge_sort_mend(const __grid_constant__ hk_runs_how how)
{
    hk_begin();
    if (*how.unsorted == 0) return;
    const int64_t step = (int64_t)gridDim.x * HK_THREADS;
    for (int64_t k = (int64_t)blockIdx.x * HK_THREADS + threadIdx.x; k < how.n; k += step) {
        how.to[k] = how.from[k];
        if (how.index_to != 0) how.index_to[k] = how.index_from[k];
    }
}
