// SPDX-License-Identifier: Apache-2.0
// The job of hd_mismatch.
#ifndef HEDDLE_PATTERNS_SELECT_MISMATCH_H
#define HEDDLE_PATTERNS_SELECT_MISMATCH_H

#include "core/reader.h"

typedef struct hd__mismatch_job {
    hd_view a, b; // collapsed, each by itself
    int64_t n;
    hd_type type;        // of the comparison: an unsigned integer where bits are compared
    int64_t *position;   // receives what was found, or -1
    hd_view position_to; // a number on the device that does instead, as in find.h
} hd__mismatch_job;

// Whether two elements of that type differ.
bool hd__differ(hd_type type, const void *a, const void *b);

#endif
