// SPDX-License-Identifier: Apache-2.0
// The job of run lengths.
#ifndef HEDDLE_PATTERNS_SELECT_RUN_LENGTHS_H
#define HEDDLE_PATTERNS_SELECT_RUN_LENGTHS_H

#include "core/backend.h"
#include "flags.h"

typedef struct hd__run_lengths_job {
    hd_view in;      // collapsed, as all views of a job
    hd__flags flags; // the head flags of its runs
    int64_t n;
    hd_view values, lengths, indices; // each may be empty; what does not fit is counted only
    bool in_place;                    // values is in
    int64_t *runs;                    // NULL: only a view of the device takes it
    hd_view runs_to;                  // of the host it is not the backend's
} hd__run_lengths_job;

#endif
