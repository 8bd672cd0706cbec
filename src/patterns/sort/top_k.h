// SPDX-License-Identifier: Apache-2.0
// The job of hd_top_k. Rows along an axis are the last dimension of every view here.
#ifndef HEDDLE_PATTERNS_SORT_TOP_K_H
#define HEDDLE_PATTERNS_SORT_TOP_K_H

#include "comparisons.h"

typedef struct hd__top_k_job {
    const hd_comparison *order; // the first k in this one
    bool backwards;             // turned round
    int64_t rows;               // done one by one; without an axis or segments: 1
    const hd_view *segments;    // as the caller gave them; or empty
    const int64_t *offsets;     // of these, rows + 1, known to be good; or NULL
    int64_t n, k;               // 1 <= k <= n: of a row; of segments: the longest one's, and any k
    // Of a job that hd__top_k_row made: its first element, its place in outputs, and what its
    // indices count from. k may be 0 where a segment is empty.
    int64_t begin, place, index_first;
    hd_view in;            // collapsed
    hd_view out, indices;  // collapsed; each may be empty
    const hd_view *values; // inputs and outputs in turn, as the caller gave them
    int64_t value_count;   // pairs of them
    int32_t axis;          // that became the last, or -1
} hd__top_k_job;

// The job of one row. Of a segment with fewer than k elements it has all of them.
hd__top_k_job hd__top_k_row(const hd__top_k_job *job, int64_t r);

// The input and the output of value array k, of the row of a job of one.
void hd__top_k_value(const hd__top_k_job *job, int64_t k, hd_view *in, hd_view *out);

#endif
