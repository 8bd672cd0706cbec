// SPDX-License-Identifier: Apache-2.0
// The job of hd_difference.
#ifndef HEDDLE_PATTERNS_STENCIL_DIFFERENCE_H
#define HEDDLE_PATTERNS_STENCIL_DIFFERENCE_H

#include "core/reader.h"

typedef struct hd__difference_job {
    hd_view in, out; // same shape
    int32_t axis;    // rows along it
    bool in_place;
    const void *before;          // or NULL: the first of a row is copied
    const hd_function *function; // of an element and the one before it
    bool plain;                  // that is the difference of numbers
} hd__difference_job;

#endif
