// SPDX-License-Identifier: Apache-2.0
// What a backend is given to sort. Rows along an axis are the last dimension of every view here.
#ifndef HEDDLE_PATTERNS_SORT_SORT_H
#define HEDDLE_PATTERNS_SORT_SORT_H

#include "comparisons.h"

typedef struct hd__sort_job {
    const hd_comparison *order; // a user's; NULL: the keys are numbers, in their own order
    int64_t n;                  // keys
    int64_t length;             // of a row that is sorted on its own; without axis and segments: n
    hd_view keys;               // collapsed, as every view of the job
    hd_view out;                // the sorted keys; may be empty
    hd_view indices;            // may be empty: they count from the start of a row
    hd_view segments;           // offsets, or empty
    const hd_view *values; // inputs and outputs in turn, as the caller gave them: hd__sort_value
    int64_t value_count;   // pairs of them
    int32_t axis;          // that became the last, or -1
    bool descending;
} hd__sort_job;

// The input and the output of value array k, collapsed, rows last.
void hd__sort_value(const hd__sort_job *job, int64_t k, hd_view *in, hd_view *out);

#endif
