// SPDX-License-Identifier: Apache-2.0
//
// The belt: pieces of host views in slots. A piece is packed by the host's threads, copied in on
// one stream, worked on in the stream, copied out on another stream, and unpacked, each while other
// pieces do something else.
#include "staging_ring.h"

#include <string.h>

enum { ALIGN = 256, LEAST = 4096 }; // bytes: of a view in a slot; of a slot that is worth while

// Flags of a slot.
enum { LOADED, NODE, WORKED, DONE, EACH };
_Static_assert(EACH *HD__SLOTS <= HD__GPU_EVENTS, "events");

static int32_t event_of(const hd__slot *s, int which)
{
    return which * HD__SLOTS + s->number;
}

static size_t padded(size_t bytes)
{
    return (bytes + ALIGN - 1) / ALIGN * ALIGN;
}

void hd__load_view(hd__load *load, const hd_view *v)
{
    if (v->space == HD_HOST && v->ndim > 0) load->size[load->count++] = hd__size_of(v->type);
}

size_t hd__load_bytes(const hd__load *load, int64_t n)
{
    size_t bytes = 0;
    for (int k = 0; k < load->count; k++) bytes += padded((size_t)n * load->size[k]);
    return bytes;
}

// ---- Opening and closing ------------------------------------------------------------------------

// A quarter, and again, until the device has it: kernels need some memory as well.
static hd_status device_memory(hd__belt *b, size_t least)
{
    if (least < LEAST) least = LEAST;
    for (;;) {
        const size_t bytes = HD__SLOTS * (b->bytes + HD__SPARE);
        const hd_status status =
            b->gpu->driver->allocate(b->ctx, b->gpu->device, bytes, &b->memory);
        if (status == HD_OK) return HD_OK;
        b->memory = 0;
        if (status != HD_ERROR_MEMORY || b->bytes <= least) return status;
        hd__trace_line(b->ctx, "%s: a quarter at once", b->ctx->error);
        b->ctx->error[0] = 0;
        b->bytes = b->bytes / 4 > least ? padded(b->bytes / 4) : least;
    }
}

// Slots of the context, if they are large enough for one element of each view; else memory of its
// own.
static hd_status host_memory(hd__belt *b, const hd__slots *slots, char **memory, size_t *stride)
{
    if (slots != NULL) {
        *memory = slots->memory;
        *stride = slots->bytes + HD__SPARE;
        return HD_OK;
    }
    *stride = b->bytes + HD__SPARE;
    *memory = b->own = hd__allocate(b->ctx, HD__SLOTS * *stride);
    return b->own != NULL ? HD_OK : HD_ERROR_MEMORY;
}

// Slots that a send or bring left may still be copied from.
static hd_status free_slots(hd__belt *b, hd__slots *slots)
{
    for (int k = 0; slots != NULL && k < HD__SLOTS; k++) {
        if (slots->busy[k]) HD_TRY(b->gpu->driver->await(b->ctx, b->gpu->device, k));
        slots->busy[k] = false;
    }
    return HD_OK;
}

// Lanes begin after what the stream has begun: memory is the stream's.
static hd_status begin_lanes(hd__belt *b)
{
    const hd__gpu_driver *driver = b->gpu->driver;
    HD_TRY(driver->signal(b->ctx, b->gpu->device, HD__STREAM_WORK, 0));
    HD_TRY(driver->follow(b->ctx, b->gpu->device, HD__STREAM_IN, 0));
    return driver->follow(b->ctx, b->gpu->device, HD__STREAM_OUT, 0);
}

static hd_status open_belt(hd__belt *b, const hd__load *load, int64_t n)
{
    const size_t all = hd__load_bytes(load, n), least = hd__load_bytes(load, 1);
    hd__slots *slots = load->count > 0 ? hd__slots_for(b->ctx, b->gpu, all) : NULL;
    if (slots != NULL && slots->bytes < least) slots = NULL;
    b->bytes = slots != NULL ? slots->bytes : (size_t)b->gpu->tuning.stage_slot;
    if (b->bytes > all) b->bytes = all;
    if (b->bytes < least) b->bytes = least;
    char *memory;
    size_t stride;
    HD_TRY(device_memory(b, least));
    HD_TRY(host_memory(b, slots, &memory, &stride));
    HD_TRY(free_slots(b, slots));
    for (int k = 0; k < HD__SLOTS; k++)
        b->slot[k] = (hd__slot){.host = memory + (size_t)k * stride,
                                .device = b->memory + (size_t)k * (b->bytes + HD__SPARE),
                                .number = k};
    return begin_lanes(b);
}

hd_status hd__belt_open(hd__belt *b, hd_context *ctx, hd__gpu *gpu, const hd__load *load, int64_t n)
{
    *b = (hd__belt){.ctx = ctx, .gpu = gpu, .all = n};
    const hd_status status = open_belt(b, load, n);
    return status == HD_OK ? HD_OK : hd__belt_close(b, status);
}

