// SPDX-License-Identifier: Apache-2.0
// hd_recurrence: with constants a filter of one number above; with coefficients for every element
// the scan of affine maps over blocks, of recurrence_kernels.c.
#include <heddle/algorithms/recurrence.h>

#include <string.h>

#include "algorithms/simd/recurrence_kernels.h"
#include "signal.h"

typedef struct recurrence {
    hd__signal s;
    hd_recurrence_options o;
    int k;
    // With coefficients for every element:
    const hd__recurrence_kernels *kernels;
    hd_view users; // the axis last but one, in the order of the recurrence
    hd_view c;     // element (i, j, l) is at (i * pitch + j) * order + l
} recurrence;

static bool given(const hd_view *v)
{
    return v != NULL && v->type != HD_NONE;
}

static hd_status check_options(recurrence *t)
{
    for (size_t k = 0; k < sizeof t->o.reserved_flags; k++)
        if (t->o.reserved_flags[k])
            return hd__frame_fail(&t->s.f, HD_ERROR_ARGUMENT, "reserved_flags: expected zeros");
    hd_status status = hd__signal_check_state(&t->s, "initial", t->o.initial, t->k, -1);
    if (status == HD_OK && given(t->o.initial))
        status = hd__frame_check_apart(&t->s.f, "out", t->s.out, "initial", *t->o.initial);
    return status;
}

static hd_status bad_order(recurrence *t, int64_t k)
{
    return hd__frame_fail(&t->s.f, HD_ERROR_SHAPE,
                          "coefficients: expected 1 to %d of them, got %lld",
                          HD_MAX_RECURRENCE_ORDER, (long long)k);
}

// ---- Constants ------------------------------------------------------------------------------

static hd_status constant(recurrence *t, hd_view coefficients)
{
    hd__section section = {.order = (int)hd_count(coefficients), .b = {1}, .a = {1}};
    double numbers[HD_MAX_RECURRENCE_ORDER];
    hd_view first = HD_EMPTY, history = HD_EMPTY;
    t->k = section.order;
    if (coefficients.space != HD_HOST && coefficients.space != HD_IMPLICIT)
        return hd__frame_fail(&t->s.f, HD_ERROR_ARGUMENT,
                              "coefficients: expected constants in memory of the host");
    hd_status status = hd__signal_numbers(&t->s, "coefficients", coefficients, numbers);
    if (status == HD_OK) status = check_options(t);
    if (status != HD_OK) return status;
    for (int j = 0; j < section.order; j++) section.a[j + 1] = -numbers[j];
    const int order = hd__filter_kernels_of(t->s.f.ctx, t->s.real, section.order)->order;
    status = hd__signal_load(&t->s, HD__FILTER_BLOCK);
    if (status == HD_OK) status = hd__signal_state(&t->s, t->o.initial, order, t->k, -1, &history);
    first = history; // zeros leave zeros
    if (status == HD_OK && given(t->o.initial))
        status = hd__signal_history(&t->s, &section, history, &first);
    if (status == HD_OK) status = hd__signal_filter(&t->s, &section, t->s.from, first, HD_EMPTY);
    return status == HD_OK ? hd__signal_store(&t->s, false) : status;
}

// ---- Coefficients for every element ---------------------------------------------------------

static hd_status check_users(recurrence *t, hd_view c, int32_t axis, bool backward)
{
    hd__signal *const s = &t->s;
    const int32_t last = s->in.ndim;
    hd_status status = hd__frame_check(&s->f, "coefficients", c);
    if (status != HD_OK) return status;
    if (c.ndim != last + 1)
        return hd__frame_fail(
            &s->f, HD_ERROR_SHAPE,
            "coefficients: expected 1 dimension, or %d: in's and one more, got %d", last + 1,
            c.ndim);
    if (c.shape[last] < 1 || c.shape[last] > HD_MAX_RECURRENCE_ORDER)
        return bad_order(t, c.shape[last]);
    if (c.space != s->in.space)
        return hd__frame_fail(&s->f, HD_ERROR_ARGUMENT,
                              "coefficients: expected the same memory as in");
    const int64_t n = c.shape[axis], stride = c.stride[axis];
    for (int32_t k = axis; k + 1 < last; k++)
        c.shape[k] = c.shape[k + 1], c.stride[k] = c.stride[k + 1];
    c.shape[last - 1] = n, c.stride[last - 1] = stride;
    if (memcmp(c.shape, s->in.shape, sizeof *c.shape * (size_t)last))
        return hd__frame_fail(&s->f, HD_ERROR_SHAPE, "coefficients have not the shape of in");
    t->users = backward && n > 0 ? hd_slice(c, last - 1, n - 1, n, -1) : c;
    t->k = (int)c.shape[last];
    t->kernels = hd__recurrence_kernels_of(s->f.ctx, s->real, t->k);
    return hd__frame_check_apart(&s->f, "out", s->out, "coefficients", c);
}

