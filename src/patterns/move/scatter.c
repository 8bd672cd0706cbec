// SPDX-License-Identifier: Apache-2.0
// hd_scatter: checks its arguments and hands the job to a backend.
#include "scatter.h"
#include "core/convert.h"
#include "indices.h"
#include "core/operators/products.h"

#include <stdio.h>

HD__BRINGS(scatter)
HD__BRINGS_PASS(scatter)

static const char call[] = "hd_scatter";

static hd_status check_combine(hd_context *ctx, const hd_scatter_options *o, hd_type element,
                               hd__scatter_job *job)
{
    const hd__fold_options requested = {.accumulate = o->accumulate};
    HD_TRY(hd__resolve(ctx, call, o->combine, element, job->out.type, &requested, &job->fold));
    hd__take_products(&job->fold);
    if (!hd__loads_outputs(&job->fold))
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: operator %s cannot combine into what is there",
                        call, job->fold.asked->name);
    job->combines = true;
    return HD_OK;
}

static hd_status check_written(hd_context *ctx, const hd_scatter_options *o, hd_type element,
                               const hd__scatter_job *job)
{
    if (o->accumulate != HD_NONE)
        return hd__fail(ctx, HD_ERROR_ARGUMENT,
                        "%s: accumulate is %s; expected 0 where nothing is combined", call,
                        hd_type_name(o->accumulate));
    if (hd__same_type(job->out.type, element)) return HD_OK;
    char got[48];
    snprintf(got, sizeof got, "%s", hd_type_name(job->out.type));
    return hd__fail(ctx, HD_ERROR_TYPE, "%s: out is %s; expected %s, as the elements are", call,
                    got, hd_type_name(element));
}

// An implicit input or index has one dimension, and goes with any shape of as many elements.
static hd_status check_shapes(hd_context *ctx, const hd_view *in, const hd_view *index)
{
    const bool flat = in->space == HD_IMPLICIT || index->space == HD_IMPLICIT;
    if (!flat) return hd__check_shape_of(ctx, call, "index", index, "in", in);
    if (hd_count(*in) == hd_count(*index)) return HD_OK;
    char got[HD__SHAPE_TEXT], expected[HD__SHAPE_TEXT];
    return hd__fail(ctx, HD_ERROR_SHAPE,
                    "%s: index has shape %s; expected as many elements as in, %s", call,
                    hd__shape_text(index, got), hd__shape_text(in, expected));
}

static hd_status check(hd_context *ctx, const hd_scatter_options *o, const hd_view *in,
                       hd__scatter_job *job)
{
    hd_type element;
    const hd_function *map;
    HD_TRY(hd__choose_map(ctx, call, o->combine, in, job->out.type,
                          &(hd__fold_options){.accumulate = o->accumulate}, o->map, &o->with,
                          &map));
    HD_TRY(hd__check_inputs(ctx, call, in, map, &o->with, &job->in, &element));
    if (o->combine == HD_DOT) element = in->type;
    HD_TRY(hd__check_index(ctx, call, &job->index));
    HD_TRY(hd__check_output(ctx, "hd_scatter: out", &job->out));
    HD_TRY(check_shapes(ctx, in, &job->index));
    HD_TRY(o->combine != NULL ? check_combine(ctx, o, element, job)
                              : check_written(ctx, o, element, job));
    HD_TRY(hd__check_apart(ctx, call, "out", &job->out, &job->in, false));
    HD_TRY(hd__check_apart_of(ctx, call, "out", &job->out, "index", &job->index));
    HD_TRY(hd__check_number_apart(ctx, call, "bad", o->bad, &job->in));
    const hd__named_view others[] = {{"index", &job->index}, {"out", &job->out}};
    return hd__check_number(ctx, call, "bad", o->bad, others, 2);
}

static void collapse(hd__scatter_job *job)
{
    hd__collapse(&job->index);
    hd__collapse(&job->out);
    if (job->combines) {
        hd__finish_reader(&job->in, &job->fold, false);
        return;
    }
    for (int k = 0; k < job->in.inputs; k++) hd__collapse(&job->in.view[k]);
    job->in.fold = NULL;
    job->in.direct = false;
}

// Few elements without options: the checks are one look, and a backend that has the rows in hand
// needs no job.
static bool scatter_small_fast_path(hd_context *ctx, const hd_view *in, const hd_view *index,
                                    const hd_view *out)
{
    if (ctx->first->scatter_row == NULL || hd__is_traced(ctx) || ctx->progress != NULL ||
        !hd__is_plain_row(in) || !hd__is_plain_row(index) || !hd__is_plain_output(out) ||
        !hd__is_seen(ctx, in) || !hd__is_seen(ctx, index) || !hd__is_seen(ctx, out) ||
        in->type != out->type || !hd__is_number(in->type) || in->shape[0] != index->shape[0] ||
        !hd__plainly_apart(in, out) || !hd__plainly_apart(index, out))
        return false;
    if (!ctx->first->scatter_row(hd__size_of(in->type), in->data, index->type, index->data,
                                 in->shape[0], out->data, out->shape[0]))
        return false;
    ctx->last = ctx->first->id;
    return true;
}

hd_status hd_scatter(hd_context *ctx, hd_view in, hd_view index, hd_view out,
                     const hd_scatter_options *options)
{
    hd_scatter_options o[1];
    HD__BEGIN_ANYWHERE(ctx);
    if (options == NULL && scatter_small_fast_path(ctx, &in, &index, &out)) return HD_OK;
    HD_TRY(HD__TAKE_OPTIONS(ctx, call, hd_scatter_options, options, o));
    HD__AT_LEAST_1D(&in, &index, &out);
    hd__scatter_job job; // its fold and its views of with are filled where there are any
    job.index = index;
    job.out = out;
    job.unique = o->unique;
    job.combines = false;
    job.bad = NULL;
    job.bad_to = HD_EMPTY;
    HD_TRY(check(ctx, o, &in, &job));
    if (o->order != 0 && o->order != HD_ANY_ORDER)
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: order is %d; expected 0 or HD_ANY_ORDER", call,
                        (int)o->order);
    if (o->order != 0 && o->combine == NULL)
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: order is for combine, which is NULL", call);
    job.any_order = o->order == HD_ANY_ORDER;
    job.limit = hd__count(&out);
    collapse(&job);
    int64_t bad = -1;
    const bool to_device = hd__is_device_number(o->bad);
    if (o->checked || (!hd__is_empty(o->bad) && !to_device)) job.bad = &bad;
    if (to_device) job.bad_to = *o->bad;
    const hd__subject subject = {o->combine != NULL ? job.fold.asked->name : "", job.in.n,
                                 out.type};
    HD_TRY(hd__dispatch(ctx, HD__SCATTER_PATTERN, &job, &subject));
    hd__give_number(o->bad, bad);
    return hd__report_bad(ctx, call, &job.index, bad, job.limit, o->checked);
}

void hd__combine_into(const hd__scatter_job *job, int64_t at, void *node)
{
    const hd__fold *f = &job->fold;
    _Alignas(HD__ALIGNMENT) unsigned char old[HD_MAX_ELEMENT], result[HD_MAX_ELEMENT];
    hd__gather(&job->out, at, 1, result);
    hd__load_output(f, result, old);
    hd__combine(f->node, node, old, node, 1);
    hd__finalize(f, node, 1, NULL, 1, result, NULL);
    hd__scatter(&job->out, at, 1, result);
}
