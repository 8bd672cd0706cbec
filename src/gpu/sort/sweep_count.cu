// SPDX-License-Identifier: Apache-2.0
//
// sweep_count: how often each digit comes, for all sweeps at once; and the first key that is not one of
// 0 .. ways - 1. A launch's last word on it is sweep_begin's.
#include "device/kernel.cuh"
#include "device/lanes.cuh"
#include "sort/digits.cuh"

HD_FN void hd_count_key(const hd_sweep_how *how, int64_t label, int64_t i, uint32_t *counts,
                        uint64_t *bad)
{
    if ((uint64_t)label >= (uint64_t)how->ways) {
        if (bad != 0) hd_most_to_long(bad, ~(uint64_t)i);
        if (!HD_LOOSE) return;
    }
    const hd_key key = hd_key_of(label, how->ways);
#pragma unroll
    for (int p = 0; p < HD_PASSES; p++)
        hd_add_in_block(counts + p * HD_DIGITS +
                            (int)(key >> (how->shift + p * HD_BITS) & (HD_DIGITS - 1)),
                        1u);
}

extern "C" __global__ void __launch_bounds__(HD_THREADS)
    sweep_count(const __grid_constant__ hd_inputs in, const __grid_constant__ hd_sweep_how how,
                hd_sweep_state state, uint64_t *bad)
{
    hd_begin();
    __shared__ uint32_t counts[HD_PASSES * HD_DIGITS];
    if (HD_AT_ONCE && *state.at_once != 0) return;
    for (int k = (int)threadIdx.x; k < HD_PASSES * HD_DIGITS; k += HD_THREADS) counts[k] = 0;
    hd_block_barrier();
    // Blocks take stretches, so that 32 bits hold their counts.
    const int64_t stretch = (how.n + gridDim.x - 1) / gridDim.x;
    const int64_t begin = blockIdx.x * stretch,
                  end = begin + stretch < how.n ? begin + stretch : how.n;
#pragma unroll 1
    for (int64_t first = begin + threadIdx.x; first < end; first += HD_ROWS * HD_THREADS) {
        hd_label label[HD_ROWS] = {}; // all are asked for before the first is looked at
#pragma unroll
        for (int r = 0; r < HD_ROWS; r++) {
            const int64_t i = first + r * HD_THREADS;
            if (i < end) label[r] = hd_label_one(&in, i, hd_one_0(&in, i));
        }
#pragma unroll
        for (int r = 0; r < HD_ROWS; r++) {
            const int64_t i = first + r * HD_THREADS;
            if (i < end) hd_count_key(&how, (int64_t)label[r], i, counts, bad);
        }
    }
    hd_block_barrier();
    for (int k = (int)threadIdx.x; k < HD_PASSES * HD_DIGITS; k += HD_THREADS)
        if (counts[k] != 0) hd_add_to_long(state.count + k, counts[k]);
}
