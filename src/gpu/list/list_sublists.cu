// SPDX-License-Identifier: Apache-2.0
//
// list_sublists: nodes that begin a sublist learn its number, and those that none links to are
// counted and point to themselves.
#include "device/kernel.cuh"
#include "list/links.cuh"

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    list_sublists(const uint32_t *starts, int64_t count, const uint32_t *before, uint64_t *words,
                  uint64_t *jumps, hk_list_control *control)
{
    hk_begin();
    const int64_t s = (int64_t)blockIdx.x * HK_THREADS + threadIdx.x;
    bool head = false;
    if (s < count) {
        const uint32_t i = starts[s];
        words[i] = hk_word_of((uint32_t)s, (uint32_t)words[i]);
        head = !hk_bit(before, i);
        if (head) jumps[s] = hk_word_of((uint32_t)s, 0);
    }
    const uint32_t heads = hk_ballot(head);
    if (hk_lane() == 0 && heads != 0) hk_add_to(&control->lists, hk_popc((int)heads));
}
