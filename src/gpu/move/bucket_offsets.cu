// SPDX-License-Identifier: Apache-2.0
//
// bucket_offsets: where each bucket's sources begin, by search among their keys.
#include "device/kernel.cuh"
#include "move/bucket.cuh"

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    bucket_offsets(const __grid_constant__ hk_view index, const __grid_constant__ hk_bucket_how how)
{
    hk_begin();
    if (*how.stop != 0) return;
    const int64_t step = (int64_t)gridDim.x * HK_THREADS;
    for (int64_t k = (int64_t)blockIdx.x * HK_THREADS + threadIdx.x; k <= how.buckets; k += step) {
        int64_t low = 0, high = k < how.buckets ? how.n : 0;
        while (low < high) {
            const int64_t middle = low + (high - low) / 2;
            if (hk_bucket_of(&how, hk_bound(&index, middle)) < k)
                low = middle + 1;
            else
                high = middle;
        }
        how.begin[k] = k < how.buckets ? low : how.n;
    }
}
