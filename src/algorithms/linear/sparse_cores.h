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

// Whether memory and types are for loops of the cores: rows of the host without gaps that patterns
// would take, none of them empty. offset is of integers, `what` its name; y and what is multiplied
// are of one type, f32 or f64; columns are i32 or i64. An error is one of memory.
hd_status hd__sparse_fits(hd__frame *f, const char *what, hd_view offset, hd_view column,
                          hd_view value, hd_view x, hd_view y, bool *fits);

#endif
