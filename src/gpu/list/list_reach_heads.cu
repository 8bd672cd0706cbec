// SPDX-License-Identifier: Apache-2.0
//
// list_reach_heads: marks the heads, which have been checked. One may come twice.
#include "device/kernel.cuh"

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    list_reach_heads(const int64_t *heads, int64_t count, uint32_t *marks)
{
    hk_begin();
    const int64_t k = (int64_t)blockIdx.x * HK_THREADS + threadIdx.x;
    if (k < count) hk_store_relaxed(&marks[heads[k]], 1);
}
