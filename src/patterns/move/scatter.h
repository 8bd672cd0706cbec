// SPDX-License-Identifier: Apache-2.0
// The job of hd_scatter.
#ifndef HEDDLE_PATTERNS_MOVE_SCATTER_H
#define HEDDLE_PATTERNS_MOVE_SCATTER_H

#include "core/reader.h"

typedef struct hd__scatter_job {
    hd__reader in;      // with a fold where it combines
    hd_view index, out; // collapsed
    hd__fold fold;      // where it combines
    bool combines, any_order, unique;
    int64_t limit;  // an index is good in 0 .. limit - 1
    int64_t *bad;   // receives the position of the first bad index, or -1; NULL: nobody asks
    hd_view bad_to; // a number on the device that receives it as well, or empty
} hd__scatter_job;

// out[at] = out[at] op the node, which is not needed any more; `at` in row-major order.
void hd__combine_into(const hd__scatter_job *job, int64_t at, void *node);

#endif
