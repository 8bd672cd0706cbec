// SPDX-License-Identifier: Apache-2.0
// Gathering views of the device, for other passes.
#ifndef HEDDLE_GPU_MOVE_GATHER_H
#define HEDDLE_GPU_MOVE_GATHER_H

#include "patterns/move/gather.h"
#include "gpu/gpu.h"

// One launch. ~i of the first bad index is left at `bad`, where it is not 0. Nothing is done where
// the 64-bit number at `stop`, if it is not 0, is not 0.
hd_status hd__gpu_gather_launch(hd_context *ctx, hd__gpu *gpu, const hd__gather_job *job,
                                hd__gpu_address bad, hd__gpu_address stop);

#endif
