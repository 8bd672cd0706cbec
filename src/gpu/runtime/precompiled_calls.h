// SPDX-License-Identifier: Apache-2.0
// Calls that most programs make of a GPU: heddle doctor --warm makes them to fill the folder of
// compiled kernels, and the build, for the kernels that the library brings along.
#ifndef HEDDLE_GPU_RUNTIME_PRECOMPILED_CALLS_H
#define HEDDLE_GPU_RUNTIME_PRECOMPILED_CALLS_H

#include "heddle.h"

// How many there are; and call k, on small arrays of the context's device. *name says what it was.
int32_t hd__gpu_precompiled_calls(void);
hd_status hd__gpu_precompiled_call(hd_context *ctx, int32_t k, const char **name);

// How its kernels are part of the library: the less common ones in one form alone.
typedef enum hd__gpu_precompiled_form {
    HD__GPU_PRECOMPILED_BOTH,
    HD__GPU_PRECOMPILED_PTX,
    HD__GPU_PRECOMPILED_CODE
} hd__gpu_precompiled_form;
hd__gpu_precompiled_form hd__gpu_precompiled_call_form(int32_t k);

// Whether it is a sum, or folds nothing, of i32, f32 or f64; whether it scans arrays of the device;
// whether it is one of arrays of the host, whose kernels for large ones the setting stage_bytes
// calls for.
bool hd__gpu_precompiled_call_is_sum(int32_t k);
bool hd__gpu_precompiled_call_is_scan(int32_t k);
bool hd__gpu_precompiled_call_is_large(int32_t k);
bool hd__gpu_precompiled_call_is_sort(int32_t k);

// A setting of HEDDLE_TUNE by which a sort of few keys has the kernels of a large one (8), of two
// sizes between (4, 2), and of what one block sorts.
const char *hd__gpu_precompiled_sorts(int rows);

#endif
