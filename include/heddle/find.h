// SPDX-License-Identifier: Apache-2.0
// hd_find, hd_mismatch, hd_is_sorted: the first position where a predicate holds, where two arrays
// differ, where elements are out of order.
#ifndef HEDDLE_FIND_H
#define HEDDLE_FIND_H

#include "../heddle.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- Find -----------------------------------------------------------------------------------

typedef struct hd_find_options {
    size_t size;       // sizeof(hd_find_options), or 0: its size in version 0.1
    const void *value; // one element: look for one that is equal to it; NULL: for one that is not
                       // zero
    bool last;         // the last such element instead of the first
    bool reserved_flags[7];
    const hd_function *map; // the elements looked at are map(in[i], with[0][i], ...): a predicate,
    hd_views with;          // or anything else
} hd_find_options;

// position, a view of one i64, of the host or of the device, receives the lowest i (row-major) with
// in[i] != 0, or -1 if there is none. With .value: with in[i] == *value, a value of the elements'
// type. With .map: the lowest i where the function gives what is not zero (or is equal to .value):
//
//     HD_FUNCTION(is_hot, bool, HD_NO_SOURCE, (float, t), { return t > 90; })
//     hd_find(ctx, HD_VIEW(t, n), HD_VIEW(&position, 1), &(hd_find_options){.map = is_hot});
//
// NaN is not zero and equal to nothing; -0 is zero. Structures are compared byte by byte, and need
// a .value or a .map.
//
//   Aliasing    nothing is written but position, which may overlap no input.
//   Exactness   exact.
//   Cost        reads up to the position, and per thread at most about 256 KiB more; on a GPU what
//               its blocks have under way. A call whose position is on the device does not wait.
//   Returns     the usual statuses; finding nothing is no error.
HD_API HD__CHECKED hd_status hd_find(hd_context *ctx, hd_view in, hd_view position,
                                     const hd_find_options *options);

// ---- Mismatch -------------------------------------------------------------------------------

typedef struct hd_mismatch_options {
    size_t size; // sizeof(hd_mismatch_options), or 0: its size in version 0.1
    bool bits;   // floats: compare their bits instead of their values
    bool reserved_flags[7];
} hd_mismatch_options;

// position, a view of one i64, of the host or of the device, receives the lowest i (row-major) with
// a[i] != b[i], or -1 if there is none. a and b have one type and one shape.
//
// Numbers are compared by value: -0 is equal to +0, NaN to nothing, a bool of any byte but 0 to
// every other such. With .bits floats are compared bit by bit: NaN is equal to the same NaN, and -0
// is not +0. Structures are always compared byte by byte, padding included.
//
//   Aliasing    nothing is written but position, which may overlap no input. a may overlap b.
//   Exactness   exact.
//   Cost        reads both up to the position, and per thread at most about 256 KiB more of each.
//   Returns     HD_ERROR_TYPE where b has not a's type, HD_ERROR_SHAPE where it has not its shape,
//               and the usual ones; finding nothing is no error.
HD_API HD__CHECKED hd_status hd_mismatch(hd_context *ctx, hd_view a, hd_view b, hd_view position,
                                         const hd_mismatch_options *options);

// ---- Is sorted ------------------------------------------------------------------------------

typedef struct hd_is_sorted_options {
    size_t size;                     // sizeof(hd_is_sorted_options), or 0: its size in version 0.1
    const hd_comparison *comparison; // the order; NULL: numbers in their own order
    bool descending;                 // the greatest first
    bool strict;                     // equal neighbours are out of order, too
    bool reserved_flags[6];
} hd_is_sorted_options;

// position, a view of one i64, of the host or of the device, receives -1 if the elements of in
// (row-major) are sorted, else the lowest i > 0 where they are not: in[i] comes before in[i - 1],
// or, with .strict, in[i - 1] does not come before in[i]. Fewer than two elements are sorted.
//
// The order of numbers is that of hd_sort: by value, -0 before +0 (descending: after it), every NaN
// last in both directions and equal to every other.
//
//   Aliasing    nothing is written but position, which may not overlap in.
//   Exactness   exact.
//   Cost        reads up to the position, and per thread at most about 256 KiB more.
//   Returns     HD_ERROR_TYPE for structures without a comparison or a comparison of another type,
//               and the usual ones.
HD_API HD__CHECKED hd_status hd_is_sorted(hd_context *ctx, hd_view in, hd_view position,
                                          const hd_is_sorted_options *options);

#ifdef __cplusplus
}
#endif

#endif
