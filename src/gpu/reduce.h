// SPDX-License-Identifier: Apache-2.0
// The two ways of a reduction on a GPU.
#ifndef HD__GPU_REDUCE_H
#define HD__GPU_REDUCE_H

#include "gpu/gpu.h"

// Everything into one element, of views on the device: one launch. n > 0.
hd_status hd__gpu_reduce_tiles(hd_context *ctx, hd__gpu *gpu, const hd__reduce_job *job);

// Rows or segments, of any views.
hd_status hd__gpu_reduce_slices(hd_context *ctx, const hd__reduce_job *job);

#endif
