// SPDX-License-Identifier: Apache-2.0
//
// What kernels that scatter elements share: indices of a thread, and sources as they are marked at places.
struct hd_scatter_how {
    int64_t n, limit; // an index is good in 0 .. limit - 1
};

#if HD_WIDE
typedef uint64_t hd_source;
#else
typedef uint32_t hd_source;
#endif

HD_FN void hd_most_of_sources(hd_source *p, hd_source x)
{
#if HD_WIDE
    asm volatile("red.relaxed.gpu.global.max.u64 [%0], %1;" : : "l"(p), "l"(x) : "memory");
#else
    asm volatile("red.relaxed.gpu.global.max.u32 [%0], %1;" : : "l"(p), "r"(x) : "memory");
#endif
}

// The indices of a thread, HD_ROWS of them a block apart; -1: none, or bad.
HD_FN void hd_targets(const hd_scatter_how *how, const hd_view *index, int64_t first, int64_t *at,
                      uint64_t *bad)
{
#pragma unroll
    for (int r = 0; r < HD_ROWS; r++) {
        const int64_t i = first + r * HD_THREADS;
        at[r] = i < how->n ? hd_bound(index, i) : 0;
        if ((uint64_t)at[r] < (uint64_t)how->limit && i < how->n) continue;
        at[r] = -1;
        if (bad != 0 && i < how->n) hd_most_to_long(bad, ~(uint64_t)i);
    }
}
