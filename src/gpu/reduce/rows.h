// SPDX-License-Identifier: Apache-2.0
// Rows along an axis of views on the device.
#ifndef HEDDLE_GPU_REDUCE_ROWS_H
#define HEDDLE_GPU_REDUCE_ROWS_H

#include "gpu/gpu.h"

// Rows from which each has a launch of its own, if there are few: a warp takes 100 us for so many
// elements.
#define HD__GPU_LONG_ROW  ((int64_t)1 << 17)
#define HD__GPU_MANY_ROWS 512

// The same view with an axis moved behind the others: its rows follow each other in row-major
// order.
static inline void hd__gpu_move_axis_last(hd_view *v, int32_t axis)
{
    const int64_t shape = v->shape[axis], stride = v->stride[axis];
    for (int k = axis; k + 1 < v->ndim; k++) {
        v->shape[k] = v->shape[k + 1];
        v->stride[k] = v->stride[k + 1];
    }
    v->shape[v->ndim - 1] = shape;
    v->stride[v->ndim - 1] = stride;
    hd__collapse(v);
}

#endif
