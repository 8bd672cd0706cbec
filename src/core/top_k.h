// SPDX-License-Identifier: Apache-2.0
// The job of hd_top_k.
#ifndef HD__TOP_K_JOB_H
#define HD__TOP_K_JOB_H

#include "core/comparisons.h"

typedef struct hd__top_k_job {
    const hd_comparison *order; // the first k in this one
    int64_t n, k;               // 1 <= k <= n
    hd_view in;                 // collapsed
    hd_view values, indices;    // collapsed; each may be unset
} hd__top_k_job;

#endif
