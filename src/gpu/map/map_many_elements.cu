// SPDX-License-Identifier: Apache-2.0
//
// map_many_elements: out_k[i] = f_k(in0[i], in1[i], ...) for every function f_k: each input is read
// once. A thread takes HK_K elements that lie together.
#include "device/kernel.cuh"

#define HK_TILE (HK_THREADS * HK_K)

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    map_many_elements(const __grid_constant__ hk_inputs in, const __grid_constant__ hk_outputs out,
                      int64_t n)
{
    hk_begin();
    const int64_t tile = (int64_t)blockIdx.x * HK_TILE;
    if (tile + HK_TILE <= n) {
        hk_map_run(&in, &out, tile + threadIdx.x * HK_K);
        return;
    }
#pragma unroll 1
    for (int64_t i = tile + threadIdx.x; i < n; i += HK_THREADS) hk_map_one(&in, &out, i);
}
