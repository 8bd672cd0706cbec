// SPDX-License-Identifier: Apache-2.0
// Products on the cores: tiles in registers over packed rows and columns.
#ifndef HEDDLE_ALGORITHMS_LINEAR_PRODUCT_TILES_H
#define HEDDLE_ALGORITHMS_LINEAR_PRODUCT_TILES_H

#include "../support/frame.h"

// out = out + a b, or less a b, where the context computes on cores and the matrices are large
// enough for it; else *done stays false and nothing has happened. The bits are those of fma in the
// order of k.
hd_status hd__product_tiles(hd__frame *f, hd_view a, hd_view b, hd_view out, bool less, bool *done);

#endif
