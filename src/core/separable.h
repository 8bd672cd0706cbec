// SPDX-License-Identifier: Apache-2.0
// Whether a mask is exactly a column times a row: one test for all backends.
#ifndef HD__SEPARABLE_H
#define HD__SEPARABLE_H

#include <stdbool.h>
#include <stdint.h>

// mask[i][j] == column[i] * row[j] exactly, for all i, j. Fills both factors, which then have no
// more bits than the mask's elements. False where there are none; an all-zero mask has none.
bool hd__separate(const double *mask, int64_t rows, int64_t columns, double *column, double *row);

#endif
