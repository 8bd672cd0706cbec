// SPDX-License-Identifier: Apache-2.0
// Coordinates of a sparse matrix in any order times a vector, on the cores.
#ifndef HEDDLE_ALGORITHMS_LINEAR_COO_CORES_H
#define HEDDLE_ALGORITHMS_LINEAR_COO_CORES_H

#include "../support/frame.h"

// y = the rows' sums of products, those of a row as they stand among the coordinates, with the bits
// of hd_reduce by segments with HD_DOT. *done stays false where rows are in order, as CSR has them,
// where memory or types are not for these loops, or where something is out of range.
hd_status hd__coo_rows(hd__frame *f, hd_view row, hd_view column, hd_view value, hd_view x,
                       hd_view y, bool *done);

#endif
