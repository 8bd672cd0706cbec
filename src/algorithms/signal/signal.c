// SPDX-License-Identifier: Apache-2.0
// Rows of signals: checks, layout, copies and states (signal.h).
#include "signal.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/system/float_state.h"

// Far above what any memory holds, far below where sizes overflow.
#define MAX_ELEMENTS (INT64_C(1) << 48)

// ---- Arguments ------------------------------------------------------------------------------

static bool same_view(const hd_view *a, const hd_view *b)
{
    const size_t dims = sizeof *a->shape * (size_t)a->ndim;
    return a->data == b->data && a->type == b->type && a->space == b->space && a->ndim == b->ndim &&
           !memcmp(a->shape, b->shape, dims) && !memcmp(a->stride, b->stride, dims);
}

static hd_view with_axis_last(hd_view v, int32_t axis)
{
    const int64_t n = v.shape[axis], stride = v.stride[axis];
    for (int32_t k = axis; k + 1 < v.ndim; k++)
        v.shape[k] = v.shape[k + 1], v.stride[k] = v.stride[k + 1];
    v.shape[v.ndim - 1] = n;
    v.stride[v.ndim - 1] = stride;
    return v;
}

static hd_view turned_around(hd_view v)
{
    const int32_t last = v.ndim - 1;
    return v.shape[last] > 0 ? hd_slice(v, last, v.shape[last] - 1, v.shape[last], -1) : v;
}

static hd_status check_views(hd__signal *s, const hd__signal_call *call)
{
    const hd_view in = call->in, out = call->out;
    hd_status status = hd__frame_check(&s->f, "in", in);
    if (status == HD_OK) status = hd__frame_check_out(&s->f, "out", out);
    if (status != HD_OK) return status;
    if ((in.type != HD_F32 && in.type != HD_F64) || (out.type != HD_F32 && out.type != HD_F64))
        return hd__frame_fail(&s->f, HD_ERROR_TYPE, "expected f32 or f64, got %s into %s",
                              hd_type_name(in.type), hd_type_name(out.type));
    if (in.space > HD_DEVICE || in.space != out.space)
        return hd__frame_fail(&s->f, HD_ERROR_ARGUMENT,
                              "expected in and out in the same memory, of the host or a device");
    if (in.ndim != out.ndim || memcmp(in.shape, out.shape, sizeof *in.shape * (size_t)in.ndim))
        return hd__frame_fail(&s->f, HD_ERROR_SHAPE, "out has not the shape of in");
    if (!same_view(&in, &out)) return hd__frame_check_apart(&s->f, "out", out, "in", in);
    return HD_OK;
}

static hd_status find_axis(hd__signal *s, int32_t option, int32_t ndim, int32_t *axis)
{
    *axis = ndim - 1;
    if (option == 0) return HD_OK;
    const int32_t k = option - HD_AXIS(0);
    *axis = k < 0 ? k + ndim : k;
    if (*axis >= 0 && *axis < ndim && k > -HD_MAX_DIMS - 1 && k < HD_MAX_DIMS) return HD_OK;
    return hd__frame_fail(&s->f, HD_ERROR_ARGUMENT, "axis: expected HD_AXIS of %d to %d, got %d",
                          -ndim, ndim - 1, option);
}

