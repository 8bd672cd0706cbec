// SPDX-License-Identifier: Apache-2.0
//
// histogram_finish: counts go to the output, or are added to it (how.add), and leave zeros; the
// number of those outside goes to a counter of its own.
#include "device/kernel.cuh"

struct hk_finish_how {
    int64_t bins, counted, add;
};

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    histogram_finish(const __grid_constant__ hk_inputs in, const __grid_constant__ hk_view out,
                     const __grid_constant__ hk_finish_how how, uint64_t *counts, int64_t *outside)
{
    hk_begin();
    const int64_t b = (int64_t)blockIdx.x * HK_THREADS + threadIdx.x;
    if (b > how.bins) return;
    const uint64_t count = counts[b];
    counts[b] = 0;
    if (b == how.bins) {
        if (outside != 0) *outside = (int64_t)count;
        return;
    }
    if (!how.counted) return; // weights: out has their sums already
    const uint64_t old = how.add ? (uint64_t)hk_one_0(&in, b) : 0;
    hk_put(&out, b, (hk_in_0)(count + old));
}
