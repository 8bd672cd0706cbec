// SPDX-License-Identifier: Apache-2.0
// The job of run lengths.
#ifndef HD__RUN_LENGTHS_H
#define HD__RUN_LENGTHS_H

#include "core/backend.h"
#include "core/labels.h"

typedef struct hd__run_lengths_job {
    hd_view in;        // collapsed, as all views of a job
    hd__labels labels; // the heads of its runs
    int64_t n;
    hd_view values, lengths, indices; // each may be unset; what does not fit is counted only
    bool in_place;                    // values is in
    int64_t *runs;                    // NULL: only a view of the device takes it
    hd_view runs_to;                  // of the host it is not the backend's
} hd__run_lengths_job;

#endif
