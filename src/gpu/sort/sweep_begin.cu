// SPDX-License-Identifier: Apache-2.0
//
// sweep_begin: one block. Where each digit begins; a bad key becomes a fault; the counts are zero again.
// Where a digit is the whole key, how many there are of each, and where they begin.
#include "device/kernel.cuh"
#include "device/lanes.cuh"
#include "sort/digits.cuh"

extern "C" __global__ void __launch_bounds__(HD_THREADS)
    sweep_begin(const __grid_constant__ hd_inputs in, const __grid_constant__ hd_sweep_how how,
                hd_sweep_state state, uint64_t *bad, const __grid_constant__ hd_view counts,
                const __grid_constant__ hd_view begins)
{
    hd_begin();
    __shared__ uint64_t of_warp[HD_WARPS], stop;
    if (HD_AT_ONCE && *state.at_once != 0) return;
    const int warp = (int)threadIdx.x / HD_WARP;
    if (threadIdx.x == 0) {
        stop = 0;
        if (!HD_LOOSE) {
            stop = *bad;
            *bad = 0;
        }
        *state.stop = stop;
        if (stop != 0) {
            int64_t *told = (int64_t *)state.fault;
            told[1] = (int64_t)~stop;
            told[2] = told[1] < how.n ? (int64_t)hd_label_one(&in, told[1], hd_one_0(&in, told[1]))
                                      : -1;
            told[3] = how.ways - 1;
            hd_store_relaxed(state.fault, HD_BAD_BUCKET);
        }
    }
    for (int p = 0; p < HD_PASSES; p++) {
        uint64_t before = 0;
        for (int first = 0; first < HD_DIGITS; first += HD_THREADS) {
            const int d = first + (int)threadIdx.x;
            uint64_t own = 0;
            if (d < HD_DIGITS) {
                own = state.count[p * HD_DIGITS + d];
                state.count[p * HD_DIGITS + d] = 0;
            }
            const uint64_t to = hd_long_sum_to_lane(own);
            if (hd_lane() == 31) of_warp[warp] = to;
            hd_block_barrier();
            uint64_t at = before + to - own;
            for (int w = 0; w < HD_WARPS; w++) {
                if (w < warp) at += of_warp[w];
                before += of_warp[w];
            }
            hd_block_barrier();
            if (d >= HD_DIGITS) continue;
            state.begin[p * HD_DIGITS + d] = at;
            if (HD_COUNTS && stop == 0 && d < how.ways) hd_put_count(&counts, d, (int64_t)own);
            if (HD_BEGINS && stop == 0 && d < how.ways) hd_put_begin(&begins, d, (int64_t)at);
            if (HD_BEGINS && stop == 0 && d == 0) hd_put_begin(&begins, how.ways, how.n);
        }
    }
}
