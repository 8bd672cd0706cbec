// SPDX-License-Identifier: Apache-2.0
//
// Host views on their way to the device and back: through slots where there are such, else packed
// where they have gaps, and copied; dense there.
#include "core/choice/selector.h"
#include "core/indexed.h"
#include "staging_ring.h"

#include <string.h>

enum { SMALL = 1 << 16 }; // bytes that the driver copies as fast by itself

static bool by_slots(hd__gpu_stage *s, size_t bytes)
{
    return bytes >= SMALL
               ? hd__gpu_pinned_ring_for(s->ctx, s->gpu, bytes) != NULL && s->gpu->ring->pinned
               : false;
}

static bool has_gaps(const hd_view *v)
{
    hd_view flat = *v;
    hd__collapse(&flat);
    return !hd__is_contiguous(&flat);
}

static hd_status send(hd__gpu_stage *s, int32_t k)
{
    const hd_view *v = &s->item[k].view;
    const size_t bytes = s->item[k].bytes;
    const hd__gpu_address to = s->item[k].at;
    if (by_slots(s, bytes)) return hd__gpu_pinned_ring_send(s->ctx, s->gpu, v, hd_count(*v), to);
    if (!has_gaps(v)) return s->gpu->driver->upload(s->ctx, s->gpu->device, to, v->data, bytes);
    s->item[k].packed = hd__allocate(s->ctx, bytes);
    if (s->item[k].packed == NULL) return HD_ERROR_MEMORY;
    hd__gpu_pack_elements(s->ctx, v, 0, hd_count(*v), s->item[k].packed);
    return s->gpu->driver->upload(s->ctx, s->gpu->device, to, s->item[k].packed, bytes);
}

static hd_status bring(hd__gpu_stage *s, int32_t k)
{
    const hd_view *v = &s->item[k].view;
    const int64_t n = s->item[k].back;
    const size_t bytes = (size_t)n * hd__size_of(v->type);
    const hd__gpu_address from = s->item[k].at;
    hd__set_written(s->ctx, true);
    if (by_slots(s, bytes)) return hd__gpu_pinned_ring_receive(s->ctx, s->gpu, v, n, from);
    if (!has_gaps(v)) return s->gpu->driver->download(s->ctx, s->gpu->device, v->data, from, bytes);
    void *packed = hd__allocate(s->ctx, bytes);
    if (packed == NULL) return HD_ERROR_MEMORY;
    const hd_status status = s->gpu->driver->download(s->ctx, s->gpu->device, packed, from, bytes);
    if (status == HD_OK) hd__gpu_unpack_elements(s->ctx, v, 0, n, packed);
    hd__release(s->ctx, packed, bytes);
    return status;
}

static hd_status stage(hd__gpu_stage *s, hd_view *v, bool in, bool out)
{
    if (v->space != HD_HOST || v->ndim == 0) return HD_OK;
    if (s->count == HD__GPU_STAGED_MAX)
        return hd__fail(s->ctx, HD_ERROR_ARGUMENT, "more views than the GPU backend can stage");
    const int64_t n = hd_count(*v);
    const size_t bytes = (size_t)n * hd__size_of(v->type);
    const int32_t k = s->count;
    s->item[k].at = 0;
    s->item[k].packed = NULL;
    s->item[k].bytes = bytes;
    s->item[k].back = out ? n : 0;
    s->item[k].view = *v;
    s->item[k].out = out;
    s->host = true;
    s->count++;
    *v = hd_view_nd(v->type, NULL, v->ndim, v->shape, NULL);
    v->space = HD_DEVICE;
    if (bytes == 0) return HD_OK;
    HD_TRY(hd__gpu_allocate(s->ctx, s->gpu, bytes, &s->item[k].at));
    v->data = (void *)(uintptr_t)s->item[k].at;
    return in ? send(s, k) : HD_OK;
}

// The base and the index, and where kernels tell of one that is out of range.
static hd_status stage_indexed(hd__gpu_stage *s, hd_view *v)
{
    hd__gpu_address fault;
    hd_view base = hd__base_of(v), index = hd__index_of(v);
    HD_TRY(stage(s, &base, true, false));
    HD_TRY(stage(s, &index, true, false));
    HD_TRY(hd__gpu_workspace(s->ctx, s->gpu, HD__GPU_FAULT, 64, &fault));
    s->gpu->may_fault = true;
    v->data = base.data;
    v->stride[HD__BASE_AXIS] = base.stride[0];
    v->scalar.index.data = index.data;
    v->stride[0] = index.stride[0];
    v->shape[HD__FLAG_AXIS] = (int64_t)fault;
    v->stride[HD__FLAG_AXIS] = 1;
    return HD_OK;
}

hd_status hd__gpu_stage_in(hd__gpu_stage *s, hd_view *v)
{
    if (hd__is_indexed(v)) return stage_indexed(s, v);
    return stage(s, v, true, false);
}

hd_status hd__gpu_stage_out(hd__gpu_stage *s, hd_view *v)
{
    return stage(s, v, false, true);
}

hd_status hd__gpu_stage_both(hd__gpu_stage *s, hd_view *v)
{
    return stage(s, v, true, true);
}

void hd__gpu_stage_first(hd__gpu_stage *s, const hd_view *v, int64_t n)
{
    for (int32_t k = 0; k < s->count; k++) {
        if (!s->item[k].out || s->item[k].at == 0 || s->item[k].at != (uintptr_t)v->data) continue;
        const int64_t all = hd_count(s->item[k].view);
        s->item[k].back = n < all ? n : all;
    }
}

hd_status hd__gpu_stage_end(hd__gpu_stage *s, hd_status status)
{
    if (status == HD_OK && s->host) status = s->gpu->driver->wait(s->ctx, s->gpu->device);
    if (status == HD_OK && s->host) status = hd__gpu_faults(s->ctx, s->gpu, "");
    for (int32_t k = 0; k < s->count; k++) {
        if (status == HD_OK && s->item[k].back > 0) status = bring(s, k);
        if (s->item[k].at != 0) hd__gpu_release(s->gpu, s->item[k].at, s->item[k].bytes);
        hd__release(s->ctx, s->item[k].packed, s->item[k].bytes);
    }
    s->count = 0;
    return status;
}

bool hd__gpu_too_large(hd__gpu_stage *s, hd_status status)
{
    if (status != HD_ERROR_MEMORY || !s->host) return false;
    hd__trace_line(s->ctx, "%s: out of core", s->ctx->error);
    s->ctx->error[0] = 0;
    return true;
}
