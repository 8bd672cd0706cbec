// SPDX-License-Identifier: Apache-2.0
// The job of hd_merge. Rows along an axis are the last dimension of every view here.
#ifndef HEDDLE_PATTERNS_SORT_MERGE_H
#define HEDDLE_PATTERNS_SORT_MERGE_H

#include "comparisons.h"

typedef struct hd__merge_job {
    const hd_comparison *order;
    bool backwards;        // the order is turned round
    int64_t rows;          // merged one by one; without an axis: 1
    int64_t row;           // of a job that hd__merge_row made
    int64_t na, nb;        // elements of a row
    hd_view a, b;          // every view is collapsed
    hd_view out, indices;  // each may be empty
    const hd_view *values; // of a, of b, merged, in turn, as the caller gave them
    int64_t value_count;   // triples of them
    int32_t axis;          // that became the last, or -1
} hd__merge_job;

// The job of one row.
hd__merge_job hd__merge_row(const hd__merge_job *job, int64_t r);

// The value arrays k of a, of b and merged, of the row of a job of one.
void hd__merge_value(const hd__merge_job *job, int64_t k, hd_view value[3]);

#endif
