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
    const hd_comparison *comparison; // the first k in this order; NULL: numbers, the greatest first
    bool smallest;                   // numbers: the smallest first
    bool reserved_flags[7];
} hd_top_k_options;

// values[0 .. k - 1] = the k greatest elements of in, the greatest first, and indices where they
// stand in in (in row-major order): the first k of a stable sort. 0 <= k <= n. Either output may be
// left empty; values has the type of in, indices i32, u32, i64 or u64, and both k elements.
//
//   Order       as hd_sort: among equals the lowest index first; +0 is greater than -0; NaN comes
//               last, so none is among the k unless fewer than k elements are numbers.
//   Aliasing    the outputs may not overlap in or each other.
//   Exactness   elements are moved as they are. There is one right answer, and every backend gives
//               it.
//   Cost        reads each element once, and writes little where k is small: what cannot be among
//               the k is skipped at the speed of memory. Scratch: up to 64 * k bytes for numbers,
//               and a block of elements per thread; where k is a large part of n, that of a sort.
//   Returns     HD_ERROR_ARGUMENT if k is not in 0 .. n, HD_ERROR_SHAPE if an output has not k
//               elements, and the usual ones.
HD_API HD__CHECKED hd_status hd_top_k(hd_context *ctx, hd_view in, int64_t k, hd_view values,
                                      hd_view indices, const hd_top_k_options *options);

#ifdef __cplusplus
}
#endif

#endif
