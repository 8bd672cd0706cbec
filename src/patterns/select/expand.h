// SPDX-License-Identifier: Apache-2.0
// The job of an expansion, and the checks of what only the data show.
#ifndef HEDDLE_PATTERNS_SELECT_EXPAND_H
#define HEDDLE_PATTERNS_SELECT_EXPAND_H

#include "core/backend.h"

typedef struct hd__expand_job {
    hd_view values, lengths; // collapsed, as all views of a job
    int64_t m;               // runs
    hd_view out;
    int64_t *count;   // NULL: only a view of the device takes it
    hd_view count_to; // of the host it is not the backend's
} hd__expand_job;

// *count = the sum of the lengths. Refuses a negative one, a sum beyond 2^62, and an output with
// less room. The plain way; a backend that sums faster calls it where anything is odd.
hd_status hd__sum_lengths(hd_context *ctx, const hd__expand_job *job);

// Fails if the sum is more than out takes.
hd_status hd__check_expansion(hd_context *ctx, const hd__expand_job *job);

#endif
