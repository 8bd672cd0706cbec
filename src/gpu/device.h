// SPDX-License-Identifier: Apache-2.0
//
// The contract between the passes of the GPU backend and a GPU. Two makers fulfil it: the CUDA
// driver and the model machine. Everything a pass may ask for is here; all of it is asynchronous in
// the order of calls, except where it says "waits".
#ifndef HD__DEVICE_H
#define HD__DEVICE_H

#include "core/context.h"

typedef struct hd__device hd__device;
typedef struct hd__device_kernel hd__device_kernel;
typedef uint64_t hd__device_pointer;

typedef struct hd__device_properties {
    char name[64];
    int32_t arch; // 90 for sm_90
    int32_t multiprocessors, threads_each, blocks_each;
    int64_t shared_each, shared_block; // bytes of a multiprocessor; the most a block may have
    int64_t registers_each;
    int64_t l2_bytes, memory_bytes;
} hd__device_properties;

typedef struct hd__device_launch {
    int32_t grid[3], block[3];
    int32_t shared_bytes;
    const void *const *arguments;
} hd__device_launch;

// Every function leaves the text of its error in the context it is given.
typedef struct hd__device_maker {
    const char *name; // "cuda", "model"
    // Opens device `number`; HD_ERROR_BACKEND if there is none, with the reason.
    hd_status (*open)(hd_context *ctx, int32_t number, hd__device **device);
    void (*close)(hd__device *device);
    const hd__device_properties *(*properties)(const hd__device *device);

    hd_status (*allocate)(hd_context *ctx, hd__device *device, size_t bytes, hd__device_pointer *p);
    void (*release)(hd__device *device, hd__device_pointer p, size_t bytes);
    hd_status (*fill)(hd_context *ctx, hd__device *device, hd__device_pointer p, int value,
                      size_t bytes);
    hd_status (*upload)(hd_context *ctx, hd__device *device, hd__device_pointer to,
                        const void *from, size_t bytes);
    hd_status (*download)(hd_context *ctx, hd__device *device, void *to, hd__device_pointer from,
                          size_t bytes); // waits
    hd_status (*copy)(hd_context *ctx, hd__device *device, hd__device_pointer to,
                      hd__device_pointer from, size_t bytes);

    // A kernel of a text (preamble and source); the same text gives the same kernel again.
    hd_status (*compile)(hd_context *ctx, hd__device *device, const char *text, const char *name,
                         hd__device_kernel **kernel);
    hd_status (*launch)(hd_context *ctx, hd__device *device, const hd__device_kernel *kernel,
                        const hd__device_launch *how);
    hd_status (*wait)(hd_context *ctx, hd__device *device); // delivers faults

    // Milliseconds between two marks, once both have passed: waits.
    hd_status (*mark)(hd_context *ctx, hd__device *device, int32_t which);
    hd_status (*between)(hd_context *ctx, hd__device *device, int32_t from, int32_t to, double *ms);
} hd__device_maker;

extern const hd__device_maker hd__model_maker;

#endif
