// SPDX-License-Identifier: Apache-2.0
// The job of hd_nth and hd_quantiles, and what a quantile is made of. Rows along an axis are the
// last dimension of every view here.
#ifndef HEDDLE_PATTERNS_SORT_NTH_H
#define HEDDLE_PATTERNS_SORT_NTH_H

#include "comparisons.h"

typedef struct hd__nth_job {
    const char *call;
    const hd_comparison *order;
    bool backwards;            // turned round
    bool numbers;              // the order is the numbers' own
    bool descending;           // of numbers
    int64_t rows, length;      // each row on its own
    const int64_t *offsets;    // of rows that are segments, rows + 1, known to be good; or NULL
    int64_t m;                 // results a row
    const int64_t *ranks;      // m of them, within every row; NULL: quantiles
    const double *probability; // m of them
    int32_t method;            // an hd_quantile_method; -1: the job is an nth
    bool omit_nan;
    hd_view in;           // collapsed
    hd_view out, indices; // collapsed; indices may be empty
} hd__nth_job;

static inline int64_t hd__nth_row_begin(const hd__nth_job *job, int64_t row)
{
    return job->offsets != NULL ? job->offsets[row] : row * job->length;
}

static inline int64_t hd__nth_row_length(const hd__nth_job *job, int64_t row)
{
    return job->offsets != NULL ? job->offsets[row + 1] - job->offsets[row] : job->length;
}

// Elements that a result is made of: one, or the two beside a quantile.
static inline int64_t hd__nth_elements(const hd__nth_job *job)
{
    return job->ranks != NULL ? 1 : 2;
}

// ranks[hd__nth_elements * j ...]: where the elements of result j stand among n >= 1 in order.
void hd__nth_ranks(const hd__nth_job *job, int64_t n, int64_t *ranks);

// Whether the quantiles of a row of n elements, `nans` of them NaN, are none; else *n loses those
// that are left out. Of an nth never.
bool hd__nth_is_nothing(const hd__nth_job *job, int64_t nans, int64_t *n);

// Whether element x of a float type is NaN.
bool hd__is_nan(hd_type type, const void *x);

// Writes the results of a row, whose n elements that count have these at the ranks above, in
// order; positions (or NULL): where they stand. Fails where NaN is to be an integer.
hd_status hd__nth_store(hd_context *ctx, const hd__nth_job *job, int64_t row, int64_t n,
                        const void *elements, const int64_t *positions);
hd_status hd__nth_store_nothing(hd_context *ctx, const hd__nth_job *job, int64_t row);

#endif
