// SPDX-License-Identifier: Apache-2.0
// The contract of the micro-kernels that select by rank. A key is an unsigned integer that has the
// order of an element: of 32 bits, or of 64 for types that wide. NaN is the greatest of all, and no
// number has that key.
#ifndef HEDDLE_CPU_SORT_NTH_KERNELS_H
#define HEDDLE_CPU_SORT_NTH_KERNELS_H

#include "core/types.h"

#define HD__CPU_NTH_BITS    11
#define HD__CPU_NTH_BUCKETS (1 << HD__CPU_NTH_BITS)

// keys[i] = the key of element i, in either direction.
typedef void hd__cpu_nth_keys(const void *in, int64_t n, bool descending, void *keys);

// What keys there are: the range of those that are no NaN (low > high: there are none), and how
// many are. Continues what it is given.
typedef struct hd__cpu_nth_range {
    uint64_t low, high;
    int64_t nans;
} hd__cpu_nth_range;

// How keys of a range are cut into buckets: (key - low) >> shift, and what is beyond in the last.
typedef struct hd__cpu_nth_cut {
    uint64_t low;
    int shift;
} hd__cpu_nth_cut;

// One width of keys.
typedef struct hd__cpu_nth_loops {
    void (*range)(const void *keys, int64_t n, hd__cpu_nth_range *range);
    // counts[b] += keys of bucket b
    void (*count)(const void *keys, int64_t n, const hd__cpu_nth_cut *cut, uint32_t *counts);
    // out = the keys whose bucket is wanted (1, else 0), and their buckets; returns how many. Room
    // for n
    int64_t (*pack)(const void *keys, int64_t n, const hd__cpu_nth_cut *cut, const uint8_t *wanted,
                    void *out, uint16_t *buckets);
    // out = the keys within low .. high, room for n; *below += those that are less. Returns how
    // many are within
    int64_t (*within)(const void *keys, int64_t n, uint64_t low, uint64_t high, void *out,
                      int64_t *below);
    // how many keys are this one
    int64_t (*equal)(const void *keys, int64_t n, uint64_t key);
} hd__cpu_nth_loops;

typedef struct hd__cpu_nth_kernels {
    hd__cpu_nth_keys *keys[HD_TYPE_KINDS];
    hd__cpu_nth_loops of_32, of_64;
} hd__cpu_nth_kernels;

#endif
