// SPDX-License-Identifier: Apache-2.0
// A sparse matrix in CSR times a vector, on the cores.
#ifndef HEDDLE_ALGORITHMS_LINEAR_SPARSE_CORES_H
#define HEDDLE_ALGORITHMS_LINEAR_SPARSE_CORES_H

#include "../support/frame.h"

// y = the rows' sums of products, with the bits of hd_reduce by segments with HD_DOT. *done stays
// false where memory or types are not for these loops, or something is out of range, which the
// reduction then says in the caller's words.
hd_status hd__sparse_rows(hd__frame *f, hd_view offset, hd_view column, hd_view value, hd_view x,
                          hd_view y, bool *done);

#endif
