// SPDX-License-Identifier: Apache-2.0
// The products of a dot: a function for each type of elements and of the tree that sums them. A dot
// is a sum over that function, which patterns know how to fuse.
#ifndef HEDDLE_CORE_OPERATORS_PRODUCTS_H
#define HEDDLE_CORE_OPERATORS_PRODUCTS_H

#include "fold.h"

// The function that a call maps with: the caller's, or, where the operator is a dot, that of its
// products. `fold` is then filled, for elements of in's type.
hd_status hd__choose_map(hd_context *ctx, const char *call, const hd_operator *op,
                         const hd_view *in, hd_type out, const hd__fold_options *requested,
                         const hd_function *map, const hd_views *with, const hd_function **chosen);

// A fold of a dot, resolved for elements of in's type, now takes the products themselves.
void hd__take_products(hd__fold *fold);

#endif
