// SPDX-License-Identifier: Apache-2.0
// hd_compact, hd_partition: elements chosen by a flag, by a predicate or by the number of a bucket.
#ifndef HEDDLE_SELECT_H
#define HEDDLE_SELECT_H

#include "../heddle.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- Compact --------------------------------------------------------------------------------

typedef struct hd_compact_options {
    size_t size;          // sizeof(hd_compact_options), or 0: its size in version 0.1
    const hd_view *flags; // in's shape, bool or any integer: elements whose flag is not 0 are kept
    // Elements with keep(in[i], with[0][i], ...) not 0 are kept; it returns bool or an integer
    const hd_function *keep;
    hd_views with;          // the further inputs of keep: as in hd_map_options
    const hd_view *indices; // receives the index, in row-major order, of each element kept: any
                            // integer type that holds in's largest; as large as out must be
    bool invert;            // keeps what would be dropped
    bool reserved_flags[7];
} hd_compact_options;

// out = the elements of in, in row-major order, that are kept, one after another; count, a view of
// one i64, receives how many. Where count is on a device and so are the others, the call waits for
// nothing, and too little room is no error. Kept are those that flags or keep say; with neither of
// them, those that are not zero (-0 is zero, NaN is not). out may be empty (HD_EMPTY) where only
// the indices or the count are wanted.
//
//   Aliasing    out may be in itself, flags or a view of with (same address, type, shape and
//               strides); any other overlap of an output with a view of the call is an error.
//   Exactness   stable: elements keep their order, and their bits.
//   Cost        reads each element and flag once, writes each kept element once.
//   Returns     HD_ERROR_SHAPE if out or indices have fewer elements than are kept: the text says
//               how many there are, count too, and the first ones that fit have been written;
//               HD_ERROR_ARGUMENT if count is empty, and the usual ones.
HD_API HD__CHECKED hd_status hd_compact(hd_context *ctx, hd_view in, hd_view out, hd_view count,
                                        const hd_compact_options *options);

// ---- Partition ------------------------------------------------------------------------------

typedef struct hd_partition_options {
    size_t size;             // sizeof(hd_partition_options), or 0: its size in version 0.1
    const hd_view *flags;    // two ways: as in hd_compact_options
    const hd_function *keep; // two ways: as in hd_compact_options
    const hd_view *buckets;  // many ways: in's shape, any integer: the bucket of each element
    // Many ways: the bucket is bucket(in[i], with[0][i], ...), an integer
    const hd_function *bucket;
    hd_views with;          // the further inputs of keep or bucket: as in hd_map_options
    int64_t ways;           // how many buckets there are: 1 .. 2^30; 0: two ways
    const hd_view *offsets; // receives where each bucket begins in out, and n: ways + 1 integers
    const hd_view *indices; // receives the index in in of each element of out
    bool invert;            // two ways: the dropped ones come first
    bool reserved_flags[7];
} hd_partition_options;

// out = all elements of in, those of the first bucket first, then those of the next. Two ways: the
// kept elements (see hd_compact), then the others. Many ways: bucket 0, bucket 1, ..., bucket
// ways - 1. counts[k] = how many there are in bucket k: two, or `ways` integers; it may be empty
// (HD_EMPTY). out has as many elements as in.
//
//   Aliasing    no output may overlap a view of the call.
//   Exactness   stable: within each bucket elements keep their order, and their bits.
//   Cost        reads the elements twice where a function tells their bucket, else once, and the
//               flags or buckets twice at most; writes each element once. On cores a function is
//               asked once an element. Scratch: a bit an element (two ways), or a count a bucket
//               and thread, and 4 bytes an element for what a function tells; where the elements
//               are far fewer than the buckets, a few words an element. counts and offsets are
//               written as a whole, an integer a bucket, however few elements there are.
//   Returns     HD_ERROR_VALUE for a bucket that is not in 0 .. ways - 1 (the text names the
//               element), HD_ERROR_SHAPE if out, counts or offsets have not the right size,
//               HD_ERROR_TYPE if counts, offsets or indices cannot hold n, and the usual ones.
HD_API HD__CHECKED hd_status hd_partition(hd_context *ctx, hd_view in, hd_view out, hd_view counts,
                                          const hd_partition_options *options);

#ifdef __cplusplus
}
#endif

#endif
