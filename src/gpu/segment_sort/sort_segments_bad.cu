// SPDX-License-Identifier: Apache-2.0
//
// sort_segments_bad: where offsets were bad, every element stays where it is, so that what is moved
// by the order is within its array. Else nothing.
#include "device/kernel.cuh"
#include "segment_sort/segments.cuh"

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    sort_segments_bad(const __grid_constant__ hk_segments_how how)
{
    hk_begin();
    if (how.control->bad == 0) return;
    const int64_t step = (int64_t)gridDim.x * HK_THREADS;
    for (int64_t i = (int64_t)blockIdx.x * HK_THREADS + threadIdx.x; i < how.n; i += step)
        how.order[i] = (uint32_t)i;
}
