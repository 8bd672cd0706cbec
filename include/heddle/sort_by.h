// SPDX-License-Identifier: Apache-2.0
// hd_sort_by: elements of any type in the order of a comparison of the user's.
#ifndef HEDDLE_SORT_BY_H
#define HEDDLE_SORT_BY_H

#include "../heddle.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hd_sort_by_options {
    size_t size; // sizeof(hd_sort_by_options), or 0: its size in version 0.1
    // Receives where each element of out stood in in: i32, u32, i64 or u64, the shape of in (may
    // be NULL)
    const hd_view *indices;
} hd_sort_by_options;

// out is in, sorted so that no element comes before the one on its left; each output of values is
// its input in the same new order:
//
//     typedef struct { float key; int32_t id; } record;
//     HD_COMPARISON(by_key, record, HD_NO_SOURCE, { return a.key < b.key; })
//     ...
//     const hd_view v = HD_VIEW_OF(HD_TYPE(record), records, n);
//     hd_sort_by(ctx, v, by_key, v, HD_NO_VALUES, NULL);
//
// Every view has the shape of in and is taken in row-major order. out may be left empty where only
// values or indices matter. Numbers in their own order are hd_sort's, which is faster.
//
//   Order       stable: elements neither of which comes before the other keep their order. The
//               comparison must be a strict weak order (heddle_comparison.h); of one that is not,
//               out is some permutation of in, and nothing else goes wrong.
//   Aliasing    out may be in, and each output of values its own input (same address, type and
//               strides); any other overlap of an output is an error.
//   Exactness   elements are moved as they are. For a strict weak order there is one right answer,
//               and every backend gives it.
//   Cost        a merge sort: about n log2 n comparisons, inlined; runs that fit in the cache are
//               sorted there, then read and written once for each doubling. Sorted input, strictly
//               reversed input, and runs of either are noticed. Scratch of the size of in is kept
//               by the context; with values or indices, twice that and 32 bytes an element.
//   Returns     HD_ERROR_TYPE if the comparison is of another type than in, and the usual ones.
HD_API HD__CHECKED hd_status hd_sort_by(hd_context *ctx, hd_view in,
                                        const hd_comparison *comparison, hd_view out,
                                        hd_views values, const hd_sort_by_options *options);

#ifdef __cplusplus
}
#endif

#endif
