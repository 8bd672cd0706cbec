// SPDX-License-Identifier: Apache-2.0
// Maps of structures: which inputs and outputs go through shared memory, and where they lie there.
#ifndef HEDDLE_GPU_CODEGEN_EMIT_STRUCTURES_H
#define HEDDLE_GPU_CODEGEN_EMIT_STRUCTURES_H

#include "emit_kernel.h"

enum { HD__GPU_UNSTAGED = -1 };

// Bytes of a warp's part of shared memory, and where in it 32 elements of each view begin.
typedef struct hd__gpu_staging {
    int32_t at[HD_MAX_INPUTS], out; // HD__GPU_UNSTAGED: read or written where they are
    int32_t bytes;
} hd__gpu_staging;

// Structures one after another go there, the first ones first as long as they fit.
hd__gpu_staging hd__gpu_stage_structures(const hd__gpu_kernel_config *config);

// hk_bring, hk_apply and hk_take of map_structures.cu.
void hd__gpu_emit_structures(hd__gpu_text *t, const hd__gpu_kernel_config *config,
                             const hd_function *map);

#endif
