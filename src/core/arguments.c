// SPDX-License-Identifier: Apache-2.0
// The checks behind arguments.h: each says what was wrong, what was expected and what came.
#include "arguments.h"
#include "core/operators/probe.h"
#include "indexed.h"

#include <stdio.h>
#include <string.h>

// One element for all of in. A small one of the host is copied into the view, so that a device gets
// it with the call.
static hd_view spread(const hd_view *v, const hd_view *in)
{
    hd_view wide = *v;
    if (v->space == HD_HOST && hd__size_of(v->type) <= sizeof v->scalar)
        wide = hd_constant_of(v->type, v->data, 1);
    wide.ndim = in->ndim;
    for (int axis = 0; axis < in->ndim; axis++) {
        wide.shape[axis] = in->shape[axis];
        wide.stride[axis] = 0;
    }
    return wide;
}

// Element 0 of a progression is a constant, too.
static hd_view spread_implicit(const hd_view *v, const hd_view *in)
{
    return spread(
        hd__is_constant(v)
            ? v
            : &(hd_view){.type = HD_I64, .space = HD_IMPLICIT, .scalar.i.start = v->scalar.i.start},
        in);
}

// A view of with has the shape of in, or one element, or it is implicit and has as many elements.
static hd_status check_with(hd_context *ctx, const char *call, const hd_view *in, int k,
                            const hd_view *v, hd__reader *reader)
{
    hd_view row;
    if (v->ndim == 0) row = *v, hd__at_least_1d(&row), v = &row;
    HD_TRY(hd__check_input_as(ctx, v, "%s: with[%d]", call, k - 1));
    if (hd__is_indexed(v) && in->ndim != 1)
        return hd__fail(ctx, HD_ERROR_SHAPE,
                        "%s: with[%d] is indexed, which has one dimension; in has %d", call, k - 1,
                        (int)in->ndim);
    const bool fits = hd__same_shape(v, in);
    const int64_t count = hd__count(v), wanted = hd__count(in);
    const bool as_many = v->space == HD_IMPLICIT && count == wanted;
    char got[HD__SHAPE_TEXT], expected[HD__SHAPE_TEXT];
    if (!fits && count != 1 && !as_many)
        return hd__fail(ctx, HD_ERROR_SHAPE,
                        "%s: with[%d] has shape %s; expected %s, that of in, or one element", call,
                        k - 1, hd__shape_text(v, got), hd__shape_text(in, expected));
    if (fits)
        reader->view[k] = *v;
    else if (count == 1 || hd__is_constant(v))
        reader->view[k] = v->space == HD_IMPLICIT ? spread_implicit(v, in) : spread(v, in);
    else
        reader->view[k] = *v; // a progression of one dimension where in has more
    return HD_OK;
}

static hd_status check_map(hd_context *ctx, const char *call, const hd_view *in,
                           const hd_function *map, const hd_views *with, hd__reader *reader)
{
    if (with->count < 0 || with->count >= HD_MAX_INPUTS || (with->count > 0 && with->view == NULL))
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: with has %lld views; expected 0 to %d", call,
                        (long long)with->count, HD_MAX_INPUTS - 1);
    HD_TRY(HD__CHECK_ABI(ctx, call, "function", map));
    if (map->apply == NULL || map->inputs != 1 + with->count)
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: function %s takes %d inputs; got %lld", call,
                        map->name != NULL ? map->name : "(no name)", (int)map->inputs,
                        (long long)with->count + 1);
    for (int k = 1; k < map->inputs; k++)
        HD_TRY(check_with(ctx, call, in, k, &with->view[k - 1], reader));
    for (int k = 0; k < map->inputs; k++)
        if (!hd__same_type(reader->view[k].type, map->input[k])) {
            char got[48];
            snprintf(got, sizeof got, "%s", hd_type_name(reader->view[k].type));
            return hd__fail(ctx, HD_ERROR_TYPE, "%s: input %d of function %s is %s; expected %s",
                            call, k, map->name, got, hd_type_name(map->input[k]));
        }
    HD_TRY(hd__check_state(ctx, call, "function", map->name, &map->state));
    return hd__check_probe(ctx, call, "function", map->name, map->probe);
}

