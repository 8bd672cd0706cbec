// SPDX-License-Identifier: Apache-2.0
// Indices: checked, read as i64, reported.
#include "indices.h"
#include "core/convert.h"

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
