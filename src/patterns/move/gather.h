// SPDX-License-Identifier: Apache-2.0
// The job of hd_gather.
#ifndef HEDDLE_PATTERNS_MOVE_GATHER_H
#define HEDDLE_PATTERNS_MOVE_GATHER_H

#include "core/reader.h"

typedef struct hd__gather_job {
    hd_view in, index, out; // collapsed, but in and out along an axis
    int32_t axis;           // -1: elements, not slices
    int64_t limit;          // an index is good in 0 .. limit - 1
    const hd_function *map; // its input 0 is the gathered element, the others are `with`
    hd_view with[HD_MAX_INPUTS - 1];
    int64_t *bad;   // receives the position of the first bad index, or -1; NULL: nobody asks
    hd_view bad_to; // and a number on the device, or empty
} hd__gather_job;

#endif
