// SPDX-License-Identifier: Apache-2.0
//
// Data of the patterns of order: sorted sequences with random gaps, so that nobody can guess which
// of two heads is the lesser.
#ifndef HEDDLE_BENCH_PATTERNS_ORDER_DATA_H
#define HEDDLE_BENCH_PATTERNS_ORDER_DATA_H

#include "bench/harness/pattern.h"

// n rising numbers of type i32 or f32, over the range of both; `which` tells sequences apart.
static inline void order_fill_rising(int32_t type, void *out, int64_t n, uint64_t which)
{
    const uint64_t most_gap = (((uint64_t)1 << 24) / (uint64_t)(n > 0 ? n : 1) << 6) | 1;
    uint64_t sum = 0;
    for (int64_t i = 0; i < n; i++) {
        sum += data_mix((uint64_t)i * 2 + which) % (2 * most_gap);
        if (type == PEER_I32)
            ((int32_t *)out)[i] = (int32_t)(sum & INT32_MAX);
        else
            ((float *)out)[i] = (float)sum;
    }
}

#endif
