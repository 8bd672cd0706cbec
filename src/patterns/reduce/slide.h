// SPDX-License-Identifier: Apache-2.0
// The job of hd_slide.
#ifndef HEDDLE_PATTERNS_REDUCE_SLIDE_H
#define HEDDLE_PATTERNS_REDUCE_SLIDE_H

#include "core/arguments.h"

typedef struct hd__slide_job {
    hd__fold fold;
    hd__reader in; // its views keep their axes
    int32_t axis;  // of in and out
    int64_t width; // of a window: 1 or more
    int64_t count; // windows of a row: 1 or more
    int64_t rows;
    hd_view out;
} hd__slide_job;

#endif
