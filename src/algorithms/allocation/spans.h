// SPDX-License-Identifier: Apache-2.0
// What one call of hd_allocate_spans knows: its rows, and how they are looked at by request.
#ifndef HEDDLE_ALGORITHMS_ALLOCATION_SPANS_H
#define HEDDLE_ALGORITHMS_ALLOCATION_SPANS_H

#include <heddle_algorithms.h>

#include "../support/frame.h"

typedef struct hd__spans {
    hd__frame f;
    hd_spans_options o;
    int64_t n, m;       // requests, pools
    hd_view want, pool; // i64
    hd_view offsets;    // m + 1 of i64; empty: all requests are of the one pool
    hd_view pool_of;    // each request's pool, where there are offsets
    hd_view sum;        // scratch of n
    hd_view granted, starts;
    int64_t rounds;
} hd__spans;

// A sum of numbers that are not negative; it stays at the largest one rather than wrap.
extern const hd_operator *const hd__saturating_sum;

// What a number of each pool is to each of its requests: a view for .with.
hd_view hd__spans_of_pool(const hd__spans *s, hd_view row);
// The option .segments of scans and reductions over requests.
const hd_view *hd__spans_segments(const hd__spans *s);
// granted by the policy "skip".
hd_status hd__spans_skip(hd__spans *s);

#endif
