// SPDX-License-Identifier: Apache-2.0
// hd_top_k: the greatest few, in order.
#ifndef HEDDLE_TOP_K_H
#define HEDDLE_TOP_K_H

#include "../heddle.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hd_top_k_options {
    size_t size;                     // sizeof(hd_top_k_options), or 0: its size in version 0.1
    const hd_comparison *comparison; // the order of the keys; NULL: numbers in their own order
    // Receives where each of the k stands in keys_in (with an axis: in its row), in row-major
    // order: i32, u32, i64 or u64, the shape of keys_out
    const hd_view *indices;
    int32_t axis;   // HD_AXIS(j): the k greatest of each row along axis j; default: of everything
    bool ascending; // the k smallest, the smallest first: what comes first in the order
    bool reserved_flags[3];
} hd_top_k_options;

// keys_out = the k greatest keys, the greatest first, and each output of values what its input has
// for them: the first k of hd_sort with .descending (with .ascending: without it).
//
//     hd_top_k(ctx, scores, 3, HD_EMPTY, HD_VALUES(names, HD_VIEW(podium, 3)), NULL);
//
// 0 <= k <= n. keys_out and the outputs of values have k elements; with an axis the shape of
// keys_in, but k along it. The inputs of values have the shape of keys_in. keys_out may be left
// empty where only values or indices matter.
//
//   Order       as hd_sort: among equals the lowest index first; +0 is greater than -0; NaN comes
//               last, so none is among the k unless fewer than k elements are numbers. Of a
//               comparison the greatest is what comes last.
//   Aliasing    the outputs may not overlap an input or each other.
//   Exactness   elements are moved as they are. There is one right answer, and every backend gives
//               it.
//   Cost        reads each element once, and writes little where k is small: what cannot be among
//               the k is skipped at the speed of memory. Scratch: up to 64 * k bytes for numbers,
//               and a block of elements per thread; where k is a large part of n, that of a sort.
//   Returns     HD_ERROR_ARGUMENT if k is not in 0 .. n, HD_ERROR_SHAPE if an output has not k
//               elements, and the usual ones.
HD_API HD__CHECKED hd_status hd_top_k(hd_context *ctx, hd_view keys_in, int64_t k, hd_view keys_out,
                                      hd_views values, const hd_top_k_options *options);

#ifdef __cplusplus
}
#endif

#endif
