// SPDX-License-Identifier: Apache-2.0
// A column and a row of weights in one launch of separable_strip.
#ifndef HEDDLE_GPU_STENCIL_SEPARABLE_H
#define HEDDLE_GPU_STENCIL_SEPARABLE_H

#include "grid.h"

typedef struct hd__gpu_separable {
    int64_t rows, columns, anchor_y, anchor_x;
    const void *column, *row; // of type is.sum; of the Gaussian of u8 f32 and u32
    const void *mask;         // for sums that are not finite; NULL: these stay
    uint64_t beyond;          // one sum down a column: what lies beside them
    bool gaussian;            // of u8
} hd__gpu_separable;

bool hd__gpu_separable_fits(const hd__gpu *gpu, const hd__gpu_grid_pass *p,
                            const hd__gpu_separable *how);
hd_status hd__gpu_separable_strips(hd_context *ctx, hd__gpu *gpu, const hd__gpu_grid_pass *p,
                                   const hd__gpu_separable *how);

#endif
