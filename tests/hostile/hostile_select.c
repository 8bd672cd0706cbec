// SPDX-License-Identifier: Apache-2.0
//
// Compact, partition, unique, run lengths and expand: hostile flags, buckets and lengths, outputs
// that are too small.
#include "hostile.h"

#include <stdlib.h>

HD_FUNCTION(select_bucket, int64_t, HD_NO_SOURCE, (int64_t, x), { return x; })

enum { WAYS, INDICES, OFFSETS, BY_FUNCTION, COUNTS };

static hd_view output(const hostile_call *c, int k)
{
    return k < c->outs ? c->out[k].view : HD_EMPTY;
}

static hd_status compact(hd_context *ctx, hostile_call *c)
{
    return hd_compact(
        ctx, c->in[0].view, c->out[0].view, HD_VIEW(&c->number[0], 1),
        &(hd_compact_options){.flags = HD_REF(c->in[1].view), .indices = HD_REF(output(c, 1))});
}

static void draw_compact(hostile *h)
{
    hostile_call c = {.name = "compact", .run = compact, .outputs_of_failure = true};
    const hd_type type = hostile_number_type(h), flag_type = hostile_integer_type(h);
    const int64_t n = hostile_size(h);
    check_fill(type, hostile_input(h, &c, type, n), n, CHECK_SPECIAL, hostile_next(h));
    hostile_like(h, &c, flag_type);
    hostile_indices(h, flag_type, n, 2, c.elements[1]);
    const int64_t room = hostile_below(h, 2) ? n : hostile_below(h, n + 1);
    hostile_output(h, &c, type, room);
    if (hostile_below(h, 2)) hostile_output(h, &c, HD_I64, room);
    hostile_run(h, &c);
}

static hd_status partition(hd_context *ctx, hostile_call *c)
{
    hd_partition_options o = {.ways = c->choice[WAYS]};
    if (c->choice[BY_FUNCTION])
        o.bucket = select_bucket;
    else
        o.buckets = &c->in[1].view;
    o.offsets = c->choice[OFFSETS] ? HD_REF(output(c, (int)c->choice[OFFSETS])) : NULL;
    o.indices = c->choice[INDICES] ? HD_REF(output(c, (int)c->choice[INDICES])) : NULL;
    const hd_view counts = c->choice[COUNTS] ? output(c, (int)c->choice[COUNTS]) : HD_EMPTY;
    return hd_partition(ctx, c->in[0].view, c->out[0].view, counts, &o);
}

static void draw_partition(hostile *h)
{
    static const int64_t limits[] = {1, 2, 3, 16, 31, 256, 1000, 5000, 70000};
    hostile_call c = {.name = "partition", .run = partition};
    const bool by_function = hostile_once_in(h, 4);
    const hd_type type = by_function ? HD_I64 : hostile_number_type(h);
    const hd_type bucket_type = hostile_integer_type(h);
    const int64_t n = hostile_size(h), ways = limits[hostile_below(h, 9)];
    c.in[0] = check_new(type, n, hostile_layout(h), hostile_below(h, 2));
    c.elements[0] = check_memory(hd_type_size(type) * (size_t)n), c.ins = 1;
    c.out[0] = check_new_nd(type, c.in[0].view.ndim, c.in[0].view.shape, NULL, hostile_below(h, 2));
    c.outs = 1;
    if (by_function) {
        hostile_indices(h, HD_I64, n, ways, c.elements[0]);
    } else {
        check_fill(type, c.elements[0], n, CHECK_SPECIAL, hostile_next(h));
        hostile_like(h, &c, bucket_type);
        hostile_indices(h, bucket_type, n, ways, c.elements[1]);
    }
    c.choice[WAYS] = ways, c.choice[BY_FUNCTION] = by_function;
    if (hostile_below(h, 2)) c.choice[COUNTS] = c.outs, hostile_output(h, &c, HD_I64, ways);
    if (hostile_below(h, 2)) c.choice[OFFSETS] = c.outs, hostile_output(h, &c, HD_I64, ways + 1);
    if (hostile_below(h, 2)) {
        c.choice[INDICES] = c.outs;
        c.out[c.outs++] =
            check_new_nd(HD_I64, c.in[0].view.ndim, c.in[0].view.shape, NULL, hostile_below(h, 2));
    }
    hostile_run(h, &c);
}

static hd_status unique(hd_context *ctx, hostile_call *c)
{
    return hd_unique(ctx, c->in[0].view, c->out[0].view, HD_VIEW(&c->number[0], 1),
                     &(hd_unique_options){.indices = HD_REF(output(c, 1))});
}

static hd_status run_lengths(hd_context *ctx, hostile_call *c)
{
    return hd_run_lengths(ctx, c->in[0].view, c->out[0].view, c->out[1].view,
                          HD_VIEW(&c->number[0], 1),
                          &(hd_run_lengths_options){.indices = HD_REF(output(c, 2))});
}

static void draw_runs(hostile *h)
{
    const bool lengths = hostile_below(h, 2);
    hostile_call c = {.name = lengths ? "run lengths" : "unique",
                      .run = lengths ? run_lengths : unique,
                      .outputs_of_failure = true};
    const hd_type type = hostile_number_type(h);
    const int64_t n = hostile_size(h);
    uint64_t state = hostile_next(h);
    check_keys(type, hostile_input(h, &c, type, n), n, &state);
    const int64_t room = hostile_below(h, 2) ? n : hostile_below(h, n / 8 + 2);
    hostile_output(h, &c, type, room);
    if (lengths) hostile_output(h, &c, HD_I64, room);
    if (hostile_below(h, 2)) hostile_output(h, &c, HD_I64, room);
    hostile_run(h, &c);
}

static hd_status expand(hd_context *ctx, hostile_call *c)
{
    return hd_expand(ctx, c->in[0].view, c->in[1].view, c->out[0].view, HD_VIEW(&c->number[0], 1),
                     NULL);
}

static void draw_expand(hostile *h)
{
    hostile_call c = {.name = "expand", .run = expand};
    const hd_type type = hostile_number_type(h), length_type = hostile_integer_type(h);
    const int64_t n = hostile_size(h), room = hostile_size(h);
    check_fill(type, hostile_input(h, &c, type, n), n, CHECK_SPECIAL, hostile_next(h));
    hostile_like(h, &c, length_type);
    hostile_lengths(h, length_type, n, hostile_below(h, 2) ? room / 2 : room, c.elements[1]);
    hostile_output(h, &c, type, room);
    hostile_run(h, &c);
}

void hostile_select(hostile *h)
{
    static void (*const draw[])(hostile *) = {draw_compact, draw_partition, draw_partition,
                                              draw_runs, draw_expand};
    draw[hostile_below(h, 5)](h);
}