// Elements first .. first + count - 1 of every row of a storage of coefficients, `used` of each.
static hd_view coefficients_of(const recurrence *t, hd_view storage, int64_t first, int64_t count,
                               int64_t pitch)
{
    const int64_t order = t->kernels->order;
    const int32_t dims = t->s.in.ndim;
    hd_view v = storage;
    int64_t stride = pitch * order;
    v.data = (char *)v.data + first * order * (int64_t)hd_type_size(v.type);
    v.ndim = dims + 1;
    v.shape[dims] = t->k, v.stride[dims] = 1;
    v.shape[dims - 1] = count, v.stride[dims - 1] = order;
    for (int32_t k = dims - 2; k >= 0; k--) {
        v.shape[k] = t->s.in.shape[k], v.stride[k] = stride;
        stride *= v.shape[k];
    }
    return v;
}

static hd_status room_for(recurrence *t, int64_t pitch, hd_view *room)
{
    const double zero = 0;
    const int64_t count = t->s.m * pitch * t->kernels->order;
    const hd_status status = hd__frame_row(&t->s.f, t->s.real, count, room);
    return status != HD_OK || count == 0
               ? status
               : hd_map(t->s.f.ctx, hd_constant(zero, count), NULL, *room, NULL);
}

static bool users_are_dense(const recurrence *t)
{
    const hd_view *u = &t->users;
    int64_t dense = 1;
    for (int32_t k = u->ndim - 1; k >= 0; k--) {
        if (u->shape[k] != 1 && u->stride[k] != dense) return false;
        dense *= u->shape[k];
    }
    return u->type == t->s.real && t->k == t->kernels->order && t->s.pitch == t->s.n;
}

static hd_status load_coefficients(recurrence *t)
{
    if (users_are_dense(t)) {
        t->c = t->users;
        t->c.ndim = 1, t->c.shape[0] = hd_count(t->users), t->c.stride[0] = 1;
        return HD_OK;
    }
    const hd_status status = room_for(t, t->s.pitch, &t->c);
    if (status != HD_OK) return status;
    return hd_map(t->s.f.ctx, t->users, NULL, coefficients_of(t, t->c, 0, t->s.n, t->s.pitch),
                  NULL);
}

// Blocks of coefficients 0 .. count - 1 of every row.
static hd_view coefficient_blocks(const recurrence *t, int64_t count)
{
    hd_view v = t->c;
    v.type = t->kernels->coefficients;
    return hd__signal_columns(&t->s, v, t->s.pitch / HD__RECURRENCE_BLOCK, 0, count);
}

static hd_status whole_blocks(recurrence *t, int64_t p, hd_view first, hd_view middle)
{
    hd__signal *const s = &t->s;
    const hd__recurrence_kernels *const k = t->kernels;
    hd_view nodes, before;
    hd_status status = hd__frame_row(&s->f, k->node, s->m * p, &nodes);
    if (status == HD_OK) status = hd__frame_row(&s->f, k->node, s->m * p, &before);
    if (status != HD_OK) return status;
    const hd_view x = hd__signal_blocks(s, s->from, k->block, 0, p), c = coefficient_blocks(t, p);
    const hd_view of = hd__signal_columns(s, nodes, p, 0, p),
                  to = hd__signal_columns(s, before, p, 0, p);
    const int32_t axis = s->m == 1 ? 0 : HD_AXIS(1);
    status = hd_map(s->f.ctx, x, k->joined, of, &(hd_map_options){.with = HD_VIEWS(c)});
    if (status == HD_OK)
        status = hd_scan(s->f.ctx, of, k->compose, to,
                         &(hd_scan_options){.axis = axis, .exclusive = true});
    if (status == HD_OK && s->n % HD__RECURRENCE_BLOCK != 0)
        status =
            hd_map(s->f.ctx, hd__signal_columns(s, before, p, p - 1, 1), k->after,
                   hd__signal_columns(s, middle, 1, 0, 1),
                   &(hd_map_options){.with = HD_VIEWS(hd__signal_columns(s, nodes, p, p - 1, 1),
                                                      hd__signal_spread(s, first, 1))});
    if (status != HD_OK) return status;
    return hd_map(s->f.ctx, x, k->inner, hd__signal_blocks(s, s->to, k->block, 0, p),
                  &(hd_map_options){.with = HD_VIEWS(c, to, hd__signal_spread(s, first, p))});
}

