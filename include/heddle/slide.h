// SPDX-License-Identifier: Apache-2.0
// hd_slide: the reduction of every window.
#ifndef HEDDLE_SLIDE_H
#define HEDDLE_SLIDE_H

#include "../heddle.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hd_slide_options {
    size_t size;            // sizeof(hd_slide_options), or 0: its size in version 0.1
    int32_t axis;           // HD_AXIS(k): windows along axis k; default: the only axis of in
    int32_t ddof;           // as in hd_reduce_options
    const hd_function *map; // each element is map(in[i], with[0][i], ...)
    hd_views with;
    hd_type accumulate; // as in hd_reduce_options
    uint32_t reserved_32;
} hd_slide_options;

// out[i] = in[i] op in[i + 1] op ... op in[i + width - 1], for every i whose window lies in in:
// n - width + 1 results, of which there are none where width > n. width is at least 1. Without an
// axis in has one dimension; with one, out has the shape of in but for that length along the axis.
//
//     hd_slide(ctx, prices, HD_MEAN, 20, HD_VIEW(average, n - 19), NULL);
//
//   Operators   those of hd_reduce. HD_ARGMIN and HD_ARGMAX give the index in in's row, not in the
//               window.
//   Aliasing    out may not overlap an input.
//   Exactness   out[i] has the bits of hd_reduce over its window: the one tree of numerics.md over
//               the index within the window, wherever it stands. No rounding of one window is
//               carried into another, as running sums do.
//   Cost        Windows of 2^k elements are those of 2^(k - 1) combined two by two, so an output
//               takes log2(width) steps, and one more for each further set bit of width, all on
//               vectors; min, max and other exact operators over wide windows take three steps
//               an output whatever the width (van Herk 1992; Gil and Werman 1993). Blocks of
//               windows read width - 1 elements more than they have. Scratch: some widths of nodes
//               for each thread.
//   Returns     HD_ERROR_ARGUMENT for a width below 1, or without an axis for several dimensions;
//               HD_ERROR_SHAPE if out does not fit; and as hd_reduce.
HD_API HD__CHECKED hd_status hd_slide(hd_context *ctx, hd_view in, const hd_operator *op,
                                      int64_t width, hd_view out, const hd_slide_options *options);

#ifdef __cplusplus
}
#endif

#endif
