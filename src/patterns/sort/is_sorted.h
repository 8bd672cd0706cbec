// SPDX-License-Identifier: Apache-2.0
// The job of hd_is_sorted, which looks at the inputs of other calls too.
#ifndef HEDDLE_PATTERNS_SORT_IS_SORTED_H
#define HEDDLE_PATTERNS_SORT_IS_SORTED_H

#include "core/reader.h"

typedef struct hd__is_sorted_job {
    hd_view in; // collapsed
    int64_t n;
    const hd_comparison *order;
    bool numbers; // the order is the numbers' own, in this direction
    bool descending, strict;
    bool backwards;      // a user's order the other way round
    int64_t *position;   // receives what was found, or -1
    hd_view position_to; // a number on the device that does instead, as in find.h
} hd__is_sorted_job;

// Whether `later` may not follow `earlier`.
static inline bool hd__out_of_order(const hd__is_sorted_job *job, const void *earlier,
                                    const void *later)
{
    const void *first = job->backwards ? later : earlier,
               *second = job->backwards ? earlier : later;
    return job->strict ? !hd__precedes(job->order, first, second)
                       : hd__precedes(job->order, second, first);
}

#endif
