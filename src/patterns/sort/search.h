// SPDX-License-Identifier: Apache-2.0
// The job of hd_search.
#ifndef HEDDLE_PATTERNS_SORT_SEARCH_H
#define HEDDLE_PATTERNS_SORT_SEARCH_H

#include "comparisons.h"

typedef struct hd__search_job {
    const hd_comparison *order;
    bool right;
    int64_t n, m;                 // elements, queries
    hd_view sorted, queries, out; // collapsed
} hd__search_job;

#endif
