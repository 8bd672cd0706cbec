// SPDX-License-Identifier: Apache-2.0
// hd_reduce: checks its arguments and hands the job to a backend.
#include "reduce.h"
#include "core/system/float_state.h"
#include "core/operators/products.h"
#include "patterns/in_blocks.h"
#include "patterns/move/indices.h"
#include "patterns/select/flags.h"
#include "patterns/sort/comparisons.h"

#include <stdio.h>

HD__BRINGS(reduce)
HD__BRINGS_PASS(reduce)

static const char call[] = "hd_reduce";

static hd_status check_one_element(hd_context *ctx, const char *name, const hd_view *out)
{
    if (hd_count(*out) == 1) return HD_OK;
    return hd__fail(ctx, HD_ERROR_SHAPE, "%s: %s has %lld elements; expected 1", call, name,
                    (long long)hd_count(*out));
}

// The output of a reduction along an axis has the other axes, in order.
static hd_status check_rows(hd_context *ctx, const char *name, const hd_view *in, int32_t axis,
                            const hd_view *out)
{
    if (in->ndim == 1) return check_one_element(ctx, name, out);
    char other[32];
    hd_view rows = *in;
    rows.ndim--;
    for (int k = axis; k < rows.ndim; k++) rows.shape[k] = in->shape[k + 1];
    snprintf(other, sizeof other, "in without axis %d", (int)axis);
    return hd__check_shape_of(ctx, call, name, out, other, &rows);
}

static hd_status check_slots(hd_context *ctx, const char *name, const hd_view *out, int64_t slots)
{
    char got[HD__SHAPE_TEXT];
    if (out->ndim == 1 && out->shape[0] == slots) return HD_OK;
    return hd__fail(ctx, HD_ERROR_SHAPE, "%s: %s has shape %s; expected (%lld), one a segment",
                    call, name, hd__shape_text(out, got), (long long)slots);
}

static hd_status check_shape(hd_context *ctx, const hd__reduce_job *job, const char *name,
                             const hd_view *out)
{
    switch (job->slices) {
    case HD__EVERYTHING: return check_one_element(ctx, name, out);
    case HD__ROWS: return check_rows(ctx, name, &job->in.view[0], job->axis, out);
    case HD__SEGMENTS: return check_slots(ctx, name, out, job->segments.shape[0] - 1);
    case HD__RUNS: break;
    }
    if (out->ndim == 1) return HD_OK;
    return hd__fail(ctx, HD_ERROR_SHAPE, "%s: %s must have one dimension, got %d", call, name,
                    (int)out->ndim);
}

static hd_status choose_slices(hd_context *ctx, const hd_reduce_options *o, hd__reduce_job *job)
{
    job->segments = *o->segments;
    job->keys = *o->keys;
    job->keys_out = *o->keys_out;
    const bool to_device = hd__is_device_number(o->runs);
    job->runs = hd__is_empty(o->runs) || to_device ? NULL : o->runs->data;
    job->runs_to = to_device ? *o->runs : HD_EMPTY;
    HD_TRY(hd__check_key_order(ctx, call, o->keys, o->comparison));
    job->comparison = o->comparison;
    const hd__slice_options requested = {o->axis, o->segments, o->keys, o->carry, 1};
    if (hd__is_empty(o->keys) && (!hd__is_empty(o->keys_out) || !hd__is_empty(o->runs)))
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: %s goes with keys, and there are none", call,
                        !hd__is_empty(o->runs) ? "runs" : "keys_out");
    return hd__choose_slices(ctx, call, &requested, &job->in, &job->slices, &job->axis);
}

static hd_status check_values(hd_context *ctx, const hd_reduce_options *o, hd__reduce_job *job)
{
    const hd__values_options requested = {o->values, o->residual, o->bound};
    const char *name;
    HD_TRY(hd__check_values(ctx, call, &requested, &job->fold, &job->in, &job->out, false,
                            &job->values, &name));
    return name != NULL ? check_shape(ctx, job, name, &job->values) : HD_OK;
}

