// SPDX-License-Identifier: Apache-2.0
// The job of a scan: what hd_scan hands to a backend.
#ifndef HEDDLE_PATTERNS_SCAN_SCAN_H
#define HEDDLE_PATTERNS_SCAN_SCAN_H

#include "core/arguments.h"

typedef struct hd__scan_job {
    hd__fold fold;
    hd__reader in;
    hd__slices slices;
    int32_t axis;
    bool exclusive;
    hd_view out, values;
    hd_view segments, keys; // already reversed where the scan runs backward, as all views are
    bool backward;          // only segment offsets still need to know
    const hd_comparison *comparison; // of the keys, or NULL
    hd__tree *tree;
    // Of a monotone scan: the scan of maxima over out, which the core runs next unless the backend
    // has done it too and says so. Else NULL
    const struct hd__scan_job *maxima;
    bool *maxima_done;
} hd__scan_job;

#endif
