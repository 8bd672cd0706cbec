// SPDX-License-Identifier: Apache-2.0
// The checks behind comparisons.h.
#include "comparisons.h"
#include "core/convert.h"
#include "core/operators/probe.h"

#include <stdio.h>

hd_status hd__check_comparison(hd_context *ctx, const char *call, const hd_comparison *c,
                               hd_type type)
{
    HD_TRY(HD__CHECK_ABI(ctx, call, "comparison", c));
    if (c->less == NULL || c->elements.size != hd__size_of(c->type))
        return hd__fail(ctx, HD_ERROR_OPERATOR,
                        "%s: not a comparison: expected one that HD_COMPARISON made", call);
    if (!hd__same_type(c->type, type)) {
        char got[48];
        snprintf(got, sizeof got, "%s", hd_type_name(type));
        return hd__fail(ctx, HD_ERROR_TYPE, "%s: comparison %s is of %s; the elements are %s", call,
                        c->name, hd_type_name(c->type), got);
    }
    HD_TRY(hd__check_state(ctx, call, "comparison", c->name, &c->state));
    return hd__check_probe(ctx, call, "comparison", c->name, c->probe);
}

hd_status hd__check_key_order(hd_context *ctx, const char *call, const hd_view *keys,
                              const hd_comparison *comparison)
{
    if (comparison == NULL) return HD_OK;
    if (hd__is_empty(keys))
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: comparison goes with keys, and there are none",
                        call);
    return hd__check_comparison(ctx, call, comparison, keys->type);
}

hd_status hd__check_positions(hd_context *ctx, const char *call, const char *name, const hd_view *v,
                              int64_t limit)
{
    HD_TRY(hd__check_output_as(ctx, v, "%s: %s", call, name));
    if (!hd__is_integer(v->type) || hd__size_of(v->type) < 4)
        return hd__fail(ctx, HD_ERROR_TYPE, "%s: %s is %s; expected i32, u32, i64 or u64", call,
                        name, hd_type_name(v->type));
    const int64_t most = v->type == HD_I32 ? INT32_MAX : v->type == HD_U32 ? UINT32_MAX : INT64_MAX;
    if (limit > most)
        return hd__fail(ctx, HD_ERROR_SHAPE, "%s: %s: positions up to %lld do not fit in %s", call,
                        name, (long long)limit, hd_type_name(v->type));
    return HD_OK;
}

void hd__put_positions(const hd_view *v, int64_t start, int64_t n, const int64_t *positions,
                       void *scratch)
{
    const bool wide = hd__size_of(v->type) == sizeof *positions;
    if (!wide) hd__convert(v->type, scratch, HD_I64, positions, n);
    hd__scatter(v, start, n, wide ? (const void *)positions : scratch);
}
