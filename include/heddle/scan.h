// SPDX-License-Identifier: Apache-2.0
// hd_scan: every prefix reduced.
#ifndef HEDDLE_SCAN_H
#define HEDDLE_SCAN_H

#include "../heddle.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hd_scan_options {
    size_t size;    // sizeof(hd_scan_options), or 0: its size in version 0.1
    int32_t axis;   // HD_AXIS(k): scan along axis k; default: everything, row-major
    bool exclusive; // out[i] is over the elements before i
    bool backward;  // scans the reversed sequence: out[i] is over i, i + 1, ..., last first
    bool monotone;  // outputs never fall: each is the greatest of the plain scan's up to it
    bool reserved_flags[1];
    int32_t ddof;            // as in hd_reduce_options
    hd_type accumulate;      // as in hd_reduce_options
    const void *init;        // one element of out's type, combined on the left, last
    const hd_view *segments; // offsets (any integer type), never falling, within 0 .. n: a new
                             // segment starts at each
    const hd_view *keys; // n keys: a new segment starts where the key differs from its neighbour
    const hd_function *map;
    hd_views with;
    const hd_view *values; // ARGMIN, ARGMAX: receives the running extreme itself (may be NULL)
    hd_carry *carry;
    const hd_view *residual; // as in hd_reduce_options, for each element of out
    const hd_view *bound;
    const hd_comparison *comparison; // of keys, as in hd_reduce_options
} hd_scan_options;

// out[i] = in[0] op ... op in[i] (inclusive), or in[0] op ... op in[i - 1] (exclusive; out[0] is
// init, or else the operator's empty value).
//
//   Aliasing    out may be in itself (same address, type and strides), also any .with view; any
//               other overlap is an error.
//   Exactness   out[i] has the bits of hd_reduce over the first i + 1 elements. With segments or
//               keys: the same tree over (head, value) pairs on the absolute index.
//   Monotone    Rounded sums of non-negative numbers may fall by a rounding where a node of the
//               tree fills, so a search in them can fail. With .monotone out[i] is the running
//               maximum of the outputs without it, as HD_MAX has it (a NaN stays), in the order of
//               the scan: it restarts at each row, segment or run, and goes on through a carry.
//               Operators whose outputs are ordered numbers: sums, PRODUCT, MIN, MAX, MEAN,
//               VARIANCE, and a user's over a number. Not with .residual or .bound.
//   Cost        reads and writes each element once; with .monotone out once more, on the cpu while
//               it is in the cache.
//   Returns     as hd_reduce. An exclusive scan without init needs an operator with an identity.
HD_API HD__CHECKED hd_status hd_scan(hd_context *ctx, hd_view in, const hd_operator *op,
                                     hd_view out, const hd_scan_options *options);

#ifdef __cplusplus
}
#endif

#endif
