// SPDX-License-Identifier: Apache-2.0
//
// The staging pipeline: chunks of host views in slots of the ring. A chunk is packed by the host's
// threads, copied in on one stream, worked on in the next, copied out on a third, and unpacked,
// each while other chunks are at another stage.
#include "staging_ring.h"
#include "core/choice/selector.h"

#include <string.h>

enum { ALIGN = 256, LEAST = 4096 }; // bytes: of a view in a slot; of a slot that is worth while

// Events of a slot.
enum { LOADED, NODE, WORKED, DONE, EACH };
_Static_assert(EACH *HD__GPU_SLOTS <= HD__GPU_EVENTS, "events");

static int32_t event_of(const hd__gpu_slot *s, int which)
{
    return which * HD__GPU_SLOTS + s->number;
}

static size_t padded(size_t bytes)
{
    return (bytes + ALIGN - 1) / ALIGN * ALIGN;
}

void hd__gpu_chunk_add_view(hd__gpu_chunk_views *views, const hd_view *v)
{
    if (v->space == HD_HOST && v->ndim > 0) views->size[views->count++] = hd__size_of(v->type);
}

size_t hd__gpu_chunk_bytes(const hd__gpu_chunk_views *views, int64_t n)
{
    size_t bytes = 0;
    for (int k = 0; k < views->count; k++) bytes += padded((size_t)n * views->size[k]);
    return bytes;
}

// ---- Opening and closing ------------------------------------------------------------------------

// A quarter, and again, until the device has it: kernels need some memory as well.
static hd_status device_memory(hd__gpu_pipeline *pipe, size_t least)
{
    if (least < LEAST) least = LEAST;
    for (;;) {
        const size_t bytes = HD__GPU_SLOTS * (pipe->bytes + HD__GPU_SLOT_SPARE);
        const hd_status status = hd__gpu_allocate(pipe->ctx, pipe->gpu, bytes, &pipe->memory);
        if (status == HD_OK) return HD_OK;
        pipe->memory = 0;
        if (status != HD_ERROR_MEMORY || pipe->bytes <= least) return status;
        hd__trace_line(pipe->ctx, "%s: a quarter at once", pipe->ctx->error);
        pipe->ctx->error[0] = 0;
        pipe->bytes = pipe->bytes / 4 > least ? padded(pipe->bytes / 4) : least;
    }
}

// Slots of the context, if they are large enough for one element of each view; else memory of its
// own.
static hd_status host_memory(hd__gpu_pipeline *pipe, const hd__gpu_pinned_ring *slots,
                             char **memory, size_t *stride)
{
    if (slots != NULL) {
        *memory = slots->memory;
        *stride = slots->bytes + HD__GPU_SLOT_SPARE;
        return HD_OK;
    }
    *stride = pipe->bytes + HD__GPU_SLOT_SPARE;
    *memory = pipe->own = hd__allocate(pipe->ctx, HD__GPU_SLOTS * *stride);
    return pipe->own != NULL ? HD_OK : HD_ERROR_MEMORY;
}

// Slots that a send or bring left may still be copied from.
static hd_status free_slots(hd__gpu_pipeline *pipe, hd__gpu_pinned_ring *slots)
{
    for (int k = 0; slots != NULL && k < HD__GPU_SLOTS; k++) {
        if (slots->busy[k]) HD_TRY(pipe->gpu->driver->await(pipe->ctx, pipe->gpu->device, k));
        slots->busy[k] = false;
    }
    return HD_OK;
}

// The copying streams begin after what the working one has begun: the memory is its own.
static hd_status begin_streams(hd__gpu_pipeline *pipe)
{
    const hd__gpu_driver *driver = pipe->gpu->driver;
    HD_TRY(driver->signal(pipe->ctx, pipe->gpu->device, HD__GPU_STREAM_WORK, 0));
    HD_TRY(driver->follow(pipe->ctx, pipe->gpu->device, HD__GPU_STREAM_IN, 0));
    return driver->follow(pipe->ctx, pipe->gpu->device, HD__GPU_STREAM_OUT, 0);
}

