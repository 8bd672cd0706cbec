// SPDX-License-Identifier: Apache-2.0
//
// list_offsets: sublists move on to where their lists begin.
#include "device/kernel.cuh"
#include "list/links.cuh"

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    list_offsets(const uint64_t *jumps, int64_t count, const int64_t *begins, int32_t *bases)
{
    hk_begin();
    const int64_t s = (int64_t)blockIdx.x * HK_THREADS + threadIdx.x;
    if (s < count) bases[s] += (int32_t)begins[hk_high(jumps[s])];
}
