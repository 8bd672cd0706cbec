// SPDX-License-Identifier: Apache-2.0
// hd_top_k: checks its arguments and hands the job to a backend.
#include "top_k.h"
#include "core/arguments.h"
#include "rows.h"

#include <stdio.h>

HD__BRINGS(top_k)
HD__BRINGS_PASS(top_k)

static const char call[] = "hd_top_k";

// ---- Outputs --------------------------------------------------------------------------------

// k elements, or, along an axis, the shape of the keys but for k, or a row of k for each segment.
static hd_status check_fit(hd_context *ctx, const char *name, const hd_view *v,
                           const hd__top_k_job *job)
{
    char got[HD__SHAPE_TEXT], keys[HD__SHAPE_TEXT];
    hd_view like = job->in;
    if (!hd__is_empty(job->segments)) {
        like = hd_view_nd(job->in.type, NULL, 2, (int64_t[]){job->rows, job->k}, NULL);
        return hd__check_shape_of(ctx, call, name, v, "k for each segment", &like);
    }
    if (job->axis >= 0) {
        like.shape[job->axis] = job->k;
        return hd__check_shape_of(ctx, call, name, v, "keys_in but for k along the axis", &like);
    }
    if (hd__count(v) == job->k) return HD_OK;
    return hd__fail(ctx, HD_ERROR_SHAPE,
                    "%s: %s has shape %s; expected k = %lld elements, of those of keys_in, %s",
                    call, name, hd__shape_text(v, got), (long long)job->k,
                    hd__shape_text(&job->in, keys));
}

static hd_status check_keys_out(hd_context *ctx, const hd__top_k_job *job)
{
    if (hd__is_empty(&job->out)) return HD_OK;
    HD_TRY(hd__check_output(ctx, "hd_top_k: keys_out", &job->out));
    HD_TRY(check_fit(ctx, "keys_out", &job->out, job));
    if (hd__same_type(job->out.type, job->in.type)) return HD_OK;
    char got[48];
    snprintf(got, sizeof got, "%s", hd_type_name(job->out.type));
    return hd__fail(ctx, HD_ERROR_TYPE, "%s: keys_out is %s; expected the keys' type, %s", call,
                    got, hd_type_name(job->in.type));
}

static hd_status check_indices(hd_context *ctx, const hd__top_k_job *job)
{
    if (hd__is_empty(&job->indices)) return HD_OK;
    HD_TRY(hd__check_positions(ctx, call, "indices", &job->indices, job->n - 1));
    return check_fit(ctx, "indices", &job->indices, job);
}

static hd_status check_value(hd_context *ctx, const hd__top_k_job *job, int64_t k)
{
    char in_name[64], out_name[64], got[48];
    hd_view in_row, out_row;
    const hd_view *in = hd__view_at_least_1d(&job->values[2 * k], &in_row);
    const hd_view *out = hd__view_at_least_1d(&job->values[2 * k + 1], &out_row);
    snprintf(in_name, sizeof in_name, "input %lld of values", (long long)k);
    snprintf(out_name, sizeof out_name, "output %lld of values", (long long)k);
    HD_TRY(hd__check_input_as(ctx, in, "%s: %s", call, in_name));
    HD_TRY(hd__check_output_as(ctx, out, "%s: %s", call, out_name));
    HD_TRY(hd__check_shape_of(ctx, call, in_name, in, "keys_in", &job->in));
    HD_TRY(check_fit(ctx, out_name, out, job));
    if (hd__same_type(in->type, out->type)) return HD_OK;
    snprintf(got, sizeof got, "%s", hd_type_name(out->type));
    return hd__fail(ctx, HD_ERROR_TYPE, "%s: %s is %s; expected its input's type, %s", call,
                    out_name, got, hd_type_name(in->type));
}

// An output against the keys, the inputs of values, and the outputs of values but the first few.
static hd_status check_apart(hd_context *ctx, const hd__top_k_job *job, const char *name,
                             const hd_view *out, int64_t from)
{
    hd_view row, other_row;
    if (hd__is_empty(out)) return HD_OK;
    out = hd__view_at_least_1d(out, &row);
    HD_TRY(hd__check_apart_of(ctx, call, name, out, "keys_in", &job->in));
    HD_TRY(hd__check_apart_of(ctx, call, name, out, "segments", job->segments));
    for (int64_t k = 0; k < 2 * job->value_count; k++)
        if (k % 2 == 0 || k / 2 >= from)
            HD_TRY(hd__check_apart_of(ctx, call, name, out,
                                      k % 2 ? "an output of values" : "an input of values",
                                      hd__view_at_least_1d(&job->values[k], &other_row)));
    return HD_OK;
}

static hd_status check_outputs(hd_context *ctx, const hd__top_k_job *job)
{
    HD_TRY(check_keys_out(ctx, job));
    HD_TRY(check_indices(ctx, job));
    for (int64_t k = 0; k < job->value_count; k++) HD_TRY(check_value(ctx, job, k));
    HD_TRY(check_apart(ctx, job, "keys_out", &job->out, 0));
    HD_TRY(check_apart(ctx, job, "indices", &job->indices, 0));
    if (!hd__is_empty(&job->out) && !hd__is_empty(&job->indices))
        HD_TRY(hd__check_apart_of(ctx, call, "indices", &job->indices, "keys_out", &job->out));
    for (int64_t k = 0; k < job->value_count; k++)
        HD_TRY(check_apart(ctx, job, "an output of values", &job->values[2 * k + 1], k + 1));
    return HD_OK;
}

// ---- The call -------------------------------------------------------------------------------

