// SPDX-License-Identifier: Apache-2.0
// hd_merge: two sorted arrays to one. hd_set_union and the other set operations: sorted arrays as
// sets whose elements may occur several times.
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

// ---- Set operations -------------------------------------------------------------------------

typedef struct hd_set_options {
    size_t size;                     // sizeof(hd_set_options), or 0: its size in version 0.1
    const hd_comparison *comparison; // the order of a and b; NULL: numbers in their own order
    // Receives where each element of out stood in a followed by b: i32, u32, i64 or u64, with as
    // much room as out needs
    const hd_view *indices;
    bool descending; // a and b have the greatest first, and out too
    bool checked; // look first whether a and b are sorted: HD_ERROR_VALUE names the first position
    bool reserved_flags[6];
    // Arrays that move along: HD_VALUES(a_values, b_values, out_values, ...), of any type each. The
    // first two are shaped as a and b, the third has as much room as out needs
    hd_views value_views;
} hd_set_options;

// out = the elements of a and b that belong to the result, in order; count, a view of one i64,
// receives how many. Both are sorted already, of out's type, and taken in row-major order. out may
// be empty (HD_EMPTY) where only the indices, the values or the count are wanted. Values move with
// the elements: of two tables sorted by their keys
//
//     hd_set_union(ctx, HD_VIEW(keys, n), HD_VIEW(more_keys, m), HD_VIEW(all, n + m),
//                  HD_VIEW(&count, 1),
//                  &(hd_set_options){.value_views = HD_VALUES(HD_VIEW(rows, n),
//                                        HD_VIEW(more_rows, m), HD_VIEW(all_rows, n + m))});
//
// Equal elements are paired off: the first of a with the first of b, the second with the second, as
// in std::set_union and its like. Of an element that is m times in a and n times in b the results
// have
//
//     hd_set_union                   max(m, n): a's m, then the last n - m of b
//     hd_set_intersection            min(m, n): the first of a
//     hd_set_difference              max(m - n, 0): the last of a
//     hd_set_symmetric_difference    |m - n|: the last of a, or of b
//
//   Order       as hd_merge, so -0 and +0 differ, and all NaN are equal; or the comparison's, by
//               which two elements are equal where neither comes before the other.
//   Aliasing    out, indices, count and the outputs of values may not overlap an input or each
//               other.
//   Exactness   elements are moved as they are. There is one right answer, and every backend gives
//               it. Where a or b is not sorted, out has some of their elements.
//   Cost        reads each element once, writes each result once. Threads share the merge path
//               evenly but for long runs of equal elements, each of which one thread takes.
//   Returns     HD_ERROR_SHAPE if an output has fewer elements than the result: the text says how
//               many there are, count too, and the first that fit have been written;
//               HD_ERROR_TYPE if the types differ or are structures without a comparison;
//               HD_ERROR_VALUE with .checked; HD_ERROR_ARGUMENT if count is empty; and the usual
//               ones.
HD_API HD__CHECKED hd_status hd_set_union(hd_context *ctx, hd_view a, hd_view b, hd_view out,
                                          hd_view count, const hd_set_options *options);
HD_API HD__CHECKED hd_status hd_set_intersection(hd_context *ctx, hd_view a, hd_view b, hd_view out,
                                                 hd_view count, const hd_set_options *options);
HD_API HD__CHECKED hd_status hd_set_difference(hd_context *ctx, hd_view a, hd_view b, hd_view out,
                                               hd_view count, const hd_set_options *options);
HD_API HD__CHECKED hd_status hd_set_symmetric_difference(hd_context *ctx, hd_view a, hd_view b,
                                                         hd_view out, hd_view count,
                                                         const hd_set_options *options);

#ifdef __cplusplus
}
#endif

#endif
