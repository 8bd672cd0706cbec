// SPDX-License-Identifier: Apache-2.0
//
// Gather and scatter by hostile indices.
#include "hostile.h"

#include <stdlib.h>

HD_SOURCE(
    move_things, typedef struct { float a, b; } move_line;
    typedef struct { uint16_t c[3]; } move_odd; typedef struct { double a, b; } move_wide;)
// The composition of two lines x -> a x + b: not commutative, and it rounds.
HD_OPERATOR(move_after, move_line, move_things, HD_ASSOCIATIVE, {
    const move_line r = {a.a * b.a, a.b * b.a + b.b};
    return r;
})

static hd_type element_type(hostile *h)
{
    static const hd_type types[] = {HD_F32, HD_I32, HD_F64, HD_I64, HD_U8, HD_U16, HD_BF16};
    const int64_t k = hostile_below(h, 10);
    if (k == 7) return HD_STRUCT(move_line);
    if (k == 8) return HD_STRUCT(move_odd);
    if (k == 9) return HD_STRUCT(move_wide);
    return types[k];
}

static void fill(hostile *h, hd_type type, void *to, int64_t n)
{
    const bool number = (type & 0xff) != HD_STRUCTURE;
    const bool floats = type == HD_STRUCT(move_line);
    check_fill(number   ? type
               : floats ? HD_F32
                        : HD_U8,
               to,
               number   ? n
               : floats ? 2 * n
                        : n * (int64_t)hd_type_size(type),
               CHECK_ORDINARY, hostile_next(h));
}

enum { CHECKED, REPORTS, OPERATOR, ORDER, UNIQUE, AXIS };

static hd_status gather(hd_context *ctx, hostile_call *c)
{
    return hd_gather(
        ctx, c->in[0].view, c->in[1].view, c->out[0].view,
        &(hd_gather_options){.checked = c->choice[CHECKED],
                             .axis = (int32_t)c->choice[AXIS],
                             .bad = c->choice[REPORTS] ? HD_REF(HD_VIEW(&c->number[0], 1)) : NULL});
}

static void draw_gather(hostile *h)
{
    hostile_call c = {.name = "gather", .run = gather, .outputs_of_failure = true};
    const hd_type type = element_type(h), index_type = hostile_integer_type(h);
    const int64_t n = hostile_size(h), limit = hostile_size(h);
    fill(h, type, hostile_input(h, &c, type, limit), limit);
    hostile_indices(h, index_type, n, limit, hostile_input(h, &c, index_type, n));
    c.out[0] = check_new(type, n, CHECK_DENSE, hostile_below(h, 2)), c.outs = 1;
    c.out[0].view =
        hd_view_nd(type, c.out[0].view.data, c.in[1].view.ndim, c.in[1].view.shape, NULL);
    c.choice[CHECKED] = hostile_below(h, 2), c.choice[REPORTS] = hostile_below(h, 2);
    hostile_run(h, &c);
}

// Rows of a matrix by a hostile index.
static void draw_gather_rows(hostile *h)
{
    hostile_call c = {.name = "gather of rows", .run = gather, .outputs_of_failure = true};
    const hd_type type = element_type(h), index_type = hostile_integer_type(h);
    const int64_t width = 1 + hostile_below(h, 40), rows = hostile_size(h) / width;
    const int64_t n = hostile_size(h) / width, axis = hostile_below(h, 2);
    const int64_t shape[2] = {axis ? width : rows, axis ? rows : width};
    const int64_t out_shape[2] = {axis ? width : n, axis ? n : width};
    c.in[0] = check_new_nd(type, 2, shape, NULL, hostile_below(h, 2)), c.ins = 1;
    c.elements[0] = check_memory(hd_type_size(type) * (size_t)(rows * width));
    fill(h, type, c.elements[0], rows * width);
    hostile_dense(h, &c, index_type, n);
    hostile_indices(h, index_type, n, rows, c.elements[1]);
    c.out[0] = check_new_nd(type, 2, out_shape, NULL, hostile_below(h, 2)), c.outs = 1;
    c.choice[AXIS] = HD_AXIS(axis);
    c.choice[CHECKED] = hostile_below(h, 2), c.choice[REPORTS] = hostile_below(h, 2);
    hostile_run(h, &c);
}

static const hd_operator *operator_of(const hostile_call *c)
{
    if (c->choice[OPERATOR] == 0) return NULL;
    if (c->in[0].view.type == HD_STRUCT(move_line)) return move_after;
    return c->choice[OPERATOR] == 1 ? HD_SUM : HD_MAX;
}

static hd_status scatter(hd_context *ctx, hostile_call *c)
{
    return hd_scatter(ctx, c->in[0].view, c->in[1].view, c->out[0].view,
                      &(hd_scatter_options){
                          .combine = operator_of(c),
                          .order = (int32_t)c->choice[ORDER],
                          .unique = c->choice[UNIQUE],
                          .checked = c->choice[CHECKED],
                          .bad = c->choice[REPORTS] ? HD_REF(HD_VIEW(&c->number[0], 1)) : NULL});
}

static void draw_scatter(hostile *h)
{
    hostile_call c = {.name = "scatter", .run = scatter, .outputs_of_failure = true};
    const hd_type type = element_type(h), index_type = hostile_integer_type(h);
    const int64_t n = hostile_size(h), limit = hostile_size(h);
    fill(h, type, hostile_input(h, &c, type, n), n);
    hostile_like(h, &c, index_type);
    hostile_indices(h, index_type, n, limit, c.elements[1]);
    hostile_output(h, &c, type, limit);
    c.before[0] = check_memory(hd_type_size(type) * (size_t)limit);
    fill(h, type, c.before[0], limit);
    c.choice[CHECKED] = hostile_below(h, 2), c.choice[REPORTS] = hostile_below(h, 2);
    const bool number = (type & 0xff) != HD_STRUCTURE || type == HD_STRUCT(move_line);
    if (number && hostile_once_in(h, 3)) c.choice[OPERATOR] = 1 + hostile_below(h, 2);
    // Sums of floats in any order, and promises that are broken, have no one result.
    c.choice[ORDER] = hostile_once_in(h, 8) ? HD_ANY_ORDER : 0;
    c.choice[UNIQUE] = hostile_once_in(h, 8);
    c.only_safe = c.choice[ORDER] != 0 || c.choice[UNIQUE];
    hostile_run(h, &c);
}

void hostile_move(hostile *h)
{
    const int64_t which = hostile_below(h, 6);
    if (which == 0)
        draw_gather(h);
    else if (which == 1)
        draw_gather_rows(h);
    else
        draw_scatter(h);
}
