// SPDX-License-Identifier: Apache-2.0
// Which key of a segment hd_quicksort splits it by.
#ifndef HEDDLE_ALGORITHMS_SORTS_PIVOT_H
#define HEDDLE_ALGORITHMS_SORTS_PIVOT_H

#include <stdint.h>

// A place in a segment of `length` keys, from its begin on, that no arrangement of the keys can
// foresee: step and segment through the finalizer of SplitMix64.
static inline int64_t hd__pivot_place(int64_t step, int64_t segment, int64_t length)
{
    uint64_t x = ((uint64_t)step << 40) + (uint64_t)segment + 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return (int64_t)((x ^ x >> 31) % (uint64_t)length);
}

#endif
