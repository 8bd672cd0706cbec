// SPDX-License-Identifier: Apache-2.0
// hd_sort: checks its arguments and hands the job to a backend.
#include "sort.h"
#include "core/arguments.h"
#include "rows.h"

#include <stdio.h>

HD__BRINGS(sort)
HD__BRINGS_PASS(sort)

static const char call[] = "hd_sort";

static hd_status check_like(hd_context *ctx, const char *what, const hd_view *keys,
                            const hd_view *v)
{
    return hd__check_shape_of(ctx, call, what, v, "the keys", keys);
}

static hd_status check_keys(hd_context *ctx, const hd_view *keys, const hd_comparison *comparison)
{
    HD_TRY(hd__check_input_as(ctx, keys, "%s: keys_in", call));
    if (keys->space == HD_IMPLICIT && keys->ndim != 1)
        return hd__fail(ctx, HD_ERROR_SHAPE,
                        "%s: keys_in: an implicit view has one dimension, got %d", call,
                        (int)keys->ndim);
    if (comparison != NULL) return hd__check_comparison(ctx, call, comparison, keys->type);
    if (hd__is_number(keys->type)) return HD_OK;
    return hd__fail(ctx, HD_ERROR_TYPE, "%s: keys are %s; expected numbers, or a comparison", call,
                    hd_type_name(keys->type));
}

static hd_status check_keys_out(hd_context *ctx, const hd_view *keys, const hd_view *out)
{
    if (hd__is_empty(out)) return HD_OK;
    HD_TRY(hd__check_output_as(ctx, out, "%s: keys_out", call));
    HD_TRY(check_like(ctx, "keys_out", keys, out));
    if (hd__same_type(out->type, keys->type)) return HD_OK;
    char got[48];
    snprintf(got, sizeof got, "%s", hd_type_name(out->type));
    return hd__fail(ctx, HD_ERROR_TYPE, "%s: keys_out is %s; expected the keys' type, %s", call,
                    got, hd_type_name(keys->type));
}

// Indices are below the length of a row; those of segments count from the start of the keys.
static hd_status check_indices(hd_context *ctx, const hd__sort_job *job)
{
    if (hd__is_empty(&job->indices)) return HD_OK;
    HD_TRY(hd__check_positions(ctx, call, "indices", &job->indices, job->length - 1));
    return check_like(ctx, "indices", &job->keys, &job->indices);
}

// ---- Values ---------------------------------------------------------------------------------

static hd_status check_value(hd_context *ctx, const hd_view *keys, const hd_view *values, int64_t k)
{
    char in_name[64], out_name[64], got[48];
    hd_view in_row, out_row;
    const hd_view *in = hd__view_at_least_1d(&values[2 * k], &in_row);
    const hd_view *out = hd__view_at_least_1d(&values[2 * k + 1], &out_row);
    HD_TRY(hd__check_input_as(ctx, in, "%s: input %lld of values", call, (long long)k));
    HD_TRY(hd__check_output_as(ctx, out, "%s: output %lld of values", call, (long long)k));
    if (hd__same_shape(keys, in) && hd__same_shape(keys, out) && hd__same_type(in->type, out->type))
        return HD_OK;
    snprintf(in_name, sizeof in_name, "input %lld of values", (long long)k);
    snprintf(out_name, sizeof out_name, "output %lld of values", (long long)k);
    HD_TRY(check_like(ctx, in_name, keys, in));
    HD_TRY(check_like(ctx, out_name, keys, out));
    snprintf(got, sizeof got, "%s", hd_type_name(out->type));
    return hd__fail(ctx, HD_ERROR_TYPE, "%s: %s is %s; expected its input's type, %s", call,
                    out_name, got, hd_type_name(in->type));
}

static hd_status check_values(hd_context *ctx, const hd_view *keys, const hd_views *values)
{
    if (values->count < 0 || values->count % 2 != 0 || (values->count > 0 && values->view == NULL))
        return hd__fail(ctx, HD_ERROR_ARGUMENT,
                        "%s: values are %lld views%s; expected an input and an output for each "
                        "array",
                        call, (long long)values->count,
                        values->count > 0 && values->view == NULL ? " at NULL" : "");
    for (int64_t k = 0; k < values->count / 2; k++) HD_TRY(check_value(ctx, keys, values->view, k));
    return HD_OK;
}

void hd__sort_value(const hd__sort_job *job, int64_t k, hd_view *in, hd_view *out)
{
    *in = job->values[2 * k];
    *out = job->values[2 * k + 1];
    HD__AT_LEAST_1D(in, out);
    hd__put_axis_last(in, job->axis);
    hd__put_axis_last(out, job->axis);
}

// ---- Overlaps -------------------------------------------------------------------------------

// The name of a view in an error: "keys_in", "input 2 of values".
typedef struct view_name {
    const char *what;
    int64_t k; // -1: the only one of its kind
} view_name;

static void write_name(char *text, size_t room, view_name name)
{
    if (name.k < 0)
        snprintf(text, room, "%s", name.what);
    else
        snprintf(text, room, "%s %lld of values", name.what, (long long)name.k);
}