hd_status hd__check_inputs(hd_context *ctx, const char *call, const hd_view *in,
                           const hd_function *map, const hd_views *with, hd__reader *reader,
                           hd_type *element)
{
    reader->map = map;
    reader->inputs = 1;
    reader->first = 0;
    reader->view[0] = *in;
    const bool plain = hd__is_plain_row(in) && hd__is_seen(ctx, in);
    if (!plain) {
        HD_TRY(hd__check_input_as(ctx, in, "%s: in", call));
        if (in->space == HD_IMPLICIT && in->ndim != 1)
            return hd__fail(ctx, HD_ERROR_SHAPE, "%s: an implicit view has one dimension, got %d",
                            call, (int)in->ndim);
    }
    reader->n = plain ? in->shape[0] : hd_count(*in);
    *element = in->type;
    if (map == NULL && with != NULL && with->count != 0)
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: with has %lld views and there is no function",
                        call, (long long)with->count);
    if (map == NULL) return HD_OK;
    HD_TRY(check_map(ctx, call, in, map, with, reader));
    reader->inputs = map->inputs;
    *element = map->result;
    return HD_OK;
}

hd_status hd__check_indexed_inputs(hd_context *ctx, const char *call, const hd_view *in,
                                   const hd_function *map, const hd_views *with, hd__reader *reader,
                                   hd_type *element)
{
    ctx->takes_indexed = true;
    const hd_status status = hd__check_inputs(ctx, call, in, map, with, reader, element);
    ctx->takes_indexed = false;
    if (status != HD_OK || !ctx->has_indexed) return status;
    atomic_store_explicit(&ctx->bad_index, 0, memory_order_relaxed);
    for (int k = 0; k < reader->inputs; k++) hd__watch(ctx, &reader->view[k]);
    return HD_OK;
}

void hd__finish_reader(hd__reader *reader, const hd__fold *fold, bool keep_axes)
{
    reader->fold = fold;
    if (!keep_axes)
        for (int k = 0; k < reader->inputs; k++)
            if (reader->view[k].ndim > 1) hd__collapse(&reader->view[k]);
    reader->direct = reader->map == NULL && fold->direct_in && hd__is_contiguous(&reader->view[0]);
}

hd_status hd__check_axis(hd_context *ctx, const char *call, int32_t option, int32_t ndim,
                         int32_t *axis)
{
    const int64_t k = (int64_t)option - HD__AXIS_ZERO;
    if (k < -0x8000 || k > 0x7fff)
        return hd__fail(ctx, HD_ERROR_ARGUMENT,
                        "%s: axis is the bare number %d; expected HD_AXIS(%d)", call, (int)option,
                        (int)option);
    *axis = (int32_t)(k < 0 ? ndim + k : k);
    if (*axis < 0 || *axis >= ndim)
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: axis %d of a view of %d dimensions", call,
                        (int)k, (int)ndim);
    return HD_OK;
}

hd_status hd__check_shape_of(hd_context *ctx, const char *call, const char *name, const hd_view *v,
                             const char *other_name, const hd_view *other)
{
    if (hd__same_shape(v, other)) return HD_OK;
    char got[HD__SHAPE_TEXT], expected[HD__SHAPE_TEXT];
    return hd__fail(ctx, HD_ERROR_SHAPE, "%s: %s has shape %s; expected %s, that of %s", call, name,
                    hd__shape_text(v, got), hd__shape_text(other, expected), other_name);
}

