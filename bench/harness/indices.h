// SPDX-License-Identifier: Apache-2.0
//
// Indices for the rows of gather and scatter.
#ifndef HEDDLE_BENCH_HARNESS_INDICES_H
#define HEDDLE_BENCH_HARNESS_INDICES_H

#include "data.h"

// n indices 0 .. n - 1, each once: in random order, or 0, 1, 2, ..., or swapped with a neighbour a
// few places away. NULL: no memory.
int32_t *indices_random(int64_t n);
int32_t *indices_in_order(int64_t n);
int32_t *indices_nearly(int64_t n);

// n indices below `places`, with duplicates.
int32_t *indices_anywhere(int64_t n, int64_t places);

#endif
