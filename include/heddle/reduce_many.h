// SPDX-License-Identifier: Apache-2.0
// hd_reduce_many: several reductions of the same elements in one pass.
#ifndef HEDDLE_REDUCE_MANY_H
#define HEDDLE_REDUCE_MANY_H

#include "../heddle.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hd_reduce_many_options {
    size_t size;            // sizeof(hd_reduce_many_options), or 0: its size in version 0.1
    int32_t axis;           // HD_AXIS(k): reduce along axis k alone; each output has the other axes
    int32_t ddof;           // VARIANCE divides by count - ddof
    const hd_function *map; // each element is map(in[i], with[0][i], ...), computed once for all
                            // results; along an axis and on a GPU once for each
    hd_views with;
    // m + 1 offsets (any integer type), never falling, within 0 .. n: element j of each output is
    // the reduction of in[offset[j]] .. in[offset[j + 1] - 1]
    const hd_view *segments;
} hd_reduce_many_options;

// Output k of `out` receives the reduction of in by operator k of `operators`, which are as many:
// the least, the greatest and the sum of an array by
//
//     hd_reduce_many(ctx, HD_VIEW(x, n), HD_OPERATORS(HD_MIN, HD_MAX, HD_SUM),
//                    HD_VIEWS(HD_VIEW(&least, 1), HD_VIEW(&greatest, 1), HD_VIEW(&sum, 1)), NULL);
//
// At most HD_MAX_RESULTS of them, built-in or the user's, each with an output of any type that
// hd_reduce allows it. DOT, which reads a second array, is refused. An operator may come more than
// once, with outputs of several types.
//
//   Aliasing    outputs may overlap neither an input nor each other.
//   Exactness   each output has the bits of hd_reduce with its operator.
//   Cost        on the cores reads each element from memory once: a chunk of the input is reduced
//               by each operator while it is in the cache. Along an axis that holds where the
//               elements of one output fit the cache. Segments are reduced a group of them at a
//               time, whose elements fit the cache. A GPU reads the input once an operator.
//   Returns     HD_ERROR_ARGUMENT for more results than HD_MAX_RESULTS or not as many operators as
//               outputs, and what hd_reduce returns; the text names the output.
HD_API HD__CHECKED hd_status hd_reduce_many(hd_context *ctx, hd_view in, hd_operators operators,
                                            hd_views out, const hd_reduce_many_options *options);

#define HD_MAX_RESULTS 64

#ifdef __cplusplus
}
#endif

#endif
