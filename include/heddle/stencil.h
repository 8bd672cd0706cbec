// SPDX-License-Identifier: Apache-2.0
// hd_stencil: a fixed neighbourhood in one to three dimensions, once or for many time steps.
#ifndef HEDDLE_STENCIL_H
#define HEDDLE_STENCIL_H

#include "border.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hd_stencil_options {
    size_t size;                 // sizeof(hd_stencil_options), or 0: its size in version 0.1
    const hd_function *function; // instead of weights: out = function(neighbour 0, 1, ..., k - 1),
                                 // k up to 8, of in's type; its result has out's type
    int32_t border;              // hd_border, HD_BORDER_KEEP too
    int32_t channels;            // hd_channels: needed where in has more axes than d
    double constant;             // of HD_BORDER_CONSTANT
    int64_t iterations;          // 0 is 1: so many times, each over the last one's result
} hd_stencil_options;

// out[p] = sum over t of weights[t] * in[p + offsets[t]], or function(in[p + offsets[0]], ...), at
// every point p of the last d axes of in (before the channels); axes before them are batches. out
// has the shape of in.
//
// offsets are k rows of d integers: where each neighbour lies, as (z, y, x), (y, x) or (x); for
// d = 1 also k integers of one axis. weights are k numbers. Without offsets (HD_EMPTY) weights are
// a box of d = 1 to 3 axes around its middle (size / 2); with .function they are empty.
//
//   Types       as hd_convolve; several iterations need out to have the type of in, since each
//               rounds to it. KEEP needs that too. Functions: any types that fit, structures too.
//   Aliasing    out may not overlap in.
//   Exactness   fused multiply-adds in the order of the offsets (a box: row-major), the first
//               being the plain product; as many steps as asked for have the bits of one call a
//               step. f64 weights that sum to exactly zero still do after they are rounded to the
//               f32 of the sums ("Differences" in numerics.md). Same bits on every backend,
//               instruction set and number of threads.
//   Cost        k multiply-adds a point and step. Steps are taken several at a time while a block
//               is in cache, so that memory is passed over less often than once a step. Steps
//               above one allocate an array of in's size.
//   Returns     HD_ERROR_SHAPE, HD_ERROR_TYPE, HD_ERROR_ALIAS, HD_ERROR_ARGUMENT (neither weights
//               nor function, negative steps, an offset above 2^31, unknown border, a weight that
//               is finite but too great for the type of the sums, weights that all round to zero in
//               it) and the usual.
HD_API HD__CHECKED hd_status hd_stencil(hd_context *ctx, hd_view in, hd_view offsets,
                                        hd_view weights, hd_view out,
                                        const hd_stencil_options *options);

// ---- Finite differences ----------------------------------------------------------------------

#define HD_MAX_DIFFERENCE 9  // weights of one axis at order 8
#define HD_MAX_LAPLACIAN  25 // of three axes

// The weights of the central difference for a derivative (1 or 2) with an error of spacing^order
// (order 2, 4, 6 or 8), at -order/2 .. order/2 spacings: order + 1 of them, the count it returns,
// or 0 for what it does not know, for a spacing so small that a weight or a sum of weights would be
// infinite, and for one so large that a weight would be below the least normal f64. Each is the
// textbook's fraction over spacing^derivative, rounded to a whole multiple of one power of two,
// 2^-53 of the sum of magnitudes or less; their sum is exactly zero, and stays so in f64 in any
// order.
HD_API int32_t hd_finite_difference(int32_t derivative, int32_t order, double spacing,
                                    double *weights);

// The same for the Laplacian in 1 to 3 dimensions: dims * order + 1 weights, with their offsets
// (dims integers each) in row-major order of the points. Returns their count, or 0. A field of one
// value that is a power of two gives exactly 0; of another value c, up to the roundings of the sum:
// count * u times |c| times the sum of magnitudes, where u is 2^-53, or 2^-24 in f32.
HD_API int32_t hd_laplacian(int32_t dims, int32_t order, double spacing, int64_t *offsets,
                            double *weights);

#ifdef __cplusplus
}
#endif

#endif
