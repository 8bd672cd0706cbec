// SPDX-License-Identifier: Apache-2.0
//
// forest_write: the root of every node, and the links to it.
#include "device/kernel.cuh"
#include "list/links.cuh"

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    forest_write(const uint64_t *jumps, int64_t n, const __grid_constant__ hk_view out,
                 const __grid_constant__ hk_view depth)
{
    hk_begin();
    const int64_t i = (int64_t)blockIdx.x * HK_THREADS + threadIdx.x;
    if (i >= n) return;
    const uint64_t jump = jumps[i];
    hk_put_index(&out, i, (int64_t)hk_high(jump));
    if (HK_LENGTHS) hk_put_length(&depth, i, (int64_t)(uint32_t)jump);
}
