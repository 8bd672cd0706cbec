// SPDX-License-Identifier: Apache-2.0
// hd_reverse and hd_rotate: check their arguments and hand the job to a backend.
#include "reverse.h"
#include "core/arguments.h"

#include <stdio.h>

HD__BRINGS(reverse)
HD__BRINGS_PASS(map)
HD__BRINGS_PASS(reverse)

static hd_status check(hd_context *ctx, const char *call, const hd_view *in, const hd_view *out)
{
    HD_TRY(hd__check_input_as(ctx, in, "%s: in", call));
    HD_TRY(hd__check_output_as(ctx, out, "%s: out", call));
    if (in->space == HD_IMPLICIT && in->ndim != 1)
        return hd__fail(ctx, HD_ERROR_SHAPE, "%s: an implicit view has one dimension, got %d", call,
                        (int)in->ndim);
    if (!hd__same_type(in->type, out->type)) {
        char got[48];
        snprintf(got, sizeof got, "%s", hd_type_name(out->type));
        return hd__fail(ctx, HD_ERROR_TYPE, "%s: out is %s; expected %s, as in", call, got,
                        hd_type_name(in->type));
    }
    return hd__check_shape_of(ctx, call, "out", out, "in", in);
}

// Everything but the rotation. Element for element the same memory is in place.
static hd_status make_job(hd_context *ctx, const char *call, const hd_view *in, const hd_view *out,
                          int32_t axis, hd__reverse_job *job)
{
    HD_TRY(check(ctx, call, in, out));
    *job = (hd__reverse_job){.in = *in, .out = *out, .axis = -1, .n = hd_count(*in)};
    job->in_place = in->space == out->space && hd__overlaps(in, out) == HD__SAME;
    if (!job->in_place) HD_TRY(hd__check_apart_of(ctx, call, "out", out, "in", in));
    job->length = job->n;
    if (axis != 0) {
        HD_TRY(hd__check_axis(ctx, call, axis, in->ndim, &job->axis));
        job->length = in->shape[job->axis];
        hd__normalize_strides(&job->in);
        hd__normalize_strides(&job->out);
        return HD_OK;
    }
    hd__collapse(&job->in);
    hd__collapse(&job->out);
    return HD_OK;
}

static hd_status dispatch(hd_context *ctx, const hd__reverse_job *job)
{
    if (job->n == 0) return HD_OK;
    const hd__subject subject = {job->rotates ? "rotate" : "", job->n, job->in.type};
    return hd__dispatch(ctx, HD__REVERSE_PATTERN, job, &subject);
}

hd_status hd_reverse(hd_context *ctx, hd_view in, hd_view out, const hd_reverse_options *options)
{
    static const char call[] = "hd_reverse";
    hd_reverse_options o[1];
    hd__reverse_job job;
    HD__BEGIN_ANYWHERE(ctx);
    HD_TRY(HD__TAKE_OPTIONS(ctx, call, hd_reverse_options, options, o));
    HD__AT_LEAST_1D(&in, &out);
    HD_TRY(make_job(ctx, call, &in, &out, o->axis, &job));
    return dispatch(ctx, &job);
}

hd_status hd_rotate(hd_context *ctx, hd_view in, int64_t shift, hd_view out,
                    const hd_rotate_options *options)
{
    static const char call[] = "hd_rotate";
    hd_rotate_options o[1];
    hd__reverse_job job;
    HD__BEGIN_ANYWHERE(ctx);
    HD_TRY(HD__TAKE_OPTIONS(ctx, call, hd_rotate_options, options, o));
    HD__AT_LEAST_1D(&in, &out);
    HD_TRY(make_job(ctx, call, &in, &out, o->axis, &job));
    job.rotates = true;
    if (job.length > 0) job.shift = shift % job.length;
    if (job.shift < 0) job.shift += job.length;
    return dispatch(ctx, &job);
}
