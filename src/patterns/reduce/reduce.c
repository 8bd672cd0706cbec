// SPDX-License-Identifier: Apache-2.0
// hd_reduce: checks its arguments and hands the job to a backend.
#include "reduce.h"
#include "core/system/float_state.h"
#include "core/operators/products.h"
#include "patterns/in_blocks.h"
#include "patterns/move/indices.h"
#include "patterns/carry/carry.h"
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
    return hd__select_slices(ctx, call, &requested, &job->in, &job->slices, &job->axis);
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
    HD_TRY(hd__enter_carry(ctx, call, o->carry, &job->fold, &job->tree));
    job->in.first = hd__carry_end(o->carry);
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
    job->values.space = HD_HOST;
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
hd_status hd__report_reduced(hd_context *ctx, const char *name, const hd__reduce_job *job,
                             const hd_view *in, const hd_views *with)
{
    int64_t begin = 0, end = job->in.n;
    if (!ctx->has_indexed) return HD_OK;
    if (job->slices == HD__SEGMENTS && job->segments.space == HD_DEVICE) {
        end = 0; // nobody knows here which were read
    } else if (job->slices == HD__SEGMENTS) {
        hd__indices(&job->segments, 0, 1, &begin);
        hd__indices(&job->segments, job->segments.shape[0] - 1, 1, &end);
    }
    return hd__report_indexed(ctx, name, in, with, begin, end);
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

static hd_status reduce(hd_context *ctx, const hd_view *in, const hd_operator *op,
                        const hd_view *out, hd_reduce_options *o, bool plain)
{
    hd__reduce_job job;
    hd__flags filter;
    const hd_views with = o->with;
    if (is_filtered(o) && o->map == NULL && op != HD_DOT) o->with = hd_no_values();
    HD_TRY(hd__make_reduce_job(ctx, in, op, out, o, plain, &job));
    if (!plain) HD_TRY(take_filter(ctx, o, in, with, &job, &filter));
    const hd__subject subject = {job.fold.asked->name, job.in.n, job.fold.element};
    HD_TRY(hd__run_reduce(ctx, &job, &subject));
    return hd__report_reduced(ctx, call, &job, in, &o->with);
}

// ---- Into a carry alone, which may begin later --------------------------------------------------

static hd_status check_into_carry(hd_context *ctx, const hd_view *in, const hd_view *out,
                                  const hd_reduce_options *o)
{
    const long long first = (long long)o->carry->first;
    if (hd_count(*out) != 0)
        return hd__fail(ctx, HD_ERROR_SHAPE,
                        "%s: out has %lld elements; expected none: a carry that begins at element "
                        "%lld has no result before it is joined",
                        call, (long long)hd_count(*out), first);
    if (in->ndim != 1 && first != 0)
        return hd__fail(ctx, HD_ERROR_SHAPE,
                        "%s: in has %d dimensions; expected 1 with a carry that begins at element "
                        "%lld",
                        call, (int)in->ndim, first);
    if (is_filtered(o) || o->init != NULL || !hd__is_empty(o->values) ||
        !hd__is_empty(o->residual) || !hd__is_empty(o->bound))
        return hd__fail(ctx, HD_ERROR_ARGUMENT,
                        "%s: init, values, residual, bound, flags and keep need an output; out has "
                        "no elements",
                        call);
    return HD_OK;
}

// Elements at .. at + n - 1 of a view that goes along with in.
static hd_view slice_of(hd_view v, int64_t at, int64_t n)
{
    return v.ndim == 1 && v.shape[0] != 1 ? hd_slice(v, 0, at, n, 1) : v;
}

// What the tree of the carry has room for. The result so far is of no use to anybody.
static hd_status reduce_chunk(hd_context *ctx, const hd_view *in, const hd_operator *op,
                              hd_type type, hd_reduce_options *o)
{
    _Alignas(HD__ALIGNMENT) unsigned char result[HD_MAX_ELEMENT];
    const hd_view out = hd_view_of(type, result, 1);
    hd__reduce_job job;
    if (hd_count(*in) == 0) // tells the carry what it is a carry of
        return hd__make_reduce_job(ctx, in, op, &out, o, false, &job);
    HD_TRY(reduce(ctx, in, op, &out, o, false));
    hd__carry_settle(o->carry);
    return HD_OK;
}

// Chunk by chunk, so that each is a part of the tree of the carry: as many as there are bits.
static hd_status reduce_into_carry(hd_context *ctx, const hd_view *in, const hd_operator *op,
                                   const hd_view *out, hd_reduce_options *o)
{
    const hd_views with = o->with;
    hd_view part[HD_MAX_INPUTS];
    HD_TRY(check_into_carry(ctx, in, out, o));
    if (hd_count(*in) <= hd__carry_room(o->carry)) return reduce_chunk(ctx, in, op, out->type, o);
    for (int64_t at = 0, m; at < in->shape[0]; at += m) {
        const int64_t room = hd__carry_room(o->carry), left = in->shape[0] - at;
        m = left < room ? left : room;
        const hd_view chunk = hd_slice(*in, 0, at, m, 1);
        for (int64_t k = 0; k < with.count && k < HD_MAX_INPUTS; k++)
            part[k] = slice_of(with.view[k], at, m);
        if (with.count <= HD_MAX_INPUTS) o->with.view = part;
        HD_TRY(reduce_chunk(ctx, &chunk, op, out->type, o));
    }
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
    HD__AT_LEAST_1D(&in, &out);
    if (o->carry != NULL && (o->carry->first != 0 || hd_count(out) == 0))
        return reduce_into_carry(ctx, &in, op, &out, o);
    return reduce(ctx, &in, op, &out, o, options == NULL);
}
