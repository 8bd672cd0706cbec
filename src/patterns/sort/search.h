// SPDX-License-Identifier: Apache-2.0
// The job of hd_search. Rows along an axis are the last dimension of every view here.
#ifndef HEDDLE_PATTERNS_SORT_SEARCH_H
#define HEDDLE_PATTERNS_SORT_SEARCH_H

#include "comparisons.h"

typedef struct hd__search_job {
    const hd_comparison *order;
    bool backwards; // the order is turned round
    bool right;
    int64_t rows;                 // searched one by one; without an axis: 1
    int64_t n, m;                 // elements, queries of a row
    hd_view sorted, queries, out; // collapsed
} hd__search_job;

// The job of one row.
hd__search_job hd__search_row(const hd__search_job *job, int64_t r);

#endif
