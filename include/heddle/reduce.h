// SPDX-License-Identifier: Apache-2.0
// hd_reduce: many elements to one.
#ifndef HEDDLE_REDUCE_H
#define HEDDLE_REDUCE_H

#include "../heddle.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hd_reduce_options {
    size_t size;      // sizeof(hd_reduce_options), or 0: its size in version 0.1
    int32_t axis;     // HD_AXIS(k): reduce along axis k alone; out has the other axes
    int32_t ddof;     // VARIANCE divides by count - ddof
    const void *init; // one element of out's type, combined on the left, last; not for ARG and
                      // not for MEAN, VARIANCE
    // m + 1 offsets (any integer type), never falling, within 0 .. n: out[j] is the reduction of
    // in[offset[j]] .. in[offset[j + 1] - 1]
    const hd_view *segments;
    const hd_view *keys;     // n keys: out[j] is the reduction of the j-th run of equal keys
    const hd_view *keys_out; // with keys: receives the key of each run (may be NULL)
    const hd_view *runs;     // with keys: one i64, receives the number of runs
    const hd_function *map;  // each element is map(in[i], with[0][i], ...)
    hd_views with;
    const hd_view *values; // ARGMIN, ARGMAX: receives the values themselves (may be NULL)
    hd_carry *carry;       // this call continues the last one with the same carry
    // HD_F64: the type of the tree, wider than that of out; 0: out's own, or f32. For SUM, PRODUCT,
    // MEAN, DOT, SUM_COMPENSATED into a float
    hd_type accumulate;
    uint32_t reserved_32;
    // SUM_COMPENSATED: receives what out had no room for, so that out + residual is nearer to the
    // sum than out; out's shape and type (may be NULL)
    const hd_view *residual;
    // SUM, SUM_COMPENSATED into a float: receives a number that |out - the exact sum| does not
    // exceed; out's shape, f64 or out's type (may be NULL). Not with residual; .accumulate as
    // above. Infinite where the sum is not finite
    const hd_view *bound;
    // A filter: in's shape, bool or any integer; elements whose flag is 0 take no part. The words
    // are those of hd_compact
    const hd_view *flags;
    // A filter: elements for which keep(in[i], with[0][i], ...) is 0 take no part; it returns bool
    // or an integer, and takes in alone, or views of with too, the first ones, as many as it has
    // inputs. Not with flags
    const hd_function *keep;
    bool invert; // with flags or keep: those take part that else would not
    bool reserved_flags[7];
    // With keys: two neighbours are of one run where neither comes before the other; NULL: where
    // they are equal, as in heddle/runs.h
    const hd_comparison *comparison;
} hd_reduce_options;

// out = in[0] op in[1] op ... op in[n - 1], over everything in row-major order (out has one
// element), or along an axis (out has the shape of in without it), or for each segment or run of
// equal keys (one dimension; out has one element for each, or, with keys, at least as many).
//
// With .flags or .keep over those elements alone that these let in: the result has the bits of
// hd_compact followed by hd_reduce, without the copy in between. An index that ARGMIN or ARGMAX
// gives is still that in in. Over everything, so not with axis, segments or keys.
//
//   Aliasing    out, values, residual, bound and keys_out may not overlap an input or each other.
//   Exactness   the one tree of numerics.md over the index within the row, segment or run:
//               the same bits on every backend, instruction set and number of threads.
//   Cost        reads each element once. Threads only where they pay (above about 2^15 elements).
//   Returns     HD_ERROR_VALUE for offsets that fall or leave 0 .. n, HD_ERROR_SHAPE if out does
//               not fit (for keys: the text says how many runs there are), and the usual ones.
HD_API HD__CHECKED hd_status hd_reduce(hd_context *ctx, hd_view in, const hd_operator *op,
                                       hd_view out, const hd_reduce_options *options);

#ifdef __cplusplus
}
#endif

#endif
