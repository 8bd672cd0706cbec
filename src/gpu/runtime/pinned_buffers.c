// SPDX-License-Identifier: Apache-2.0
//
// The host memory of slots, elements in and out of it by all threads, and whole views through it.
#include "staging_ring.h"

#include <stdlib.h>
#include <string.h>

// ---- Elements in and out ------------------------------------------------------------------------

// Threads worth waking: 256 KiB each take some 20 us.
static int threads_for(const hd_context *ctx, size_t bytes)
{
    const size_t most = bytes >> 18;
    return most < 1 ? 1 : most < (size_t)ctx->threads ? (int)most : ctx->threads;
}

void hd__gpu_pack_elements(const hd_context *ctx, const hd_view *v, int64_t at, int64_t n, void *to)
{
    const size_t size = hd__size_of(v->type);
    const int threads = threads_for(ctx, (size_t)n * size);
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1)
    for (int t = 0; t < threads; t++) {
        const int64_t first = n / threads * t, end = t + 1 < threads ? first + n / threads : n;
        hd__gather(v, at + first, end - first, (char *)to + (size_t)first * size);
    }
}

void hd__gpu_unpack_elements(const hd_context *ctx, const hd_view *v, int64_t at, int64_t n,
                             const void *from)
{
    const size_t size = hd__size_of(v->type);
    const int threads = threads_for(ctx, (size_t)n * size);
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1)
    for (int t = 0; t < threads; t++) {
        const int64_t first = n / threads * t, end = t + 1 < threads ? first + n / threads : n;
        hd__scatter(v, at + first, end - first, (const char *)from + (size_t)first * size);
    }
}

// ---- Their memory -------------------------------------------------------------------------------

static bool make_memory(hd_context *ctx, hd__gpu *gpu, hd__gpu_pinned_ring *s)
{
    const size_t bytes = HD__GPU_SLOTS * (s->bytes + HD__GPU_SLOT_SPARE);
    s->memory = gpu->driver->pin(gpu->device, bytes);
    s->pinned = s->memory != NULL;
    if (s->pinned) return true;
    hd__trace_line(ctx, "no %zu bytes of pinned memory: copies go by pageable memory", bytes);
    s->memory = hd__allocate(ctx, bytes);
    if (s->memory == NULL) ctx->error[0] = 0; // not worth an error: there are ways without
    return s->memory != NULL;
}

// Pinning takes some 0.3 ms a MiB, so that few bytes go without.
hd__gpu_pinned_ring *hd__gpu_pinned_ring_for(hd_context *ctx, hd__gpu *gpu, size_t bytes)
{
    if (gpu->ring != NULL) return gpu->ring;
    const size_t slot = (size_t)gpu->tuning.stage_slot;
    gpu->staged += bytes;
    if (gpu->staged < 2 * slot || gpu->no_ring) return NULL;
    hd__gpu_pinned_ring *s = calloc(1, sizeof *s);
    if (s == NULL) return NULL;
    s->bytes = slot;
    if (!make_memory(ctx, gpu, s)) {
        gpu->no_ring = true;
        free(s);
        return NULL;
    }
    gpu->ring = s;
    hd__gpu_count_scratch(ctx, gpu);
    return s;
}

void hd__gpu_pinned_ring_close(hd_context *ctx, hd__gpu *gpu)
{
    hd__gpu_pinned_ring *s = gpu->ring;
    if (s == NULL) return;
    if (s->pinned)
        gpu->driver->unpin(gpu->device, s->memory);
    else
        hd__release(ctx, s->memory, HD__GPU_SLOTS * (s->bytes + HD__GPU_SLOT_SPARE));
    free(s);
    gpu->ring = NULL;
    gpu->staged = 0;
}

size_t hd__gpu_pinned_ring_bytes(const hd__gpu *gpu)
{
    return gpu->ring != NULL ? HD__GPU_SLOTS * (gpu->ring->bytes + HD__GPU_SLOT_SPARE) : 0;
}

// ---- Whole views --------------------------------------------------------------------------------

// The memory of a slot that nothing copies any more.
static hd_status take(hd_context *ctx, hd__gpu *gpu, int k, char **memory)
{
    hd__gpu_pinned_ring *s = gpu->ring;
    *memory = s->memory + (size_t)k * (s->bytes + HD__GPU_SLOT_SPARE);
    if (!s->busy[k]) return HD_OK;
    s->busy[k] = false;
    return gpu->driver->await(ctx, gpu->device, k);
}

static hd_status leave(hd_context *ctx, hd__gpu *gpu, int k)
{
    gpu->ring->busy[k] = true;
    return gpu->driver->signal(ctx, gpu->device, HD__GPU_STREAM_WORK, k);
}

hd_status hd__gpu_pinned_ring_send(hd_context *ctx, hd__gpu *gpu, const hd_view *v, int64_t n,
                                   hd__gpu_address to)
{
    const int64_t size = (int64_t)hd__size_of(v->type);
    const int64_t step = (int64_t)gpu->ring->bytes / size;
    char *memory;
    for (int64_t c = 0; c * step < n; c++) {
        const int k = (int)(c % HD__GPU_SLOTS);
        const int64_t at = c * step, m = n - at < step ? n - at : step;
        HD_TRY(take(ctx, gpu, k, &memory));
        hd__gpu_pack_elements(ctx, v, at, m, memory);
        HD_TRY(gpu->driver->copy_in(ctx, gpu->device, HD__GPU_STREAM_WORK,
                                    to + (hd__gpu_address)(at * size), memory, (size_t)(m * size)));
        HD_TRY(leave(ctx, gpu, k));
    }
    return HD_OK;
}

hd_status hd__gpu_pinned_ring_receive(hd_context *ctx, hd__gpu *gpu, const hd_view *v, int64_t n,
                                      hd__gpu_address from)
{
    enum { AHEAD = HD__GPU_SLOTS - 1 };
    const int64_t size = (int64_t)hd__size_of(v->type);
    const int64_t step = (int64_t)gpu->ring->bytes / size, chunks = (n + step - 1) / step;
    char *memory;
    for (int64_t c = 0; c < chunks + AHEAD; c++) {
        if (c < chunks) {
            const int k = (int)(c % HD__GPU_SLOTS);
            const int64_t at = c * step, m = n - at < step ? n - at : step;
            HD_TRY(take(ctx, gpu, k, &memory));
            HD_TRY(gpu->driver->copy_out(ctx, gpu->device, HD__GPU_STREAM_WORK, memory,
                                         from + (hd__gpu_address)(at * size), (size_t)(m * size)));
            HD_TRY(leave(ctx, gpu, k));
        }
        if (c < AHEAD) continue;
        const int64_t at = (c - AHEAD) * step, m = n - at < step ? n - at : step;
        HD_TRY(take(ctx, gpu, (int)((c - AHEAD) % HD__GPU_SLOTS), &memory));
        hd__gpu_unpack_elements(ctx, v, at, m, memory);
    }
    return HD_OK;
}
