// SPDX-License-Identifier: Apache-2.0
// Rows along an axis, and ranges of them: what the patterns of order share of layout.
#ifndef HEDDLE_PATTERNS_SORT_ROWS_H
#define HEDDLE_PATTERNS_SORT_ROWS_H

#include "core/backend.h"

// The same elements with one axis last (-1: as they are) and as few dimensions as can be, so that a
// row is a range of elements in row-major order. An empty view stays empty.
void hd__put_axis_last(hd_view *v, int32_t axis);

// Elements begin .. begin + n - 1 of a view, in row-major order: all of them, or some that lie
// within a row and become a view of one dimension. Of an empty view an empty one.
hd_view hd__range_of(const hd_view *v, int64_t begin, int64_t n);

// An argument that the host reads.
hd_status hd__check_on_host(hd_context *ctx, const char *call, const char *name, const hd_view *v);

// The rows + 1 offsets of segments of n elements as they are now; HD_ERROR_VALUE for one that falls
// or is out of range.
hd_status hd__take_offsets(hd_context *ctx, const char *call, const hd_view *segments, int64_t rows,
                           int64_t n, int64_t *offsets);

// The elements of a view from the last to the first.
hd_view hd__backwards(const hd_view *v);

#endif
