// SPDX-License-Identifier: Apache-2.0
// hd_scan: checks its arguments and hands the job to a backend. A backward scan is a forward one
// over reversed views; a monotone one has a scan of maxima behind it.
#include "open_segment.h"
#include "patterns/carry/carry.h"
#include "core/system/float_state.h"
#include "core/operators/products.h"
#include "patterns/in_blocks.h"
#include "patterns/move/indices.h"
#include "patterns/sort/comparisons.h"

HD__BRINGS(scan)
HD__BRINGS_PASS(scan)

static const char call[] = "hd_scan";

static hd_status choose_slices(hd_context *ctx, const hd_scan_options *o, hd__scan_job *job)
{
    if (o->carry != NULL && o->backward)
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: a carry goes forward only", call);
    job->segments = *o->segments;
    job->keys = *o->keys;
    HD_TRY(hd__check_key_order(ctx, call, o->keys, o->comparison));
    job->comparison = o->comparison;
    const hd__slice_options requested = {o->axis, o->segments, o->keys, o->carry, 0};
    return hd__select_slices(ctx, call, &requested, &job->in, &job->slices, &job->axis);
}

static hd_status check_values(hd_context *ctx, const hd_scan_options *o, hd__scan_job *job)
{
    const hd__values_options requested = {o->values, o->residual, o->bound};
    const char *name;
    HD_TRY(hd__check_values(ctx, call, &requested, &job->fold, &job->in, &job->out, true,
                            &job->values, &name));
    return name != NULL ? hd__check_shape_of(ctx, call, name, &job->values, "in", &job->in.view[0])
                        : HD_OK;
}

// A progression beside a view of several dimensions has one, which is all of it.
static void reverse(hd_view *v, int32_t axis)
{
    if (axis >= v->ndim || v->shape[axis] == 0) return;
    *v = hd_slice(*v, axis, v->shape[axis] - 1, v->shape[axis], -1);
}

// Everything in row-major order reverses along every axis, a row along its own.
static void reverse_views(hd__scan_job *job)
{
    const int32_t ndim = job->in.view[0].ndim;
    for (int32_t axis = 0; axis < ndim; axis++) {
        if (job->slices == HD__ROWS && axis != job->axis) continue;
        for (int k = 0; k < job->in.inputs; k++) reverse(&job->in.view[k], axis);
        reverse(&job->out, axis);
        if (!hd__is_empty(&job->values)) reverse(&job->values, axis);
        if (job->slices == HD__RUNS) reverse(&job->keys, axis);
    }
}

// An empty prefix needs a value: every exclusive scan that has elements meets one.
static hd_status check_exclusive(hd_context *ctx, const hd__scan_job *job)
{
    const hd__fold *f = &job->fold;
    const bool has_value = f->init != NULL || f->op != HD__USER_OP || f->node->identity != NULL;
    if (!job->exclusive || job->in.n == 0 || has_value) return HD_OK;
    return hd__fail(
        ctx, HD_ERROR_OPERATOR,
        "%s: an exclusive scan needs init, or an operator with an identity; %s has none", call,
        f->asked->name);
}

// ---- Monotone scans: the running maximum of the outputs, exact in any grouping ------------------

// What a fold gives instead of ordered numbers, or NULL.
static const char *unordered_outputs(const hd__fold *f)
{
    if (f->form == HD__ARG) return "indices";
    if (f->out == HD_BOOL || !hd__is_number(f->out)) return hd_type_name(f->out);
    return hd__operator_rows[f->asked->builtin].rule == HD__RULE_BITS ? "bits" : NULL;
}

static hd_status check_monotone(hd_context *ctx, const hd_scan_options *o, const hd__fold *f)
{
    if (!o->monotone) return HD_OK;
    if (f->value != HD_NONE && f->form != HD__ARG)
        return hd__fail(ctx, HD_ERROR_ARGUMENT,
                        "%s: monotone has no %s: an output may be that of an earlier element", call,
                        hd__is_empty(o->bound) ? "residual" : "bound");
    const char *gives = unordered_outputs(f);
    if (gives == NULL) return HD_OK;
    return hd__fail(ctx, HD_ERROR_ARGUMENT,
                    "%s: monotone needs outputs that are ordered numbers; operator %s gives %s",
                    call, f->asked->name, gives);
}

// The carry of the maxima comes with the first piece: all pieces want it, or none.
static hd_status enter_peaks(hd_context *ctx, hd_carry *carry, bool monotone)
{
    if (carry->tree.node != NULL && monotone != (carry->peaks != NULL))
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: the carry was begun %s monotone", call,
                        monotone ? "without" : "with");
    if (!monotone) { // one of a first piece that failed
        hd_carry_close(ctx, carry->peaks);
        carry->peaks = NULL;
    } else if (carry->peaks == NULL) {
        carry->peaks = hd__allocate(ctx, sizeof *carry->peaks);
        if (carry->peaks == NULL) return HD_ERROR_MEMORY;
        *carry->peaks = (hd_carry){0};
    }
    return HD_OK;
}

static hd_status make_maxima(hd_context *ctx, const hd_scan_options *o, const hd__scan_job *job,
                             hd__scan_job *maxima)
{
    *maxima = *job;
    maxima->exclusive = false;
    maxima->tree = NULL;
    maxima->in.view[0] = job->out;
    maxima->in.inputs = 1;
    maxima->in.map = NULL;
    maxima->in.first = 0;
    HD_TRY(hd__resolve(ctx, call, HD_MAX, job->out.type, job->out.type, &(hd__fold_options){0},
                       &maxima->fold));
    hd__finish_reader(&maxima->in, &maxima->fold, job->slices == HD__ROWS);
    if (o->carry == NULL) return HD_OK;
    return hd__enter_carry(ctx, call, o->carry->peaks, &maxima->fold, &maxima->tree);
}

