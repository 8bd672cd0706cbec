// SPDX-License-Identifier: Apache-2.0
// The job of hd_search.
#ifndef HD__SEARCH_JOB_H
#define HD__SEARCH_JOB_H

#include "core/comparisons.h"

typedef struct hd__search_job {
    const hd_comparison *order;
    bool right;
    int64_t n, m;                 // elements, queries
    hd_view sorted, queries, out; // collapsed
} hd__search_job;

#endif
