// SPDX-License-Identifier: Apache-2.0
// hd_gather: checks its arguments and hands the job to a backend.
#include "gather.h"
#include "indices.h"
#include "patterns/in_blocks.h"

#include <stdio.h>

HD__BRINGS(gather)
HD__BRINGS_PASS(gather)

static const char call[] = "hd_gather";

// Out has the shape of in, but for the axis, which is as long as the index.
static hd_status check_axis(hd_context *ctx, const hd_gather_options *o, hd__gather_job *job)
{
    const hd_view *in = &job->in, *out = &job->out;
    HD_TRY(hd__check_axis(ctx, call, o->axis, in->ndim, &job->axis));
    if (o->function != NULL)
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: axis and function exclude each other", call);
    if (job->index.ndim != 1)
        return hd__fail(ctx, HD_ERROR_SHAPE, "%s: with axis the index has one dimension, got %d",
                        call, (int)job->index.ndim);
    hd_view wanted = *in;
    wanted.shape[job->axis] = job->index.shape[0];
    job->limit = in->shape[job->axis];
    return hd__check_shape_of(ctx, call, "out", out, "the slices", &wanted);
}

// The gathered elements have the index's shape: a reader over them checks function and views.
static hd_status check_map(hd_context *ctx, const hd_gather_options *o, hd__gather_job *job)
{
    if (o->function == NULL && o->with.count == 0 && job->in.type == job->out.type) return HD_OK;
    hd__reader reader;
    hd_type element;
    hd_view gathered = job->out;
    gathered.type = job->in.type;
    gathered.data = ctx; // any address that suits every type: no element is looked at
    HD_TRY(hd__check_inputs(ctx, call, &gathered, o->function, &o->with, &reader, &element));
    job->map = o->function;
    for (int k = 1; o->function != NULL && k < o->function->inputs; k++) {
        job->with[k - 1] = reader.view[k];
        const hd__overlap how = hd__overlaps(&job->out, &reader.view[k]);
        if (how == HD__CROSSING)
            return hd__fail(ctx, HD_ERROR_ALIAS,
                            "%s: out overlaps a view of with without being the same view", call);
        const hd__named_view with = {"a view of with", &reader.view[k]};
        HD_TRY(hd__check_number(ctx, call, "bad", o->bad, &with, 1));
        hd__collapse(&job->with[k - 1]);
    }
    if (hd__same_type(job->out.type, element)) return HD_OK;
    char got[48];
    snprintf(got, sizeof got, "%s", hd_type_name(job->out.type));
    return hd__fail(ctx, HD_ERROR_TYPE, "%s: out is %s; expected %s, as the elements are", call,
                    got, hd_type_name(element));
}

static hd_status check_options(hd_context *ctx, const hd_gather_options *o, hd__gather_job *job)
{
    job->axis = -1;
    job->limit = hd__count(&job->in);
    if (o->axis != 0)
        HD_TRY(check_axis(ctx, o, job));
    else
        HD_TRY(hd__check_shape_of(ctx, call, "out", &job->out, "index", &job->index));
    HD_TRY(check_map(ctx, o, job));
    HD_TRY(hd__check_apart_of(ctx, call, "out", &job->out, "in", &job->in));
    HD_TRY(hd__check_apart_of(ctx, call, "out", &job->out, "index", &job->index));
    const hd__named_view all[] = {{"in", &job->in}, {"index", &job->index}, {"out", &job->out}};
    return hd__check_number(ctx, call, "bad", o->bad, all, 3);
}

// As scatter_small_fast_path in scatter.c.
static bool gather_small_fast_path(hd_context *ctx, const hd_view *in, const hd_view *index,
                                   const hd_view *out)
{
    if (ctx->first->gather_row == NULL || hd__is_traced(ctx) || ctx->progress != NULL ||
        !hd__is_plain_row(in) || !hd__is_plain_row(index) || !hd__is_plain_output(out) ||
        !hd__is_seen(ctx, in) || !hd__is_seen(ctx, index) || !hd__is_seen(ctx, out) ||
        in->type != out->type || !hd__is_number(in->type) || index->shape[0] != out->shape[0] ||
        !hd__plainly_apart(in, out) || !hd__plainly_apart(index, out))
        return false;
    if (!ctx->first->gather_row(hd__size_of(in->type), in->data, in->shape[0], index->type,
                                index->data, index->shape[0], out->data))
        return false;
    ctx->last = ctx->first->id;
    return true;
}

hd_status hd_gather(hd_context *ctx, hd_view in, hd_view index, hd_view out,
                    const hd_gather_options *options)
{
    hd_gather_options o[1];
    HD__BEGIN_ANYWHERE(ctx);
    if (options == NULL && gather_small_fast_path(ctx, &in, &index, &out)) return HD_OK;
    HD_TRY(HD__TAKE_OPTIONS(ctx, call, hd_gather_options, options, o));
    HD__AT_LEAST_1D(&in, &index, &out);
    hd__gather_job job; // its views of with are filled where there are any
    job.in = in;
    job.index = index;
    job.out = out;
    job.map = NULL;
    job.bad = NULL;
    job.bad_to = HD_EMPTY;
    HD_TRY(hd__check_input(ctx, "hd_gather: in", &in));
    HD_TRY(hd__check_index(ctx, call, &index));
    HD_TRY(hd__check_output(ctx, "hd_gather: out", &out));
    if (in.space == HD_IMPLICIT && in.ndim != 1)
        return hd__fail(ctx, HD_ERROR_SHAPE, "%s: an implicit view has one dimension, got %d", call,
                        (int)in.ndim);
    HD_TRY(check_options(ctx, o, &job));
    if (job.axis < 0) {
        hd__collapse(&job.in);
        hd__collapse(&job.out);
    }
    hd__collapse(&job.index);
    int64_t bad = -1;
    const bool to_device = hd__is_device_number(o->bad);
    if (o->checked || (!hd__is_empty(o->bad) && !to_device)) job.bad = &bad;
    if (to_device) job.bad_to = *o->bad;
    const hd__subject subject = {job.axis < 0 ? "" : "slices", hd__count(&out), in.type};
    HD_TRY(hd__run_gather(ctx, &job, &subject));
    hd__give_number(o->bad, bad);
    return hd__report_bad(ctx, call, &job.index, bad, job.limit, o->checked);
}
