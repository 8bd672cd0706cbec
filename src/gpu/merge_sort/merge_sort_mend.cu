// SPDX-License-Identifier: Apache-2.0
//
// merge_sort_mend: where a pass was the last that merged, for tiles were in order as they were or
// the comparison contradicts itself, the elements that are not in the output go there. Else
// nothing.
#include "device/kernel.cuh"
#include "merge_sort/runs.cuh"

// `how` is that of the last pass, `how.pass` of them.
extern "C" __global__ void __launch_bounds__(HK_THREADS)
    merge_sort_mend(const __grid_constant__ hk_runs_how how)
{
    hk_begin();
    const uint32_t failed = how.state->failed;
    const int stopped = failed != 0 ? (int)failed : how.state->unsorted == 0 ? 2 : how.pass + 1;
    // Elements are where pass `stopped` found them: every other pass finds them in the output.
    if ((how.pass - stopped) % 2 != 0) return;
    const int64_t step = (int64_t)gridDim.x * HK_THREADS;
    for (int64_t k = (int64_t)blockIdx.x * HK_THREADS + threadIdx.x; k < how.n; k += step) {
        how.to[k] = how.from[k];
        if (HK_INDICES) how.index_to[k] = how.index_from[k];
    }
}