hd_status hd__signal_open(hd__signal *s, hd_context *ctx, const hd__signal_call *call)
{
    int32_t axis;
    memset(s, 0, sizeof *s);
    hd_status status = hd__frame_open(&s->f, ctx, call->name, call->out);
    if (status == HD_OK) status = check_views(s, call);
    if (status != HD_OK) return status;
    s->in = call->in, s->out = call->out;
    if (!s->f.on_device) status = hd__frame_backend(&s->f, &s->ran);
    if (status != HD_OK) return status;
    if (s->in.ndim == 0) // one element
        s->in.ndim = s->out.ndim = 1, s->in.shape[0] = s->out.shape[0] = 1,
        s->in.stride[0] = s->out.stride[0] = 1;
    status = find_axis(s, call->axis, s->in.ndim, &axis);
    if (status != HD_OK) return status;
    if (call->accumulate != HD_NONE && call->accumulate != HD_F64)
        return hd__frame_fail(&s->f, HD_ERROR_TYPE, "accumulate: expected HD_F64, got %s",
                              hd_type_name(call->accumulate));
    s->in = with_axis_last(s->in, axis), s->out = with_axis_last(s->out, axis);
    if (call->backward) s->in = turned_around(s->in), s->out = turned_around(s->out);
    const bool narrow = s->in.type == HD_F32 && s->out.type == HD_F32;
    s->real = narrow && call->accumulate == HD_NONE ? HD_F32 : HD_F64;
    s->n = s->in.shape[s->in.ndim - 1];
    s->m = s->n > 0 ? hd_count(s->in) / s->n : 0;
    for (int32_t k = 0; s->n == 0 && k < s->in.ndim - 1; k++)
        s->m = (k == 0 ? 1 : s->m) * s->in.shape[k];
    if (s->n == 0 && s->in.ndim == 1) s->m = 1;
    if (call->pad < 0 || (call->pad > 0 && call->pad >= s->n))
        return hd__frame_fail(&s->f, HD_ERROR_ARGUMENT,
                              "pad is %" PRId64 "; expected 0 to less than the %" PRId64
                              " elements of a row",
                              call->pad, s->n);
    s->pad = call->pad;
    s->n += 2 * s->pad;
    if (s->m <= MAX_ELEMENTS / (s->n + HD__FILTER_BLOCK)) return HD_OK;
    return hd__frame_fail(&s->f, HD_ERROR_MEMORY,
                          "%" PRId64 " rows of %" PRId64 " elements are more than any memory holds",
                          s->m, s->n);
}

hd_status hd__signal_close(hd__signal *s, hd_status status)
{
    return hd__frame_close(&s->f, status);
}

// Floats of the host, as coefficients mostly are: a map of them by a device would wait for it.
static bool read_floats(const hd_view *v, double *numbers)
{
    HD__FLOAT_STATE;
    const size_t size = hd_type_size(v->type);
    if (v->space != HD_HOST || v->ndim != 1 || v->data == NULL) return false;
    if (v->type != HD_F32 && v->type != HD_F64) return false;
    for (int64_t i = 0; i < v->shape[0]; i++) {
        const char *const x = (const char *)v->data + i * v->stride[0] * (int64_t)size;
        float narrow;
        memcpy(v->type == HD_F32 ? (void *)&narrow : (void *)&numbers[i], x, size);
        if (v->type == HD_F32) numbers[i] = narrow;
    }
    return true;
}

hd_status hd__signal_numbers(hd__signal *s, const char *what, hd_view v, double *numbers)
{
    const int64_t k = hd_count(v);
    const hd_view to = hd_view_nd(HD_F64, numbers, v.ndim, v.shape, NULL);
    hd_status status = HD_OK;
    if (!read_floats(&v, numbers)) status = hd_map(s->f.ctx, v, NULL, to, NULL);
    if (status == HD_OK && v.space == HD_DEVICE) status = hd_sync(s->f.ctx);
    if (status != HD_OK) return status;
    for (int64_t i = 0; i < k; i++)
        if (!isfinite(numbers[i]))
            return hd__frame_fail(&s->f, HD_ERROR_VALUE,
                                  "%s: number %" PRId64 " is %g; expected finite ones", what, i,
                                  numbers[i]);
    return HD_OK;
}

// ---- Storage --------------------------------------------------------------------------------

// Rows of `length` elements of a storage, in the shape of in but for its last axis.
static hd_view shaped(const hd__signal *s, hd_view storage, int64_t first, int64_t length,
                      int64_t pitch)
{
    hd_view v = storage;
    int64_t stride = pitch;
    v.ndim = s->in.ndim;
    v.data = (char *)storage.data + first * (int64_t)hd_type_size(storage.type);
    v.shape[v.ndim - 1] = length;
    v.stride[v.ndim - 1] = 1;
    for (int32_t k = v.ndim - 2; k >= 0; k--) {
        v.shape[k] = s->in.shape[k];
        v.stride[k] = stride;
        stride *= v.shape[k];
    }
    return v;
}

// Whether blocks can be read where they are; *pitch is from row to row.
static bool in_place(const hd__signal *s, const hd_view *v, int64_t block, int64_t *pitch)
{
    const int32_t last = v->ndim - 1;
    int64_t dense = s->n;
    if (v->type != s->real || s->pad > 0 || v->stride[last] != 1) return false;
    *pitch = s->n;
    for (int32_t k = last - 1; k >= 0; k--) {
        if (v->shape[k] != 1 && v->stride[k] != dense) return false;
        dense *= v->shape[k];
    }
    return s->m == 1 || s->n % block == 0;
}

