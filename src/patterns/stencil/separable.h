// SPDX-License-Identifier: Apache-2.0
// Whether a mask is exactly a column times a row: one test for all backends.
#ifndef HEDDLE_PATTERNS_STENCIL_SEPARABLE_H
#define HEDDLE_PATTERNS_STENCIL_SEPARABLE_H

#include "core/types.h"

// mask[i][j] == column[i] * row[j] exactly, for all i, j; all of type sum: HD_F32, HD_F64 or
// HD_I64. Fills both factors, or returns false where there are none. Every mask of rank one has
// them, see separable.c; an all-zero mask, or one with an element that is not finite, has none.
bool hd__separate(hd_type sum, const void *mask, int64_t rows, int64_t columns, void *column,
                  void *row);

#endif
