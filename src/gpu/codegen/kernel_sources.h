// SPDX-License-Identifier: Apache-2.0
// The embedded files of kernels: made by cmake/kernels.cmake, which has resolved their includes.
#ifndef HEDDLE_GPU_CODEGEN_KERNEL_SOURCES_H
#define HEDDLE_GPU_CODEGEN_KERNEL_SOURCES_H

#include <stddef.h>

typedef struct hd__gpu_source {
    const char *name; // as it is included: "device/warp.cuh"; NULL ends a list
    const char *text; // NULL: generated for each call
} hd__gpu_source;

// The files of a kernel in the order of inclusion, its own last, by the name of its file without
// .cu, which is that of its function; or the one file sum_outputs.h. NULL: no such.
const hd__gpu_source *hd__gpu_kernel_sources(const char *kernel);

#endif