hd__top_k_job hd__top_k_row(const hd__top_k_job *job, int64_t r)
{
    hd__top_k_job row = *job;
    row.rows = 1, row.offsets = NULL;
    row.begin = r * job->n, row.place = r * job->k;
    if (job->offsets != NULL) {
        row.begin = row.index_first = job->offsets[r];
        row.n = job->offsets[r + 1] - row.begin;
        if (row.k > row.n) row.k = row.n;
    }
    row.in = hd__range_of(&job->in, row.begin, row.n);
    row.out = hd__range_of(&job->out, row.place, row.k);
    row.indices = hd__range_of(&job->indices, row.place, row.k);
    return row;
}

void hd__top_k_value(const hd__top_k_job *job, int64_t k, hd_view *in, hd_view *out)
{
    *in = job->values[2 * k];
    *out = job->values[2 * k + 1];
    HD__AT_LEAST_1D(in, out);
    hd__put_axis_last(in, job->axis);
    hd__put_axis_last(out, job->axis);
    *in = hd__range_of(in, job->begin, job->n);
    *out = hd__range_of(out, job->place, job->k);
}

static hd_status check_segments(hd_context *ctx, const hd_top_k_options *o, hd__top_k_job *job)
{
    if (o->axis != 0)
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: axis and segments exclude each other", call);
    if (job->in.ndim != 1)
        return hd__fail(ctx, HD_ERROR_SHAPE, "%s: segments need one dimension, keys_in has %d",
                        call, (int)job->in.ndim);
    HD_TRY(hd__check_offsets(ctx, call, o->segments, 1));
    HD_TRY(hd__check_on_host(ctx, call, "segments", o->segments));
    job->rows = o->segments->shape[0] - 1;
    if (job->k >= 0) return HD_OK;
    return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: k is %lld; expected 0 or more", call,
                    (long long)job->k);
}

static hd_status check_rows(hd_context *ctx, const hd_top_k_options *o, hd__top_k_job *job)
{
    job->n = hd__count(&job->in), job->rows = 1, job->axis = -1;
    if (!hd__is_empty(o->segments)) return check_segments(ctx, o, job);
    if (o->axis != 0) {
        HD_TRY(hd__check_axis(ctx, call, o->axis, job->in.ndim, &job->axis));
        if (job->in.space == HD_IMPLICIT && job->in.ndim != 1)
            return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: rows along an axis are in memory", call);
        const int64_t length = job->in.shape[job->axis];
        job->rows = length > 0 ? job->n / length : 0;
        job->n = length;
    }
    if (job->k >= 0 && job->k <= job->n) return HD_OK;
    return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: k is %lld; expected 0 to %lld, the elements of %s",
                    call, (long long)job->k, (long long)job->n,
                    job->axis < 0 ? "keys_in" : "a row of keys_in");
}

static hd_status check_values(hd_context *ctx, const hd_views *values)
{
    if (values->count >= 0 && values->count % 2 == 0 &&
        (values->count == 0 || values->view != NULL))
        return HD_OK;
    return hd__fail(ctx, HD_ERROR_ARGUMENT,
                    "%s: values are %lld views%s; expected an input and an output for each array",
                    call, (long long)values->count,
                    values->count > 0 && values->view == NULL ? " at NULL" : "");
}

// Everything is checked.
static hd_status run(hd_context *ctx, hd__top_k_job *job, const char *name)
{
    hd__put_axis_last(&job->in, job->axis);
    hd__put_axis_last(&job->out, job->axis);
    hd__put_axis_last(&job->indices, job->axis);
    const hd__subject subject = {name, hd__count(&job->in), job->in.type};
    return hd__dispatch(ctx, HD__TOP_K_PATTERN, job, &subject);
}

// The same with offsets that the call has to itself.
static hd_status run_segments(hd_context *ctx, hd__top_k_job *job, const char *name)
{
    const size_t bytes = (size_t)(job->rows + 1) * sizeof(int64_t);
    int64_t *offsets = hd__allocate(ctx, bytes);
    if (offsets == NULL) return HD_ERROR_MEMORY;
    hd_status status = hd__take_offsets(ctx, call, job->segments, job->rows, job->n, offsets);
    job->n = 0;
    for (int64_t r = 0; r < job->rows && status == HD_OK; r++)
        if (offsets[r + 1] - offsets[r] > job->n) job->n = offsets[r + 1] - offsets[r];
    job->offsets = offsets;
    if (status == HD_OK && job->n > 0) status = run(ctx, job, name);
    hd__release(ctx, offsets, bytes);
    return status;
}

hd_status hd_top_k(hd_context *ctx, hd_view keys_in, int64_t k, hd_view keys_out, hd_views values,
                   const hd_top_k_options *options)
{
    hd_top_k_options o[1];
    HD__BEGIN_ANYWHERE(ctx);
    HD_TRY(HD__TAKE_OPTIONS(ctx, call, hd_top_k_options, options, o));
    HD__AT_LEAST_1D(&keys_in, &keys_out);
    HD_TRY(hd__check_input(ctx, "hd_top_k: keys_in", &keys_in));
    HD_TRY(check_values(ctx, &values));
    hd__top_k_job job = {.k = k,
                         .in = keys_in,
                         .out = keys_out,
                         .indices = *o->indices,
                         .segments = o->segments,
                         .values = values.view,
                         .value_count = values.count / 2};
    HD_TRY(hd__select_order(ctx, call, o->comparison, keys_in.type, !o->ascending, &job.order,
                            &job.backwards));
    HD_TRY(check_rows(ctx, o, &job));
    HD_TRY(check_outputs(ctx, &job));
    if (k == 0) return HD_OK;
    const char *name = o->comparison != NULL ? job.order->name : "";
    return hd__is_empty(o->segments) ? run(ctx, &job, name) : run_segments(ctx, &job, name);
}