hd_status hd__check_offsets(hd_context *ctx, const char *call, const hd_view *offsets,
                            int64_t least)
{
    HD_TRY(hd__check_input_as(ctx, offsets, "%s: segments", call));
    if (!hd__is_integer(offsets->type))
        return hd__fail(ctx, HD_ERROR_TYPE,
                        "%s: segments: offsets are %s; expected an integer type", call,
                        hd_type_name(offsets->type));
    if (offsets->ndim != 1 || offsets->shape[0] < least)
        return hd__fail(ctx, HD_ERROR_SHAPE,
                        "%s: segments: expected one dimension of %lld or more offsets, got %d of "
                        "%lld",
                        call, (long long)least, (int)offsets->ndim, (long long)offsets->shape[0]);
    return HD_OK;
}

hd_status hd__check_keys(hd_context *ctx, const char *call, const hd_view *keys, int64_t n)
{
    HD_TRY(hd__check_input_as(ctx, keys, "%s: keys", call));
    if (keys->ndim != 1 || keys->shape[0] != n)
        return hd__fail(ctx, HD_ERROR_SHAPE,
                        "%s: keys: expected one dimension of %lld keys, got %lld", call,
                        (long long)n, (long long)hd_count(*keys));
    return HD_OK;
}

hd_status hd__check_apart_of(hd_context *ctx, const char *call, const char *name,
                             const hd_view *out, const char *other_name, const hd_view *other)
{
    if (hd__is_empty(out) || hd__is_empty(other) || hd__overlaps(out, other) == HD__APART)
        return HD_OK;
    return hd__fail(ctx, HD_ERROR_ALIAS, "%s: %s overlaps %s", call, name, other_name);
}

hd_status hd__check_apart(hd_context *ctx, const char *call, const char *name, const hd_view *out,
                          const hd__reader *reader, bool same)
{
    for (int k = 0; k < reader->inputs; k++) {
        const hd__overlap how = hd__overlaps(out, &reader->view[k]);
        if (how == HD__APART || (how == HD__SAME && same)) continue;
        return hd__fail(ctx, HD_ERROR_ALIAS, "%s: %s overlaps %s%s", call, name,
                        k == 0 ? "in" : "a view of with",
                        same ? " without being the same view" : "");
    }
    return HD_OK;
}

hd_status hd__select_slices(hd_context *ctx, const char *call, const hd__slice_options *o,
                            const hd__reader *in, hd__slices *slices, int32_t *axis)
{
    const bool segments = !hd__is_empty(o->segments), keys = !hd__is_empty(o->keys);
    if ((o->axis != 0) + segments + keys + (o->carry != NULL) > 1)
        return hd__fail(ctx, HD_ERROR_ARGUMENT,
                        "%s: axis, segments, keys and carry exclude each other", call);
    if ((segments || keys) && in->view[0].ndim != 1)
        return hd__fail(ctx, HD_ERROR_SHAPE, "%s: segments and keys need one dimension, in has %d",
                        call, (int)in->view[0].ndim);
    *slices = o->axis != 0 ? HD__ROWS : segments ? HD__SEGMENTS : keys ? HD__RUNS : HD__EVERYTHING;
    switch (*slices) {
    case HD__ROWS:
        for (int k = 1; k < in->inputs; k++)
            if (in->view[k].ndim != in->view[0].ndim)
                return hd__fail(ctx, HD_ERROR_SHAPE,
                                "%s: with[%d] has one dimension, in has %d, and an axis is asked "
                                "for; expected the same, or one element",
                                call, k - 1, (int)in->view[0].ndim);
        HD_TRY(hd__check_axis(ctx, call, o->axis, in->view[0].ndim, axis));
        if (ctx->has_indexed) *slices = HD__EVERYTHING; // of one dimension, so one row
        return HD_OK;
    case HD__SEGMENTS: return hd__check_offsets(ctx, call, o->segments, o->least);
    case HD__RUNS: return hd__check_keys(ctx, call, o->keys, in->n);
    case HD__EVERYTHING: break;
    }
    return HD_OK;
}

