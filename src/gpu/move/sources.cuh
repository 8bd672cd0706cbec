// SPDX-License-Identifier: Apache-2.0
//
// What kernels that scatter elements share: indices of a thread, and sources as they are marked at
// destinations.
#pragma once
#include "move/destinations.cuh"

struct hk_scatter_how {
    int64_t n, limit;     // an index is good in 0 .. limit - 1
    const uint32_t *word; // there is nothing to do unless it is `wanted`; 0: there is
    uint32_t *ticket;     // of tiles, which few blocks take one after another; 0: a block has one
    uint32_t wanted;
};

#if HK_WIDE
typedef uint64_t hk_source;

HK_FN void hk_most_of_sources(hk_source *p, hk_source x)
{
    asm volatile("red.relaxed.gpu.global.max.u64 [%0], %1;" : : "l"(p), "l"(x) : "memory");
}
#else
typedef uint32_t hk_source;

HK_FN void hk_most_of_sources(hk_source *p, hk_source x)
{
    asm volatile("red.relaxed.gpu.global.max.u32 [%0], %1;" : : "l"(p), "r"(x) : "memory");
}
#endif

// Last sources of destinations in memory that calls share: the number of the call, 1 + the source.
// 2^42 calls would take the better part of a year.
#define HK_SOURCE_BITS 22

struct hk_last {
    uint64_t *source;
    uint64_t *call;         // how many there were
    uint32_t *found, *done; // whether a destination has two sources; blocks; zero between calls
};

HK_FN uint64_t hk_max_to_long(uint64_t *p, uint64_t x)
{
    uint64_t old;
    asm volatile("atom.relaxed.gpu.global.max.u64 %0, [%1], %2;"
                 : "=l"(old)
                 : "l"(p), "l"(x)
                 : "memory");
    return old;
}

// ---- Indices ------------------------------------------------------------------------------------

// Indices of a thread as destinations, HK_ROWS of them a block apart, all requested before the
// first is looked at; bad ones are told of.
HK_FN void hk_destinations(const hk_scatter_how *how, const hk_view *index, int64_t first,
                           hk_destination *at, uint64_t *bad)
{
    int64_t given[HK_ROWS];
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++) {
        const int64_t i = first + r * HK_THREADS;
        given[r] = i < how->n ? hk_bound(index, i) : -1;
    }
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++) at[r] = hk_destination_of(given[r], how->limit);
    if (bad == 0) return;
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++) {
        const int64_t i = first + r * HK_THREADS;
        if (at[r] == HK_NONE && i < how->n) hk_most_to_long(bad, ~(uint64_t)i);
    }
}

// The elements of the same sources. They are requested before it is known whether they have
// destinations, so that nothing waits for both.
HK_FN void hk_elements(const hk_scatter_how *how, const hk_inputs *in, int64_t first, hk_in_0 *x)
{
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++) {
        const int64_t i = first + r * HK_THREADS;
        if (i < how->n) x[r] = hk_one_0(in, i);
    }
}

// Of the last lane: sources whose successor has the same destination are not its last, and become
// none.
HK_FN void hk_drop_last(const hk_scatter_how *how, const hk_view *index, int64_t first,
                        hk_destination *at)
{
    hk_destination next[HK_ROWS];
    const int64_t end = hk_lane() == HK_WARP - 1 ? how->n : 0;
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++) {
        const int64_t i = first + r * HK_THREADS + 1;
        next[r] = i < end ? hk_destination_of(hk_bound(index, i), how->limit) : HK_NONE;
    }
#pragma unroll
    for (int r = 0; r < HK_ROWS; r++)
        if (next[r] == at[r]) at[r] = HK_NONE;
}
