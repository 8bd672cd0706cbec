// SPDX-License-Identifier: Apache-2.0
//
// map_elements: out[i] = f(in0[i], in1[i], ...), or a conversion. A thread takes HK_K elements that
// lie together, in HK_ROWS rows a block apart.
#include "device/kernel.cuh"

#define HK_TILE (HK_THREADS * HK_K * HK_ROWS)

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    map_elements(const __grid_constant__ hk_inputs in, const __grid_constant__ hk_view out,
                 int64_t n)
{
    hk_begin();
    const int64_t tile = (int64_t)blockIdx.x * HK_TILE, first = tile + threadIdx.x * HK_K;
    if (tile + HK_TILE <= n) {
        hk_element x[HK_ROWS][HK_K];
#pragma unroll
        for (int r = 0; r < HK_ROWS; r++) hk_items(&in, first + r * HK_THREADS * HK_K, x[r]);
#pragma unroll
        for (int r = 0; r < HK_ROWS; r++) {
            hk_result y[HK_K];
#pragma unroll
            for (int j = 0; j < HK_K; j++) y[j] = hk_result_of(x[r][j]);
            hk_put_run(&out, first + r * HK_THREADS * HK_K, y);
        }
        return;
    }
#pragma unroll 1
    for (int64_t i = tile + threadIdx.x; i < n; i += HK_THREADS)
        hk_put(&out, i, hk_result_of(hk_item(&in, i)));
}
