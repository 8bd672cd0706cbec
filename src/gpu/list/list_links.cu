// SPDX-License-Identifier: Apache-2.0
//
// list_links: the words of nodes, and a bit for each that another links to. Two that link to one
// are a fault.
#include "device/kernel.cuh"
#include "list/links.cuh"

HK_FN uint32_t hk_or_to(uint32_t *p, uint32_t x)
{
    uint32_t old;
    asm volatile("atom.relaxed.gpu.global.or.b32 %0, [%1], %2;"
                 : "=r"(old)
                 : "l"(p), "r"(x)
                 : "memory");
    return old;
}

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    list_links(const __grid_constant__ hk_view next, const uint8_t *marks, int64_t n,
               int64_t minus_one, uint64_t *words, uint32_t *before, hk_list_control *control)
{
    hk_begin();
    const int64_t i = (int64_t)blockIdx.x * HK_THREADS + threadIdx.x;
    if (i >= n) return;
    if (marks != 0 && marks[i] == 0) {
        words[i] = HK_NO_NODE;
        return;
    }
    const int64_t link = hk_link_at(&next, i, n, minus_one);
    words[i] = (uint64_t)link & 0xffffffffu;
    const uint32_t bit = 1u << (link & 31);
    if (link < 0 || (link != i && (hk_or_to(before + (link >> 5), bit) & bit) != 0))
        hk_store_relaxed(&control->fault, 1);
}