static hd_status open_pipeline(hd__gpu_pipeline *pipe, const hd__gpu_chunk_views *views, int64_t n)
{
    const size_t all = hd__gpu_chunk_bytes(views, n), least = hd__gpu_chunk_bytes(views, 1);
    hd__gpu_pinned_ring *slots =
        views->count > 0 ? hd__gpu_pinned_ring_for(pipe->ctx, pipe->gpu, all) : NULL;
    if (slots != NULL && slots->bytes < least) slots = NULL;
    pipe->bytes = slots != NULL ? slots->bytes : (size_t)pipe->gpu->tuning.stage_slot;
    if (pipe->bytes > all) pipe->bytes = all;
    if (pipe->bytes < least) pipe->bytes = least;
    char *memory;
    size_t stride;
    HD_TRY(device_memory(pipe, least));
    HD_TRY(host_memory(pipe, slots, &memory, &stride));
    HD_TRY(free_slots(pipe, slots));
    for (int k = 0; k < HD__GPU_SLOTS; k++)
        pipe->slot[k] =
            (hd__gpu_slot){.host = memory + (size_t)k * stride,
                           .device = pipe->memory + (size_t)k * (pipe->bytes + HD__GPU_SLOT_SPARE),
                           .number = k};
    return begin_streams(pipe);
}

hd_status hd__gpu_pipeline_open(hd__gpu_pipeline *pipe, hd_context *ctx, hd__gpu *gpu,
                                const hd__gpu_chunk_views *views, int64_t n)
{
    *pipe = (hd__gpu_pipeline){.ctx = ctx, .gpu = gpu, .all = n};
    const hd_status status = open_pipeline(pipe, views, n);
    return status == HD_OK ? HD_OK : hd__gpu_pipeline_close(pipe, status);
}

hd_status hd__gpu_pipeline_close(hd__gpu_pipeline *pipe, hd_status status)
{
    const hd__gpu_driver *driver = pipe->gpu->driver;
    for (int stream = 0; pipe->memory != 0 && stream < HD__GPU_STREAMS; stream++) {
        hd_status waited = driver->signal(pipe->ctx, pipe->gpu->device, (hd__gpu_stream)stream, 0);
        if (waited == HD_OK) waited = driver->await(pipe->ctx, pipe->gpu->device, 0);
        if (status == HD_OK) status = waited;
    }
    const size_t bytes = HD__GPU_SLOTS * (pipe->bytes + HD__GPU_SLOT_SPARE);
    if (pipe->memory != 0) hd__gpu_release(pipe->gpu, pipe->memory, bytes);
    hd__release(pipe->ctx, pipe->own, bytes);
    pipe->memory = 0;
    return status;
}

// ---- Chunks -------------------------------------------------------------------------------------

hd__gpu_slot *hd__gpu_pipeline_next(hd__gpu_pipeline *pipe)
{
    hd__gpu_slot *s = &pipe->slot[pipe->next];
    pipe->next = (pipe->next + 1) % HD__GPU_SLOTS;
    return s;
}

void hd__gpu_pipeline_take(hd__gpu_pipeline *pipe, hd__gpu_slot *s, int64_t n)
{
    (void)pipe;
    s->busy = true;
    s->used = 0;
    s->outs = 0;
    s->level = -1;
    s->n = n;
}

// Room for a view, and the view of it on the device.
static size_t take_room(hd__gpu_slot *s, hd_view *v)
{
    const size_t at = s->used;
    const int64_t n = hd_count(*v);
    s->used += padded((size_t)n * hd__size_of(v->type));
    *v = hd__gpu_array(v->type, s->device + at, n);
    return at;
}

hd_status hd__gpu_pipeline_in(hd__gpu_pipeline *pipe, hd__gpu_slot *s, hd_view *v)
{
    if (v->space != HD_HOST || v->ndim == 0) return HD_OK;
    const hd_view from = *v;
    const int64_t n = hd_count(from);
    const size_t at = take_room(s, v);
    hd__gpu_pack_elements(pipe->ctx, &from, 0, n, s->host + at);
    return pipe->gpu->driver->copy_in(pipe->ctx, pipe->gpu->device, HD__GPU_STREAM_IN,
                                      s->device + at, s->host + at,
                                      (size_t)n * hd__size_of(v->type));
}