static hd_status check_values_type(hd_context *ctx, const char *name, const char *option,
                                   const hd_view *v, const hd__fold *fold)
{
    const bool extremes = option[0] == 'v';
    if (extremes && fold->form != HD__ARG)
        return hd__fail(ctx, HD_ERROR_ARGUMENT,
                        "%s: operator %s has no values; argmin, argmax have", name,
                        fold->asked->name);
    if (v->type == fold->value) return HD_OK;
    return hd__fail(ctx, HD_ERROR_TYPE, "%s: the view is of %s; expected %s", name,
                    hd_type_name(v->type),
                    extremes           ? "the type of the elements"
                    : option[0] == 'r' ? "the type of out"
                                       : "f64, or the type of out");
}

hd_status hd__check_values(hd_context *ctx, const char *call, const hd__values_options *o,
                           const hd__fold *fold, const hd__reader *reader, const hd_view *out,
                           bool same, hd_view *chosen, const char **name)
{
    const hd__named_view all[] = {
        {"values", o->values}, {"residual", o->residual}, {"bound", o->bound}};
    char full[64];
    *name = NULL;
    for (int k = 0; k < 3; k++) {
        if (hd__is_empty(all[k].view)) continue;
        if (*name != NULL)
            return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: %s and %s exclude each other", call, *name,
                            all[k].name);
        *name = all[k].name;
        *chosen = *all[k].view;
    }
    if (*name == NULL) return HD_OK;
    snprintf(full, sizeof full, "%s: %s", call, *name);
    HD_TRY(hd__check_output(ctx, full, chosen));
    HD_TRY(check_values_type(ctx, full, *name, chosen, fold));
    HD_TRY(hd__check_apart(ctx, call, *name, chosen, reader, same));
    return hd__check_apart_of(ctx, call, *name, chosen, "out", out);
}

static hd_status check_one(hd_context *ctx, const char *call, const char *name,
                           const hd_view *number)
{
    HD_TRY(hd__check_output_as(ctx, number, "%s: %s", call, name));
    if (number->type != HD_I64)
        return hd__fail(ctx, HD_ERROR_TYPE, "%s: %s: the type is %s; expected i64", call, name,
                        hd_type_name(number->type));
    if (hd__count(number) != 1)
        return hd__fail(ctx, HD_ERROR_SHAPE, "%s: %s has %lld elements; expected 1", call, name,
                        (long long)hd__count(number));
    return HD_OK;
}

hd_status hd__check_number(hd_context *ctx, const char *call, const char *name,
                           const hd_view *number, const hd__named_view *views, int view_count)
{
    if (hd__is_empty(number)) return HD_OK;
    HD_TRY(check_one(ctx, call, name, number));
    for (int k = 0; k < view_count; k++)
        HD_TRY(hd__check_apart_of(ctx, call, name, number, views[k].name, views[k].view));
    return HD_OK;
}

hd_status hd__check_numbers(hd_context *ctx, const char *call, const hd__named_view *numbers,
                            int count, const hd__named_view *views, int view_count)
{
    for (int k = 0; k < count; k++) {
        HD_TRY(hd__check_number(ctx, call, numbers[k].name, numbers[k].view, views, view_count));
        for (int j = 0; j < k; j++)
            HD_TRY(hd__check_apart_of(ctx, call, numbers[k].name, numbers[k].view, numbers[j].name,
                                      numbers[j].view));
    }
    return HD_OK;
}

hd_status hd__check_number_apart(hd_context *ctx, const char *call, const char *name,
                                 const hd_view *number, const hd__reader *reader)
{
    if (hd__is_empty(number)) return HD_OK;
    HD_TRY(check_one(ctx, call, name, number));
    return hd__check_apart(ctx, call, name, number, reader, false);
}

void hd__give_number(const hd_view *number, int64_t value)
{
    if (!hd__is_empty(number) && number->space == HD_HOST)
        memcpy(number->data, &value, sizeof value);
}
