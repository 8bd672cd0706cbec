// SPDX-License-Identifier: Apache-2.0
//
// list_jump: one step of pointer jumping (Wyllie 1979), from one array of words to another. Once a
// step has moved nothing both arrays are the same, and the steps after it do nothing.
#include "device/kernel.cuh"
#include "list/links.cuh"

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    list_jump(const uint64_t *from, uint64_t *to, int64_t n, int32_t step, hk_list_control *control)
{
    hk_begin();
    if (control->fault != 0 || (step > 0 && control->moved[step - 1] == 0)) return;
    const int64_t i = (int64_t)blockIdx.x * HK_THREADS + threadIdx.x;
    bool moved = false;
    if (i == 0) control->steps = step + 1;
    if (i < n) {
        const uint64_t here = from[i], there = from[hk_high(here)];
        moved = hk_high(here) != hk_high(there);
        to[i] = hk_word_of(hk_high(there), (uint32_t)here + (uint32_t)there);
    }
    if (hk_ballot(moved) != 0 && hk_lane() == 0) hk_store_relaxed(&control->moved[step], 1);
}
