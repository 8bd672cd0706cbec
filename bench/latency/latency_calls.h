// SPDX-License-Identifier: Apache-2.0
//
// What the rows of latency call: every public pattern once, on the same few arrays.
#ifndef HEDDLE_BENCH_PATTERNS_LATENCY_CALLS_H
#define HEDDLE_BENCH_PATTERNS_LATENCY_CALLS_H

#include "bench/harness/pattern.h"

#define LATENCY_BINS 16

typedef struct latency_pair {
    int32_t first, second;
} latency_pair;

// n elements each. Outputs lie one after another in `out`, so that two calls can be compared.
typedef struct latency_arrays {
    int64_t n, rows, columns; // n = rows * columns, as near to a square as can be
    int32_t *x, *y;           // any numbers
    int32_t *sorted;          // never falling, each about twice
    int32_t *index;           // every index once
    int32_t *next;            // one list through all nodes
    int32_t *ones;
    int32_t *bin; // 0 .. LATENCY_BINS - 1
    uint8_t *flags;
    float *f;
    latency_pair *pairs;
    int32_t *out, *out_y; // n elements each, or LATENCY_BINS
    int64_t *number;      // one of them
} latency_arrays;

// A row's detail; rows of reduce and scan have none.
typedef struct latency_call {
    hd_status (*run)(hd_context *ctx, const latency_arrays *a);
} latency_call;

#define LATENCY_CASES 38
extern const bench_case latency_cases[LATENCY_CASES];

#endif
