// SPDX-License-Identifier: Apache-2.0
// hd_convolve: every element becomes a weighted sum of its neighbours, in one or two dimensions
// (cross-correlation, or convolution with .flip).
#ifndef HEDDLE_CONVOLVE_H
#define HEDDLE_CONVOLVE_H

#include "border.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum hd_convolve_method {
    HD_CONVOLVE_AUTO = 0, // two passes if the mask is exactly a column times a row, else direct;
                          // direct also for elements where only the two passes overflow
    HD_CONVOLVE_DIRECT    // the plain sum over the whole mask, always
} hd_convolve_method;

typedef struct hd_convolve_options {
    size_t size;      // sizeof(hd_convolve_options), or 0: its size in version 0.1
    int32_t border;   // hd_border
    int32_t method;   // hd_convolve_method
    int32_t channels; // hd_channels: needed where in has more axes than mask
    bool flip;        // turn the mask by 180 degrees first: convolution as mathematics has it
    bool reserved_flags[3];
    double constant;       // of HD_BORDER_CONSTANT, rounded to the type of the sums
    const int64_t *anchor; // the element of the (turned) mask that lies over the output's index,
                           // one index an axis of mask; NULL: size / 2
} hd_convolve_options;

// out[y][x] = sum over i, j of mask[i][j] * in[y + i - ay][x + j - ax], where (ay, ax) is the
// anchor; with a mask of one dimension the same along x alone. This is cross-correlation, which
// image libraries call convolution; .flip turns the mask by 180 degrees and makes it convolution
// proper. The mask's axes are the last ones of in (before the channels); axes before them are
// batches. Any size of mask, odd or even, also larger than the array. out has the shape of in; rows
// of either may have a pitch, any strides will do. in and out may be on the device, mask is not.
//
//   Types       in and out: bool, integers of up to 32 bits, floats; mask: any number. Sums of
//               integers by an integer mask into integers are exact (in 64 bits) and clamped to
//               out's range. All others are sums of f32, or of f64 if in or out is f64 or has 32
//               bits and is an integer; the mask is rounded to that type first. Integers as
//               output are then rounded to nearest even and clamped; NaN gives 0.
//   Aliasing    out may not overlap in or mask.
//   Exactness   sums are fused multiply-adds in the mask's row-major order, the first being the
//               plain product. A mask that is exactly a column times a row (see "Separable masks"
//               in numerics.md) is applied as two passes, the column first, with sums of the
//               first pass kept in the type of the sums; where that is not finite but the direct
//               sum is, the element gets the direct one, so that it is infinite or NaN only where
//               it is by HD_CONVOLVE_DIRECT, too. Same bits on every backend, instruction set and
//               number of threads. Zero weights count: 0 times infinity is NaN.
//   Cost        mask elements multiply-adds an output, or rows + columns if separable; reads in
//               and writes out about once. No array is copied, except where two passes overflow
//               somewhere: the direct sums are then computed as well, into an array of their own.
//   Returns     HD_ERROR_TYPE, HD_ERROR_SHAPE, HD_ERROR_ALIAS, HD_ERROR_ARGUMENT (empty mask,
//               anchor outside it, unknown border) and the usual ones. An empty array is no error.
HD_API HD__CHECKED hd_status hd_convolve(hd_context *ctx, hd_view in, hd_view mask, hd_view out,
                                         const hd_convolve_options *options);

#ifdef __cplusplus
}
#endif

#endif
