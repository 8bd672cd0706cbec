// SPDX-License-Identifier: Apache-2.0
//
// list_bases: what the first node of each sublist gets, from where its jumps ended. HK_INVERT:
// those lead to the first sublist of the list, else to the last. A sublist whose jumps did not end
// is on a cycle. With `of_list` also the lengths of lists, at their first sublists.
#include "device/kernel.cuh"
#include "list/links.cuh"

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    list_bases(const uint32_t *starts, const uint32_t *before, const uint64_t *jumps,
               const uint32_t *lengths, int64_t count, int64_t *of_list, int32_t *bases,
               hk_list_control *control)
{
    hk_begin();
    const int64_t s = (int64_t)blockIdx.x * HK_THREADS + threadIdx.x;
    if (s >= count || hk_load_relaxed(&control->fault) != 0) return;
    const uint32_t to = hk_high(jumps[s]), over = (uint32_t)jumps[s];
    const bool ends =
        HK_INVERT ? !hk_bit(before, starts[to]) : (lengths[to] & HK_LAST_SUBLIST) != 0;
    if (!ends) {
        hk_store_relaxed(&control->fault, 1);
        return;
    }
    const uint32_t length = lengths[s];
    bases[s] = (int32_t)(HK_INVERT ? over : over + (lengths[to] & ~HK_LAST_SUBLIST) - 1);
    if (of_list != 0 && (length & HK_LAST_SUBLIST) != 0)
        of_list[to] = over + (length & ~HK_LAST_SUBLIST);
}
