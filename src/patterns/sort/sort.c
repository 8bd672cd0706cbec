// SPDX-License-Identifier: Apache-2.0
// hd_sort and hd_argsort: check their arguments and hand the job to a backend.
#include "sort.h"
#include "core/arguments.h"

#include <stdio.h>

static hd_status check_like(hd_context *ctx, const char *what, const hd_view *keys,
                            const hd_view *v)
{
    char got[HD__SHAPE_TEXT], expected[HD__SHAPE_TEXT];
    if (hd__same_shape(v, keys)) return HD_OK;
    return hd__fail(ctx, HD_ERROR_SHAPE, "%s has shape %s; expected %s, that of the keys", what,
                    hd__shape_text(v, got), hd__shape_text(keys, expected));
}

static hd_status check_keys(hd_context *ctx, const char *call, const hd_view *keys)
{
    HD_TRY(hd__check_input_as(ctx, keys, "%s: keys", call));
    if (!hd__is_number(keys->type))
        return hd__fail(ctx, HD_ERROR_TYPE, "%s: keys are %s; expected numbers", call,
                        hd_type_name(keys->type));
    if (keys->space == HD_IMPLICIT && keys->ndim != 1)
        return hd__fail(ctx, HD_ERROR_SHAPE, "%s: keys: an implicit view has one dimension, got %d",
                        call, (int)keys->ndim);
    return HD_OK;
}

// ---- Layout ---------------------------------------------------------------------------------

// The same elements with one axis last and as few dimensions as can be.
static void turn(hd_view *v, int32_t axis)
{
    if (hd__is_empty(v)) return;
    if (axis >= 0) {
        const int64_t shape = v->shape[axis], stride = v->stride[axis];
        for (int32_t k = axis; k + 1 < v->ndim; k++) {
            v->shape[k] = v->shape[k + 1];
            v->stride[k] = v->stride[k + 1];
        }
        v->shape[v->ndim - 1] = shape;
        v->stride[v->ndim - 1] = stride;
    }
    if (v->ndim > 1) hd__collapse(v);
}

void hd__sort_value(const hd__sort_job *job, int64_t k, hd_view *in, hd_view *out)
{
    *in = job->values[2 * k];
    *out = job->values[2 * k + 1];
    turn(in, job->axis);
    turn(out, job->axis);
}

static hd_status choose_slices(hd_context *ctx, const char *call, const hd_sort_options *o,
                               hd__sort_job *job)
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
    const hd__subject subject = {job->descending ? "descending" : "", job->n, job->keys.type};
    turn(&job->keys, job->axis);
    turn(&job->out, job->axis);
    turn(&job->indices, job->axis);
    return hd__dispatch(ctx, HD__SORT_PATTERN, job, &subject);
}

// ---- hd_sort --------------------------------------------------------------------------------

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
    const hd__overlap how =
        hd__is_empty(out) || hd__is_empty(in) ? HD__APART : hd__overlaps(out, in);
    if (how == HD__APART || (own && how == HD__SAME)) return HD_OK;
    write_name(out_text, sizeof out_text, out_name);
    write_name(in_text, sizeof in_text, in_name);
    return hd__fail(ctx, HD_ERROR_ALIAS, "hd_sort: %s overlaps %s%s", out_text, in_text,
                    own ? " without being the same view" : "");
}

static hd_status check_value(hd_context *ctx, const hd_view *keys, const hd_view *values, int64_t k)
{
    char in_name[64], out_name[64], got[48];
    const hd_view *in = &values[2 * k], *out = &values[2 * k + 1];
    HD_TRY(hd__check_input_as(ctx, in, "hd_sort: input %lld of values", (long long)k));
    HD_TRY(hd__check_output_as(ctx, out, "hd_sort: output %lld of values", (long long)k));
    if (hd__same_shape(keys, in) && hd__same_shape(keys, out) && hd__same_type(in->type, out->type))
        return HD_OK;
    snprintf(in_name, sizeof in_name, "hd_sort: input %lld of values", (long long)k);
    snprintf(out_name, sizeof out_name, "hd_sort: output %lld of values", (long long)k);
    HD_TRY(check_like(ctx, in_name, keys, in));
    HD_TRY(check_like(ctx, out_name, keys, out));
    snprintf(got, sizeof got, "%s", hd_type_name(out->type));
    return hd__fail(ctx, HD_ERROR_TYPE, "%s is %s; expected its input's type, %s", out_name, got,
                    hd_type_name(in->type));
}

