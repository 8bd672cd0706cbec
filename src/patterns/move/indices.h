// SPDX-License-Identifier: Apache-2.0
// Indices of gather and scatter: a view of any integer type, read as i64, and the report of the
// first that is out of range.
#ifndef HEDDLE_PATTERNS_MOVE_INDICES_H
#define HEDDLE_PATTERNS_MOVE_INDICES_H

#include "core/arguments.h"

// Refuses a view that is no index: not of an integer type, or with several dimensions and implicit.
hd_status hd__check_index(hd_context *ctx, const char *call, const hd_view *index);

// Indices start .. start + n - 1 as i64; what u64 has beyond is negative, so out of range as well.
void hd__indices(const hd_view *index, int64_t start, int64_t n, int64_t *to);

// Whether an index is in 0 .. limit - 1.
static inline bool hd__within(int64_t index, int64_t limit)
{
    return (uint64_t)index < (uint64_t)limit;
}

// After the work: what the caller asked to know of `bad`, the position of the first index out of
// range or -1. Fails with its text if `checked`.
hd_status hd__report_bad(hd_context *ctx, const char *call, const hd_view *index, int64_t bad,
                         int64_t limit, bool checked);

// The end of a call whose inputs may be indexed views: HD_ERROR_VALUE with the first index out of
// range among those of in and of the views of with, if there is one. The call has read elements
// begin .. end - 1; the indices of the others are looked at here.
hd_status hd__report_indexed(hd_context *ctx, const char *call, const hd_view *in,
                             const hd_views *with, int64_t begin, int64_t end);

#endif
