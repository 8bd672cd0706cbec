// SPDX-License-Identifier: Apache-2.0
// The weights of hd_blur: the same bits on every machine, by an exp of the library's own.
#ifndef HEDDLE_PATTERNS_STENCIL_GAUSSIAN_H
#define HEDDLE_PATTERNS_STENCIL_GAUSSIAN_H

#include <stdint.h>

// exp(x) for x <= 0, within two units in the last place: plain double arithmetic.
double hd__exp_negative(double x);

// The unit of whole weights: 2^-15 each.
#define HD__BLUR_ONE 32768

// g[0 .. radius], scaled so that g[0] + 2 (g[1] + ... + g[radius]) is about 1. f64.
void hd__gaussian(double sigma, int64_t radius, double *g);

// The same as multiples of 2^-15 whose sum, counted as above, is exactly HD__BLUR_ONE. The sum from
// any distance outwards is right to half a unit.
void hd__gaussian_whole(double sigma, int64_t radius, double *scratch, uint64_t *w);

// The largest sigma of boxes: the sums of three keep within 64 bits.
#define HD__BLUR_WIDEST_BOXES 16384.0

// Three odd widths whose boxes together have about the variance sigma^2; box[k] is a radius.
void hd__three_boxes(double sigma, int64_t box[3]);

// The weights of the three boxes one after another, at distance 0 .. sum of the radii.
void hd__boxes_whole(const int64_t box[3], uint64_t *scratch, uint64_t *w);

#endif
