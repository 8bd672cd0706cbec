// SPDX-License-Identifier: Apache-2.0
// hd_slide: checks its arguments and hands the job to a backend.
#include "slide.h"
#include "core/operators/products.h"

HD__BRINGS(slide)
HD__BRINGS_PASS(slide)

static const char call[] = "hd_slide";

static hd_status check_axis(hd_context *ctx, const hd_slide_options *o, const hd_view *in,
                            int32_t *axis)
{
    *axis = 0;
    if (o->axis != 0) return hd__check_axis(ctx, call, o->axis, in->ndim, axis);
    if (in->ndim == 1) return HD_OK;
    return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: in has %d dimensions; expected one, or an axis",
                    call, (int)in->ndim);
}

static hd_status check_shape(hd_context *ctx, const hd_view *in, const hd_view *out, int64_t width,
                             hd__slide_job *job)
{
    char got[HD__SHAPE_TEXT], want[HD__SHAPE_TEXT];
    hd_view like = *in;
    const int64_t n = in->shape[job->axis];
    if (width < 1)
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: width is %lld; expected 1 or more", call,
                        (long long)width);
    job->width = width;
    job->count = like.shape[job->axis] = width > n ? 0 : n - width + 1;
    job->rows = 1;
    for (int32_t k = 0; k < in->ndim; k++)
        if (k != job->axis) job->rows *= in->shape[k];
    if (hd__same_shape(out, &like)) return HD_OK;
    return hd__fail(ctx, HD_ERROR_SHAPE, "%s: out has shape %s; expected %s, a result a window",
                    call, hd__shape_text(out, got), hd__shape_text(&like, want));
}

hd_status hd_slide(hd_context *ctx, hd_view in, const hd_operator *op, int64_t width, hd_view out,
                   const hd_slide_options *options)
{
    hd_slide_options o[1];
    hd__slide_job job;
    hd_type element;
    const hd_function *map;
    HD__BEGIN_ANYWHERE(ctx);
    HD_TRY(HD__TAKE_OPTIONS(ctx, call, hd_slide_options, options, o));
    HD__AT_LEAST_1D(&in, &out);
    const hd__fold_options requested = {.ddof = o->ddof, .accumulate = o->accumulate};
    HD_TRY(hd__choose_map(ctx, call, op, &in, out.type, &requested, o->map, &o->with, &map));
    HD_TRY(hd__check_inputs(ctx, call, &in, map, &o->with, &job.in, &element));
    HD_TRY(hd__check_output(ctx, "hd_slide: out", &out));
    if (op == HD_DOT) element = in.type;
    HD_TRY(hd__resolve(ctx, call, op, element, out.type, &requested, &job.fold));
    hd__take_products(&job.fold);
    HD_TRY(check_axis(ctx, o, &in, &job.axis));
    HD_TRY(check_shape(ctx, &in, &out, width, &job));
    HD_TRY(hd__check_apart(ctx, call, "out", &out, &job.in, false));
    hd__finish_reader(&job.in, &job.fold, true);
    job.out = out;
    if (job.count == 0 || job.rows == 0) return HD_OK;
    const hd__subject subject = {job.fold.asked->name, job.in.n, job.fold.element};
    return hd__dispatch(ctx, HD__SLIDE_PATTERN, &job, &subject);
}
