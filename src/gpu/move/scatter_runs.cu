// SPDX-License-Identifier: Apache-2.0
//
// scatter_runs: the results of runs that waited beside go to their destinations.
#include "device/kernel.cuh"

#if HK_WIDE
typedef uint64_t hk_sort_key;
#else
typedef uint32_t hk_sort_key;
#endif

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    scatter_runs(const __grid_constant__ hk_inputs in, const __grid_constant__ hk_view out,
                 int64_t limit, const hk_sort_key *key, const int64_t *begin, const uint64_t *runs)
{
    hk_begin();
    const int64_t all = (int64_t)*runs, step = (int64_t)gridDim.x * HK_THREADS;
    for (int64_t r = (int64_t)blockIdx.x * HK_THREADS + threadIdx.x; r < all; r += step) {
        const hk_sort_key at = key[begin[r]];
        if ((uint64_t)at < (uint64_t)limit) hk_put(&out, (int64_t)at, hk_one_0(&in, r));
    }
}
