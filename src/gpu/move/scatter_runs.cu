// SPDX-License-Identifier: Apache-2.0
//
// scatter_runs: the results of runs that waited beside go to their places.
#include "device/kernel.cuh"

#if HD_WIDE
typedef uint64_t hd_sort_key;
#else
typedef uint32_t hd_sort_key;
#endif

extern "C" __global__ void __launch_bounds__(HD_THREADS)
    scatter_runs(const __grid_constant__ hd_inputs in, const __grid_constant__ hd_view out,
                 int64_t limit, const hd_sort_key *key, const int64_t *begin, const uint64_t *runs)
{
    hd_begin();
    const int64_t all = (int64_t)*runs, step = (int64_t)gridDim.x * HD_THREADS;
    for (int64_t r = (int64_t)blockIdx.x * HD_THREADS + threadIdx.x; r < all; r += step) {
        const hd_sort_key at = key[begin[r]];
        if ((uint64_t)at < (uint64_t)limit) hd_put(&out, (int64_t)at, hd_one_0(&in, r));
    }
}
