// SPDX-License-Identifier: Apache-2.0
// The text of a map by several functions of the same elements.
#ifndef HEDDLE_GPU_CODEGEN_EMIT_MAP_MANY_H
#define HEDDLE_GPU_CODEGEN_EMIT_MAP_MANY_H

#include "emit_kernel.h"

enum { HD__GPU_FUNCTIONS_MAX = 8 }; // of a kernel, whose parameters have 4 KiB

typedef struct hd__gpu_functions {
    int32_t count;
    const hd_function *map[HD__GPU_FUNCTIONS_MAX]; // NULL: the first input; none has a state
    hd__gpu_layout out[HD__GPU_FUNCTIONS_MAX];     // numbers, as inputs and results are
} hd__gpu_functions;

// Whether the functions can stand in one text: as above, and of one source.
bool hd__gpu_joins(const hd__gpu_functions *f);

void hd__gpu_emit_map_many(hd__gpu_text *t, const hd__gpu_kernel_config *config,
                           const hd__gpu_functions *f);

#endif
