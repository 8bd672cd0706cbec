// SPDX-License-Identifier: Apache-2.0
//
// Lists and forests whose links leave the array, meet, or go round.
#include "hostile.h"

#include <stdlib.h>

enum { METHOD, FROM_HEAD, BACKWARD, HEADS };

static hd_list_options options_of(hostile_call *c, const hd_view *lists)
{
    hd_list_options o = {.method = (hd_list_method)c->choice[METHOD],
                         .from_head = c->choice[FROM_HEAD],
                         .lists = lists};
    o.heads = c->choice[HEADS] ? &c->in[c->choice[HEADS]].view : NULL;
    return o;
}

static hd_status rank(hd_context *ctx, hostile_call *c)
{
    const hd_view lists = HD_VIEW(&c->number[0], 1);
    const hd_list_options o = options_of(c, &lists);
    return hd_list_rank(ctx, c->in[0].view, c->out[0].view, &o);
}

static hd_status scan(hd_context *ctx, hostile_call *c)
{
    const hd_view lists = HD_VIEW(&c->number[0], 1);
    hd_list_options o = options_of(c, &lists);
    o.from_head = false, o.backward = c->choice[BACKWARD];
    return hd_list_scan(ctx, c->in[0].view, c->in[1].view, HD_SUM, c->out[0].view, &o);
}

static hd_status roots(hd_context *ctx, hostile_call *c)
{
    return hd_forest_roots(ctx, c->in[0].view, c->out[0].view,
                           &(hd_forest_options){.depth = HD_REF(c->out[1].view)});
}

void hostile_list(hostile *h)
{
    static hd_status (*const runs[])(hd_context *, hostile_call *) = {rank, scan, roots};
    static const char *const names[] = {"list ranking", "list scan", "forest roots"};
    const int64_t which = hostile_below(h, 3), n = hostile_size(h);
    hostile_call c = {.name = names[which], .run = runs[which]};
    const hd_type link_type = hostile_integer_type(h);
    hostile_dense(h, &c, link_type, n);
    hostile_links(h, link_type, n, which == 2, c.elements[0]);
    if (which == 1) {
        hostile_dense(h, &c, HD_F64, n);
        check_fill(HD_F64, c.elements[1], n, CHECK_ORDINARY, hostile_next(h));
    }
    c.choice[METHOD] = hostile_below(h, 2), c.choice[FROM_HEAD] = hostile_below(h, 2);
    c.choice[BACKWARD] = hostile_below(h, 2);
    if (which < 2 && hostile_once_in(h, 4)) {
        const int64_t heads = hostile_below(h, 6);
        c.choice[HEADS] = c.ins;
        hostile_dense(h, &c, HD_I64, heads);
        hostile_indices(h, HD_I64, heads, n, c.elements[c.choice[HEADS]]);
    }
    c.out[0] = check_new(which == 1 ? HD_F64 : HD_I64, n, CHECK_DENSE, hostile_below(h, 2));
    c.outs = 1;
    if (which == 2) c.out[c.outs++] = check_new(HD_I64, n, CHECK_DENSE, hostile_below(h, 2));
    hostile_run(h, &c);
}
