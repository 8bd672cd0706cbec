// SPDX-License-Identifier: Apache-2.0
// hd_is_sorted: whether elements are in order, and where they are not.
#ifndef HEDDLE_IS_SORTED_H
#define HEDDLE_IS_SORTED_H

#include "../heddle.h"

#ifdef __cplusplus
extern "C" {
#endif

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
