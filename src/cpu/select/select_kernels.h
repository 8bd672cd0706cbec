// SPDX-License-Identifier: Apache-2.0
// The contract of the micro-kernels of compaction, partition, runs and expansion. Bits are the
// flags of selected elements: element i by bit i % 64 of word i / 64; bits after the last are 0.
#ifndef HEDDLE_CPU_SELECT_SELECT_KERNELS_H
#define HEDDLE_CPU_SELECT_SELECT_KERNELS_H

#include "core/types.h"

#define HD__CPU_SIZES 4 // elements of 1, 2, 4 and 8 bytes: the index is the logarithm

// bits = whether each of n elements is not zero, or is not equal to the element before it (which
// lies at in - 1).
typedef void hd__cpu_flag_kernel(uint64_t *bits, const void *in, int64_t n);

// The selected elements, packed, but no more than room of them, and nothing beyond.
typedef void hd__cpu_pack_kernel(void *out, const void *in, const uint64_t *bits, int64_t n,
                                 int64_t room);

// The positions of the set bits of n, from 0 on, but no more than room of them, and nothing beyond.
typedef void hd__cpu_positions_kernel(uint32_t *out, const uint64_t *bits, int64_t n, int64_t room);

// values[j], lengths[j] times, for m runs, but no more than room elements, and nothing beyond.
// Returns how many were written.
typedef int64_t hd__cpu_repeat_kernel(void *out, const void *values, const int64_t *lengths,
                                      int64_t m, int64_t room);

// out[cursors[buckets[i]]++] = in[i].
typedef void hd__cpu_distribute_kernel(void *out, const void *in, const uint32_t *flags, int64_t n,
                                       int64_t *positions);

typedef struct hd__cpu_select_kernels {
    hd__cpu_flag_kernel *nonzero[HD_TYPE_KINDS], *heads[HD_TYPE_KINDS];
    int64_t (*count)(const uint64_t *bits, int64_t words); // of bits that are set
    hd__cpu_positions_kernel *positions;
    hd__cpu_pack_kernel *pack[HD__CPU_SIZES];
    hd__cpu_repeat_kernel *repeat[HD__CPU_SIZES];
    hd__cpu_distribute_kernel *distribute[HD__CPU_SIZES];
} hd__cpu_select_kernels;

#endif
