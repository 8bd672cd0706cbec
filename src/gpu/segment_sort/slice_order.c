// SPDX-License-Identifier: Apache-2.0
//
// Rows and segments of elements that have been sorted as one: a stable radix sort by where the row
// or segment of each begins. For orders that the kernels of segments do not have: a comparison of
// the user's, bool, and indices of 64 bits.
#include "slice_order.h"
#include "gpu/sort/sort_arrays.h"

#include <string.h>

enum { THREADS = 256, BLOCKS = 8 }; // of a multiprocessor

// hk_slice_starts of sort_slice_starts.cu.
typedef struct slice_starts {
    int64_t n, length, offsets;
    hd__gpu_address order, start, fault;
} slice_starts;

static hd_status find_starts(hd_context *ctx, hd__gpu *gpu, const hd__gpu_slice_order *a,
                             hd__gpu_address start)
{
    hd__gpu_kernel_config config;
    hd__gpu_kernel *kernel;
    const hd__gpu_kernel_view offsets = hd__gpu_kernel_view_of(&a->offsets);
    slice_starts how = {
        .n = a->n, .length = a->length, .offsets = hd_count(a->offsets), .order = a->order};
    memset(&config, 0, sizeof config);
    strcpy(config.kernel, "sort_slice_starts");
    config.codegen_kind = HD__GPU_CODEGEN_OFFSETS;
    config.op = -1;
    config.k = config.rows = config.blocks = 1;
    config.threads = THREADS;
    config.wide_keys = a->type == HD_U64;
    config.offsets = hd__gpu_layout_of(&a->offsets);
    how.start = start;
    HD_TRY(hd__gpu_workspace(ctx, gpu, HD__GPU_FAULT, 64, &how.fault));
    HD_TRY(hd__gpu_kernel_for(ctx, gpu, &config, NULL, NULL, &kernel));
    gpu->may_fault = true;
    const int64_t all = (a->n + THREADS - 1) / THREADS;
    const int64_t fit = BLOCKS * gpu->driver->properties(gpu->device)->multiprocessors;
    const void *arguments[] = {&offsets, &how};
    return gpu->driver->launch(ctx, gpu->device, kernel,
                               &(hd__gpu_launch){.blocks = all < fit ? all : fit,
                                                 .threads = THREADS,
                                                 .argument_count = 2,
                                                 .arguments = arguments});
}

hd_status hd__gpu_slice_order_run(hd_context *ctx, hd__gpu *gpu, const hd__gpu_slice_order *a)
{
    const size_t size = hd__size_of(a->type), bytes = (size_t)a->n * size;
    hd__gpu_address start;
    HD_TRY(hd__gpu_allocate(ctx, gpu, bytes, &start));
    hd_status status = find_starts(ctx, gpu, a, start);
    const hd__gpu_sort_arrays sort = {.type = a->type,
                                      .n = a->n,
                                      .keys = start,
                                      .keys_out = start,
                                      .value_bytes = size,
                                      .values = a->order,
                                      .values_out = a->order};
    if (status == HD_OK) status = hd__gpu_sort_arrays_run(ctx, gpu, &sort);
    hd__gpu_release(gpu, start, bytes);
    return status;
}
