// SPDX-License-Identifier: Apache-2.0
// hd_sort: keys in order, and whatever belongs to them moved along.
#ifndef HEDDLE_SORT_H
#define HEDDLE_SORT_H

#include "../heddle.h"

#ifdef __cplusplus
extern "C" {
#endif

// The options of hd_sort, hd_merge, hd_search and hd_top_k have the same members; each has those
// that mean something for it.
typedef struct hd_sort_options {
    size_t size; // sizeof(hd_sort_options), or 0: its size in version 0.1
    // The order of the keys, which may then be structures; NULL: numbers in their own order
    const hd_comparison *comparison;
    // Receives where each key stood: keys_in[indices[0]], keys_in[indices[1]], ... is sorted. With
    // an axis they count along it, with segments from the start of keys_in. i32, u32, i64 or u64
    const hd_view *indices;
    // Offsets (any integer type), never falling, within 0 .. n: the elements offset[j] ..
    // offset[j + 1] - 1 are sorted among themselves; those before the first and from the last
    // offset on stay where they are
    const hd_view *segments;
    int32_t axis;    // HD_AXIS(k): each row along axis k is sorted; default: everything, row-major
    bool descending; // the greatest first; equal keys keep their order all the same
    bool reserved_flags[3];
} hd_sort_options;

// keys_out is keys_in in order; each output of values is its input in the same new order:
//
//     hd_sort(ctx, HD_VIEW(x, n), HD_VIEW(x, n), HD_NO_VALUES, NULL);              // in place
//     hd_sort(ctx, keys, sorted, HD_VALUES(names, names_sorted, ages, ages_sorted), NULL);
//     hd_sort(ctx, keys, HD_EMPTY, HD_NO_VALUES, &(hd_sort_options){.indices = &order});
//
//     typedef struct { float key; int32_t id; } record;
//     HD_COMPARISON(by_key, record, HD_NO_SOURCE, { return a.key < b.key; })
//     ...
//     const hd_view v = HD_VIEW_OF(HD_TYPE(record), records, n);
//     hd_sort(ctx, v, v, HD_NO_VALUES, &(hd_sort_options){.comparison = by_key});
//
// Keys are of any number type, with a comparison of any type; values of any type, structures too.
// Every view has the shape of keys_in. keys_out may be left empty where only values or indices
// matter. Options combine as they like, but for an axis and segments, which exclude each other.
//
//   Order       Integers and bool by value. Floats by value, -0 before +0 (descending: after it),
//               and every NaN last, ascending and descending. Equal keys (so all NaN too) keep the
//               order they came in: the sort is stable. A NaN keeps its bits; a bool comes out as
//               0 or 1.
//               By a comparison: no key comes before the one on its left; descending, no key comes
//               after it. Keys neither of which comes before the other keep their order. The
//               comparison must be a strict weak order (heddle_comparison.h); of one that is not,
//               keys_out is some permutation of keys_in, and nothing else goes wrong.
//   Aliasing    keys_out may be keys_in, and each output of values its own input (same address,
//               type and strides); any other overlap of an output is an error.
//   Exactness   there is one right answer, and every backend gives it. By a comparison keys are
//               moved as they are.
//   Cost        Numbers: a sample sort; MSD radix sort where keys are skewed or few. For numbers
//               spread evenly, each element is read and written three to four times. Sorted,
//               reversed and all-equal input is noticed and copied at the speed of memory. Scratch
//               of the size of the keys and one value of up to 8 bytes is kept by the context; with
//               more or larger values, keys and indices are sorted and the values gathered.
//               By a comparison: a merge sort, about n log2 n comparisons, inlined; runs that fit
//               in the cache are sorted there, then read and written once for each doubling.
//               Sorted input, strictly reversed input, and runs of either are noticed. Scratch of
//               the size of the keys; with values or indices, twice that and 32 bytes an element.
//               Descending, keys are read and written once more. Numbers in their own order are
//               faster without a comparison.
//               On a GPU, numbers alone: a radix sort; keys and one value of up to 16 bytes are
//               read and written once for each byte of the keys in which they differ, in scratch
//               of their size; keys of one and two bytes without values are counted. Rows and
//               segments of up to 4096 keys take one pass. Nothing waits for the device.
//   Returns     HD_ERROR_TYPE for keys that are no numbers without a comparison, and for a
//               comparison of another type; HD_ERROR_VALUE for offsets that fall or leave 0 .. n;
//               HD_ERROR_SHAPE for indices too narrow; and the usual ones.
HD_API HD__CHECKED hd_status hd_sort(hd_context *ctx, hd_view keys_in, hd_view keys_out,
                                     hd_views values, const hd_sort_options *options);

#ifdef __cplusplus
}
#endif

#endif
