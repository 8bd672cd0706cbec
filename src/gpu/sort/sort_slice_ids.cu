// SPDX-License-Identifier: Apache-2.0
//
// sort_slice_ids: the number of the row or segment of each index. Bad offsets are a fault.
#include "device/kernel.cuh"
#include "sort/slice_ids.cuh"

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    sort_slice_ids(const __grid_constant__ hk_view offsets, const __grid_constant__ hk_slices s)
{
    hk_begin();
    const int64_t step = (int64_t)gridDim.x * HK_THREADS;
    const int64_t first = (int64_t)blockIdx.x * HK_THREADS + threadIdx.x;
    for (int64_t i = first; i < s.n; i += step)
        s.out[i] = s.length > 0 ? (uint32_t)(s.order[i] / s.length)
                                : hk_segment_of(&offsets, s.offsets, s.order[i]);
    for (int64_t k = first; k < s.offsets; k += step)
        if (hk_is_bad(&offsets, k, s.n)) hk_store_relaxed(s.fault, HK_BAD_OFFSETS);
}
