// SPDX-License-Identifier: Apache-2.0
//
// map_elements: out[i] = f(in0[i], in1[i], ...), or a conversion. A thread takes HD_K elements that lie
// together, in HD_ROWS rows a block apart.
#include "device/kernel.cuh"

#define HD_TILE (HD_THREADS * HD_K * HD_ROWS)

extern "C" __global__ void __launch_bounds__(HD_THREADS)
    map_elements(const __grid_constant__ hd_inputs in, const __grid_constant__ hd_view out,
                 int64_t n)
{
    hd_begin();
    const int64_t tile = (int64_t)blockIdx.x * HD_TILE, first = tile + threadIdx.x * HD_K;
    if (tile + HD_TILE <= n) {
        hd_element x[HD_ROWS][HD_K];
#pragma unroll
        for (int r = 0; r < HD_ROWS; r++) hd_items(&in, first + r * HD_THREADS * HD_K, x[r]);
#pragma unroll
        for (int r = 0; r < HD_ROWS; r++) {
            hd_result y[HD_K];
#pragma unroll
            for (int j = 0; j < HD_K; j++) y[j] = hd_result_of(x[r][j]);
            hd_put_run(&out, first + r * HD_THREADS * HD_K, y);
        }
        return;
    }
#pragma unroll 1
    for (int64_t i = tile + threadIdx.x; i < n; i += HD_THREADS)
        hd_put(&out, i, hd_result_of(hd_item(&in, i)));
}
