// SPDX-License-Identifier: Apache-2.0
// The job of hd_map_many: that of a map for each output.
#ifndef HEDDLE_PATTERNS_MOVE_MAP_MANY_H
#define HEDDLE_PATTERNS_MOVE_MAP_MANY_H

#include "map.h"

typedef struct hd__map_many_job {
    int64_t count;
    hd__map_job *each; // of the same elements
    bool in_place;     // an output is an input, whose elements all functions see as they were
} hd__map_many_job;

#endif
