// SPDX-License-Identifier: Apache-2.0
// Indices from outside, as rows that can be trusted: every element within 0 .. n - 1, of 32 bits
// where n allows it.
#ifndef HEDDLE_ALGORITHMS_SUPPORT_INDICES_H
#define HEDDLE_ALGORITHMS_SUPPORT_INDICES_H

#include "frame.h"

// HD_I32 for indices below n, or HD_I64.
hd_type hd__frame_index_type(int64_t n);

// Looks at every element of a view of integers in one dimension: HD_ERROR_VALUE names the first one
// that is not in 0 .. n - 1. Then *row has them without gaps, as hd__frame_index_type(n): a view of
// the caller's memory where that is possible, else a copy in scratch.
hd_status hd__frame_indices(hd__frame *f, const char *what, hd_view indices, int64_t n,
                            hd_view *row);

// Looks alone: also at types that n does not fit in.
hd_status hd__frame_indices_check(hd__frame *f, const char *what, hd_view indices, int64_t n);

// That an output of integers can hold n - 1; HD_ERROR_TYPE.
hd_status hd__frame_indices_hold(hd__frame *f, const char *what, hd_view out, int64_t n);

#endif
