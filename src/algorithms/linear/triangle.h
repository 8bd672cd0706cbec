// SPDX-License-Identifier: Apache-2.0
// The inverse of a lower triangular matrix inside of a call.
#ifndef HEDDLE_ALGORITHMS_LINEAR_TRIANGLE_H
#define HEDDLE_ALGORITHMS_LINEAR_TRIANGLE_H

#include "product.h"

// *inverse = a matrix of scratch; *steps grows by the parallel steps. A zero on the diagonal is
// HD_ERROR_VALUE.
hd_status hd__triangle_invert(hd__frame *f, hd_view in, bool unit, bool by_trees, hd_view *inverse,
                              int64_t *steps);

#endif
