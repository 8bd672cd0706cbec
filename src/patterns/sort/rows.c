// SPDX-License-Identifier: Apache-2.0
// Views of rows, behind rows.h.
#include "rows.h"
#include "core/convert.h"

void hd__put_axis_last(hd_view *v, int32_t axis)
{
    if (hd__is_empty(v)) return;
    if (axis >= 0) {
        const int64_t shape = v->shape[axis], stride = v->stride[axis];
        for (int32_t k = axis; k + 1 < v->ndim; k++) {
            v->shape[k] = v->shape[k + 1];
            v->stride[k] = v->stride[k + 1];
        }
        v->shape[v->ndim - 1] = shape;
        v->stride[v->ndim - 1] = stride;
    }
    if (v->ndim > 1) hd__collapse(v);
}

hd_view hd__range_of(const hd_view *v, int64_t begin, int64_t n)
{
    if (hd__is_empty(v) || (begin == 0 && n == hd__count(v))) return *v;
    if (v->ndim == 1) return hd_slice(*v, 0, n > 0 ? begin : 0, n, 1);
    hd_view range = *v;
    range.ndim = 1;
    range.shape[0] = n;
    range.stride[0] = v->stride[v->ndim - 1];
    if (n == 0) return range;
    uint64_t offset = 0; // wraps on the way: axes of one element may have any stride
    for (int k = v->ndim - 1; k >= 0; k--) {
        const int64_t at = k > 0 ? begin % v->shape[k] : begin;
        offset += (uint64_t)at * (uint64_t)v->stride[k];
        begin /= v->shape[k];
    }
    range.data = (void *)(uintptr_t)hd__at(v, (int64_t)offset);
    return range;
}

hd_view hd__backwards(const hd_view *v)
{
    hd_view back = *v;
    for (int32_t k = 0; k < v->ndim; k++)
        if (v->shape[k] > 1) back = hd_slice(back, k, v->shape[k] - 1, v->shape[k], -1);
    return back;
}

hd_status hd__check_on_host(hd_context *ctx, const char *call, const char *name, const hd_view *v)
{
    if (v->space != HD_DEVICE) return HD_OK;
    return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: %s are on a device; expected host memory", call,
                    name);
}

hd_status hd__take_offsets(hd_context *ctx, const char *call, const hd_view *segments, int64_t rows,
                           int64_t n, int64_t *offsets)
{
    int64_t before = 0;
    for (int64_t j = 0; j <= rows; j++) {
        uint64_t raw;
        hd__gather(segments, j, 1, &raw);
        hd__convert(HD_I64, &offsets[j], segments->type, &raw, 1);
        if (offsets[j] < before || offsets[j] > n)
            return hd__fail(ctx, HD_ERROR_VALUE,
                            "%s: segments: offset %lld is %lld; expected %lld to %lld", call,
                            (long long)j, (long long)offsets[j], (long long)before, (long long)n);
        before = offsets[j];
    }
    return HD_OK;
}
