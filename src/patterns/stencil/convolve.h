// SPDX-License-Identifier: Apache-2.0
// What a backend gets of hd_convolve (and of hd_blur over floats).
#ifndef HEDDLE_PATTERNS_STENCIL_CONVOLVE_H
#define HEDDLE_PATTERNS_STENCIL_CONVOLVE_H

#include "core/backend.h"
#include "grid.h"

// sum over i, j of mask[i][j] * in[y + i - anchor_y][x + j - anchor_x]. Weights are of type
// grid.sum. Separable: column (rows weights) first, then row (columns weights).
typedef struct hd__convolve_job {
    hd__grid grid;
    int64_t rows, columns;
    int64_t anchor_y, anchor_x;
    const void *mask; // rows * columns, row-major; NULL if only the factors are known
    const void *column, *row;
    bool separable;
    bool *overflowed; // set where a separable sum may have overflowed; NULL: not asked for
} hd__convolve_job;

// What lies beyond the sides of the first pass's result, as an element of grid.sum.
void hd__beyond_column(const hd__convolve_job *job, void *beyond);

#endif
