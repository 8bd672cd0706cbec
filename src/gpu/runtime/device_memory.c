// SPDX-License-Identifier: Apache-2.0
//
// Device memory of a context: the caller's allocator (hd_device_allocator) or the driver's pool.
#include "gpu/gpu.h"

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
