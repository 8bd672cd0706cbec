// SPDX-License-Identifier: Apache-2.0
// hd_integral: summed-area tables, which are scans along two axes. hd_box_statistics and
// hd_threshold: what they are good for. Part of heddle_algorithms.h.
#ifndef HEDDLE_INTEGRAL_H
#define HEDDLE_INTEGRAL_H

#include "../../heddle.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hd_integral_options {
    size_t size;      // sizeof(hd_integral_options), or 0: its size in version 0.1
    int32_t channels; // hd_channels: needed where in has more than two axes
    bool exclusive;   // a row of zeros above and a column of zeros on the left: out is one longer
                      // along both axes, and out[y][x] is over what is above y and left of x
    bool reserved_flags[3];
} hd_integral_options;

// out[y][x] = the sum of in[j][i] over all j <= y and i <= x: the summed-area table of Crow (1984),
// also called integral image. The axes y and x are the last two of in (before the channels); axes
// before them are batches. With T the table that is exclusive, the sum over the rows y0 .. y1 - 1
// and columns x0 .. x1 - 1 of in is T[y1][x1] - T[y0][x1] - T[y1][x0] + T[y0][x0].
//
//   Types       those of hd_scan with HD_SUM: integers to integers at least as wide, or to floats;
//               floats to the same or wider.
//   Method      a scan along x, then one along y over its result in place; work O(n), steps
//               O(log n).
//   Aliasing    out may be in itself (same address, type and strides), not exclusive; any other
//               overlap is an error.
//   Exactness   integers exactly, modulo 2^64 in i64 and u64. Floats: the one tree of numerics.md
//               along each row, then along each column of these sums, so out differs from the
//               exact sum by at most (ceil(log2 h) + ceil(log2 w)) roundings of the sum of
//               magnitudes.
//   Cost        reads in once, writes out twice and reads it once. In device memory an out with gaps,
//               as one with a border is, takes scratch of its size.
//   Returns     HD_ERROR_SHAPE if out does not fit or in has fewer than two axes, HD_ERROR_TYPE,
//               and the usual ones.
HD_API HD__CHECKED hd_status hd_integral(hd_context *ctx, hd_view in, hd_view out,
                                         const hd_integral_options *options);

typedef struct hd_box_options {
    size_t size;              // sizeof(hd_box_options), or 0: its size in version 0.1
    const hd_view *sums;      // i64 where in has integers, f64 where it has floats
    const hd_view *means;     // f32 or f64
    const hd_view *variances; // f32 or f64; of bool, integers of up to 16 bits, and floats
    const hd_view *counts;    // i64: of how many elements
} hd_box_options;

// Sum, mean and variance (dividing by the count) of the box of height x width elements around each
// one: rows y - height / 2 .. y - height / 2 + height - 1, columns alike, as far as they are in the
// image: boxes are clipped at its borders. in has two axes; the outputs that are given, at least
// one, have its shape.
//
//   Types       in: bool, integers but u64, f32, f64.
//   Method      summed-area tables of in and of its squares, then four corners of the table for
//               each element, however large the box is: work O(n), steps O(log n).
//   Aliasing    an output may overlap neither in nor another output.
//   Exactness   of integers: sums are exact modulo 2^64; a mean has the rounding of its sum to f64
//               (none below 2^53), that of the division, and for f32 one more; a variance is
//               computed from exact products, and is off by a few roundings of itself where sums
//               of squares stay below 2^53. Of floats: sums in f64, off by at most
//               4 (ceil(log2 h) + ceil(log2 w) + 1) 2^-53 times the sum of magnitudes in the whole
//               image; a variance likewise with squares, so it is of use where values do not lie
//               far from zero. It is never negative.
//   Cost        two passes a table and one an output, of 8 bytes an element each. Scratch: 16 bytes
//               an element, 40 for variances. In device memory means alone of integers of up to 16
//               bits take a table of 4 bytes an element where sums of boxes are below 2^31, boxes
//               are less than a quarter of the image along both axes and means lie without gaps.
//   Returns     HD_ERROR_ARGUMENT for a box without elements or no output, HD_ERROR_SHAPE,
//               HD_ERROR_TYPE, and the usual ones.
HD_API HD__CHECKED hd_status hd_box_statistics(hd_context *ctx, hd_view in, int64_t height,
                                               int64_t width, const hd_box_options *options);

typedef struct hd_threshold_options {
    size_t size;           // sizeof(hd_threshold_options), or 0: its size in version 0.1
    int64_t height, width; // of the box; 0: an eighth of the image's width, at least 3
    double ratio;          // how far below the mean is dark, 0 to 1; 0: 0.15. See zero_ratio
    bool zero_ratio;       // a ratio of 0 is one
    bool invert;           // dark elements are the ones that are set
    bool reserved_flags[6];
} hd_threshold_options;

// Adaptive thresholding by the mean of a box (Bradley and Roth 2007): out[y][x] is set where
// in[y][x] > (1 - ratio) * the mean of the box around it, which hd_box_statistics describes. Set
// is 1 in bool, 255 in u8. It parts ink from paper under uneven light.
//
//   Types       in: as hd_box_statistics; out: bool or u8. Both have two axes.
//   Method      in * count > sum * (1 - ratio), each side rounded once in f64.
//   Aliasing    out may not overlap in.
//   Exactness   the same bits everywhere.
//   Cost        as hd_box_statistics for a sum, and a pass more.
//   Returns     HD_ERROR_ARGUMENT for a ratio that is not in 0 .. 1, .zero_ratio with another one or
//               a box that is negative, and as hd_box_statistics.
HD_API HD__CHECKED hd_status hd_threshold(hd_context *ctx, hd_view in, hd_view out,
                                          const hd_threshold_options *options);

#ifdef __cplusplus
}
#endif

#endif
