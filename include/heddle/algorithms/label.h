// SPDX-License-Identifier: Apache-2.0
// hd_label: connected components of images. Part of heddle_algorithms.h.
#ifndef HEDDLE_LABEL_H
#define HEDDLE_LABEL_H

#include "../../heddle.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hd_label_options {
    size_t size;   // sizeof(hd_label_options), or 0: its size in version 0.1
    bool diagonal; // neighbours are the 8 around an element; default: the 4 beside it
    bool reserved_flags[7];
    const hd_view *count;  // one i64, receives how many components there are
    const hd_view *rounds; // one i64, receives how many times components were joined; the cores,
                           // which need no rounds, then take the patterns' way
} hd_label_options;

// out[y][x] = the label of the connected component that in[y][x] is of, 0 where in[y][x] is 0 (NaN
// is not). A component is a largest set of elements that are not 0 and that one can walk through
// from neighbour to neighbour. Labels are 1, 2, ..., in the order of the components' first elements
// in row-major order. in has two axes and numbers of any type, out its shape and any integer type.
//
//   Method      runs of elements in rows are found by their first and last elements; each meets a
//               range of the runs above it, found by binary search. Components of runs: each root
//               hooks onto the lowest root that it meets, then pointers jump to the roots, until
//               no two roots meet (after Shiloach and Vishkin 1982). Two rounds at least halve the
//               roots that still meet others, so rounds are at most 2 log2 of the runs; work O(n)
//               for the image and O(r log r) a round for r runs. Image passes: four. The cores
//               join runs row by row, by union and find (Hoshen and Kopelman 1976; He, Chao and
//               Suzuki 2008), in bands whose borders are joined last.
//   Aliasing    out may not overlap in.
//   Exactness   there is one right answer, and every backend gives it.
//   Cost        a byte of scratch an element, about 120 bytes a run; on the cores 16 bytes a run.
//   Returns     HD_ERROR_SHAPE, HD_ERROR_TYPE where out has no integers or cannot hold the count
//               (the text says it), and the usual ones.
HD_API HD__CHECKED hd_status hd_label(hd_context *ctx, hd_view in, hd_view out,
                                      const hd_label_options *options);

#ifdef __cplusplus
}
#endif

#endif
