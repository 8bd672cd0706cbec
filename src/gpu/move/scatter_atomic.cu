// SPDX-License-Identifier: Apache-2.0
//
// scatter_atomic: where the order cannot be seen, or may be any: each source goes into its place by itself.
// hd_combine_at is one instruction where the device has it for the operator, else by comparing and swapping.
#include "device/kernel.cuh"
#include "device/node.cuh"

struct hd_scatter_how {
    int64_t n, limit; // an index is good in 0 .. limit - 1
};

union hd_cell {
    hd_node node;
    hd_word word;
};

HD_FN hd_word hd_swap(hd_word *p, hd_word old, hd_word fresh)
{
    uint32_t seen;
    uint64_t seen_long;
    if (sizeof(hd_word) == 4) {
        asm volatile("atom.relaxed.gpu.global.cas.b32 %0, [%1], %2, %3;"
                     : "=r"(seen)
                     : "l"(p), "r"((uint32_t)old), "r"((uint32_t)fresh)
                     : "memory");
        return (hd_word)seen;
    }
    asm volatile("atom.relaxed.gpu.global.cas.b64 %0, [%1], %2, %3;"
                 : "=l"(seen_long)
                 : "l"(p), "l"((uint64_t)old), "l"((uint64_t)fresh)
                 : "memory");
    return (hd_word)seen_long;
}

HD_FN void hd_combine_at(hd_node *p, hd_node x)
{
    if (HD_NATIVE) {
        hd_combine_native(p, x);
        return;
    }
    hd_cell old, fresh;
    old.word = hd_swap((hd_word *)p, 0, 0);
    for (;;) {
        fresh.node = hd_combine(old.node, x);
        const hd_word seen = hd_swap((hd_word *)p, old.word, fresh.word);
        if (seen == old.word) return;
        old.word = seen;
    }
}

extern "C" __global__ void __launch_bounds__(HD_THREADS)
    scatter_atomic(const __grid_constant__ hd_inputs in, const __grid_constant__ hd_view index,
                   const __grid_constant__ hd_view out, const __grid_constant__ hd_scatter_how how,
                   uint64_t *bad)
{
    hd_begin();
    const int64_t first = (int64_t)blockIdx.x * (HD_THREADS * HD_ROWS) + threadIdx.x;
#pragma unroll
    for (int r = 0; r < HD_ROWS; r++) {
        const int64_t i = first + r * HD_THREADS;
        if (i >= how.n) continue;
        const int64_t at = hd_bound(&index, i);
        if ((uint64_t)at >= (uint64_t)how.limit) {
            if (bad != 0)
                asm volatile("red.relaxed.gpu.global.max.u64 [%0], %1;"
                             :
                             : "l"(bad), "l"(~(uint64_t)i)
                             : "memory");
            continue;
        }
        hd_combine_at((hd_node *)hd_out_at(&out, at), hd_lift(hd_item(&in, i), 0));
    }
}
