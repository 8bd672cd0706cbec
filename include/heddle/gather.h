// SPDX-License-Identifier: Apache-2.0
// hd_gather: elements fetched by index.
#ifndef HEDDLE_GATHER_H
#define HEDDLE_GATHER_H

#include "../heddle.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hd_gather_options {
    size_t size;  // sizeof(hd_gather_options), or 0: its size in version 0.1
    int32_t axis; // HD_AXIS(k): whole slices of in, indexed along axis k
    bool checked; // an index out of range is an error that names the first one
    bool reserved_flags[3];
    const hd_view *bad; // one i64, receives the position of the first index out of range, -1 if
                        // there is none; by itself it makes no error
    // out[i] = function(in[index[i]], with[0][i], ...); not with axis
    const hd_function *function;
    hd_views with; // of index's shape
} hd_gather_options;

// out[i] = in[index[i]]. The index has any shape, out the same one; in is numbered 0, 1, ... in
// row-major order, whatever its dimensions. The index is of any integer type, the elements of any
// type at all.
//
// With .axis = HD_AXIS(k) the index has one dimension and chooses slices: out has the shape of in,
// but for axis k, which is as long as the index. HD_AXIS(0) of a matrix fetches whole rows.
//
// An index out of range (negative, or not less than the number of elements, or of slices) never
// reads outside in: that element of out (or slice) is zero, all its bytes; with .function that
// is given such a zero. With .checked the call also returns HD_ERROR_VALUE, and the text says which
// index was the first and what it was; out is the same.
//
//   Aliasing    out may not overlap in or index; it may be a view of with.
//   Exactness   elements are moved as they are.
//   Cost        reads each index once, each element that is asked for, and writes out once. An
//               index without order over much memory costs most: see docs/internals/move.md.
//   Returns     HD_ERROR_TYPE where the index is not of an integer type, HD_ERROR_VALUE as above,
//               and the usual ones.
HD_API HD__CHECKED hd_status hd_gather(hd_context *ctx, hd_view in, hd_view index, hd_view out,
                                       const hd_gather_options *options);

#ifdef __cplusplus
}
#endif

#endif
