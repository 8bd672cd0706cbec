// SPDX-License-Identifier: Apache-2.0
// The loops of the set operations: a type and a direction each (set_loops.c).
#ifndef HEDDLE_CPU_SORT_SET_H
#define HEDDLE_CPU_SORT_SET_H

#include "patterns/select/set.h"

// Where an operation is: a[i] and b[j] are next.
typedef struct hd__cpu_set_cursor {
    int64_t i, i_end, j, j_end;
} hd__cpu_set_cursor;

// Goes on until `room` elements are kept or one side is at its end. out = what was kept, index =
// where it stands in a followed by b (NULL: nobody asks); returns how many.
typedef int64_t hd__cpu_set_loop(const hd__set_job *job, const void *a, const void *b,
                                 hd__cpu_set_cursor *c, void *out, int64_t *index, int64_t room);

hd__cpu_set_loop *hd__cpu_set_loop_of(const hd__set_job *job);

#endif
