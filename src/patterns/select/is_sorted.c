// SPDX-License-Identifier: Apache-2.0
// hd_is_sorted: checks its arguments and hands the job to a backend.
#include "patterns/sort/is_sorted.h"
#include "core/arguments.h"
#include "patterns/sort/comparisons.h"

HD__BRINGS(is_sorted)
HD__BRINGS_PASS(is_sorted)

static const char call[] = "hd_is_sorted";

static hd_status check(hd_context *ctx, const hd_view *in, const hd_view *position)
{
    HD_TRY(hd__check_input(ctx, "hd_is_sorted: in", in));
    if (hd__is_empty(position))
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: position is empty; expected one i64", call);
    const hd__named_view others[] = {{"in", in}};
    return hd__check_number(ctx, call, "position", position, others, 1);
}

hd_status hd_is_sorted(hd_context *ctx, hd_view in, hd_view position,
                       const hd_is_sorted_options *options)
{
    hd_is_sorted_options o[1];
    HD__BEGIN_ANYWHERE(ctx);
    HD_TRY(HD__TAKE_OPTIONS(ctx, call, hd_is_sorted_options, options, o));
    HD__AT_LEAST_1D(&in, &position);
    HD_TRY(check(ctx, &in, &position));
    hd__is_sorted_job job = {.in = in, .n = hd_count(in)};
    const bool there = hd__is_device_number(&position);
    job.position = there ? NULL : position.data;
    job.position_to = there ? position : HD_EMPTY;
    job.numbers = o->comparison == NULL;
    job.descending = o->descending;
    job.strict = o->strict;
    HD_TRY(hd__select_order(ctx, call, o->comparison, in.type, o->descending, &job.order,
                            &job.backwards));
    hd__collapse(&job.in);
    const hd__subject subject = {o->comparison != NULL ? o->comparison->name : "", job.n, in.type};
    return hd__dispatch(ctx, HD__IS_SORTED_PATTERN, &job, &subject);
}
