// SPDX-License-Identifier: Apache-2.0
// hd_recurrence: linear recurrences.
#ifndef HEDDLE_ALGORITHMS_RECURRENCE_H
#define HEDDLE_ALGORITHMS_RECURRENCE_H

#include "../../heddle.h"

#ifdef __cplusplus
extern "C" {
#endif

// Largest order.
#define HD_MAX_RECURRENCE_ORDER 8

typedef struct hd_recurrence_options {
    size_t size;            // sizeof(hd_recurrence_options), or 0: its size in version 0.1
    int32_t axis;           // HD_AXIS(k): along axis k; default: the last one
    hd_type accumulate;     // HD_F64: computes in f64 where in and out are f32
    bool backward;          // from the last element to the first: y[i + 1] in the place of y[i - 1]
    bool reserved_flags[7]; // zero
    const hd_view *initial; // y[-1], y[-2], ..., y[-k] (backward: y[n], y[n + 1], ...): the shape
                            // of in without the axis, then k; default: zeros
} hd_recurrence_options;

// out[i] = y[i] = x[i] + c[0] y[i - 1] + c[1] y[i - 2] + ... + c[k - 1] y[i - k]
//
// The coefficients are k constants of the host (a view of one dimension), or k for every element: a
// view of in's shape with one axis more, the last, of length k. Where all coefficients of an
// element are 0 a new segment starts, as y is x there and, with order 1, nothing before it counts.
//
//   Method      a scan of affine maps of the last k values (Kogge and Stone 1973; Blelloch 1990)
//               over blocks of elements. With constants it is hd_filter with b = 1 and a = (1, -c):
//               blocks of 128. Else every block of 16 elements is made into one map, s -> M s + v,
//               by k + 1 loops side by side (a map), the exclusive scan gives each block its state,
//               and every block runs from it (a map). Work O(n k^2) and k^3 for each block, steps
//               O(k log n); k is rounded up to 1, 2, 4 or 8.
//   Aliasing    out may be in itself (same address, type and strides); any other overlap is an
//               error.
//   Exactness   f32 where in and out are f32 (coefficients are rounded to it), else f64. The same
//               bits on every backend. To first order |out - exact| <= 8 (k + 1) n u G^3 T with G
//               the greatest norm (of row sums) of a product of consecutive companion matrices, and
//               T the greatest |x| + |c| |y| met, also by y from zeros in between. Products of
//               coefficients that overflow, as those of a recurrence that grows, make infinities
//               and NaN also where zeros hide them from a loop.
//   Cost        reads in and coefficients twice and writes out once; other layouts than a row and
//               types than the computation's once more.
//   Returns     HD_ERROR_SHAPE where the coefficients fit neither way or k is not from 1 to
//               HD_MAX_RECURRENCE_ORDER; HD_ERROR_VALUE for constants that are not finite;
//               HD_ERROR_TYPE where in or out is not f32 or f64; and the usual ones.
HD_API HD__CHECKED hd_status hd_recurrence(hd_context *ctx, hd_view in, hd_view coefficients,
                                           hd_view out, const hd_recurrence_options *options);

#ifdef __cplusplus
}
#endif

#endif
