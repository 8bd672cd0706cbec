// SPDX-License-Identifier: Apache-2.0
//
// Reduce and scan over segments whose offsets fall or leave the array, and by key into outputs that
// are too small.
#include "hostile.h"

#include <stdlib.h>

HD_SOURCE(
    reduce_things, typedef struct { float a, b; } reduce_line;)
HD_OPERATOR(reduce_after, reduce_line, reduce_things, HD_ASSOCIATIVE, {
    const reduce_line r = {a.a * b.a, a.b * b.a + b.b};
    return r;
})

enum { OPERATOR, BACKWARD, BY_KEY };

static const hd_operator *operator_of(const hostile_call *c)
{
    static const hd_operator *const built_in[] = {HD_SUM, HD_MAX, HD_MIN};
    if (c->in[0].view.type == HD_STRUCT(reduce_line)) return reduce_after;
    return built_in[c->choice[OPERATOR]];
}

static hd_status reduce(hd_context *ctx, hostile_call *c)
{
    const hd_view runs = HD_VIEW(&c->number[0], 1);
    hd_reduce_options o = {0};
    if (c->choice[BY_KEY])
        o.keys = &c->in[1].view, o.keys_out = &c->out[1].view, o.runs = &runs;
    else
        o.segments = &c->in[1].view;
    return hd_reduce(ctx, c->in[0].view, operator_of(c), c->out[0].view, &o);
}

static hd_status scan(hd_context *ctx, hostile_call *c)
{
    hd_scan_options o = {.backward = c->choice[BACKWARD]};
    if (c->choice[BY_KEY])
        o.keys = &c->in[1].view;
    else
        o.segments = &c->in[1].view;
    return hd_scan(ctx, c->in[0].view, operator_of(c), c->out[0].view, &o);
}

static int64_t draw_elements(hostile *h, hostile_call *c)
{
    static const hd_type types[] = {HD_F32, HD_F64, HD_I32, HD_I64, HD_U8, HD_F16};
    const int64_t k = hostile_below(h, 7), n = hostile_size(h);
    const hd_type type = k < 6 ? types[k] : HD_STRUCT(reduce_line);
    c->in[0] = check_new(type, n, hostile_once_in(h, 5) ? CHECK_STRIDED : CHECK_DENSE,
                         hostile_below(h, 2));
    c->elements[0] = check_memory(hd_type_size(type) * (size_t)n), c->ins = 1;
    check_fill(k < 6 ? type : HD_F32, c->elements[0], k < 6 ? n : 2 * n, CHECK_ORDINARY,
               hostile_next(h));
    c->choice[OPERATOR] = hostile_below(h, 3);
    return n;
}

static hd_type output_type(const hostile_call *c)
{
    const hd_type type = c->in[0].view.type;
    return (type & 0xff) == HD_STRUCTURE ? type : hd_default_output(operator_of(c), type);
}

static void draw_segments(hostile *h, bool scanned)
{
    hostile_call c = {.name = scanned ? "scan of segments" : "reduce of segments",
                      .run = scanned ? scan : reduce};
    const int64_t n = draw_elements(h, &c), count = 1 + hostile_size(h) / 2;
    const hd_type offset_type = hostile_integer_type(h);
    hostile_dense(h, &c, offset_type, count);
    hostile_offsets(h, offset_type, count, n, c.elements[1]);
    c.choice[BACKWARD] = hostile_below(h, 2);
    c.out[0] =
        check_new(output_type(&c), scanned ? n : count - 1, CHECK_DENSE, hostile_below(h, 2));
    c.outs = 1;
    hostile_run(h, &c);
}

static void draw_keys(hostile *h, bool scanned)
{
    hostile_call c = {.name = scanned ? "scan by key" : "reduce by key",
                      .run = scanned ? scan : reduce};
    const int64_t n = draw_elements(h, &c);
    const int64_t room = scanned ? n : hostile_below(h, 2) ? n : hostile_below(h, n / 8 + 2);
    const hd_type key_type = hostile_number_type(h);
    uint64_t state = hostile_next(h);
    hostile_dense(h, &c, key_type, n);
    check_keys(key_type, c.elements[1], n, &state);
    c.choice[BY_KEY] = 1;
    c.out[0] = check_new(output_type(&c), room, CHECK_DENSE, hostile_below(h, 2));
    c.out[1] = check_new(key_type, room, CHECK_DENSE, hostile_below(h, 2));
    c.outs = scanned ? 1 : 2;
    if (scanned) check_drop(&c.out[1]);
    hostile_run(h, &c);
}

void hostile_reduce(hostile *h)
{
    const bool scanned = hostile_below(h, 2);
    if (hostile_below(h, 3))
        draw_segments(h, scanned);
    else
        draw_keys(h, scanned);
}
