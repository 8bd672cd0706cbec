// SPDX-License-Identifier: Apache-2.0
// Segment offsets as numbers, and where segments begin in a segmented or by-key scan.
#ifndef HEDDLE_PATTERNS_SCAN_HEAD_FLAGS_H
#define HEDDLE_PATTERNS_SCAN_HEAD_FLAGS_H

#include "patterns/reduce/reduce.h"
#include "scan.h"

// Offsets start .. start + n - 1 as i64.
void hd__offsets(const hd_view *offsets, int64_t start, int64_t n, int64_t *to);

// Refuses offsets start .. start + n - 1 (already read) that fall, or leave 0 .. limit; `before`
// is the offset in front of them (0 if none).
hd_status hd__check_offset_values(hd_context *ctx, const char *call, const int64_t *offsets,
                                  int64_t start, int64_t n, int64_t before, int64_t limit);

// The same for all offsets of a view.
hd_status hd__check_all_offsets(hd_context *ctx, const char *call, const hd_view *offsets,
                                int64_t limit);

// Refuses an empty segment where the operator has no value for it, and the one offset of no
// segments where it is bad. Other offsets need not be known to be good: what is wrong with them is
// said first.
hd_status hd__check_empty_segments(hd_context *ctx, const hd__reduce_job *job);

// Both of several reductions of the same segments, before any of them; of other jobs nothing.
hd_status hd__check_many_segments(hd_context *ctx, const hd__reduce_job *each, int64_t count);

// head_flags[i] = a segment begins at element start + i. Offsets are known to be good. scratch has
// room for n + 1 keys (HD__RUNS) or none.
void hd__head_flags(const hd__scan_job *job, int64_t start, int64_t n, uint8_t *head_flags,
                    void *scratch);

// Refuses a reduction by key whose outputs have fewer elements than there are runs.
hd_status hd__check_runs(hd_context *ctx, const hd__reduce_job *job, int64_t runs);

#endif
