// SPDX-License-Identifier: Apache-2.0
// The job of hd_reverse and hd_rotate.
#ifndef HEDDLE_PATTERNS_MOVE_REVERSE_H
#define HEDDLE_PATTERNS_MOVE_REVERSE_H

#include "core/reader.h"

typedef struct hd__reverse_job {
    hd_view in, out; // collapsed where there is no axis
    int32_t axis;    // -1: everything in row-major order
    int64_t n;       // elements
    int64_t length;  // of a row along the axis; without one: n
    bool rotates;    // by shift, 0 .. length - 1; else reverses
    int64_t shift;
    bool in_place; // out is in
} hd__reverse_job;

// The same elements, from the last index of an axis to the first. The view has elements.
static inline hd_view hd__flipped(const hd_view *v, int32_t axis)
{
    return hd_slice(*v, axis, v->shape[axis] - 1, v->shape[axis], -1);
}

#endif
