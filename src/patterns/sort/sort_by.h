// SPDX-License-Identifier: Apache-2.0
// The job of hd_sort_by.
#ifndef HEDDLE_PATTERNS_SORT_SORT_BY_H
#define HEDDLE_PATTERNS_SORT_SORT_BY_H

#include "comparisons.h"

typedef struct hd__sort_by_job {
    const hd_comparison *order;
    int64_t n;
    hd_view in;           // every view is collapsed
    hd_view out, indices; // each may be empty
    hd_views values;      // inputs and outputs in turn
} hd__sort_by_job;

#endif