void hd__gpu_pipeline_out(hd__gpu_slot *s, hd_view *v)
{
    if (v->space != HD_HOST || v->ndim == 0) return;
    s->out[s->outs].view = *v;
    s->out[s->outs++].at = take_room(s, v);
}

hd_status hd__gpu_pipeline_loaded(hd__gpu_pipeline *pipe, const hd__gpu_slot *s)
{
    return pipe->gpu->driver->signal(pipe->ctx, pipe->gpu->device, HD__GPU_STREAM_IN,
                                     event_of(s, LOADED));
}

hd_status hd__gpu_pipeline_work(hd__gpu_pipeline *pipe, const hd__gpu_slot *s)
{
    return pipe->gpu->driver->follow(pipe->ctx, pipe->gpu->device, HD__GPU_STREAM_WORK,
                                     event_of(s, LOADED));
}

hd_status hd__gpu_pipeline_worked(hd__gpu_pipeline *pipe, hd__gpu_slot *s)
{
    const hd__gpu_driver *driver = pipe->gpu->driver;
    HD_TRY(driver->signal(pipe->ctx, pipe->gpu->device, HD__GPU_STREAM_WORK, event_of(s, WORKED)));
    HD_TRY(driver->follow(pipe->ctx, pipe->gpu->device, HD__GPU_STREAM_OUT, event_of(s, WORKED)));
    for (int k = 0; k < s->outs; k++) {
        const hd_view *v = &s->out[k].view;
        HD_TRY(driver->copy_out(pipe->ctx, pipe->gpu->device, HD__GPU_STREAM_OUT,
                                s->host + s->out[k].at, s->device + s->out[k].at,
                                (size_t)hd_count(*v) * hd__size_of(v->type)));
    }
    return driver->signal(pipe->ctx, pipe->gpu->device, HD__GPU_STREAM_OUT, event_of(s, DONE));
}

hd__gpu_address hd__gpu_pipeline_node_address(const hd__gpu_pipeline *pipe, const hd__gpu_slot *s)
{
    return s->device + pipe->bytes;
}

char *hd__gpu_pipeline_spare(const hd__gpu_pipeline *pipe, const hd__gpu_slot *s)
{
    return s->host + pipe->bytes;
}

hd_status hd__gpu_pipeline_node(hd__gpu_pipeline *pipe, const hd__gpu_slot *s, size_t bytes)
{
    const hd__gpu_driver *driver = pipe->gpu->driver;
    HD_TRY(driver->copy_out(pipe->ctx, pipe->gpu->device, HD__GPU_STREAM_WORK,
                            hd__gpu_pipeline_spare(pipe, s), hd__gpu_pipeline_node_address(pipe, s),
                            bytes));
    return driver->signal(pipe->ctx, pipe->gpu->device, HD__GPU_STREAM_WORK, event_of(s, NODE));
}

hd_status hd__gpu_pipeline_await_node(hd__gpu_pipeline *pipe, const hd__gpu_slot *s)
{
    return pipe->gpu->driver->await(pipe->ctx, pipe->gpu->device, event_of(s, NODE));
}

hd_status hd__gpu_pipeline_settle(hd__gpu_pipeline *pipe, hd__gpu_slot *s)
{
    if (!s->busy) return HD_OK;
    s->busy = false;
    HD_TRY(pipe->gpu->driver->await(pipe->ctx, pipe->gpu->device, event_of(s, DONE)));
    if (s->outs > 0) hd__set_written(pipe->ctx, true);
    for (int k = 0; k < s->outs; k++)
        hd__gpu_unpack_elements(pipe->ctx, &s->out[k].view, 0, hd_count(s->out[k].view),
                                s->host + s->out[k].at);
    pipe->done += s->n;
    return hd__poll(pipe->ctx, pipe->done, pipe->all);
}
