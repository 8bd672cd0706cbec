// SPDX-License-Identifier: Apache-2.0
//
// scan_rows: each row is a scan of its own; a warp takes one, chunk after chunk, and keeps the nodes of the
// chunks before. Stands behind scan_lanes.cuh.
#include "device/kernel.cuh"
#include "scan/pairs.cuh"
#include "scan/scan_lanes.cuh"

#define HD_LEVELS 48

struct hd_rows_how {
    int64_t rows, length;
};

// R of the chunks before chunk c.
HD_FN hd_prefix hd_fold_waiting(const hd_node *waiting, int64_t c, hd_node filler)
{
    hd_prefix p = hd_empty_prefix(filler);
    int top = 0;
    while (c >> top > 1) top++;
#pragma unroll 1
    for (int k = top; k >= 0; k--)
        if (c >> k & 1) hd_append(&p, waiting[k]);
    return p;
}

extern "C" __global__ void __launch_bounds__(HD_THREADS)
    scan_rows(const __grid_constant__ hd_inputs in, const __grid_constant__ hd_rows_how how,
              hd_base init, const __grid_constant__ hd_empty empty,
              const __grid_constant__ hd_scan_out to)
{
    hd_begin();
    const int64_t row = (int64_t)blockIdx.x * HD_WARPS + threadIdx.x / HD_WARP;
    if (row >= how.rows) return;
    hd_node waiting[HD_LEVELS]; // node k waits where bit k of the chunks so far is set
    const int64_t begin = row * how.length, end = begin + how.length;
    for (int64_t c = 0; c * HD_CHUNK < how.length; c++) {
        const int64_t first = begin + c * HD_CHUNK;
        hd_element e[HD_ROWS][HD_K];
        if (first + HD_CHUNK <= end)
            hd_read_chunk(&in, first, e);
        else
            hd_read_some(&in, first, end, e);
        const hd_node rows = hd_row_nodes(e, first, -begin);
        const hd_prefix p = hd_fold_waiting(waiting, c, rows);
        hd_node n = hd_over_rows(rows);
        int k = 0;
        for (; c >> k & 1; k++) n = hd_combine(waiting[k], n);
        waiting[k] = n;
        const hd_prefix next = hd_fold_waiting(waiting, c + 1, rows);
        const hd_prefix of_row = hd_before_lane(p, rows, HD_ROWS);
#pragma unroll
        for (int r = 0; r < HD_ROWS; r += HD_TURN) {
            hd_node t[HD_TURN], after[HD_TURN];
            hd_prefix before[HD_TURN];
#pragma unroll
            for (int k = 0; k < HD_TURN; k++)
                t[k] =
                    hd_lane_node(e[r + k], first - begin + (r + k) * HD_ROW + hd_lane() * HD_K, 0);
            hd_before_rows(of_row, r, p.any, next.node, t, before, after);
#pragma unroll
            for (int k = 0; k < HD_TURN; k++)
                hd_give_row(&to, e[r + k], before[k], after[k],
                            first + (r + k) * HD_ROW + hd_lane() * HD_K, end, -begin, init, empty,
                            0);
        }
    }
}
