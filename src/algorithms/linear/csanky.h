// SPDX-License-Identifier: Apache-2.0
// The inverse of a matrix in O(log^2 n) steps (Csanky 1976), for small ones.
#ifndef HEDDLE_ALGORITHMS_LINEAR_CSANKY_H
#define HEDDLE_ALGORITHMS_LINEAR_CSANKY_H

#include "triangle.h"

// *steps = the parallel steps. A determinant that comes out as 0 is HD_ERROR_VALUE.
hd_status hd__csanky(hd__frame *f, hd_view in, hd_view out, int64_t *steps);

#endif
