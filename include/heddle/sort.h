// SPDX-License-Identifier: Apache-2.0
// hd_sort, hd_argsort: numbers in order, and whatever belongs to them moved along.
#ifndef HEDDLE_SORT_H
#define HEDDLE_SORT_H

#include "../heddle.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hd_sort_options {
    size_t size;     // sizeof(hd_sort_options), or 0: its size in version 0.1
    int32_t axis;    // HD_AXIS(k): each row along axis k is sorted; default: everything, row-major
    bool descending; // the greatest first; equal keys keep their order all the same
    bool reserved_flags[3];
    // Offsets (any integer type), never falling, within 0 .. n: the elements offset[j] ..
    // offset[j + 1] - 1 are sorted among themselves; those before the first and from the last
    // offset on stay where they are
    const hd_view *segments;
} hd_sort_options;

// keys_out is keys_in in order; each output of values is its input in the same new order:
//
//     hd_sort(ctx, HD_VIEW(x, n), HD_VIEW(x, n), HD_NO_VALUES, NULL);              // in place
//     hd_sort(ctx, keys, sorted, HD_VALUES(names, names_sorted, ages, ages_sorted), NULL);
//
// Keys are of any number type; values of any type, structures too. Every view has the shape of
// keys_in. keys_out may be left empty where only the values matter.
//
//   Order       Integers and bool by value. Floats by value, -0 before +0 (descending: after it),
//               and every NaN last, ascending and descending. Equal keys (so all NaN too) keep the
//               order they came in: the sort is stable. A NaN keeps its bits; a bool comes out as
//               0 or 1.
//   Aliasing    keys_out may be keys_in, and each output of values its own input (same address,
//               type and strides); any other overlap of an output is an error.
//   Exactness   there is one right answer, and every backend gives it.
//   Cost        a sample sort; MSD radix sort where keys are skewed or few. For numbers spread
//               evenly, each element is read and written three to four times. Sorted, reversed and
//               all-equal input is noticed and copied at the speed of memory. Scratch of the size
//               of the keys and one value of up to 8 bytes is kept by the context; with more or
//               larger values, keys and indices are sorted and the values gathered.
//   Returns     HD_ERROR_VALUE for offsets that fall or leave 0 .. n, and the usual ones.
HD_API HD__CHECKED hd_status hd_sort(hd_context *ctx, hd_view keys_in, hd_view keys_out,
                                     hd_views values, const hd_sort_options *options);

// indices[i] = where the i-th key in order stands in keys: keys[indices[0]], keys[indices[1]], ...
// is sorted, and among equal keys the indices rise. With an axis they count along it, with segments
// from the start of keys. indices: i32, u32, i64 or u64, the shape of keys, apart from it.
// Order, cost and what it returns are those of hd_sort.
HD_API HD__CHECKED hd_status hd_argsort(hd_context *ctx, hd_view keys, hd_view indices,
                                        const hd_sort_options *options);

#ifdef __cplusplus
}
#endif

#endif
