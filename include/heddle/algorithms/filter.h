// SPDX-License-Identifier: Apache-2.0
// hd_filter, hd_filter_sections: recursive (IIR) filters.
#ifndef HEDDLE_ALGORITHMS_FILTER_H
#define HEDDLE_ALGORITHMS_FILTER_H

#include "../../heddle.h"

#ifdef __cplusplus
extern "C" {
#endif

// Largest order of one filter: of what a and b have one coefficient less.
#define HD_MAX_FILTER_ORDER 8

typedef struct hd_filter_options {
    size_t size;              // sizeof(hd_filter_options), or 0: its size in version 0.1
    int32_t axis;             // HD_AXIS(k): along axis k; default: the last one
    hd_type accumulate;       // HD_F64: computes in f64 where in and out are f32
    bool backward;            // from the last element to the first
    bool both;                // forward, then backward over the result: no shift of phase
    bool steady;              // begins as after a long time of the first element (each way)
    bool reserved_flags[5];   // zero
    int64_t pad;              // so many elements more at each end, the signal turned about its end
                              // point (2 x[0] - x[k]): dropped again from out. Less than a row has
    const hd_view *state_in;  // the state before the first element; not with both or steady
    const hd_view *state_out; // receives the state after the last; not with both or pad
} hd_filter_options;

// out = the signal in through the filter of b and a (numbers of the host, at most
// HD_MAX_FILTER_ORDER + 1 of each, a[0] not 0), as scipy.signal.lfilter has it:
//
//     a[0] y[i] = b[0] x[i] + ... + b[p] x[i - p] - a[1] y[i - 1] - ... - a[q] y[i - q]
//
// in the transposed direct form II, whose state are max(p, q) numbers d, zero at first:
//
//     y[i] = b[0] x[i] + d[0]      d[j] = b[j + 1] x[i] - a[j + 1] y[i] + d[j + 1]
//
// The state of .state_in and .state_out has the shape of in without the axis, and then the axis of
// d; what one chunk leaves goes into the next. With .both, .steady and .pad = 3 max(p + 1, q + 1)
// this is scipy.signal.filtfilt.
//
//   Method      rows are cut into blocks of 128 elements, and those into 8 parts of 16. (1) Every
//               part of every block runs from a zero state (a map). (2) What a block does to a
//               state is an affine map, s -> M s + v; their exclusive scan (Blelloch 1990) gives
//               each block its state, M being the filter's matrix to the power of 128 times the
//               number of blocks. (3) Every part runs again, from its state (a map). The blocks'
//               idea is that of Maleki and Burtscher 2018. Work O(n (k + k^3 / 128)), steps
//               O(k log n), of order k, rounded up to 1, 2, 4 or 8.
//   Aliasing    out may be in itself (same address, type and strides); any other overlap is an
//               error, and so is one of a state with anything.
//   Exactness   f32 where in and out are f32 (coefficients are rounded to it), else f64. The same
//               bits on every backend: each part is a loop with every operation rounded, the scan
//               is the one tree over blocks, powers of the matrix are made in f64. To first order
//               |out - exact| <= 8 (k + 1) n u G^3 T, where G is the greatest norm (of row sums)
//               of a power of the matrix, and T the greatest |b| |x| + |a| |y| + |d| met; a filter
//               that decays forgets old errors, and stays far below. Chunks that states join are
//               blocks of their own: their bits may differ from those of one call.
//   Cost        reads in twice and writes out once; other layouts than a row and types than the
//               computation's once more.
//   Returns     HD_ERROR_VALUE for coefficients that are not finite, a[0] = 0, or .steady of a
//               filter whose answer to a constant has no end; HD_ERROR_TYPE where in or out is not
//               f32 or f64; HD_ERROR_SHAPE, and the usual ones.
HD_API HD__CHECKED hd_status hd_filter(hd_context *ctx, hd_view in, hd_view b, hd_view a,
                                       hd_view out, const hd_filter_options *options);

// The same through sections one after another, each of order 2: the rows of `sections` (numbers of
// the host, s rows of 6) are b[0], b[1], b[2], a[0], a[1], a[2], as scipy.signal.sosfilt has them.
// Filters of higher orders are far more accurate so. A state has, after in's shape without the
// axis, the axes (s, 2). With .both, .steady and a .pad it is sosfiltfilt.
//
//   Method, aliasing, exactness and cost: those of hd_filter, section after section.
//   Returns     as hd_filter; the text names the section.
HD_API HD__CHECKED hd_status hd_filter_sections(hd_context *ctx, hd_view in, hd_view sections,
                                                hd_view out, const hd_filter_options *options);

#ifdef __cplusplus
}
#endif

#endif
