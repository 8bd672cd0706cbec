// SPDX-License-Identifier: Apache-2.0
// hd_compact and hd_unique: check their arguments and hand the job to a backend.
#include "compact.h"
#include "core/arguments.h"

HD__BRINGS(compact)
HD__BRINGS_PASS(compact)

// Checks the outputs of a job whose flags are known; collapses its views.
static hd_status check_outputs(hd_context *ctx, const char *call, const hd_view *in,
                               const hd_view *out, const hd_view *indices, hd__counting *counting,
                               hd__compact_job *job)
{
    HD_TRY(hd__check_counting(ctx, call, "count", counting, &job->count));
    job->in = *in;
    job->n = job->flags.in.n;
    job->out = *out;
    job->indices = *indices;
    job->count_to = counting->view;
    HD_TRY(hd__check_elements(ctx, call, "out", out, in->type));
    HD_TRY(hd__check_indices(ctx, call, "indices", indices, job->n - 1));
    if (job->in.ndim > 1) hd__collapse(&job->in);
    if (job->out.ndim > 1) hd__collapse(&job->out);
    if (job->indices.ndim > 1) hd__collapse(&job->indices);
    const hd__flags *l = &job->flags;
    HD_TRY(hd__check_apart_flags(ctx, call, "out", &job->out, &job->in, l, true));
    HD_TRY(hd__check_apart_flags(ctx, call, "indices", &job->indices, &job->in, l, false));
    job->in_place = !hd__is_empty(out) && out->data == in->data &&
                    hd__overlaps(&job->out, &job->in) == HD__SAME;
    HD_TRY(hd__check_apart_flags(ctx, call, "count", &job->count_to, &job->in, l, false));
    HD_TRY(hd__check_apart_of(ctx, call, "count", &job->count_to, "out", &job->out));
    HD_TRY(hd__check_apart_of(ctx, call, "count", &job->count_to, "indices", &job->indices));
    return hd__check_apart_of(ctx, call, "indices", &job->indices, "out", &job->out);
}

static hd_status run(hd_context *ctx, const char *call, const char *what,
                     const hd__subject *subject, const hd__compact_job *job,
                     const hd__counting *counting)
{
    if (job->count != NULL) *job->count = 0;
    HD_TRY(hd__dispatch(ctx, HD__COMPACT_PATTERN, job, subject));
    if (job->count == NULL) return HD_OK;
    hd__end_counting(counting, job->count);
    HD_TRY(hd__check_room(ctx, call, "out", &job->out, *job->count, what));
    return hd__check_room(ctx, call, "indices", &job->indices, *job->count, what);
}

// Few numbers by flags of a byte each, in place or apart, with room for all of them: the checks are
// one look, and a backend that has the rows in hand needs no job.
static bool compact_small_fast_path(hd_context *ctx, const hd_view *in, const hd_view *out,
                                    const hd_view *count, const hd_compact_options *o)
{
    const hd_view *flags = o->flags;
    if (ctx->first->compact_row == NULL || hd__is_traced(ctx) || ctx->progress != NULL ||
        o->keep != NULL || o->invert || o->with.count != 0 || !hd__is_empty(o->indices) ||
        !hd__is_plain_row(in) || !hd__is_plain_row(flags) || !hd__is_plain_output(out) ||
        !hd__is_plain_output(count))
        return false;
    if (!hd__is_seen(ctx, in) || !hd__is_seen(ctx, flags) || !hd__is_seen(ctx, out) ||
        !hd__is_seen(ctx, count) || in->type != out->type || !hd__is_number(in->type) ||
        hd__size_of(flags->type) != 1 || !hd__is_number(flags->type) || count->type != HD_I64 ||
        count->shape[0] != 1 || flags->shape[0] != in->shape[0] || out->shape[0] < in->shape[0])
        return false;
    if ((in->data != out->data && !hd__plainly_apart(in, out)) || !hd__plainly_apart(flags, out) ||
        !hd__plainly_apart(count, in) || !hd__plainly_apart(count, flags) ||
        !hd__plainly_apart(count, out))
        return false;
    if (!ctx->first->compact_row(hd__size_of(in->type), in->data, flags->data, in->shape[0],
                                 out->data, count->data))
        return false;
    ctx->last = ctx->first->id;
    return true;
}

hd_status hd_compact(hd_context *ctx, hd_view in, hd_view out, hd_view count,
                     const hd_compact_options *options)
{
    static const char call[] = "hd_compact";
    hd_compact_options o[1];
    hd__compact_job job;
    HD__BEGIN_ANYWHERE(ctx);
    HD_TRY(HD__TAKE_OPTIONS(ctx, call, hd_compact_options, options, o));
    if (compact_small_fast_path(ctx, &in, &out, &count, o)) return HD_OK;
    HD__AT_LEAST_1D(&in, &out, &count);
    const hd__flag_options flags = {o->flags, o->keep, &o->with, "flags", "keep"};
    hd__counting counting = {count, 0};
    HD_TRY(hd__check_flags(ctx, call, &in, &flags, &job.flags));
    if (!hd__is_number(job.flags.type))
        return hd__fail(ctx, HD_ERROR_TYPE, "%s: a %s is neither zero nor not: give flags or keep",
                        call, hd_type_name(in.type));
    job.flags.invert = o->invert;
    HD_TRY(check_outputs(ctx, call, &in, &out, o->indices, &counting, &job));
    const char *by = o->keep != NULL ? o->keep->name : job.flags.own ? "nonzero" : "by flags";
    return run(ctx, call, "elements kept", &(hd__subject){by, job.n, in.type}, &job, &counting);
}

hd_status hd_unique(hd_context *ctx, hd_view in, hd_view out, hd_view count,
                    const hd_unique_options *options)
{
    static const char call[] = "hd_unique";
    hd_unique_options o[1];
    hd__compact_job job;
    HD__BEGIN_ANYWHERE(ctx);
    HD_TRY(HD__TAKE_OPTIONS(ctx, call, hd_unique_options, options, o));
    HD__AT_LEAST_1D(&in, &out, &count);
    hd__counting counting = {count, 0};
    HD_TRY(hd__check_heads(ctx, call, &in, o->comparison, &job.flags));
    HD_TRY(check_outputs(ctx, call, &in, &out, o->indices, &counting, &job));
    const char *by = o->comparison != NULL ? o->comparison->name : "unique";
    return run(ctx, call, "runs", &(hd__subject){by, job.n, in.type}, &job, &counting);
}
