// SPDX-License-Identifier: Apache-2.0
// hd_shuffle: checks its arguments and hands the job to a backend.
#include "shuffle.h"
#include "core/arguments.h"

#include <stdio.h>

HD__BRINGS(shuffle)
HD__BRINGS_PASS(shuffle)

static const char call[] = "hd_shuffle";

static hd_status check(hd_context *ctx, const hd_view *in, const hd_view *out)
{
    HD_TRY(hd__check_input(ctx, "hd_shuffle: in", in));
    HD_TRY(hd__check_output(ctx, "hd_shuffle: out", out));
    if (in->space == HD_IMPLICIT && in->ndim != 1)
        return hd__fail(ctx, HD_ERROR_SHAPE, "%s: an implicit view has one dimension, got %d", call,
                        (int)in->ndim);
    if (!hd__same_type(in->type, out->type)) {
        char got[48];
        snprintf(got, sizeof got, "%s", hd_type_name(out->type));
        return hd__fail(ctx, HD_ERROR_TYPE, "%s: out is %s; expected %s, as in", call, got,
                        hd_type_name(in->type));
    }
    HD_TRY(hd__check_shape_of(ctx, call, "out", out, "in", in));
    return hd__check_apart_of(ctx, call, "out", out, "in", in);
}

hd_status hd_shuffle(hd_context *ctx, hd_view in, hd_view out, const hd_shuffle_options *options)
{
    HD__BEGIN_ANYWHERE(ctx);
    hd_shuffle_options o[1];
    HD_TRY(HD__TAKE_OPTIONS(ctx, call, hd_shuffle_options, options, o));
    HD__AT_LEAST_1D(&in, &out);
    HD_TRY(check(ctx, &in, &out));
    hd__shuffle_job job = {.in = in, .out = out, .n = hd_count(in)};
    job.start = hd__mix(o->seed);
    hd__collapse(&job.in);
    hd__collapse(&job.out);
    const hd__subject subject = {"", job.n, in.type};
    return hd__dispatch(ctx, HD__SHUFFLE_PATTERN, &job, &subject);
}