static hd_view as_row(hd_view v, int64_t n)
{
    v.ndim = 1, v.shape[0] = n, v.stride[0] = 1;
    return v;
}

HD_FUNCTION(signal_about_f32, float, HD_NO_SOURCE, (float, x, float, end), { return 2 * end - x; })
HD_FUNCTION(signal_about_f64, double, HD_NO_SOURCE, (double, x, double, end),
            { return 2 * end - x; })

// What pads a row: it turned about its first and last elements.
static hd_status load_pads(hd__signal *s)
{
    const int64_t p = s->pad, n = s->n;
    const int32_t last = s->in.ndim - 1;
    const hd_function *about = s->real == HD_F64 ? signal_about_f64 : signal_about_f32;
    for (int end = 0; end < 2; end++) {
        hd_view from = shaped(s, s->from, end ? n - 2 * p - 1 : p + 1, p, s->pitch);
        hd_view point = shaped(s, s->from, end ? n - p - 1 : p, p, s->pitch);
        point.stride[last] = 0;
        const hd_view to = shaped(s, s->from, end ? n - p : 0, p, s->pitch);
        const hd_status status = hd_map(s->f.ctx, turned_around(from), about, to,
                                        &(hd_map_options){.with = HD_VIEWS(point)});
        if (status != HD_OK) return status;
    }
    return HD_OK;
}

hd_status hd__signal_load(hd__signal *s, int64_t block)
{
    int64_t pitch, other;
    if (in_place(s, &s->in, block, &pitch) && in_place(s, &s->out, block, &other)) {
        s->pitch = pitch;
        s->from = as_row(s->in, s->m * s->n), s->to = as_row(s->out, s->m * s->n);
        return HD_OK;
    }
    s->pitch = (s->n + block - 1) / block * block;
    hd_status status = hd__frame_row(&s->f, s->real, s->m * s->pitch, &s->from);
    if (status != HD_OK || s->m == 0 || s->n == 0) return status;
    s->to = s->from;
    status = hd_map(s->f.ctx, s->in, NULL, shaped(s, s->from, s->pad, s->n - 2 * s->pad, s->pitch),
                    NULL);
    return status == HD_OK && s->pad > 0 ? load_pads(s) : status;
}

hd_status hd__signal_turn(hd__signal *s)
{
    hd_view other;
    const hd_status status = hd__frame_row(&s->f, s->real, s->m * s->pitch, &other);
    if (status != HD_OK || s->m == 0 || s->n == 0) return status;
    const hd_view rows = shaped(s, s->to, 0, s->n, s->pitch);
    s->from = s->to = other;
    return hd_map(s->f.ctx, turned_around(rows), NULL, shaped(s, other, 0, s->n, s->pitch), NULL);
}

hd_status hd__signal_store(hd__signal *s, bool turned)
{
    if (s->m == 0 || s->n == 0 || s->to.data == s->out.data) return HD_OK;
    const hd_view rows = shaped(s, s->to, s->pad, s->n - 2 * s->pad, s->pitch);
    return hd_map(s->f.ctx, rows, NULL, turned ? turned_around(s->out) : s->out, NULL);
}

// ---- Blocks ---------------------------------------------------------------------------------

hd_view hd__signal_blocks(const hd__signal *s, hd_view storage, hd_type block, int64_t first,
                          int64_t count)
{
    const int64_t size = (int64_t)hd_type_size(block), real = (int64_t)hd_type_size(s->real);
    hd_view v = storage;
    v.type = block;
    v.data = (char *)storage.data + first * size;
    return hd__signal_columns(s, v, s->pitch * real / size, 0, count);
}

hd_view hd__signal_columns(const hd__signal *s, hd_view array, int64_t p, int64_t first,
                           int64_t count)
{
    hd_view v = hd__frame_part(array, first, count);
    if (s->m == 1) return v.ndim = 1, v.stride[0] = 1, v;
    v.ndim = 2;
    v.shape[0] = s->m, v.stride[0] = p;
    v.shape[1] = count, v.stride[1] = 1;
    return v;
}

hd_view hd__signal_spread(const hd__signal *s, hd_view one, int64_t count)
{
    if (s->m == 1) return one;
    one.ndim = 2;
    one.shape[0] = s->m, one.stride[0] = 1;
    one.shape[1] = count, one.stride[1] = 0;
    return one;
}

