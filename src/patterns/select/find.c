// SPDX-License-Identifier: Apache-2.0
// hd_find: checks its arguments and hands the job to a backend.
#include "find.h"
#include "core/arguments.h"
#include "core/convert.h"

HD__BRINGS(find)
HD__BRINGS_PASS(find)

static const char call[] = "hd_find";

hd_status hd_find(hd_context *ctx, hd_view in, hd_view position, const hd_find_options *options)
{
    hd_find_options o[1];
    HD__BEGIN_ANYWHERE(ctx);
    HD_TRY(HD__TAKE_OPTIONS(ctx, call, hd_find_options, options, o));
    HD__AT_LEAST_1D(&in, &position);
    hd__find_job job;
    job.value = o->value;
    job.last = o->last;
    const bool there = hd__is_device_number(&position);
    job.position = there ? NULL : position.data;
    job.position_to = there ? position : HD_EMPTY;
    hd_type element;
    if (hd__is_empty(&position))
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: position is empty; expected one i64", call);
    HD_TRY(hd__check_inputs(ctx, call, &in, o->map, &o->with, &job.in, &element));
    HD_TRY(hd__check_number_apart(ctx, call, "position", &position, &job.in));
    if (!hd__is_number(element) && o->value == NULL)
        return hd__fail(ctx, HD_ERROR_TYPE,
                        "%s: the elements are %s; expected numbers, or a value to look for", call,
                        hd_type_name(element));
    for (int k = 0; k < job.in.inputs; k++) hd__collapse(&job.in.view[k]);
    job.in.fold = NULL;
    job.in.direct = false;
    const hd__subject subject = {o->map != NULL ? o->map->name : "", job.in.n, in.type};
    return hd__dispatch(ctx, HD__FIND_PATTERN, &job, &subject);
}

bool hd__is_wanted(hd_type type, const void *element, const void *value)
{
    if (hd__is_float(type)) {
        double x, y = 0;
        hd__convert(HD_F64, &x, type, element, 1);
        if (value == NULL) return x != 0;
        hd__convert(HD_F64, &y, type, value, 1);
        return x == y;
    }
    if (type == HD_BOOL) { // any byte but 0 is true
        const bool is = *(const uint8_t *)element != 0;
        return value == NULL ? is : is == (*(const uint8_t *)value != 0);
    }
    static const unsigned char zero[8];
    const size_t size = hd__size_of(type);
    return value == NULL ? memcmp(element, zero, size) != 0 : memcmp(element, value, size) == 0;
}
