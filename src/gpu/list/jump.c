// SPDX-License-Identifier: Apache-2.0
// Behind list.h.
#include "list.h"

#include <string.h>

hd__gpu_kernel_config hd__gpu_list_config(const char *kernel, const hd_view *next)
{
    hd__gpu_kernel_config config;
    memset(&config, 0, sizeof config);
    strcpy(config.kernel, kernel);
    config.codegen_kind = HD__GPU_CODEGEN_LINKS;
    config.op = -1;
    config.k = config.rows = config.blocks = 1;
    config.threads = HD__GPU_LIST_THREADS;
    if (next != NULL) config.offsets = hd__gpu_layout_of(next);
    return config;
}

hd_status hd__gpu_list_launch(hd_context *ctx, hd__gpu *gpu, const hd__gpu_kernel_config *config,
                              int64_t n, const void *const *arguments, int32_t count)
{
    hd__gpu_kernel *kernel;
    const int64_t tile = (int64_t)config->rows * config->threads;
    HD_TRY(hd__gpu_kernel_for(ctx, gpu, config, NULL, NULL, &kernel));
    return gpu->driver->launch(ctx, gpu->device, kernel,
                               &(hd__gpu_launch){.blocks = (n + tile - 1) / tile,
                                                 .threads = config->threads,
                                                 .argument_count = count,
                                                 .arguments = arguments});
}

hd_status hd__gpu_list_jump(hd_context *ctx, hd__gpu *gpu, hd__gpu_address jumps[2], int64_t n,
                            hd__gpu_address control)
{
    const hd__gpu_kernel_config config = hd__gpu_list_config("list_jump", NULL);
    const int32_t steps = hd__jumps(n) + 1; // the last finds nothing to do, unless there is a cycle
    for (int32_t k = 0; k < steps; k++) {
        const void *arguments[] = {&jumps[0], &jumps[1], &n, &k, &control};
        HD_TRY(hd__gpu_list_launch(ctx, gpu, &config, n, arguments, 5));
        const hd__gpu_address kept = jumps[0];
        jumps[0] = jumps[1];
        jumps[1] = kept;
    }
    return HD_OK;
}

int64_t hd__gpu_minus_one(hd_type type)
{
    const int bits = 8 * (int)hd__size_of(type);
    return hd__kind_of(type) == HD__UNSIGNED && bits < 64 ? ((int64_t)1 << bits) - 1 : -1;
}

hd_status hd__gpu_links_here(hd_context *ctx, hd__gpu *gpu, const hd_view *next, hd_view *here)
{
    const int64_t n = next->shape[0], step = next->stride[0];
    const size_t size = hd__size_of(next->type);
    char *memory = hd__allocate(ctx, (size_t)n * size);
    if (memory == NULL) return HD_ERROR_MEMORY;
    *here = hd_view_of(next->type, memory, n);
    if (step == 1)
        return gpu->driver->download(ctx, gpu->device, memory, (uintptr_t)next->data,
                                     (size_t)n * size);
    for (int64_t i = 0; i < n; i++)
        HD_TRY(gpu->driver->download(ctx, gpu->device, memory + (size_t)i * size,
                                     (uintptr_t)hd__at(next, i * step), size));
    return HD_OK;
}
