// SPDX-License-Identifier: Apache-2.0
// hd_search: where elements belong in a sorted array.
#ifndef HEDDLE_SEARCH_H
#define HEDDLE_SEARCH_H

#include "../heddle.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hd_search_options {
    size_t size;                     // sizeof(hd_search_options), or 0: its size in version 0.1
    const hd_comparison *comparison; // the order of sorted; NULL: numbers in their own order
    int32_t axis;    // HD_AXIS(k): each row of queries along axis k in that of sorted
    bool descending; // sorted has the greatest first
    bool right;      // behind the elements that equal the query; default: before them
    bool checked;    // look first whether sorted is: HD_ERROR_VALUE names the first position
    bool reserved_flags[1];
} hd_search_options;

// out[j] = how many elements of sorted come before queries[j]; with .right how many do not come
// after it. That is where it would be put in: 0 .. n. sorted has one dimension, or with an axis the
// shape of queries but for the length n along it. queries has its type, out the shape of queries
// and one of the types i32, u32, i64, u64.
//
//   Order       as hd_merge. A distribution that hd_scan has summed up is sorted with its
//               .monotone; plain sums of floats may fall by a rounding (numerics.md).
//   Aliasing    out may not overlap an input.
//   Exactness   there is one right answer, and every backend gives it. Where sorted is not, each
//               out[j] is some number of 0 .. n.
//   Cost        log2 n comparisons a query, many queries side by side; descending by a comparison,
//               one after another. Queries that rise are noticed, 64 at a time, and looked for near
//               their neighbours. Rows are searched one after another.
//   Returns     HD_ERROR_SHAPE if n does not fit in the type of out, HD_ERROR_TYPE if the types
//               differ, HD_ERROR_VALUE with .checked, and the usual ones.
HD_API HD__CHECKED hd_status hd_search(hd_context *ctx, hd_view sorted, hd_view queries,
                                       hd_view out, const hd_search_options *options);

#ifdef __cplusplus
}
#endif

#endif
