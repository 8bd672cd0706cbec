// SPDX-License-Identifier: Apache-2.0
// The contract of the micro-kernels of random numbers.
#ifndef HEDDLE_CPU_MOVE_RANDOM_KERNELS_H
#define HEDDLE_CPU_MOVE_RANDOM_KERNELS_H

#include "patterns/move/random.h"

// out[k] = number first + k of the stream, n of them.
typedef void hd__cpu_random_kernel(void *out, uint64_t start, uint64_t first, int64_t n,
                                   const hd__random_range *range);

typedef struct hd__cpu_random_kernels {
    hd__cpu_random_kernel *uniform[HD_TYPE_KINDS], *normal[HD_TYPE_KINDS];
} hd__cpu_random_kernels;

#endif
