// SPDX-License-Identifier: Apache-2.0
// hd_merge: two sorted arrays to one.
#ifndef HEDDLE_MERGE_H
#define HEDDLE_MERGE_H

#include "../heddle.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hd_merge_options {
    size_t size;                     // sizeof(hd_merge_options), or 0: its size in version 0.1
    const hd_comparison *comparison; // the order of a and b; NULL: numbers in their own order
    // Receives where each element of out stood in a followed by b (with an axis, in its row of
    // both): i32, u32, i64 or u64, the shape of out
    const hd_view *indices;
    int32_t axis;    // HD_AXIS(k): each row of a along axis k with that of b; default: everything
    bool descending; // a and b have the greatest first, and out too
    bool checked; // look first whether a and b are sorted: HD_ERROR_VALUE names the first position
    bool reserved_flags[2];
} hd_merge_options;

// out = the elements of a and of b, sorted; both are sorted already. Among equals a's come first
// and each array's keep their order, so merging is what joins the parts of a stable sort. out has
// as many elements as both together; all three have one type and are taken in row-major order. With
// an axis out is as long along it as a and b together, and the other axes of all three are alike.
// Arrays that move along are values, HD_VALUES(a_values, b_values, out_values, ...), or
// HD_NO_VALUES. out may be left empty where only values or indices matter.
//
//   Order       as hd_sort: floats by value, -0 before +0 (descending: after it), every NaN last in
//               both directions, all NaN equal; or the comparison's.
//   Aliasing    out, indices and the outputs of values may not overlap an input or each other.
//   Exactness   elements are moved as they are. There is one right answer, and every backend gives
//               it. Where a or b is not sorted, out is some permutation of both.
//   Cost        reads and writes each element once; descending by a comparison, twice. With values
//               or indices: 32 bytes of scratch an element. Rows are merged one after another.
//   Returns     HD_ERROR_SHAPE if out does not fit, HD_ERROR_TYPE if the types differ or are
//               structures without a comparison, HD_ERROR_VALUE with .checked, and the usual ones.
HD_API HD__CHECKED hd_status hd_merge(hd_context *ctx, hd_view a, hd_view b, hd_view out,
                                      hd_views values, const hd_merge_options *options);

#ifdef __cplusplus
}
#endif

#endif
