// SPDX-License-Identifier: Apache-2.0
//
// scan_rows: each row is a scan of its own; a warp takes one, chunk after chunk, and keeps the
// nodes of the chunks before. Stands behind scan_lanes.cuh.
#include "device/kernel.cuh"
#include "scan/pairs.cuh"
#include "scan/scan_lanes.cuh"
#include "scan/scan_pending.cuh"

struct hk_rows_how {
    int64_t rows, length;
};

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    scan_rows(const __grid_constant__ hk_inputs in, const __grid_constant__ hk_rows_how how,
              hk_base init, const __grid_constant__ hk_empty empty,
              const __grid_constant__ hk_scan_out to)
{
    hk_begin();
    const int64_t row = (int64_t)blockIdx.x * HK_WARPS + threadIdx.x / HK_WARP;
    if (row >= how.rows) return;
    hk_node pending[HK_LEVELS];
    const int64_t begin = row * how.length, end = begin + how.length;
    for (int64_t c = 0; c * HK_CHUNK < how.length; c++) {
        const int64_t first = begin + c * HK_CHUNK;
        hk_element e[HK_ROWS][HK_K];
        if (first + HK_CHUNK <= end)
            hk_read_chunk(&in, first, e);
        else
            hk_read_some(&in, first, end, e);
        const hk_node rows = hk_row_nodes(e, first, -begin);
        const hk_prefix p = hk_fold_pending(pending, c, rows);
        hk_push_pending(pending, c, hk_over_rows(rows));
        const hk_prefix next = hk_fold_pending(pending, c + 1, rows);
        const hk_prefix of_row = hk_before_lane(p, rows, HK_ROWS);
#pragma unroll
        for (int r = 0; r < HK_ROWS; r += HK_ROWS_UNROLLED) {
            hk_node t[HK_ROWS_UNROLLED], after[HK_ROWS_UNROLLED];
            hk_prefix before[HK_ROWS_UNROLLED];
#pragma unroll
            for (int k = 0; k < HK_ROWS_UNROLLED; k++)
                t[k] =
                    hk_lane_node(e[r + k], first - begin + (r + k) * HK_ROW + hk_lane() * HK_K, 0);
            hk_before_rows(of_row, r, p.any, next.node, t, before, after);
#pragma unroll
            for (int k = 0; k < HK_ROWS_UNROLLED; k++)
                hk_give_row(&to, e[r + k], before[k], after[k],
                            first + (r + k) * HK_ROW + hk_lane() * HK_K, end, -begin, init, empty,
                            0);
        }
    }
}