// Output k of the values against everything else; hd_sort's keys are view -1 of them.
static hd_status check_apart(hd_context *ctx, const hd__sort_job *job, int64_t k)
{
    const hd_view *out = k < 0 ? &job->out : &job->values[2 * k + 1];
    const view_name name = {k < 0 ? "keys_out" : "output", k};
    HD_TRY(check_overlap(ctx, name, out, (view_name){"keys_in", -1}, &job->keys, k < 0));
    HD_TRY(check_overlap(ctx, name, out, (view_name){"segments", -1}, &job->segments, false));
    for (int64_t j = 0; j < job->value_count; j++) {
        const hd_view *value = &job->values[2 * j];
        HD_TRY(check_overlap(ctx, name, out, (view_name){"input", j}, value, j == k));
        if (j > k)
            HD_TRY(check_overlap(ctx, name, out, (view_name){"output", j}, value + 1, false));
    }
    return HD_OK;
}

static hd_status check_values(hd_context *ctx, const hd_view *keys, const hd_views *values)
{
    if (values->count < 0 || values->count % 2 != 0 || (values->count > 0 && values->view == NULL))
        return hd__fail(ctx, HD_ERROR_ARGUMENT,
                        "hd_sort: values are %lld views%s; expected an input and an output for "
                        "each array",
                        (long long)values->count,
                        values->count > 0 && values->view == NULL ? " at NULL" : "");
    for (int64_t k = 0; k < values->count / 2; k++) HD_TRY(check_value(ctx, keys, values->view, k));
    return HD_OK;
}

static hd_status check_keys_out(hd_context *ctx, const hd_view *keys, const hd_view *out)
{
    if (hd__is_empty(out)) return HD_OK;
    HD_TRY(hd__check_output(ctx, "hd_sort: keys_out", out));
    HD_TRY(check_like(ctx, "hd_sort: keys_out", keys, out));
    if (out->type == keys->type) return HD_OK;
    char got[48];
    snprintf(got, sizeof got, "%s", hd_type_name(out->type));
    return hd__fail(ctx, HD_ERROR_TYPE, "hd_sort: keys_out is %s; expected the keys' type, %s", got,
                    hd_type_name(keys->type));
}

hd_status hd_sort(hd_context *ctx, hd_view keys_in, hd_view keys_out, hd_views values,
                  const hd_sort_options *options)
{
    hd_sort_options o[1];
    HD__BEGIN(ctx);
    HD_TRY(HD__TAKE_OPTIONS(ctx, "hd_sort", hd_sort_options, options, o));
    HD__LIFT(&keys_in, &keys_out);
    HD_TRY(check_keys(ctx, "hd_sort", &keys_in));
    HD_TRY(check_keys_out(ctx, &keys_in, &keys_out));
    HD_TRY(check_values(ctx, &keys_in, &values));
    hd__sort_job job = {.n = hd_count(keys_in),
                        .keys = keys_in,
                        .out = keys_out,
                        .values = values.view,
                        .value_count = values.count / 2,
                        .axis = -1,
                        .descending = o->descending};
    HD_TRY(choose_slices(ctx, "hd_sort", o, &job));
    for (int64_t k = -1; k < job.value_count; k++) HD_TRY(check_apart(ctx, &job, k));
    return dispatch(ctx, &job);
}

// ---- hd_argsort -----------------------------------------------------------------------------

static hd_status check_indices(hd_context *ctx, const hd__sort_job *job)
{
    const hd_view *v = &job->indices;
    HD_TRY(hd__check_output(ctx, "hd_argsort: indices", v));
    HD_TRY(check_like(ctx, "hd_argsort: indices", &job->keys, v));
    if (!hd__is_integer(v->type) || hd__size_of(v->type) < 4)
        return hd__fail(ctx, HD_ERROR_TYPE,
                        "hd_argsort: indices are %s; expected i32, u32, i64 or u64",
                        hd_type_name(v->type));
    const int64_t most = v->type == HD_I32 ? INT32_MAX : v->type == HD_U32 ? UINT32_MAX : INT64_MAX;
    if (job->length > 0 && job->length - 1 > most)
        return hd__fail(ctx, HD_ERROR_TYPE, "hd_argsort: indices are %s, too narrow for %lld keys",
                        hd_type_name(v->type), (long long)job->length);
    HD_TRY(hd__check_apart_of(ctx, "hd_argsort", "indices", v, "keys", &job->keys));
    return hd__check_apart_of(ctx, "hd_argsort", "indices", v, "segments", &job->segments);
}

hd_status hd_argsort(hd_context *ctx, hd_view keys, hd_view indices, const hd_sort_options *options)
{
    hd_sort_options o[1];
    HD__BEGIN(ctx);
    HD_TRY(HD__TAKE_OPTIONS(ctx, "hd_argsort", hd_sort_options, options, o));
    HD__LIFT(&keys, &indices);
    HD_TRY(check_keys(ctx, "hd_argsort", &keys));
    hd__sort_job job = {.n = hd_count(keys),
                        .keys = keys,
                        .indices = indices,
                        .axis = -1,
                        .descending = o->descending};
    HD_TRY(choose_slices(ctx, "hd_argsort", o, &job));
    HD_TRY(check_indices(ctx, &job));
    return dispatch(ctx, &job);
}
