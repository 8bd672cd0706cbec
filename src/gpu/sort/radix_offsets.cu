// SPDX-License-Identifier: Apache-2.0
//
// radix_offsets: one block. Where each digit begins; a bad key becomes a fault; the counts are zero
// again. Where a digit is the whole key, how many there are of each, and where they begin.
#include "device/kernel.cuh"
#include "device/lanes.cuh"
#include "sort/digits.cuh"

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    radix_offsets(const __grid_constant__ hk_inputs in, const __grid_constant__ hk_radix_how how,
                  hk_radix_state state, uint64_t *bad, const __grid_constant__ hk_view counts,
                  const __grid_constant__ hk_view begins)
{
    hk_begin();
    __shared__ uint64_t of_warp[HK_WARPS], stop;
    if (HK_AT_ONCE && *state.at_once != 0) return;
    const int warp = (int)threadIdx.x / HK_WARP;
    if (threadIdx.x == 0) {
        stop = 0;
        if (!HK_OUT_OF_RANGE_LAST) {
            stop = *bad;
            *bad = 0;
        }
        *state.stop = stop;
        if (stop != 0) {
            int64_t *told = (int64_t *)state.fault;
            told[1] = (int64_t)~stop;
            told[2] =
                told[1] < how.n ? (int64_t)hk_flag_one(&in, told[1], hk_one_0(&in, told[1])) : -1;
            told[3] = how.ways - 1;
            hk_store_relaxed(state.fault, HK_BAD_BUCKET);
        }
    }
    for (int p = 0; p < HK_PASSES; p++) {
        uint64_t before = 0;
        for (int first = 0; first < HK_DIGITS; first += HK_THREADS) {
            const int d = first + (int)threadIdx.x;
            uint64_t own = 0;
            if (d < HK_DIGITS) {
                own = state.count[p * HK_DIGITS + d];
                state.count[p * HK_DIGITS + d] = 0;
            }
            const uint64_t to = hk_long_sum_to_lane(own);
            if (hk_lane() == 31) of_warp[warp] = to;
            hk_block_barrier();
            uint64_t at = before + to - own;
            for (int w = 0; w < HK_WARPS; w++) {
                if (w < warp) at += of_warp[w];
                before += of_warp[w];
            }
            hk_block_barrier();
            if (d >= HK_DIGITS) continue;
            state.begin[p * HK_DIGITS + d] = at;
            if (HK_COUNTS && stop == 0 && d < how.ways) hk_put_count(&counts, d, (int64_t)own);
            if (HK_BEGINS && stop == 0 && d < how.ways) hk_put_begin(&begins, d, (int64_t)at);
            if (HK_BEGINS && stop == 0 && d == 0) hk_put_begin(&begins, how.ways, how.n);
        }
    }
}
