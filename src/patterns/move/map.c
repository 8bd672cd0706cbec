// SPDX-License-Identifier: Apache-2.0
// hd_map: checks its arguments and hands the job to a backend.
#include "map.h"
#include "core/arguments.h"
#include "indices.h"
#include "patterns/in_blocks.h"

#include <stdio.h>

HD__BRINGS(map)
HD__BRINGS_PASS(map)

// Without a function: numbers into numbers, structures into the same.
static hd_status check_types(hd_context *ctx, const char *call, const hd__map_job *job)
{
    const hd_type element = hd__element_type(&job->in), out = job->out.type;
    if (hd__same_type(element, out)) return HD_OK;
    if (job->in.map == NULL && hd__is_number(element) && hd__is_number(out)) return HD_OK;
    char got[48];
    snprintf(got, sizeof got, "%s", hd_type_name(out));
    if (job->in.map != NULL)
        return hd__fail(ctx, HD_ERROR_TYPE, "%s: function %s gives %s; out is %s", call,
                        job->in.map->name, hd_type_name(element), got);
    return hd__fail(ctx, HD_ERROR_TYPE, "%s: %s cannot become %s", call, hd_type_name(element),
                    got);
}

static bool is_input(const hd__map_job *job)
{
    for (int k = 0; k < job->in.inputs; k++)
        if (hd__overlaps(&job->out, &job->in.view[k]) == HD__SAME) return true;
    return false;
}

hd_status hd__make_map_job(hd_context *ctx, const char *call, const hd_view *in,
                           const hd_function *function, const hd_views *with, const hd_view *out,
                           hd__map_job *job)
{
    hd_type element;
    HD_TRY(hd__check_indexed_inputs(ctx, call, in, function, with, &job->in, &element));
    HD_TRY(hd__check_output_as(ctx, out, "%s: out", call));
    job->out = *out;
    HD_TRY(check_types(ctx, call, job));
    // An implicit view has one dimension and goes with any shape of as many elements.
    const bool flat = in->space == HD_IMPLICIT && function == NULL;
    if (flat && hd_count(*out) != in->shape[0]) {
        char got[HD__SHAPE_TEXT], expected[HD__SHAPE_TEXT];
        return hd__fail(ctx, HD_ERROR_SHAPE,
                        "%s: out has shape %s; expected as many elements as in, %s", call,
                        hd__shape_text(out, got), hd__shape_text(in, expected));
    }
    if (!flat) HD_TRY(hd__check_shape_of(ctx, call, "out", out, "in", in));
    HD_TRY(hd__check_apart(ctx, call, "out", out, &job->in, true));
    job->in_place = is_input(job);
    for (int k = 0; k < job->in.inputs; k++) hd__collapse(&job->in.view[k]);
    hd__collapse(&job->out);
    job->in.fold = NULL;
    job->in.direct = false;
    return HD_OK;
}

hd_status hd_map(hd_context *ctx, hd_view in, const hd_function *function, hd_view out,
                 const hd_map_options *options)
{
    static const char call[] = "hd_map";
    hd_map_options o[1];
    HD__BEGIN_ANYWHERE(ctx);
    HD_TRY(HD__TAKE_OPTIONS(ctx, call, hd_map_options, options, o));
    HD__AT_LEAST_1D(&in, &out);
    hd__map_job job;
    HD_TRY(hd__make_map_job(ctx, call, &in, function, &o->with, &out, &job));
    const hd__subject subject = {function != NULL ? function->name : "", job.in.n, in.type};
    HD_TRY(hd__run_map(ctx, &job, &subject));
    return hd__report_indexed(ctx, call, &in, &o->with, 0, job.in.n);
}
