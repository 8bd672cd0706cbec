// SPDX-License-Identifier: Apache-2.0
// Checks and layout of numbers of limbs (limbs.h).
#include "limbs.h"

#include <inttypes.h>
#include <string.h>

enum { BLOCK = 16 };

static bool same_view(const hd_view *a, const hd_view *b)
{
    const size_t dims = sizeof *a->shape * (size_t)a->ndim;
    return a->data == b->data && a->space == b->space && a->ndim == b->ndim &&
           !memcmp(a->shape, b->shape, dims) && !memcmp(a->stride, b->stride, dims);
}

static hd_status check_number(hd__limbs *l, const char *what, hd_view *v)
{
    hd_status status = hd__frame_check(&l->f, what, *v);
    if (status != HD_OK) return status;
    if (v->type != HD_U64)
        return hd__frame_fail(&l->f, HD_ERROR_TYPE, "%s: expected limbs of u64, got %s", what,
                              hd_type_name(v->type));
    if (v->space > HD_DEVICE || (v->space == HD_DEVICE) != l->f.on_device)
        return hd__frame_fail(
            &l->f, HD_ERROR_ARGUMENT,
            "%s: expected all numbers in the same memory, of the host or a device", what);
    if (v->ndim == 0) v->ndim = 1, v->shape[0] = v->stride[0] = 1;
    return HD_OK;
}

static hd_status check_rows(hd__limbs *l, const char *what, hd_view v)
{
    if (v.ndim == l->a.ndim && !memcmp(v.shape, l->a.shape, sizeof *v.shape * (size_t)(v.ndim - 1)))
        return HD_OK;
    return hd__frame_fail(&l->f, HD_ERROR_SHAPE, "%s has not as many numbers as a", what);
}

// A copy with zeros behind each number.
static hd_status lengthened(hd__limbs *l, hd_view *v)
{
    hd_view row, to = *v;
    const int32_t last = v->ndim - 1;
    const int64_t length = v->shape[last];
    int64_t stride = l->n;
    if (length == l->n) return HD_OK;
    hd_status status = hd__frame_row(&l->f, HD_U64, l->m * l->n, &row);
    if (status != HD_OK || l->m * l->n == 0) return status;
    const uint64_t zero = 0;
    status = hd_map(l->f.ctx, hd_constant(zero, l->m * l->n), NULL, row, NULL);
    to.data = row.data, to.read_only = 0;
    to.shape[last] = l->n, to.stride[last] = 1;
    for (int32_t k = last - 1; k >= 0; k--) to.stride[k] = stride, stride *= to.shape[k];
    if (status == HD_OK && length > 0)
        status = hd_map(l->f.ctx, *v, NULL, hd__limbs_part(to, 0, length), NULL);
    *v = to;
    return status;
}

hd_status hd__limbs_open(hd__limbs *l, hd_context *ctx, const char *name, hd_view a, hd_view b,
                         const hd_view *out)
{
    memset(l, 0, sizeof *l);
    hd_status status = hd__frame_open(&l->f, ctx, name, a);
    if (status != HD_OK) return status;
    l->a = a, l->b = b;
    status = check_number(l, "a", &l->a);
    if (status == HD_OK) status = check_number(l, "b", &l->b);
    if (status == HD_OK) status = check_rows(l, "b", l->b);
    if (status != HD_OK) return status;
    const int32_t last = l->a.ndim - 1;
    l->n = l->a.shape[last] > l->b.shape[last] ? l->a.shape[last] : l->b.shape[last];
    l->m = 1;
    for (int32_t k = 0; k < last; k++) l->m *= l->a.shape[k];
    if (out != NULL) {
        l->out = *out;
        status = check_number(l, "out", &l->out);
        if (status == HD_OK) status = check_rows(l, "out", l->out);
        if (status == HD_OK) status = hd__frame_check_out(&l->f, "out", l->out);
        if (status != HD_OK) return status;
        if (l->out.shape[last] < l->n)
            return hd__frame_fail(&l->f, HD_ERROR_SHAPE,
                                  "out has %" PRId64 " limbs; expected at least %" PRId64,
                                  l->out.shape[last], l->n);
        l->n = l->out.shape[last];
        if (!same_view(&l->out, &l->a))
            status = hd__frame_check_apart(&l->f, "out", l->out, "a", l->a);
        if (status == HD_OK && !same_view(&l->out, &l->b))
            status = hd__frame_check_apart(&l->f, "out", l->out, "b", l->b);
    }
    if (status == HD_OK) status = lengthened(l, &l->a);
    return status == HD_OK ? lengthened(l, &l->b) : status;
}

hd_status hd__limbs_check_numbers(hd__limbs *l, const char *what, hd_view v)
{
    const hd_status status = hd__frame_check_out(&l->f, what, v);
    if (status != HD_OK) return status;
    if (v.type != HD_I64)
        return hd__frame_fail(&l->f, HD_ERROR_TYPE, "%s: expected i64, got %s", what,
                              hd_type_name(v.type));
    if (hd_count(v) != l->m)
        return hd__frame_fail(&l->f, HD_ERROR_SHAPE,
                              "%s: expected %" PRId64 " elements, got %" PRId64, what, l->m,
                              hd_count(v));
    hd_status apart = hd__frame_check_apart(&l->f, what, v, "a", l->a);
    if (apart == HD_OK) apart = hd__frame_check_apart(&l->f, what, v, "b", l->b);
    if (apart == HD_OK && l->out.type != HD_NONE)
        apart = hd__frame_check_apart(&l->f, what, v, "out", l->out);
    return apart;
}

hd_status hd__limbs_check_base(hd__limbs *l, const char *what, hd_view v, uint64_t base)
{
    hd_view most;
    uint64_t limb = 0;
    if (base == 0 || hd_count(v) == 0) return HD_OK;
    hd_status status = hd__frame_row(&l->f, HD_U64, 1, &most);
    if (status == HD_OK) status = hd_reduce(l->f.ctx, v, HD_MAX, most, NULL);
    if (status == HD_OK) status = hd__frame_read(&l->f, most, 0, &limb);
    if (status == HD_OK) status = hd__frame_drop(&l->f, &most);
    if (status != HD_OK || limb < base) return status;
    return hd__frame_fail(&l->f, HD_ERROR_VALUE,
                          "%s: a limb is %" PRIu64 "; expected less than the base, %" PRIu64, what,
                          limb, base);
}

bool hd__limbs_in_blocks(const hd__limbs *l, const hd_view *v)
{
    int64_t dense = 1;
    for (int32_t k = v->ndim - 1; k >= 0; k--) {
        if (v->shape[k] != 1 && v->stride[k] != dense) return false;
        dense *= v->shape[k];
    }
    return l->m == 1 || l->n % BLOCK == 0;
}

hd_view hd__limbs_part(hd_view v, int64_t first, int64_t count)
{
    return hd_slice(v, v.ndim - 1, first, count, 1);
}

hd_view hd__limbs_blocks(const hd__limbs *l, hd_view v, hd_type block, int64_t first, int64_t count)
{
    v.data = (char *)v.data + first * (int64_t)hd_type_size(block);
    v.type = block;
    v.ndim = 1;
    v.shape[0] = count, v.stride[0] = 1;
    if (l->m == 1) return v;
    v.ndim = 2;
    v.shape[0] = l->m, v.stride[0] = l->n / BLOCK;
    v.shape[1] = count, v.stride[1] = 1;
    return v;
}
