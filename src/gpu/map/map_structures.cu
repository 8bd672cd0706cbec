// SPDX-License-Identifier: Apache-2.0
//
// map_structures: out[i] = f(in0[i], in1[i], ...) of structures. A lane that reads its structure
// from device memory touches a line of its own with every word, so a warp brings 32 of each input
// to shared memory; the function has its parameters there, and may change them, for they are
// copies. Results leave in the same way.
#include "map/staging.cuh"
#include "device/kernel.cuh"

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    map_structures(const __grid_constant__ hk_inputs in, const __grid_constant__ hk_view out,
                   int64_t n)
{
    hk_begin();
    extern __shared__ __align__(128) char stages[];
    char *const stage = stages + threadIdx.x / HK_WARP * HK_STAGE_BYTES;
    const int64_t block = HK_LAST_FIRST ? gridDim.x - 1 - blockIdx.x : blockIdx.x;
    const int64_t first = block * HK_THREADS + threadIdx.x - hk_lane();
    if (first >= n) return;
    const int count = n - first < HK_WARP ? (int)(n - first) : HK_WARP;
    hk_bring(&in, first, count, stage);
    hk_await_words();
    hk_warp_barrier();
    if (hk_lane() < count) hk_apply(&in, &out, first + hk_lane(), stage);
    hk_warp_barrier();
    hk_take(&out, first, count, stage);
}
