// SPDX-License-Identifier: Apache-2.0
//
// top_nans: how many keys are NaN.
#include "device/kernel.cuh"
#include "top/top.cuh"

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    top_nans(const __grid_constant__ hk_top_how how)
{
    hk_begin();
    uint64_t nans = 0;
#pragma unroll 1
    for (int64_t t = blockIdx.x; t < how.tiles; t += gridDim.x) {
        hk_unit x[HK_ROWS];
        const uint32_t there = hk_load_keys(&how, t, x);
#pragma unroll
        for (int r = 0; r < HK_ROWS; r++)
#pragma unroll
            for (int j = 0; j < HK_UNIT_KEYS; j++) {
                const bool is_nan = hk_order(x[r].x[j]) == (hk_bits) ~(hk_bits)0;
                if (is_nan && (there >> (r * HK_UNIT_KEYS + j) & 1) != 0) nans++;
            }
    }
#pragma unroll
    for (int d = 1; d < HK_WARP; d *= 2) nans += hk_long_from_xor(nans, d);
    if (hk_lane() == 0 && nans != 0) hk_add_to_long(&how.control->count, nans);
}
