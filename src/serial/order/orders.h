// SPDX-License-Identifier: Apache-2.0
// What the serial patterns of order share: a stable sort of indices, one comparison at a time.
#ifndef HEDDLE_SERIAL_ORDERS_H
#define HEDDLE_SERIAL_ORDERS_H

#include "patterns/sort/comparisons.h"

// index[0 .. n - 1] becomes the stable order of n elements that lie after each other; other is
// room for as many.
void hd__sort_indices(const hd_comparison *order, bool backwards, const void *elements, int64_t n,
                      int64_t *index, int64_t *other);

// A view's elements after each other: where they lie, or gathered into room.
const char *hd__lay_out(const hd_view *v, int64_t n, void *room);

#endif
