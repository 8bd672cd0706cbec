// SPDX-License-Identifier: Apache-2.0
// The job of hd_merge.
#ifndef HEDDLE_PATTERNS_SORT_MERGE_H
#define HEDDLE_PATTERNS_SORT_MERGE_H

#include "comparisons.h"

typedef struct hd__merge_job {
    const hd_comparison *order;
    int64_t na, nb;
    hd_view a, b, out; // every view is collapsed
    hd_views values;   // of a, of b, merged, in turn
} hd__merge_job;

#endif
