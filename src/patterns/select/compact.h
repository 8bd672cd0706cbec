// SPDX-License-Identifier: Apache-2.0
// The job of a compaction; hd_unique is one whose flags are the head flags of runs.
#ifndef HEDDLE_PATTERNS_SELECT_COMPACT_H
#define HEDDLE_PATTERNS_SELECT_COMPACT_H

#include "core/backend.h"
#include "flags.h"

typedef struct hd__compact_job {
    hd_view in; // collapsed, as all views of a job
    hd__flags flags;
    int64_t n;
    hd_view out, indices; // each may be empty; what does not fit is counted, not written
    bool in_place;        // out is in
    int64_t *count;       // NULL: only a view of the device takes it
    hd_view count_to;     // of the host it is not the backend's
} hd__compact_job;

#endif
