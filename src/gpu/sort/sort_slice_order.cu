// SPDX-License-Identifier: Apache-2.0
//
// sort_slice_order: elements outside of all segments stay where they are; indices of rows count
// from the start of each.
#include "device/kernel.cuh"
#include "sort/slice_ids.cuh"

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    sort_slice_order(const __grid_constant__ hk_view offsets, const __grid_constant__ hk_slices s)
{
    hk_begin();
    const int64_t step = (int64_t)gridDim.x * HK_THREADS;
    for (int64_t i = (int64_t)blockIdx.x * HK_THREADS + threadIdx.x; i < s.n; i += step) {
        if (s.length > 0) {
            s.out[i] = s.order[i] - (uint32_t)(i / s.length * s.length);
            continue;
        }
        if (s.offsets < 2 || i < hk_bound(&offsets, 0) || i >= hk_bound(&offsets, s.offsets - 1))
            s.order[i] = (uint32_t)i;
    }
}