static hd_status last_elements(recurrence *t, hd_view state)
{
    hd__signal *const s = &t->s;
    const int64_t rest_n = s->n % HD__RECURRENCE_BLOCK;
    hd_view rest, room;
    hd_status status = hd__signal_rest(s, s->from, t->kernels->block, HD__RECURRENCE_BLOCK, &rest);
    if (status == HD_OK) status = room_for(t, HD__RECURRENCE_BLOCK, &room);
    if (status == HD_OK)
        status = hd_map(s->f.ctx, coefficients_of(t, t->c, s->n - rest_n, rest_n, s->pitch), NULL,
                        coefficients_of(t, room, 0, rest_n, HD__RECURRENCE_BLOCK), NULL);
    if (status != HD_OK) return status;
    status = hd_map(
        s->f.ctx, rest, t->kernels->outputs, rest,
        &(hd_map_options){.with = HD_VIEWS(hd__signal_as(room, t->kernels->coefficients), state)});
    return status == HD_OK ? hd__signal_put_rest(s, rest, HD__RECURRENCE_BLOCK) : status;
}

static hd_status varying(recurrence *t, hd_view coefficients, int32_t axis)
{
    hd__signal *const s = &t->s;
    hd_view first, middle;
    hd_status status = check_users(t, coefficients, axis, t->o.backward);
    if (status == HD_OK) status = check_options(t);
    if (status != HD_OK || s->m == 0 || s->n == 0) return status;
    status = hd__signal_load(s, HD__RECURRENCE_BLOCK);
    if (status == HD_OK) status = load_coefficients(t);
    if (status == HD_OK)
        status = hd__signal_state(s, t->o.initial, t->kernels->order, t->k, -1, &first);
    if (status == HD_OK) status = hd__frame_row(&s->f, t->kernels->state, s->m, &middle);
    if (status != HD_OK) return status;
    const int64_t p = s->n / HD__RECURRENCE_BLOCK;
    first = hd__signal_as(first, t->kernels->state);
    if (p > 0) status = whole_blocks(t, p, first, middle);
    if (status == HD_OK && s->n % HD__RECURRENCE_BLOCK != 0)
        status = last_elements(t, p > 0 ? middle : first);
    return status == HD_OK ? hd__signal_store(s, false) : status;
}

// ---- The call -------------------------------------------------------------------------------

hd_status hd_recurrence(hd_context *ctx, hd_view in, hd_view coefficients, hd_view out,
                        const hd_recurrence_options *options)
{
    recurrence t;
    memset(&t, 0, sizeof t);
    hd__signal_call call = {.name = "hd_recurrence", .in = in, .out = out};
    t.s.f.ctx = ctx, t.s.f.name = call.name;
    if (ctx == NULL) return HD_ERROR_ARGUMENT;
    hd_status status = hd__frame_options(&t.s.f, options, sizeof t.o, &t.o);
    if (status != HD_OK) return status;
    call.axis = t.o.axis, call.backward = t.o.backward, call.accumulate = t.o.accumulate;
    status = hd__signal_open(&t.s, ctx, &call);
    if (status == HD_OK && coefficients.ndim <= 1) {
        const int64_t k = hd_count(coefficients);
        status =
            k < 1 || k > HD_MAX_RECURRENCE_ORDER ? bad_order(&t, k) : constant(&t, coefficients);
    } else if (status == HD_OK) {
        const int32_t asked = t.o.axis == 0 ? -1 : t.o.axis - HD_AXIS(0);
        status = varying(&t, coefficients, asked < 0 ? asked + t.s.in.ndim : asked);
    }
    return hd__signal_close(&t.s, status);
}
