// SPDX-License-Identifier: Apache-2.0
// hd_mismatch: checks its arguments and hands the job to a backend.
#include "mismatch.h"
#include "core/arguments.h"
#include "core/convert.h"

#include <stdio.h>
#include <string.h>

HD__BRINGS(mismatch)
HD__BRINGS_PASS(mismatch)

static const char call[] = "hd_mismatch";

static hd_status check(hd_context *ctx, const hd_view *a, const hd_view *b, const hd_view *position)
{
    HD_TRY(hd__check_input(ctx, "hd_mismatch: a", a));
    HD_TRY(hd__check_input(ctx, "hd_mismatch: b", b));
    if (!hd__same_type(a->type, b->type)) {
        char got[48];
        snprintf(got, sizeof got, "%s", hd_type_name(b->type));
        return hd__fail(ctx, HD_ERROR_TYPE, "%s: b is %s; expected %s, as a", call, got,
                        hd_type_name(a->type));
    }
    HD_TRY(hd__check_shape_of(ctx, call, "b", b, "a", a));
    if (hd__is_empty(position))
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: position is empty; expected one i64", call);
    const hd__named_view others[] = {{"a", a}, {"b", b}};
    return hd__check_number(ctx, call, "position", position, others, 2);
}

// Bits of floats are compared as those of integers, and so are integers of either sign.
static hd_type compared_as(hd_type type, bool bits)
{
    static const hd_type of_size[] = {[1] = HD_U8, [2] = HD_U16, [4] = HD_U32, [8] = HD_U64};
    if (hd__is_integer(type) || (bits && hd__is_float(type))) return of_size[hd__size_of(type)];
    return type;
}

hd_status hd_mismatch(hd_context *ctx, hd_view a, hd_view b, hd_view position,
                      const hd_mismatch_options *options)
{
    hd_mismatch_options o[1];
    HD__BEGIN_ANYWHERE(ctx);
    HD_TRY(HD__TAKE_OPTIONS(ctx, call, hd_mismatch_options, options, o));
    HD__AT_LEAST_1D(&a, &b, &position);
    HD_TRY(check(ctx, &a, &b, &position));
    hd__mismatch_job job = {.a = a, .b = b, .n = hd_count(a)};
    const bool there = hd__is_device_number(&position);
    job.position = there ? NULL : position.data;
    job.position_to = there ? position : HD_EMPTY;
    job.type = compared_as(a.type, o->bits);
    hd__collapse(&job.a);
    hd__collapse(&job.b);
    const hd__subject subject = {"", job.n, a.type};
    return hd__dispatch(ctx, HD__MISMATCH_PATTERN, &job, &subject);
}

bool hd__differ(hd_type type, const void *a, const void *b)
{
    if (hd__is_float(type)) {
        double x, y;
        hd__convert(HD_F64, &x, type, a, 1);
        hd__convert(HD_F64, &y, type, b, 1);
        return !(x == y);
    }
    if (type == HD_BOOL) return (*(const uint8_t *)a != 0) != (*(const uint8_t *)b != 0);
    return memcmp(a, b, hd__size_of(type)) != 0;
}
