// SPDX-License-Identifier: Apache-2.0
//
// forest_links: every node points to its parent, over one link, or to itself.
#include "device/kernel.cuh"
#include "list/links.cuh"

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    forest_links(const __grid_constant__ hk_view parent, int64_t n, int64_t minus_one,
                 uint64_t *jumps, hk_list_control *control)
{
    hk_begin();
    const int64_t i = (int64_t)blockIdx.x * HK_THREADS + threadIdx.x;
    if (i >= n) return;
    const int64_t link = hk_link_at(&parent, i, n, minus_one);
    jumps[i] = hk_word_of((uint32_t)link, link != i);
    if (link < 0) hk_store_relaxed(&control->fault, 1);
}
