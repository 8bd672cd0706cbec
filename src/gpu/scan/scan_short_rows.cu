// SPDX-License-Identifier: Apache-2.0
//
// scan_short_rows: each row is a scan of its own, of up to HK_K elements; a lane takes one, where a
// warp would have most of its lanes idle.
#include "device/kernel.cuh"
#include "scan/pairs.cuh"
#include "scan/scan_lanes.cuh"

struct hk_rows_how {
    int64_t rows, length;
};

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    scan_short_rows(const __grid_constant__ hk_inputs in, const __grid_constant__ hk_rows_how how,
                    hk_base init, const __grid_constant__ hk_empty empty,
                    const __grid_constant__ hk_scan_out to)
{
    hk_begin();
    const int64_t row = (int64_t)blockIdx.x * HK_THREADS + threadIdx.x;
    if (row >= how.rows) return;
    const int64_t begin = row * how.length, end = begin + how.length;
    hk_element e[HK_K];
    if (how.length == HK_K) {
        hk_items(&in, begin, e);
    } else { // elements past the end repeat the last one: no output depends on them
#pragma unroll
        for (int j = 0; j < HK_K; j++) e[j] = hk_item(&in, begin + j < end ? begin + j : end - 1);
    }
    const hk_node all = hk_lane_node(e, 0, 0);
    hk_give_row(&to, e, hk_empty_prefix(all), all, begin, end, -begin, init, empty, 0);
}
