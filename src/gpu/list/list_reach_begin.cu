// SPDX-License-Identifier: Apache-2.0
//
// list_reach_begin: where a jump of one link leads, for every element of the array that lists lie
// in. What is no link, of an element that may be no node, leads nowhere.
#include "device/kernel.cuh"
#include "list/links.cuh"

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    list_reach_begin(const __grid_constant__ hk_view next, int64_t n, int64_t minus_one,
                     uint32_t *jumps, uint32_t *marks)
{
    hk_begin();
    const int64_t i = (int64_t)blockIdx.x * HK_THREADS + threadIdx.x;
    if (i >= n) return;
    const int64_t link = hk_link_at(&next, i, n, minus_one);
    jumps[i] = (uint32_t)(link < 0 ? i : link);
    marks[i] = 0;
}
