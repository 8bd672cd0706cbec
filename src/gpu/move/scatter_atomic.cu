// SPDX-License-Identifier: Apache-2.0
//
// scatter_atomic: where the order cannot be seen, or may be any: each source goes into its
// destination by itself. hk_combine_at is one instruction where the device has it for the operator,
// else by comparing and swapping.
#include "device/kernel.cuh"
#include "device/node.cuh"

struct hk_scatter_how {
    int64_t n, limit; // an index is good in 0 .. limit - 1
};

union hk_cell {
    hk_node node;
    hk_word word;
};

HK_FN hk_word hk_swap(hk_word *p, hk_word old, hk_word fresh)
{
    uint32_t seen;
    uint64_t seen_long;
    if (sizeof(hk_word) == 4) {
        asm volatile("atom.relaxed.gpu.global.cas.b32 %0, [%1], %2, %3;"
                     : "=r"(seen)
                     : "l"(p), "r"((uint32_t)old), "r"((uint32_t)fresh)
                     : "memory");
        return (hk_word)seen;
    }
    asm volatile("atom.relaxed.gpu.global.cas.b64 %0, [%1], %2, %3;"
                 : "=l"(seen_long)
                 : "l"(p), "l"((uint64_t)old), "l"((uint64_t)fresh)
                 : "memory");
    return (hk_word)seen_long;
}

HK_FN void hk_combine_at(hk_node *p, hk_node x)
{
    if (HK_NATIVE) {
        hk_combine_native(p, x);
        return;
    }
    hk_cell old, fresh;
    old.word = hk_swap((hk_word *)p, 0, 0);
    for (;;) {
        fresh.node = hk_combine(old.node, x);
        const hk_word seen = hk_swap((hk_word *)p, old.word, fresh.word);
        if (seen == old.word) return;
        old.word = seen;
    }
}

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    scatter_atomic(const __grid_constant__ hk_inputs in, const __grid_constant__ hk_view index,
                   const __grid_constant__ hk_view out, const __grid_constant__ hk_scatter_how how,
                   uint64_t *bad)
{
    hk_begin();
    const int64_t first = (int64_t)blockIdx.x * (HK_THREADS * HK_ROWS) + threadIdx.x;
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++) {
        const int64_t i = first + r * HK_THREADS;
        if (i >= how.n) continue;
        const int64_t at = hk_bound(&index, i);
        if ((uint64_t)at >= (uint64_t)how.limit) {
            if (bad != 0)
                asm volatile("red.relaxed.gpu.global.max.u64 [%0], %1;"
                             :
                             : "l"(bad), "l"(~(uint64_t)i)
                             : "memory");
            continue;
        }
        hk_combine_at((hk_node *)hk_out_at(&out, at), hk_transform(hk_item(&in, i), 0));
    }
}
