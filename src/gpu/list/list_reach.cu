// SPDX-License-Identifier: Apache-2.0
//
// list_reach: one step of marking by pointer jumping (Wyllie 1979): what a marked node's jump leads
// to is marked, and jumps become twice as long. After step k all within 2^(k + 1) - 1 links of the
// heads are marked; a mark that is seen early is one that is there anyway. Once a step has moved
// nothing, all jumps have ended and the steps after it do nothing.
#include "device/kernel.cuh"

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    list_reach(const uint32_t *from, uint32_t *to, int64_t n, int32_t step, uint32_t *marks,
               uint32_t *moved)
{
    hk_begin();
    if (step > 0 && moved[step - 1] == 0) return;
    const int64_t i = (int64_t)blockIdx.x * HK_THREADS + threadIdx.x;
    bool moves = false;
    if (i < n) {
        const uint32_t here = from[i], there = from[here];
        if (here != i && hk_load_relaxed(&marks[i]) != 0) hk_store_relaxed(&marks[here], 1);
        moves = there != here;
        to[i] = there;
    }
    if (hk_ballot(moves) != 0 && hk_lane() == 0) hk_store_relaxed(&moved[step], 1);
}
