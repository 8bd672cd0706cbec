// SPDX-License-Identifier: Apache-2.0
// A minimum spanning forest by Boruvka's method (1926), with contraction: edges in the order of
// their weights, so that the lightest edge of a tree is the first one.
#include <heddle_algorithms.h>

#include <inttypes.h>

#include "device_forest.h"

// Edges that are left, lightest first, between trees 0 .. trees - 1; rows have room for all.
typedef struct forest {
    hd__edges e;
    hd_view u, v, id;          // of `left` edges: their trees and their index
    hd_view a, b, c;           // the same, before those within a tree go
    hd_view best, link, other; // of trees
    hd_view chosen, flags;     // of all edges: bool
    bool on_device;            // without contraction: no id, and flags
    int64_t left, trees, rounds;
} forest;

static hd_view edges_of(const forest *s, hd_view row)
{
    return hd__frame_part(row, 0, s->left);
}

static hd_view trees_of(const forest *s, hd_view row)
{
    return hd__frame_part(row, 0, s->trees);
}

static hd_status take_rows(hd__frame *f, forest *s)
{
    const hd_type type = s->e.on->type;
    const hd_type ids = hd__frame_index_type(s->e.m > s->e.n ? s->e.m : s->e.n);
    // One width for all: positions of edges are compared with each other as trees are.
    if (ids != type) s->e.on = hd__edge_functions_of(HD_I64);
    hd_view *const of_edges[] = {&s->u, &s->v, &s->a, &s->b, &s->c, &s->id};
    hd_view *const of_trees[] = {&s->best, &s->link, &s->other};
    hd_status status = HD_OK;
    for (int k = 0; k < 6 - s->on_device && !status; k++)
        status = hd__frame_row(f, s->e.on->type, s->e.m, of_edges[k]);
    for (int k = 0; k < 3 - s->on_device && !status; k++)
        status = hd__frame_row(f, s->e.on->type, s->e.n, of_trees[k]);
    if (!status && s->on_device) status = hd__frame_row(f, HD_BOOL, s->e.m, &s->flags);
    return status ? status : hd__frame_row(f, HD_BOOL, s->e.m, &s->chosen);
}

static hd_status begin(hd__frame *f, forest *s, hd_view weight)
{
    const bool no = false;
    s->left = s->e.m, s->trees = s->e.n;
    hd_status status = take_rows(f, s);
    if (!status) status = hd_map(f->ctx, hd_constant(no, s->e.m), NULL, s->chosen, NULL);
    if (!status)
        status =
            hd_sort(f->ctx, weight, HD_EMPTY, HD_NO_VALUES, &(hd_sort_options){.indices = &s->c});
    if (!status) status = hd_map(f->ctx, hd_indexed(s->e.u, s->c), NULL, s->a, NULL);
    if (!status) status = hd_map(f->ctx, hd_indexed(s->e.v, s->c), NULL, s->b, NULL);
    return status;
}

// u, v, id = those of a, b, c whose ends are in different trees.
static hd_status keep_between(hd__frame *f, forest *s)
{
    const hd_view a = edges_of(s, s->a), b = edges_of(s, s->b), c = edges_of(s, s->c);
    const hd_function *keep = s->e.on->differ, *keep_id = s->e.on->differ_ends;
    int64_t count = 0;
    hd_status status = hd_compact(f->ctx, a, s->u, HD_VIEW(&count, 1),
                                  &(hd_compact_options){.keep = keep, .with = HD_VIEWS(b)});
    if (!status)
        status = hd_compact(f->ctx, b, s->v, HD_VIEW(&count, 1),
                            &(hd_compact_options){.keep = keep, .with = HD_VIEWS(a)});
    if (!status)
        status = hd_compact(f->ctx, c, s->id, HD_VIEW(&count, 1),
                            &(hd_compact_options){.keep = keep_id, .with = HD_VIEWS(a, b)});
    s->left = count;
    return status;
}

// best[c] = the first edge of tree c, or `left`.
static hd_status find_best(hd__frame *f, forest *s)
{
    const hd_scatter_options least = {
        .combine = HD_MIN, .order = HD_ANY_ORDER, .map = s->e.on->narrow};
    const hd_view best = trees_of(s, s->best), position = hd_iota(s->left);
    hd_status status = hd_map(f->ctx, hd_constant(s->left, s->trees), NULL, best, NULL);
    if (!status) status = hd_scatter(f->ctx, position, edges_of(s, s->u), best, &least);
    if (!status) status = hd_scatter(f->ctx, position, edges_of(s, s->v), best, &least);
    return status;
}

// Notes the edges that are chosen; of two trees that chose the same one it is noted twice.
static hd_status note(hd__frame *f, forest *s)
{
    const bool yes = true;
    const hd_view best = trees_of(s, s->best), id = trees_of(s, s->link);
    hd_status status = hd_gather(f->ctx, edges_of(s, s->id), best, id, NULL);
    if (!status)
        status = hd_map(f->ctx, best, HD_WITH_STATE(s->e.on->chosen, &s->left), id,
                        &(hd_map_options){.with = HD_VIEWS(id)});
    return status ? status : hd_scatter(f->ctx, hd_constant(yes, s->trees), id, s->chosen, NULL);
}

