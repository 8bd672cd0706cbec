// SPDX-License-Identifier: Apache-2.0
// The job of hd_reduce_many: that of a reduction for each result.
#ifndef HEDDLE_PATTERNS_REDUCE_REDUCE_MANY_H
#define HEDDLE_PATTERNS_REDUCE_REDUCE_MANY_H

#include "reduce.h"

typedef struct hd__reduce_many_job {
    int64_t count;
    hd__reduce_job *each; // of the same elements and slices: everything, rows or segments
} hd__reduce_many_job;

#endif
