// SPDX-License-Identifier: Apache-2.0
// hd_map: a function of every element; copies and conversions.
#ifndef HEDDLE_MAP_H
#define HEDDLE_MAP_H

#include "../heddle.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hd_map_options {
    size_t size; // sizeof(hd_map_options), or 0: its size in version 0.1
    // The function's other inputs: .with = HD_VIEWS(b, c). Each has the shape of in, or one
    // element, which goes with every element of in (hd_constant(x, 1), or a view of one), or it is
    // implicit and has as many elements as in, in row-major order (a progression not with an
    // axis). So wherever functions take .with
    hd_views with;
} hd_map_options;

// out[i] = function(in[i], with[0][i], with[1][i], ...), over any dimensions and strides:
//
//     HD_FUNCTION(axpy, float, HD_NO_SOURCE, (float, a, float, b), { return 2 * a + b; })
//     hd_map(ctx, HD_VIEW(a, n), axpy, HD_VIEW(y, n),
//            &(hd_map_options){.with = HD_VIEWS(HD_VIEW(b, n))});
//
// Without a function (NULL): out[i] = in[i], converted to out's type. So a transposed copy, a copy
// with gaps, a fill (in = hd_constant(x, n)), a cast are all this call. Integers wrap, and become
// the nearest float; floats round to nearest even; a float becomes the integer towards zero, or
// the nearest one the type has (NaN: 0); anything but zero becomes true. Structures are copied as
// they are.
//
// A function that only prepares what another pattern takes in is better given to that pattern
// (.map of hd_reduce, hd_scan, hd_gather, ...): nothing is then written in between.
//
//   Aliasing    out may be in itself or a view of with (same address, type and strides); any other
//               overlap is an error.
//   Exactness   each element is the function's own result, without contraction: the same bits
//               everywhere, also of hd_exp and its kind (heddle/math.h); exp is the C library's.
//   Cost        reads each input once and writes out once. Threads only where they pay.
//   Returns     HD_ERROR_TYPE where the inputs or out have not the function's types, HD_ERROR_SHAPE
//               where shapes differ, and the usual ones.
HD_API HD__CHECKED hd_status hd_map(hd_context *ctx, hd_view in, const hd_function *function,
                                    hd_view out, const hd_map_options *options);

#ifdef __cplusplus
}
#endif

#endif