static hd_status check_keys_out(hd_context *ctx, const hd__reduce_job *job)
{
    const hd_view *k = &job->keys_out;
    if (job->slices != HD__RUNS || hd__is_empty(k)) return HD_OK;
    HD_TRY(hd__check_output(ctx, "hd_reduce: keys_out", k));
    if (!hd__same_type(k->type, job->keys.type) || k->ndim != 1)
        return hd__fail(ctx, HD_ERROR_TYPE, "%s: keys_out must be one dimension of the keys' type",
                        call);
    HD_TRY(hd__check_apart(ctx, call, "keys_out", k, &job->in, false));
    HD_TRY(hd__check_apart_of(ctx, call, "keys_out", k, "keys", &job->keys));
    HD_TRY(hd__check_apart_of(ctx, call, "keys_out", k, "out", &job->out));
    return hd__check_apart_of(ctx, call, "keys_out", k, "values, residual or bound", &job->values);
}

// Everything that options bring beyond the plain reduction of a view to one element.
static hd_status check_options(hd_context *ctx, const hd_reduce_options *o, hd__reduce_job *job)
{
    HD_TRY(choose_slices(ctx, o, job));
    HD_TRY(check_values(ctx, o, job));
    HD_TRY(check_keys_out(ctx, job));
    HD_TRY(hd__check_apart_of(ctx, call, "out", &job->out, "keys", o->keys));
    HD_TRY(hd__check_apart_of(ctx, call, "out", &job->out, "segments", o->segments));
    HD_TRY(hd__check_number_apart(ctx, call, "runs", o->runs, &job->in));
    const hd__named_view others[] = {{"out", &job->out},
                                     {"values, residual or bound", &job->values},
                                     {"keys", o->keys},
                                     {"keys_out", o->keys_out},
                                     {"segments", o->segments}};
    HD_TRY(hd__check_number(ctx, call, "runs", o->runs, others, 5));
    if (o->carry == NULL) return HD_OK;
    HD_TRY(hd__enter_carry(ctx, call, o->carry, &job->fold, false, &job->tree));
    job->in.first = job->tree->count;
    return HD_OK;
}

// A plain row into one element, without options: checked, resolved and done in a few tens of
// instructions, because small calls cost nothing else. *done: whether that was all.
static hd_status reduce_small_fast_path(hd_context *ctx, const hd_view *in, const hd_operator *op,
                                        const hd_view *out, bool *done)
{
    const hd__fold *fold;
    *done = false;
    if (ctx->first->reduce_row == NULL || op == HD_DOT || hd__is_traced(ctx) ||
        ctx->progress != NULL || !hd__is_plain_row(in) || !hd__is_plain_row(out) ||
        out->read_only != 0 || !hd__is_seen(ctx, in) || !hd__is_seen(ctx, out) ||
        out->shape[0] != 1 || !hd__plainly_apart(in, out))
        return HD_OK;
    HD_TRY(hd__resolve_plain(ctx, call, op, in->type, out->type, &fold));
    HD__FLOAT_STATE;
    *done = ctx->first->reduce_row(ctx, fold, in->data, in->shape[0], out->data);
    if (*done) ctx->last = ctx->first->id;
    return HD_OK;
}

hd_status hd__make_reduce_job(hd_context *ctx, const hd_view *in, const hd_operator *op,
                              const hd_view *out, const hd_reduce_options *o, bool plain,
                              hd__reduce_job *job)
{
    hd_type element;
    job->slices = HD__EVERYTHING;
    job->axis = 0;
    job->tree = NULL;
    job->filter = NULL;
    job->values.type = HD_NONE;
    job->values.data = NULL;
    job->values.ndim = 0;
    const hd_function *map;
    const hd__fold_options requested = {.init = o->init,
                                        .ddof = o->ddof,
                                        .accumulate = o->accumulate,
                                        .residual = o->residual->type,
                                        .bound = o->bound->type};
    HD_TRY(hd__choose_map(ctx, call, op, in, out->type, &requested, o->map, &o->with, &map));
    HD_TRY(hd__check_indexed_inputs(ctx, call, in, map, &o->with, &job->in, &element));
    HD_TRY(hd__check_output(ctx, "hd_reduce: out", out));
    if (op == HD_DOT) element = in->type;
    HD_TRY(hd__resolve(ctx, call, op, element, out->type, &requested, &job->fold));
    hd__take_products(&job->fold);
    job->out = *out;
    if (!plain) HD_TRY(check_options(ctx, o, job));
    HD_TRY(check_shape(ctx, job, "out", out));
    HD_TRY(hd__check_apart(ctx, call, "out", out, &job->in, false));
    hd__finish_reader(&job->in, &job->fold, job->slices == HD__ROWS);
    return HD_OK;
}