// An output may be its own input; from every other view it is apart.
static hd_status check_overlap(hd_context *ctx, view_name out_name, const hd_view *out,
                               view_name in_name, const hd_view *in, bool own)
{
    char out_text[64], in_text[64];
    hd_view out_row, in_row;
    if (hd__is_empty(out) || hd__is_empty(in)) return HD_OK;
    const hd__overlap how =
        hd__overlaps(hd__view_at_least_1d(out, &out_row), hd__view_at_least_1d(in, &in_row));
    if (how == HD__APART || (own && how == HD__SAME)) return HD_OK;
    write_name(out_text, sizeof out_text, out_name);
    write_name(in_text, sizeof in_text, in_name);
    return hd__fail(ctx, HD_ERROR_ALIAS, "%s: %s overlaps %s%s", call, out_text, in_text,
                    own ? " without being the same view" : "");
}

enum { KEYS = -1, INDICES = -2 }; // outputs that are none of the values'

// Output k of the values, or one of the others, against everything else.
static hd_status check_apart(hd_context *ctx, const hd__sort_job *job, int64_t k)
{
    const hd_view *out = k == KEYS      ? &job->out
                         : k == INDICES ? &job->indices
                                        : &job->values[2 * k + 1];
    const view_name name = {k == KEYS ? "keys_out" : k == INDICES ? "indices" : "output", k};
    if (hd__is_empty(out)) return HD_OK;
    HD_TRY(check_overlap(ctx, name, out, (view_name){"keys_in", -1}, &job->keys, k == KEYS));
    HD_TRY(check_overlap(ctx, name, out, (view_name){"segments", -1}, &job->segments, false));
    if (k != INDICES)
        HD_TRY(check_overlap(ctx, name, out, (view_name){"indices", -1}, &job->indices, false));
    for (int64_t j = 0; j < job->value_count; j++) {
        const hd_view *value = &job->values[2 * j];
        HD_TRY(check_overlap(ctx, name, out, (view_name){"input", j}, value, j == k));
        if (j > k && k != INDICES) // indices: the outputs are compared with them
            HD_TRY(check_overlap(ctx, name, out, (view_name){"output", j}, value + 1, false));
    }
    return HD_OK;
}

// ---- The call -------------------------------------------------------------------------------

static hd_status choose_slices(hd_context *ctx, const hd_sort_options *o, hd__sort_job *job)
{
    const bool segments = !hd__is_empty(o->segments);
    job->length = job->n;
    if (segments && o->axis != 0)
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: axis and segments exclude each other", call);
    if (segments && job->keys.ndim != 1)
        return hd__fail(ctx, HD_ERROR_SHAPE, "%s: segments need one dimension, the keys have %d",
                        call, (int)job->keys.ndim);
    job->segments = *o->segments;
    if (segments) return hd__check_offsets(ctx, call, o->segments, 0);
    if (o->axis == 0) return HD_OK;
    HD_TRY(hd__check_axis(ctx, call, o->axis, job->keys.ndim, &job->axis));
    job->length = job->keys.shape[job->axis];
    return HD_OK;
}

static hd_status dispatch(hd_context *ctx, hd__sort_job *job)
{
    const char *what = job->order != NULL ? job->order->name : job->descending ? "descending" : "";
    const hd__subject subject = {what, job->n, job->keys.type};
    hd__put_axis_last(&job->keys, job->axis);
    hd__put_axis_last(&job->out, job->axis);
    hd__put_axis_last(&job->indices, job->axis);
    return hd__dispatch(ctx, HD__SORT_PATTERN, job, &subject);
}

// Few numbers without options or values, in place or apart: the checks are one look, and a backend
// that has the row in hand needs no job.
static bool sort_small_fast_path(hd_context *ctx, const hd_view *in, const hd_view *out)
{
    if (ctx->first->sort_row == NULL || hd__is_traced(ctx) || ctx->progress != NULL ||
        !hd__is_seen(ctx, in) || !hd__is_seen(ctx, out) || !hd__is_plain_row(in) ||
        !hd__is_plain_output(out) || in->type != out->type || !hd__is_number(in->type) ||
        in->shape[0] != out->shape[0])
        return false;
    if (in->data != out->data && !hd__plainly_apart(in, out)) return false;
    if (!ctx->first->sort_row(ctx, in->type, in->data, in->shape[0], out->data)) return false;
    ctx->last = ctx->first->id;
    return true;
}

hd_status hd_sort(hd_context *ctx, hd_view keys_in, hd_view keys_out, hd_views values,
                  const hd_sort_options *options)
{
    hd_sort_options o[1];
    HD__BEGIN_ANYWHERE(ctx);
    if (options == NULL && values.count == 0 && sort_small_fast_path(ctx, &keys_in, &keys_out))
        return HD_OK;
    HD_TRY(HD__TAKE_OPTIONS(ctx, call, hd_sort_options, options, o));
    HD__AT_LEAST_1D(&keys_in, &keys_out);
    HD_TRY(check_keys(ctx, &keys_in, o->comparison));
    HD_TRY(check_keys_out(ctx, &keys_in, &keys_out));
    HD_TRY(check_values(ctx, &keys_in, &values));
    hd__sort_job job = {.order = o->comparison,
                        .n = hd__count(&keys_in),
                        .keys = keys_in,
                        .out = keys_out,
                        .indices = *o->indices,
                        .values = values.view,
                        .value_count = values.count / 2,
                        .axis = -1,
                        .descending = o->descending};
    HD_TRY(choose_slices(ctx, o, &job));
    HD_TRY(check_indices(ctx, &job));
    for (int64_t k = INDICES; k < job.value_count; k++) HD_TRY(check_apart(ctx, &job, k));
    return dispatch(ctx, &job);
}