static hd_status scan_monotone(hd_context *ctx, const hd_scan_options *o, hd__scan_job *job,
                               const hd__subject *subject)
{
    hd__scan_job maxima;
    bool done = false;
    HD_TRY(make_maxima(ctx, o, job, &maxima));
    job->maxima = &maxima;
    job->maxima_done = &done;
    HD_TRY(hd__dispatch(ctx, HD__SCAN_PATTERN, job, subject));
    const hd__subject next = {maxima.fold.asked->name, subject->n, maxima.fold.element};
    return done ? HD_OK : hd__dispatch(ctx, HD__SCAN_PATTERN, &maxima, &next);
}

// ---- Options and the call -----------------------------------------------------------------------

static hd_status check_options(hd_context *ctx, const hd_scan_options *o, hd__scan_job *job)
{
    job->exclusive = o->exclusive;
    job->backward = o->backward;
    HD_TRY(choose_slices(ctx, o, job));
    HD_TRY(check_values(ctx, o, job));
    HD_TRY(hd__check_apart_of(ctx, call, "out", &job->out, "keys", o->keys));
    HD_TRY(hd__check_apart_of(ctx, call, "out", &job->out, "segments", o->segments));
    HD_TRY(check_exclusive(ctx, job));
    HD_TRY(check_monotone(ctx, o, &job->fold));
    if (o->backward) reverse_views(job);
    if (o->carry == NULL) return HD_OK;
    HD_TRY(hd__check_open_segment(ctx, call, o->carry, job, o->monotone));
    HD_TRY(enter_peaks(ctx, o->carry, o->monotone));
    HD_TRY(hd__enter_carry(ctx, call, o->carry, &job->fold, &job->tree));
    job->in.first = hd__carry_end(o->carry);
    return HD_OK;
}

// As reduce_small_fast_path in reduce.c: out may be in itself, or apart from it.
static hd_status scan_small_fast_path(hd_context *ctx, const hd_view *in, const hd_operator *op,
                                      const hd_view *out, bool *done)
{
    const hd__fold *fold;
    *done = false;
    if (ctx->first->scan_row == NULL || op == HD_DOT || hd__is_traced(ctx) ||
        ctx->progress != NULL || !hd__is_plain_row(in) || !hd__is_plain_row(out) ||
        out->read_only != 0 || !hd__is_seen(ctx, in) || !hd__is_seen(ctx, out) ||
        out->shape[0] != in->shape[0])
        return HD_OK;
    if (!(in->data == out->data && in->type == out->type) && !hd__plainly_apart(in, out))
        return HD_OK;
    HD_TRY(hd__resolve_plain(ctx, call, op, in->type, out->type, &fold));
    HD__FLOAT_STATE;
    *done = ctx->first->scan_row(ctx, fold, in->data, in->shape[0], out->data);
    if (*done) ctx->last = ctx->first->id;
    return HD_OK;
}

hd_status hd_scan(hd_context *ctx, hd_view in, const hd_operator *op, hd_view out,
                  const hd_scan_options *options)
{
    hd_scan_options o[1];
    HD__BEGIN_ANYWHERE(ctx);
    if (options == NULL) {
        bool done;
        HD_TRY(scan_small_fast_path(ctx, &in, op, &out, &done));
        if (done) return HD_OK;
    }
    HD_TRY(HD__TAKE_OPTIONS(ctx, call, hd_scan_options, options, o));
    HD__AT_LEAST_1D(&in, &out);
    hd__scan_job job;
    hd_type element;
    job.slices = HD__EVERYTHING;
    job.axis = 0;
    job.exclusive = job.backward = false;
    job.tree = NULL;
    job.maxima = NULL;
    job.values.type = HD_NONE;
    job.values.data = NULL;
    job.values.ndim = 0;
    job.values.space = HD_HOST;
    const hd_function *map;
    const hd__fold_options requested = {.init = o->init,
                                        .ddof = o->ddof,
                                        .accumulate = o->accumulate,
                                        .residual = o->residual->type,
                                        .bound = o->bound->type,
                                        .heads =
                                            !hd__is_empty(o->segments) || !hd__is_empty(o->keys)};
    HD_TRY(hd__choose_map(ctx, call, op, &in, out.type, &requested, o->map, &o->with, &map));
    HD_TRY(hd__check_indexed_inputs(ctx, call, &in, map, &o->with, &job.in, &element));
    HD_TRY(hd__check_output(ctx, "hd_scan: out", &out));
    HD_TRY(hd__check_shape_of(ctx, call, "out", &out, "in", &in));
    if (op == HD_DOT) element = in.type;
    HD_TRY(hd__resolve(ctx, call, op, element, out.type, &requested, &job.fold));
    hd__take_products(&job.fold);
    job.out = out;
    HD_TRY(hd__check_apart(ctx, call, "out", &out, &job.in, true));
    if (options != NULL) HD_TRY(check_options(ctx, o, &job));
    hd__finish_reader(&job.in, &job.fold, job.slices == HD__ROWS);
    if (job.slices != HD__ROWS && out.ndim > 1) hd__collapse(&job.out);
    if (job.slices != HD__ROWS && job.values.ndim > 1) hd__collapse(&job.values);
    const hd__subject subject = {job.fold.asked->name, job.in.n, job.fold.element};
    if (o->carry != NULL && o->carry->first != 0)
        HD_TRY(hd__scan_open_segment(ctx, &job, o->carry, &subject));
    else
        HD_TRY(o->monotone ? scan_monotone(ctx, o, &job, &subject)
                           : hd__run_scan(ctx, &job, &subject));
    return hd__report_indexed(ctx, call, &in, &o->with, 0, job.in.n);
}
