// SPDX-License-Identifier: Apache-2.0
// What a backend gets of hd_stencil.
#ifndef HEDDLE_PATTERNS_STENCIL_STENCIL_H
#define HEDDLE_PATTERNS_STENCIL_STENCIL_H

#include "core/backend.h"
#include "grid.h"

typedef struct hd__stencil_job {
    hd__grid grid;
    int64_t offset_count;
    const int64_t (*offset)[3];  // z, y, x of each neighbour
    const void *weight;          // of type grid.sum; or
    const hd_function *function; // of the neighbours
    int64_t least[3], most[3];   // of the offsets and 0, along each axis
    int64_t steps;               // 1 or more
} hd__stencil_job;

// The pixels of a row that border keep leaves alone: all but begin .. end - 1. An empty range where
// the whole row is at an edge.
void hd__changed(const hd__stencil_job *job, int64_t z, int64_t y, int64_t *begin, int64_t *end);

#endif
