// SPDX-License-Identifier: Apache-2.0
// The job of hd_top_k. Rows along an axis are the last dimension of every view here.
#ifndef HEDDLE_PATTERNS_SORT_TOP_K_H
#define HEDDLE_PATTERNS_SORT_TOP_K_H

#include "comparisons.h"

typedef struct hd__top_k_job {
    const hd_comparison *order; // the first k in this one
    bool backwards;             // turned round
    int64_t rows;               // done one by one; without an axis: 1
    int64_t row;                // of a job that hd__top_k_row made
    int64_t n, k;               // 1 <= k <= n: of a row
    hd_view in;                 // collapsed
    hd_view out, indices;       // collapsed; each may be empty
    const hd_view *values;      // inputs and outputs in turn, as the caller gave them
    int64_t value_count;        // pairs of them
    int32_t axis;               // that became the last, or -1
} hd__top_k_job;

// The job of one row.
hd__top_k_job hd__top_k_row(const hd__top_k_job *job, int64_t r);

// The input and the output of value array k, of the row of a job of one.
void hd__top_k_value(const hd__top_k_job *job, int64_t k, hd_view *in, hd_view *out);

#endif