// Offsets never fall, so that segments leave out what is before the first and after the last.
static hd_status report_indexed(hd_context *ctx, const hd__reduce_job *job, const hd_view *in,
                                const hd_views *with)
{
    int64_t begin = 0, end = job->in.n;
    if (!ctx->has_indexed) return HD_OK;
    if (job->slices == HD__SEGMENTS && job->segments.space == HD_DEVICE) {
        end = 0; // nobody knows here which were read
    } else if (job->slices == HD__SEGMENTS) {
        hd__indices(&job->segments, 0, 1, &begin);
        hd__indices(&job->segments, job->segments.shape[0] - 1, 1, &end);
    }
    return hd__report_indexed(ctx, call, in, with, begin, end);
}

// ---- Filters ------------------------------------------------------------------------------------

static bool is_filtered(const hd_reduce_options *o)
{
    return !hd__is_empty(o->flags) || o->keep != NULL;
}

// What a filter does not go with.
static hd_status check_filtered(hd_context *ctx, const hd_reduce_options *o,
                                const hd__reduce_job *job)
{
    if (job->slices != HD__EVERYTHING)
        return hd__fail(ctx, HD_ERROR_ARGUMENT,
                        "%s: flags and keep go with a reduction of everything, not with axis, "
                        "segments or keys",
                        call);
    if (ctx->has_indexed)
        return hd__fail(ctx, HD_ERROR_ARGUMENT,
                        "%s: flags and keep do not go with an indexed view; hd_gather makes a copy "
                        "of its elements",
                        call);
    if (o->carry != NULL && job->fold.form == HD__ARG)
        return hd__fail(ctx, HD_ERROR_ARGUMENT,
                        "%s: %s with flags or keep has no carry: its index is that in in", call,
                        job->fold.asked->name);
    return HD_OK;
}

// The views of with that keep takes are the first ones, or, without a map, all.
static hd_status take_filter(hd_context *ctx, const hd_reduce_options *o, const hd_view *in,
                             hd_views with, hd__reduce_job *job, hd__flags *filter)
{
    if (!is_filtered(o)) {
        if (!o->invert) return HD_OK;
        return hd__fail(ctx, HD_ERROR_ARGUMENT,
                        "%s: invert goes with flags or keep, and there are none", call);
    }
    HD_TRY(check_filtered(ctx, o, job));
    const int64_t wanted = o->keep != NULL ? o->keep->inputs - 1 : 0;
    if (job->in.map != NULL && wanted >= 0 && wanted < with.count) with.count = wanted;
    const hd__flag_options flags = {o->flags, o->keep, &with, "flags", "keep"};
    HD_TRY(hd__check_flags(ctx, call, in, &flags, filter));
    filter->invert = o->invert;
    const hd_view *elements = &job->in.view[0];
    HD_TRY(hd__check_apart_flags(ctx, call, "out", &job->out, elements, filter, false));
    HD_TRY(hd__check_apart_flags(ctx, call, "values, residual or bound", &job->values, elements,
                                 filter, false));
    job->filter = filter;
    return HD_OK;
}

// ---- The call -----------------------------------------------------------------------------------

hd_status hd_reduce(hd_context *ctx, hd_view in, const hd_operator *op, hd_view out,
                    const hd_reduce_options *options)
{
    hd_reduce_options o[1];
    HD__BEGIN_ANYWHERE(ctx);
    if (options == NULL) {
        bool done;
        HD_TRY(reduce_small_fast_path(ctx, &in, op, &out, &done));
        if (done) return HD_OK;
    }
    HD_TRY(HD__TAKE_OPTIONS(ctx, call, hd_reduce_options, options, o));
    HD__LIFT(&in, &out);
    hd__reduce_job job;
    hd__flags filter;
    const hd_views with = o->with;
    if (is_filtered(o) && o->map == NULL && op != HD_DOT) o->with = hd_no_values();
    HD_TRY(hd__make_reduce_job(ctx, &in, op, &out, o, options == NULL, &job));
    if (options != NULL) HD_TRY(take_filter(ctx, o, &in, with, &job, &filter));
    const hd__subject subject = {job.fold.asked->name, job.in.n, job.fold.element};
    HD_TRY(hd__run_reduce(ctx, &job, &subject));
    return report_indexed(ctx, &job, &in, &o->with);
}
