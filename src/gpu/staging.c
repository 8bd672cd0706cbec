// SPDX-License-Identifier: Apache-2.0
//
// Host views on their way to the device and back: packed where they have gaps, copied, and dense there.
#include "gpu/gpu.h"

#include <string.h>

static hd_status stage(hd__gpu_stage *s, hd_view *v, bool in, bool out)
{
    if (v->place != HD_HOST || v->ndim == 0) return HD_OK;
    if (s->count == HD__MOST_STAGED)
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
    v->place = HD_DEVICE;
    if (bytes == 0) return HD_OK;
    hd_view flat = s->item[k].view;
    hd__collapse(&flat);
    if (!hd__is_contiguous(&flat)) {
        s->item[k].packed = hd__allocate(s->ctx, bytes);
        if (s->item[k].packed == NULL) return HD_ERROR_MEMORY;
        if (in) hd__gather(&s->item[k].view, 0, n, s->item[k].packed);
    }
    HD_TRY(s->gpu->maker->allocate(s->ctx, s->gpu->device, bytes, &s->item[k].at));
    v->data = (void *)(uintptr_t)s->item[k].at;
    if (!in) return HD_OK;
    const void *from = s->item[k].packed != NULL ? s->item[k].packed : s->item[k].view.data;
    return s->gpu->maker->upload(s->ctx, s->gpu->device, s->item[k].at, from, bytes);
}

hd_status hd__gpu_stage_in(hd__gpu_stage *s, hd_view *v)
{
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
    if (status == HD_OK && s->host) status = s->gpu->maker->wait(s->ctx, s->gpu->device);
    if (status == HD_OK && s->host) status = hd__gpu_faults(s->ctx, s->gpu, "");
    for (int32_t k = 0; k < s->count; k++) {
        const size_t bytes = s->item[k].bytes;
        hd_view *v = &s->item[k].view;
        const size_t back = (size_t)s->item[k].back * hd__size_of(v->type);
        if (status == HD_OK && back > 0) {
            void *to = s->item[k].packed != NULL ? s->item[k].packed : v->data;
            status = s->gpu->maker->download(s->ctx, s->gpu->device, to, s->item[k].at, back);
            if (status == HD_OK && s->item[k].packed != NULL)
                hd__scatter(v, 0, s->item[k].back, s->item[k].packed);
        }
        if (s->item[k].at != 0) s->gpu->maker->release(s->gpu->device, s->item[k].at);
        hd__release(s->ctx, s->item[k].packed, bytes);
    }
    s->count = 0;
    return status;
}
