// SPDX-License-Identifier: Apache-2.0
// The order of rows and segments from the order of everything.
#ifndef HEDDLE_GPU_SEGMENT_SORT_SLICE_ORDER_H
#define HEDDLE_GPU_SEGMENT_SORT_SLICE_ORDER_H

#include "gpu/gpu.h"

typedef struct hd__gpu_slice_order {
    int64_t n;       // elements, 1 at least
    int64_t length;  // of a row; 0: segments
    hd_view offsets; // of the device or implicit; checked there
    hd_type type;    // of indices: HD_U32 or HD_U64
    hd__gpu_address order;
} hd__gpu_slice_order;

// `order` has which element comes first of all, second and so on, and then, row after row, which
// comes first there: what is in no segment stays where it is. Some permutation where offsets are
// bad.
hd_status hd__gpu_slice_order_run(hd_context *ctx, hd__gpu *gpu, const hd__gpu_slice_order *a);

#endif
