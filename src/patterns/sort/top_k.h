// SPDX-License-Identifier: Apache-2.0
// The job of hd_top_k.
#ifndef HEDDLE_PATTERNS_SORT_TOP_K_H
#define HEDDLE_PATTERNS_SORT_TOP_K_H

#include "comparisons.h"

typedef struct hd__top_k_job {
    const hd_comparison *order; // the first k in this one
    int64_t n, k;               // 1 <= k <= n
    hd_view in;                 // collapsed
    hd_view values, indices;    // collapsed; each may be empty
} hd__top_k_job;

#endif
