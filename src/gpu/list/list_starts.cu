// SPDX-License-Identifier: Apache-2.0
//
// list_starts: a bit for each node that begins a sublist: those that none links to, and one in a
// random position of each run of `stride` nodes (at most 32: of each 32 / stride). A thread has 32.
#include "device/kernel.cuh"
#include "list/links.cuh"

// Lists that are laid out on purpose do not meet it.
HK_FN int64_t hk_splitter_of(int64_t k, int64_t stride)
{
    uint64_t x = ((uint64_t)k + 1) * 0x9e3779b97f4a7c15ull;
    x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9ull;
    return k * stride + (int64_t)((x >> 32) * (uint64_t)stride >> 32);
}

extern "C" __global__ void __launch_bounds__(HK_THREADS)
    list_starts(const uint32_t *before, const uint8_t *marks, int64_t n, int64_t stride,
                uint32_t *starts)
{
    hk_begin();
    const int64_t w = (int64_t)blockIdx.x * HK_THREADS + threadIdx.x, first = 32 * w;
    if (first >= n) return;
    uint32_t bits = ~before[w];
    for (int64_t k = first / stride; k * stride < first + 32; k++) {
        const int64_t at = hk_splitter_of(k, stride);
        if (at >= first && at < first + 32) bits |= 1u << (at - first);
    }
    if (n - first < 32) bits &= (1u << (n - first)) - 1;
    if (marks != 0)
        for (int64_t i = first; i < first + 32 && i < n; i++)
            if (marks[i] == 0) bits &= ~(1u << (i - first));
    starts[w] = bits;
}
