// SPDX-License-Identifier: Apache-2.0
// hd_blur: Gaussian blur of images.
#ifndef HEDDLE_BLUR_H
#define HEDDLE_BLUR_H

#include "border.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum hd_blur_method {
    HD_BLUR_GAUSSIAN = 0, // the Gaussian's own weights
    HD_BLUR_BOX           // u8 and u16: three box filters of the same variance; a few operations a
                          // pixel whatever sigma is. Its error is in numerics.md
} hd_blur_method;

typedef struct hd_blur_options {
    size_t size;      // sizeof(hd_blur_options), or 0: its size in version 0.1
    int64_t radius;   // pixels to each side that have a weight; 0: ceil(3 sigma). Not for boxes
    int32_t border;   // hd_border
    int32_t method;   // hd_blur_method
    int32_t channels; // hd_channels: needed where in has more than two axes
    uint32_t reserved_32;
    double constant; // of HD_BORDER_CONSTANT, rounded to the type of in
} hd_blur_options;

// out = in convolved by g in both of its last two axes (before the channels), where
// g[k] = exp(-k^2 / (2 sigma^2)) / sum of them, -radius <= k <= radius. in has shape (..., h, w),
// or with HD_CHANNELS_LAST (..., h, w, c); axes before those are batches. sigma is the standard
// deviation in pixels.
//
//   Types       u8, u16, f32, f64; out has the type of in.
//   Aliasing    out may not overlap in.
//   Exactness   u8: weights are whole multiples of 2^-15 whose sum is exactly one, columns first;
//               the pass over columns keeps 7 more bits; each pass rounds half up. u16, f32, f64:
//               hd_convolve by the column and then the row of weights of the sums' type, which is
//               f32 for u16 up to a radius of 63, f64 for u16 beyond that: a u16 is within 0.9 of
//               the exact sum over the same radius, so within one unit. A constant image of u8 or
//               u16 stays as it is. exp is the library's own text. Same bits on every backend,
//               instruction set and number of threads.
//   Cost        4 radius + 2 multiply-adds a sample; boxes: about 14 additions a sample.
//   Returns     HD_ERROR_ARGUMENT for a sigma that is not positive and finite, a radius that is
//               negative or above 2^20, an unknown border or method, and the usual ones.
HD_API HD__CHECKED hd_status hd_blur(hd_context *ctx, hd_view in, double sigma, hd_view out,
                                     const hd_blur_options *options);

#ifdef __cplusplus
}
#endif

#endif
