// SPDX-License-Identifier: Apache-2.0
// Indices: checked, read as i64, reported.
#include "indices.h"
#include "core/convert.h"
#include "core/indexed.h"

#include <stdio.h>

#define BLOCK 256

hd_status hd__check_index(hd_context *ctx, const char *call, const hd_view *index)
{
    HD_TRY(hd__check_input_as(ctx, index, "%s: index", call));
    if (!hd__is_integer(index->type))
        return hd__fail(ctx, HD_ERROR_TYPE, "%s: index is %s; expected an integer type", call,
                        hd_type_name(index->type));
    if (index->space == HD_IMPLICIT && index->ndim != 1)
        return hd__fail(ctx, HD_ERROR_SHAPE,
                        "%s: index: an implicit view has one dimension, got %d", call,
                        (int)index->ndim);
    return HD_OK;
}

void hd__indices(const hd_view *index, int64_t start, int64_t n, int64_t *to)
{
    uint64_t raw[BLOCK];
    for (int64_t at = 0; at < n; at += BLOCK) {
        const int64_t m = n - at < BLOCK ? n - at : BLOCK;
        hd__gather(index, start + at, m, raw);
        hd__convert(HD_I64, to + at, index->type, raw, m);
    }
}

hd_status hd__report_bad(hd_context *ctx, const char *call, const hd_view *index, int64_t bad,
                         int64_t limit, bool checked)
{
    if (!checked || bad < 0) return HD_OK;
    int64_t value;
    char text[32];
    if (bad >= hd_count(*index)) // no index of this call: never read
        return hd__fail(ctx, HD_ERROR_DEVICE, "%s: index %lld is said to be bad; there are %lld",
                        call, (long long)bad, (long long)hd_count(*index));
    if (index->space == HD_DEVICE) {
        uint64_t raw = 0;
        HD_TRY(hd__fetch(ctx, index, bad, &raw));
        hd__convert(HD_I64, &value, index->type, &raw, 1);
    } else {
        hd__indices(index, bad, 1, &value);
    }
    if (index->type == HD_U64)
        snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    else
        snprintf(text, sizeof text, "%lld", (long long)value);
    if (limit == 0)
        return hd__fail(ctx, HD_ERROR_VALUE, "%s: index %lld is %s, and there is no element", call,
                        (long long)bad, text);
    return hd__fail(ctx, HD_ERROR_VALUE, "%s: index %lld is %s; expected 0 to %lld", call,
                    (long long)bad, text, (long long)limit - 1);
}

// ---- Indexed views ----------------------------------------------------------------------------

// The first index out of range among begin .. end - 1, or -1.
static int64_t find_bad(const hd_view *index, int64_t limit, int64_t begin, int64_t end)
{
    int64_t block[BLOCK];
    for (int64_t at = begin; at < end; at += BLOCK) {
        const int64_t m = end - at < BLOCK ? end - at : BLOCK;
        hd__indices(index, at, m, block);
        for (int64_t i = 0; i < m; i++)
            if (!hd__within(block[i], limit)) return at + i;
    }
    return -1;
}

// One view of the call, as the caller gave it. It may have one element for all.
static hd_status report_view(hd_context *ctx, const char *name, const hd_view *v, int64_t begin,
                             int64_t end)
{
    if (!hd__is_indexed(v)) return HD_OK;
    const hd_view index = hd__index_of(v);
    const int64_t limit = v->shape[HD__BASE_AXIS], n = v->shape[0];
    const bool read = atomic_load_explicit(&ctx->bad_index, memory_order_relaxed) != 0;
    const bool met = read || n == 1;
    if (hd__is_indexed_there(v)) // the device that read it has told, or will
        return !read ? HD_OK
                     : hd__fail(ctx, HD_ERROR_VALUE, "%s: an index on the device is out of range",
                                name);
    int64_t bad = find_bad(&index, limit, 0, met ? n : begin);
    if (bad < 0 && !met) bad = find_bad(&index, limit, end, n);
    return hd__report_bad(ctx, name, &index, bad, limit, true);
}

hd_status hd__report_indexed(hd_context *ctx, const char *call, const hd_view *in,
                             const hd_views *with, int64_t begin, int64_t end)
{
    char name[64];
    if (!ctx->has_indexed) return HD_OK;
    HD_TRY(report_view(ctx, call, in, begin, end));
    for (int64_t k = 0; k < with->count; k++) {
        snprintf(name, sizeof name, "%s: with[%lld]", call, (long long)k);
        HD_TRY(report_view(ctx, name, &with->view[k], begin, end));
    }
    if (atomic_load_explicit(&ctx->bad_index, memory_order_relaxed) != 0) // of an earlier call
        return hd__fail(
            ctx, HD_ERROR_VALUE,
            "a call since the last hd_sync: an index of an indexed view is out of range");
    return HD_OK;
}
