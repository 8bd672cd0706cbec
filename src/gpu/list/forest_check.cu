// SPDX-License-Identifier: Apache-2.0
//
// forest_check: a node whose jumps did not end at a root is on a cycle, or leads to one.
#include "device/kernel.cuh"
#include "list/links.cuh"

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    forest_check(const uint64_t *jumps, int64_t n, hk_list_control *control)
{
    hk_begin();
    const int64_t i = (int64_t)blockIdx.x * HK_THREADS + threadIdx.x;
    if (i >= n || hk_load_relaxed(&control->fault) != 0) return;
    const uint32_t to = hk_high(jumps[i]);
    if (jumps[to] != hk_word_of(to, 0)) hk_store_relaxed(&control->fault, 1);
}