hd_status hd__belt_close(hd__belt *b, hd_status status)
{
    const hd__gpu_driver *driver = b->gpu->driver;
    for (int stream = 0; b->memory != 0 && stream < HD__GPU_STREAMS; stream++) {
        hd_status waited = driver->signal(b->ctx, b->gpu->device, (hd__gpu_stream)stream, 0);
        if (waited == HD_OK) waited = driver->await(b->ctx, b->gpu->device, 0);
        if (status == HD_OK) status = waited;
    }
    if (b->memory != 0) driver->release(b->gpu->device, b->memory);
    hd__release(b->ctx, b->own, HD__SLOTS * (b->bytes + HD__SPARE));
    b->memory = 0;
    return status;
}

// ---- Pieces -------------------------------------------------------------------------------------

hd__slot *hd__belt_next(hd__belt *b)
{
    hd__slot *s = &b->slot[b->turn];
    b->turn = (b->turn + 1) % HD__SLOTS;
    return s;
}

void hd__belt_take(hd__belt *b, hd__slot *s, int64_t n)
{
    (void)b;
    s->busy = true;
    s->used = 0;
    s->outs = 0;
    s->level = -1;
    s->n = n;
}

// Room for a view, and the view of it on the device.
static size_t place(hd__slot *s, hd_view *v)
{
    const size_t at = s->used;
    const int64_t n = hd_count(*v);
    s->used += padded((size_t)n * hd__size_of(v->type));
    *v = hd__gpu_array(v->type, s->device + at, n);
    return at;
}

hd_status hd__belt_in(hd__belt *b, hd__slot *s, hd_view *v)
{
    if (v->space != HD_HOST || v->ndim == 0) return HD_OK;
    const hd_view from = *v;
    const int64_t n = hd_count(from);
    const size_t at = place(s, v);
    hd__pack_elements(b->ctx, &from, 0, n, s->host + at);
    return b->gpu->driver->copy_in(b->ctx, b->gpu->device, HD__STREAM_IN, s->device + at,
                                   s->host + at, (size_t)n * hd__size_of(v->type));
}

void hd__belt_out(hd__slot *s, hd_view *v)
{
    if (v->space != HD_HOST || v->ndim == 0) return;
    s->out[s->outs].view = *v;
    s->out[s->outs++].at = place(s, v);
}

hd_status hd__belt_loaded(hd__belt *b, const hd__slot *s)
{
    return b->gpu->driver->signal(b->ctx, b->gpu->device, HD__STREAM_IN, event_of(s, LOADED));
}

hd_status hd__belt_work(hd__belt *b, const hd__slot *s)
{
    return b->gpu->driver->follow(b->ctx, b->gpu->device, HD__STREAM_WORK, event_of(s, LOADED));
}

hd_status hd__belt_worked(hd__belt *b, hd__slot *s)
{
    const hd__gpu_driver *driver = b->gpu->driver;
    HD_TRY(driver->signal(b->ctx, b->gpu->device, HD__STREAM_WORK, event_of(s, WORKED)));
    HD_TRY(driver->follow(b->ctx, b->gpu->device, HD__STREAM_OUT, event_of(s, WORKED)));
    for (int k = 0; k < s->outs; k++) {
        const hd_view *v = &s->out[k].view;
        HD_TRY(driver->copy_out(b->ctx, b->gpu->device, HD__STREAM_OUT, s->host + s->out[k].at,
                                s->device + s->out[k].at,
                                (size_t)hd_count(*v) * hd__size_of(v->type)));
    }
    return driver->signal(b->ctx, b->gpu->device, HD__STREAM_OUT, event_of(s, DONE));
}

hd__address hd__belt_node_address(const hd__belt *b, const hd__slot *s)
{
    return s->device + b->bytes;
}

char *hd__belt_spare(const hd__belt *b, const hd__slot *s)
{
    return s->host + b->bytes;
}

hd_status hd__belt_node(hd__belt *b, const hd__slot *s, size_t bytes)
{
    const hd__gpu_driver *driver = b->gpu->driver;
    HD_TRY(driver->copy_out(b->ctx, b->gpu->device, HD__STREAM_WORK, hd__belt_spare(b, s),
                            hd__belt_node_address(b, s), bytes));
    return driver->signal(b->ctx, b->gpu->device, HD__STREAM_WORK, event_of(s, NODE));
}

hd_status hd__belt_await_node(hd__belt *b, const hd__slot *s)
{
    return b->gpu->driver->await(b->ctx, b->gpu->device, event_of(s, NODE));
}

hd_status hd__belt_settle(hd__belt *b, hd__slot *s)
{
    if (!s->busy) return HD_OK;
    s->busy = false;
    HD_TRY(b->gpu->driver->await(b->ctx, b->gpu->device, event_of(s, DONE)));
    for (int k = 0; k < s->outs; k++)
        hd__unpack_elements(b->ctx, &s->out[k].view, 0, hd_count(s->out[k].view),
                            s->host + s->out[k].at);
    b->done += s->n;
    if (b->ctx->progress != NULL) b->ctx->progress(b->ctx->progress_user, b->done, b->all);
    return HD_OK;
}
