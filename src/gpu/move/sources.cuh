// SPDX-License-Identifier: Apache-2.0
//
// What kernels that scatter elements share: indices of a thread, and sources as they are marked at places.
#pragma once
#include "move/targets.cuh"

struct hd_scatter_how {
    int64_t n, limit;     // an index is good in 0 .. limit - 1
    const uint32_t *word; // there is nothing to do unless it is `wanted`; 0: there is
    uint32_t *ticket;     // of tiles, which few blocks take one after another; 0: a block has one
    uint32_t wanted;
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

// Last sources of places in memory that calls share: the number of the call, 1 + the source. 2^42 calls would
// take the better part of a year.
#define HD_SOURCE_BITS 22

struct hd_last {
    uint64_t *source;
    uint64_t *call;         // how many there were
    uint32_t *found, *done; // whether a place has two sources; blocks; zero between calls
};

HD_FN uint64_t hd_max_to_long(uint64_t *p, uint64_t x)
{
    uint64_t old;
    asm volatile("atom.relaxed.gpu.global.max.u64 %0, [%1], %2;"
                 : "=l"(old)
                 : "l"(p), "l"(x)
                 : "memory");
    return old;
}

// ---- Indices -------------------------------------------------------------------------------------

// Indices of a thread as places, HD_ROWS of them a block apart, all asked for before the first is looked at; bad
// ones are told of.
HD_FN void hd_places(const hd_scatter_how *how, const hd_view *index, int64_t first, hd_memory_space *at,
                     uint64_t *bad)
{
    int64_t given[HD_ROWS];
#pragma unroll
    for (int r = 0; r < HD_ROWS; r++) {
        const int64_t i = first + r * HD_THREADS;
        given[r] = i < how->n ? hd_bound(index, i) : -1;
    }
#pragma unroll
    for (int r = 0; r < HD_ROWS; r++) at[r] = hd_place_of(given[r], how->limit);
    if (bad == 0) return;
#pragma unroll
    for (int r = 0; r < HD_ROWS; r++) {
        const int64_t i = first + r * HD_THREADS;
        if (at[r] == HD_NONE && i < how->n) hd_most_to_long(bad, ~(uint64_t)i);
    }
}

// The elements of the same sources. They are asked for before it is known whether they have places, so that
// nothing waits for both.
HD_FN void hd_elements(const hd_scatter_how *how, const hd_inputs *in, int64_t first, hd_in_0 *x)
{
#pragma unroll
    for (int r = 0; r < HD_ROWS; r++) {
        const int64_t i = first + r * HD_THREADS;
        if (i < how->n) x[r] = hd_one_0(in, i);
    }
}

// Of the last lane: sources whose successor has the same place are not its last, and become none.
HD_FN void hd_drop_last(const hd_scatter_how *how, const hd_view *index, int64_t first,
                        hd_memory_space *at)
{
    hd_memory_space next[HD_ROWS];
    const int64_t end = hd_lane() == HD_WARP - 1 ? how->n : 0;
#pragma unroll
    for (int r = 0; r < HD_ROWS; r++) {
        const int64_t i = first + r * HD_THREADS + 1;
        next[r] = i < end ? hd_place_of(hd_bound(index, i), how->limit) : HD_NONE;
    }
#pragma unroll
    for (int r = 0; r < HD_ROWS; r++)
        if (next[r] == at[r]) at[r] = HD_NONE;
}