hd_status hd__signal_rest(hd__signal *s, hd_view storage, hd_type block, int64_t length,
                          hd_view *rest)
{
    hd_view room;
    const int64_t rest_n = s->n % length;
    hd_status status = hd__frame_row(&s->f, s->real, s->m * length, &room);
    if (status != HD_OK) return status;
    const double zero = 0;
    status = hd_map(s->f.ctx, hd_constant(zero, s->m * length), NULL, room, NULL);
    if (status != HD_OK) return status;
    *rest = hd__signal_as(room, block);
    return hd_map(s->f.ctx, shaped(s, storage, s->n - rest_n, rest_n, s->pitch), NULL,
                  shaped(s, room, 0, rest_n, length), NULL);
}

hd_status hd__signal_put_rest(hd__signal *s, hd_view rest, int64_t length)
{
    const int64_t rest_n = s->n % length;
    hd_view room = rest;
    room.type = s->real;
    return hd_map(s->f.ctx, shaped(s, room, 0, rest_n, length), NULL,
                  shaped(s, s->to, s->n - rest_n, rest_n, s->pitch), NULL);
}

// ---- States ---------------------------------------------------------------------------------

hd_view hd__signal_as(hd_view row, hd_type type)
{
    row.shape[0] = row.shape[0] * (int64_t)hd_type_size(row.type) / (int64_t)hd_type_size(type);
    row.type = type;
    return row;
}

hd_status hd__signal_check_state(hd__signal *s, const char *what, const hd_view *user, int used,
                                 int64_t middles)
{
    if (user == NULL || user->type == HD_NONE) return HD_OK;
    const int32_t rows = s->in.ndim - 1, dims = rows + (middles >= 0) + 1;
    bool fits = user->ndim == dims && user->shape[dims - 1] == used;
    for (int32_t k = 0; fits && k < rows; k++) fits = user->shape[k] == s->in.shape[k];
    if (fits && middles >= 0) fits = user->shape[rows] == middles;
    if (!fits && s->m == 1 && middles < 0) fits = user->ndim == 1 && user->shape[0] == used;
    if (!fits && middles >= 0)
        return hd__frame_fail(&s->f, HD_ERROR_SHAPE,
                              "%s: expected the shape of in without the axis, then (%" PRId64
                              ", %d)",
                              what, middles, used);
    if (!fits)
        return hd__frame_fail(&s->f, HD_ERROR_SHAPE,
                              "%s: expected the shape of in without the axis, then %d", what, used);
    if (user->type != HD_F32 && user->type != HD_F64)
        return hd__frame_fail(&s->f, HD_ERROR_TYPE, "%s: expected f32 or f64, got %s", what,
                              hd_type_name(user->type));
    return hd__frame_check(&s->f, what, *user);
}

// The user's states as in's shape without the axis, then the numbers.
static hd_view user_states(const hd__signal *s, hd_view user, int64_t middle)
{
    const int32_t rows = s->in.ndim - 1;
    if (middle >= 0) {
        user = hd_slice(user, rows, middle, 1, 1);
        user.shape[rows] = user.shape[rows + 1], user.stride[rows] = user.stride[rows + 1];
        user.ndim--;
    } else if (user.ndim == 1 && rows > 0) { // of one row
        const int64_t used = user.shape[0], stride = user.stride[0];
        for (int32_t k = 0; k < rows; k++) user.shape[k] = 1, user.stride[k] = used;
        user.shape[rows] = used, user.stride[rows] = stride;
        user.ndim = rows + 1;
    }
    return user;
}

hd_status hd__signal_state(hd__signal *s, const hd_view *user, int order, int used, int64_t middle,
                           hd_view *state)
{
    const double zero = 0;
    hd_status status = hd__frame_row(&s->f, s->real, s->m * order, state);
    if (status != HD_OK || s->m == 0) return status;
    status = hd_map(s->f.ctx, hd_constant(zero, s->m * order), NULL, *state, NULL);
    if (status != HD_OK || user == NULL || user->type == HD_NONE || used == 0) return status;
    return hd_map(s->f.ctx, user_states(s, *user, middle), NULL, shaped(s, *state, 0, used, order),
                  NULL);
}

hd_status hd__signal_put_state(hd__signal *s, hd_view state, int order, int used, int64_t middle,
                               const hd_view *user)
{
    if (s->m == 0 || used == 0) return HD_OK;
    return hd_map(s->f.ctx, shaped(s, state, 0, used, order), NULL, user_states(s, *user, middle),
                  NULL);
}
