// SPDX-License-Identifier: Apache-2.0
//
// radix_histogram: how often each digit comes, for all passes at once; and the first key that is
// not one of 0 .. ways - 1. A launch's last word on it is radix_offsets's.
#include "device/kernel.cuh"
#include "device/lanes.cuh"
#include "sort/digits.cuh"

HK_FN void hk_count_key(const hk_radix_how *how, int64_t bucket, int64_t i, uint32_t *counts,
                        uint64_t *bad)
{
    if ((uint64_t)bucket >= (uint64_t)how->ways) {
        if (bad != 0) hk_most_to_long(bad, ~(uint64_t)i);
        if (!HK_OUT_OF_RANGE_LAST) return;
    }
    const hk_key key = hk_key_of(bucket, how->ways);
#pragma unroll
    for (int p = 0; p < HK_PASSES; p++)
        hk_add_in_block(counts + p * HK_DIGITS +
                            (int)(key >> (how->shift + p * HK_BITS) & (HK_DIGITS - 1)),
                        1u);
}

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    radix_histogram(const __grid_constant__ hk_inputs in, const __grid_constant__ hk_radix_how how,
                    hk_radix_state state, uint64_t *bad)
{
    hk_begin();
    __shared__ uint32_t counts[HK_PASSES * HK_DIGITS];
    if (HK_AT_ONCE && *state.at_once != 0) return;
    for (int k = (int)threadIdx.x; k < HK_PASSES * HK_DIGITS; k += HK_THREADS) counts[k] = 0;
    hk_block_barrier();
    // Blocks take stretches, so that 32 bits hold their counts.
    const int64_t stretch = (how.n + gridDim.x - 1) / gridDim.x;
    const int64_t begin = blockIdx.x * stretch,
                  end = begin + stretch < how.n ? begin + stretch : how.n;
#pragma unroll 1
    for (int64_t first = begin + threadIdx.x; first < end; first += HK_ROWS * HK_THREADS) {
        hk_flag bucket[HK_ROWS] = {}; // all are requested before the first is looked at
#pragma unroll
        for (int r = 0; r < HK_ROWS; r++) {
            const int64_t i = first + r * HK_THREADS;
            if (i < end) bucket[r] = hk_flag_one(&in, i, hk_one_0(&in, i));
        }
#pragma unroll
        for (int r = 0; r < HK_ROWS; r++) {
            const int64_t i = first + r * HK_THREADS;
            if (i < end) hk_count_key(&how, (int64_t)bucket[r], i, counts, bad);
        }
    }
    hk_block_barrier();
    for (int k = (int)threadIdx.x; k < HK_PASSES * HK_DIGITS; k += HK_THREADS)
        if (counts[k] != 0) hk_add_to_long(state.count + k, counts[k]);
}
