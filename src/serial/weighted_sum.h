// SPDX-License-Identifier: Apache-2.0
// Weighted sums of neighbours as they are defined: a list of offsets and weights, point by point.
// What convolution, blur over floats and stencils have in common.
#ifndef HEDDLE_SERIAL_WEIGHTED_SUM_H
#define HEDDLE_SERIAL_WEIGHTED_SUM_H

#include "patterns/stencil/grid.h"

typedef struct hd__mask_offsets {
    int64_t count;
    const int64_t (*offset)[3]; // z, y, x
    const void *weight;         // of type grid.sum
    bool *not_finite;           // set where a sum is not; or NULL
} hd__mask_offsets;

// out[p] = sum of weight[t] * in[p + offset[t]] for every point: fused multiply-adds from -0 on, in
// the order of the offsets.
hd_status hd__weighted_sum(hd_context *ctx, const hd__grid *grid, const hd__mask_offsets *mask);

#endif
