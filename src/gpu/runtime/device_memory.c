// SPDX-License-Identifier: Apache-2.0
//
// Device memory of a context: the caller's allocator (hd_device_allocator) or the driver's pool;
// how much scratch is kept, and giving it back.
#include "staging_ring.h"

enum { ALIGNMENT = 256 };

static hd_status allocate_by_caller(hd_context *ctx, const hd__gpu *gpu, size_t bytes, void **made)
{
    const hd_device_allocator *a = &gpu->allocator;
    if (!gpu->driver->enter(gpu->device))
        return hd__fail(ctx, HD_ERROR_DEVICE, "the device cannot be used (after a fork()?)");
    void *stream = gpu->driver->stream(gpu->device);
    *made = a->allocate(a->user, bytes, ALIGNMENT, gpu->number, stream);
    const bool good = *made != NULL && (uintptr_t)*made % ALIGNMENT == 0;
    if (!good && *made != NULL) a->release(a->user, *made, bytes, gpu->number, stream);
    gpu->driver->leave(gpu->device);
    if (good) return HD_OK;
    if (*made != NULL)
        return hd__fail(ctx, HD_ERROR_MEMORY,
                        "the device allocator gave address %p; expected a multiple of %d", *made,
                        ALIGNMENT);
    return hd__fail(ctx, HD_ERROR_MEMORY, "the device allocator could not allocate %zu bytes",
                    bytes);
}

hd_status hd__gpu_allocate(hd_context *ctx, const hd__gpu *gpu, size_t bytes, hd__gpu_address *at)
{
    if (gpu->allocator.allocate == NULL) return gpu->driver->allocate(ctx, gpu->device, bytes, at);
    void *made = NULL;
    HD_TRY(allocate_by_caller(ctx, gpu, bytes, &made));
    *at = (hd__gpu_address)(uintptr_t)made;
    return HD_OK;
}

void hd__gpu_release(const hd__gpu *gpu, hd__gpu_address at, size_t bytes)
{
    const hd_device_allocator *a = &gpu->allocator;
    if (a->allocate == NULL) {
        gpu->driver->release(gpu->device, at);
    } else if (gpu->driver->enter(gpu->device)) {
        a->release(a->user, (void *)(uintptr_t)at, bytes, gpu->number,
                   gpu->driver->stream(gpu->device));
        gpu->driver->leave(gpu->device);
    }
}

// ---- Scratch ------------------------------------------------------------------------------------

void hd__gpu_release_block(const hd__gpu *gpu, hd__gpu_block *block)
{
    if (block->at != 0) hd__gpu_release(gpu, block->at, block->bytes);
    *block = (hd__gpu_block){0, 0};
}

void hd__gpu_count_scratch(hd_context *ctx, const hd__gpu *gpu)
{
    size_t bytes = hd__gpu_pinned_ring_bytes(gpu);
    for (int k = 0; k < HD__GPU_WORKSPACES; k++) bytes += gpu->workspace[k].bytes;
    for (int k = 0; k < gpu->retired_count; k++) bytes += gpu->retired[k].bytes;
    ctx->device_scratch = bytes;
}

// The largest workspace that may go, or NULL. What a kernel found wrong is kept until it was said.
static hd__gpu_block *largest(hd__gpu *gpu)
{
    hd__gpu_block *found = NULL;
    for (int k = 0; k < HD__GPU_WORKSPACES; k++) {
        if (gpu->workspace[k].at == 0 || (k == HD__GPU_FAULT && gpu->may_fault)) continue;
        if (found == NULL || gpu->workspace[k].bytes > found->bytes) found = &gpu->workspace[k];
    }
    return found;
}

static void trim_workspaces(hd_context *ctx, hd__gpu *gpu, size_t keep)
{
    hd__gpu_block *block;
    for (int k = 0; k < gpu->retired_count; k++) hd__gpu_release_block(gpu, &gpu->retired[k]);
    gpu->retired_count = 0;
    hd__gpu_count_scratch(ctx, gpu);
    while (ctx->device_scratch > keep && (block = largest(gpu)) != NULL) {
        ctx->device_scratch -= block->bytes;
        hd__gpu_release_block(gpu, block);
    }
}

void hd__gpu_trim(hd_context *ctx, hd__gpu *gpu, size_t keep)
{
    if (gpu->driver->recording(gpu->device)) return;
    if (gpu->ring != NULL && ctx->device_scratch > keep) hd__gpu_pinned_ring_close(ctx, gpu);
    hd__gpu_count_scratch(ctx, gpu);
    if (ctx->device_scratch > keep && !hd__gpu_kernels_captured(gpu))
        trim_workspaces(ctx, gpu, keep);
}