// link[c] = the tree at the other end of c's edge; c itself where it has none, or is the lower of
// two that chose each other.
static hd_status link(hd__frame *f, forest *s)
{
    const hd_view best = trees_of(s, s->best), to = trees_of(s, s->link);
    const hd_view other = trees_of(s, s->other), self = hd_iota(s->trees);
    hd_status status = hd_gather(f->ctx, edges_of(s, s->u), best, other, NULL);
    if (!status) status = hd_gather(f->ctx, edges_of(s, s->v), best, to, NULL);
    if (!status)
        status = hd_map(f->ctx, best, HD_WITH_STATE(s->e.on->other_end, &s->left), other,
                        &(hd_map_options){.with = HD_VIEWS(self, other, to)});
    if (!status)
        status = hd_map(f->ctx, other, s->e.on->hook, to,
                        &(hd_map_options){.with = HD_VIEWS(self, best, hd_indexed(best, other))});
    return status ? status : hd_forest_roots(f->ctx, to, to, NULL);
}

// Trees are numbered anew, in the order of their roots, and edges with them.
static hd_status contract(hd__frame *f, forest *s)
{
    const hd_view root = trees_of(s, s->link), number = trees_of(s, s->best);
    const hd_view fresh = trees_of(s, s->other);
    int64_t trees = 0;
    hd_status status = hd_scan(f->ctx, root, HD_SUM, number,
                               &(hd_scan_options){.exclusive = true,
                                                  .map = s->e.on->is_root,
                                                  .with = HD_VIEWS(hd_iota(s->trees))});
    if (!status)
        status = hd_reduce(
            f->ctx, root, HD_SUM, HD_VIEW(&trees, 1),
            &(hd_reduce_options){.map = s->e.on->is_root, .with = HD_VIEWS(hd_iota(s->trees))});
    if (!status) status = hd_gather(f->ctx, number, root, fresh, NULL);
    if (!status) status = hd_gather(f->ctx, fresh, edges_of(s, s->u), edges_of(s, s->a), NULL);
    if (!status) status = hd_gather(f->ctx, fresh, edges_of(s, s->v), edges_of(s, s->b), NULL);
    const hd_view kept = s->c;
    s->c = s->id, s->id = kept;
    s->trees = trees;
    return status;
}

static hd_status grow(hd__frame *f, forest *s)
{
    hd_status status = keep_between(f, s);
    while (!status && s->left > 0) {
        status = find_best(f, s);
        if (!status) status = note(f, s);
        if (!status) status = link(f, s);
        if (!status) status = contract(f, s);
        if (!status) status = keep_between(f, s);
        s->rounds++;
    }
    return status;
}

// Devices need no rounds of contraction, and do without where nobody asks for their number.
static hd_status grow_on_device(hd__frame *f, const forest *s)
{
    const hd__device_forest d = {.u = s->a,
                                 .v = s->b,
                                 .id = s->c,
                                 .flags = s->flags,
                                 .list = s->u,
                                 .next = s->v,
                                 .best = s->best,
                                 .parent = s->link,
                                 .chosen = s->chosen};
    return hd__device_forest_grow(f, &d);
}

static hd_status give(hd__frame *f, const forest *s, hd_view weight, hd_view edges, hd_view count,
                      const hd_spanning_forest_options *o)
{
    hd_status status = hd_compact(f->ctx, hd_iota(s->e.m), HD_EMPTY, count,
                                  &(hd_compact_options){.flags = &s->chosen, .indices = &edges});
    if (!status) status = hd__edges_tell(f, o->rounds, s->rounds);
    if (status || o->total == NULL || o->total->type == HD_NONE) return status;
    return hd_reduce(f->ctx, weight, HD_SUM, *o->total, &(hd_reduce_options){.flags = &s->chosen});
}

static hd_status check(hd__frame *f, hd_view u, hd_view v, hd_view weight, hd_view edges)
{
    if (weight.ndim != 1 || hd_count(weight) != hd_count(u))
        return hd__frame_fail(f, HD_ERROR_SHAPE,
                              "%" PRId64 " weights for %" PRId64 " edges; expected as many",
                              hd_count(weight), hd_count(u));
    if (edges.ndim != 1)
        return hd__frame_fail(f, HD_ERROR_SHAPE, "edges has %d dimensions; expected 1", edges.ndim);
    hd_status status = hd__frame_indices_hold(f, "edges", edges, hd_count(u));
    if (!status) status = hd__frame_check_out(f, "edges", edges);
    if (!status) status = hd__frame_check_apart(f, "edges", edges, "u", u);
    if (!status) status = hd__frame_check_apart(f, "edges", edges, "v", v);
    return status ? status : hd__frame_check_apart(f, "edges", edges, "weight", weight);
}

hd_status hd_spanning_forest(hd_context *ctx, hd_view u, hd_view v, hd_view weight, int64_t nodes,
                             hd_view edges, hd_view count,
                             const hd_spanning_forest_options *options)
{
    hd__frame f;
    forest s = {.left = 0};
    hd_spanning_forest_options o = {0};
    hd_status status = hd__frame_open(&f, ctx, "hd_spanning_forest", u);
    if (!status) status = hd__frame_options(&f, options, sizeof o, &o);
    if (!status) status = check(&f, u, v, weight, edges);
    if (!status) status = hd__edges_open(&f, u, v, nodes, &s.e);
    s.on_device = (o.rounds == NULL || o.rounds->type == HD_NONE) && !status &&
                  hd__device_forest_serves(&f, &s.e);
    if (!status) status = begin(&f, &s, weight);
    if (!status) status = s.on_device ? grow_on_device(&f, &s) : grow(&f, &s);
    if (!status) status = give(&f, &s, weight, edges, count, &o);
    return hd__frame_close(&f, status);
}
