// SPDX-License-Identifier: Apache-2.0
// Products of matrices inside of a call: hd_matmul and what inverses are made of.
#ifndef HEDDLE_ALGORITHMS_LINEAR_PRODUCT_H
#define HEDDLE_ALGORITHMS_LINEAR_PRODUCT_H

#include "../support/frame.h"

typedef enum hd__product_how {
    HD__PRODUCT_SET,      // out = a b
    HD__PRODUCT_ADD,      // out = out + a b
    HD__PRODUCT_SUBTRACT, // out = out - a b
    HD__PRODUCT_NEGATIVE  // out = -(a b)
} hd__product_how;

// Of checked views of one type, by chains. Scratch is given back at the end.
hd_status hd__product(hd__frame *f, hd_view a, hd_view b, hd_view out, hd__product_how how);

// The same by trees: out = a b.
hd_status hd__product_tree(hd__frame *f, hd_view a, hd_view b, hd_view out);

// Rows r .. r + m - 1 and columns q .. q + n - 1 of the last two axes.
hd_view hd__block(hd_view v, int64_t r, int64_t m, int64_t q, int64_t n);

// That a is (m, k) and b (k, n), of f32 or f64, with as many matrices in each.
hd_status hd__product_check(hd__frame *f, hd_view a, hd_view b, hd_view out);

// A square matrix of f32 or f64, and an output like it.
hd_status hd__square_check(hd__frame *f, hd_view in, hd_view out);

// *residual = the greatest |element| of identity - a b, as f64.
hd_status hd__residual(hd__frame *f, hd_view a, hd_view b, const hd_view *residual);

// The diagonal of a square matrix, as a row with gaps; every element of a view = a number.
hd_view hd__diagonal(hd_view matrix);
hd_status hd__fill(hd__frame *f, hd_view out, double value);

// A new matrix of scratch, n rows without gaps.
hd_status hd__matrix(hd__frame *f, hd_type type, int64_t rows, int64_t columns, hd_view *matrix);

#endif
