// SPDX-License-Identifier: Apache-2.0
// Connected components by hooking onto the least neighbour and pointer jumping (Shiloach and
// Vishkin 1982, "An O(log n) parallel connectivity algorithm"; Liu and Tarjan 2019, "Simple
// concurrent labeling algorithms for connected components").
#include <heddle_algorithms.h>

#include <inttypes.h>

#include "device_forest.h"
#include "union_find.h"

// Edges that are left: between roots of f.
typedef struct search {
    hd__edges e;
    hd_view f;          // a forest over the nodes, stars between rounds; roots are least
    hd_view u, v, a, b; // rows of m; the first `left` of u and v are edges
    int64_t left, rounds;
} search;

static hd_status begin(hd__frame *f, search *s)
{
    const hd_type type = s->e.on->type;
    hd_status status = hd_map(f->ctx, hd_iota(s->e.n), NULL, s->f, NULL);
    if (!status) status = hd__frame_row(f, type, s->e.m, &s->u);
    if (!status) status = hd__frame_row(f, type, s->e.m, &s->v);
    if (!status) status = hd__frame_row(f, type, s->e.m, &s->a);
    if (!status) status = hd__frame_row(f, type, s->e.m, &s->b);
    return status;
}

// u, v = the edges (a, b) whose ends differ.
static hd_status keep_between(hd__frame *f, search *s, hd_view a, hd_view b)
{
    int64_t count = 0;
    hd_status status =
        hd_compact(f->ctx, a, s->u, HD_VIEW(&count, 1),
                   &(hd_compact_options){.keep = s->e.on->differ, .with = HD_VIEWS(b)});
    if (!status)
        status = hd_compact(f->ctx, b, s->v, HD_VIEW(&s->left, 1),
                            &(hd_compact_options){.keep = s->e.on->differ, .with = HD_VIEWS(a)});
    return status;
}

// The ends of the edges that are left become their roots; those within a tree go.
static hd_status relabel(hd__frame *f, search *s)
{
    const hd_view a = hd__frame_part(s->a, 0, s->left), b = hd__frame_part(s->b, 0, s->left);
    hd_status status = hd_gather(f->ctx, s->f, hd__frame_part(s->u, 0, s->left), a, NULL);
    if (!status) status = hd_gather(f->ctx, s->f, hd__frame_part(s->v, 0, s->left), b, NULL);
    return status ? status : keep_between(f, s, a, b);
}

// Each root hooks onto the least that an edge joins it to, and every node onto its root.
static hd_status hook(hd__frame *f, search *s)
{
    const hd_view u = hd__frame_part(s->u, 0, s->left), v = hd__frame_part(s->v, 0, s->left);
    const hd_view higher = hd__frame_part(s->a, 0, s->left);
    hd_status status =
        hd_map(f->ctx, u, s->e.on->higher, higher, &(hd_map_options){.with = HD_VIEWS(v)});
    if (!status)
        status = hd_scatter(f->ctx, u, higher, s->f,
                            &(hd_scatter_options){.combine = HD_MIN,
                                                  .order = HD_ANY_ORDER,
                                                  .map = s->e.on->lower,
                                                  .with = HD_VIEWS(v)});
    s->rounds++;
    return status ? status : hd_forest_roots(f->ctx, s->f, s->f, NULL);
}

// Neither cores nor devices need rounds, and do without where nobody asks for them.
static hd_status label(hd__frame *f, search *s, bool asks_for_rounds)
{
    bool done = false;
    hd_status status = hd__frame_row(f, s->e.on->type, s->e.n, &s->f);
    if (!status && !asks_for_rounds && hd__device_forest_serves(f, &s->e))
        return hd__device_components(f, &s->e, s->f);
    if (!status && !asks_for_rounds) status = hd__union_find(f, &s->e, s->f, &done);
    if (status || done) return status;
    status = begin(f, s);
    if (!status) status = keep_between(f, s, s->e.u, s->e.v);
    while (!status && s->left > 0) {
        status = hook(f, s);
        if (!status) status = relabel(f, s);
    }
    return status;
}

static hd_status tell(hd__frame *f, const search *s, const hd_components_options *o)
{
    hd_status status = hd__edges_tell(f, o->rounds, s->rounds);
    if (status || o->count == NULL || o->count->type == HD_NONE) return status;
    return hd_reduce(
        f->ctx, s->f, HD_SUM, *o->count,
        &(hd_reduce_options){.map = s->e.on->is_root, .with = HD_VIEWS(hd_iota(s->e.n))});
}

static hd_status check(hd__frame *f, hd_view u, hd_view v, hd_view out)
{
    if (out.ndim != 1)
        return hd__frame_fail(f, HD_ERROR_SHAPE, "label has %d dimensions; expected 1", out.ndim);
    hd_status status = hd__frame_indices_hold(f, "label", out, hd_count(out));
    if (!status) status = hd__frame_check_out(f, "label", out);
    if (!status) status = hd__frame_check_apart(f, "label", out, "u", u);
    return status ? status : hd__frame_check_apart(f, "label", out, "v", v);
}

hd_status hd_components(hd_context *ctx, hd_view u, hd_view v, hd_view out,
                        const hd_components_options *options)
{
    hd__frame f;
    search s = {.left = 0};
    hd_components_options o = {0};
    hd_status status = hd__frame_open(&f, ctx, "hd_components", u);
    if (!status) status = hd__frame_options(&f, options, sizeof o, &o);
    if (!status) status = check(&f, u, v, out);
    if (!status) status = hd__edges_open(&f, u, v, hd_count(out), &s.e);
    if (!status) status = label(&f, &s, o.rounds != NULL && o.rounds->type != HD_NONE);
    if (!status) status = hd__frame_copy(&f, s.f, out);
    if (!status) status = tell(&f, &s, &o);
    return hd__frame_close(&f, status);
}
