// SPDX-License-Identifier: Apache-2.0
// The parents of a tree of edges without direction, by its Euler tour (Tarjan and Vishkin 1985).
#include <heddle_algorithms.h>

#include <inttypes.h>

#include "tour.h"

// Arc k leads from u[k] to v[k], its twin, arc m + k, back.
HD_SOURCE(
    arcs, typedef struct { int64_t m, root; } arc_rule;
    static inline int64_t twin_of(int64_t arc, int64_t m) { return arc < m ? arc + m : arc - m; })
HD_FUNCTION(joins_itself, bool, HD_NO_SOURCE, (int64_t, u, int64_t, v), { return u == v; })
HD_FUNCTION(group_begin, int64_t, HD_NO_SOURCE, (int64_t, from, int64_t, from_before, int64_t, k),
            { return from != from_before ? k : 0; })
HD_FUNCTION_STATE(twin, int64_t, arcs, (int64_t, arc), arc_rule, { return twin_of(arc, state->m); })
// What follows the twin of an arc: the next arc from the same node, after the last one the first;
// behind the root's last one the tour ends.
HD_FUNCTION_STATE(after_twin, int64_t, arcs,
                  (int64_t, arc, int64_t, from, int64_t, from_next, int64_t, next, int64_t, first),
                  arc_rule, {
                      if (from == from_next) return next;
                      return from == state->root ? twin_of(arc, state->m) : first;
                  })
HD_FUNCTION(lower_end, int64_t, HD_NO_SOURCE,
            (int64_t, u, int64_t, v, int64_t, there, int64_t, back),
            { return there < back ? v : u; })
HD_FUNCTION(upper_end, int64_t, HD_NO_SOURCE,
            (int64_t, u, int64_t, v, int64_t, there, int64_t, back),
            { return there < back ? u : v; })
HD_FUNCTION_STATE(is_other, bool, HD_NO_SOURCE, (int64_t, label), int64_t,
                  { return label != *state; })

typedef struct edges {
    int64_t n, m, root;
    hd_view u, v;   // rows of i64
    hd_view parent; // a row of i64, -2 where nothing is known
} edges;

// The lowest node that is not joined to the root.
static hd_status name_unreached(hd__frame *f, const edges *e)
{
    hd_view label;
    int64_t of_root = 0, at = -1;
    hd_status status = hd__frame_row(f, HD_I64, e->n, &label);
    if (!status) status = hd_components(f->ctx, e->u, e->v, label, NULL);
    if (!status) status = hd__frame_read(f, label, e->root, &of_root);
    if (!status)
        status = hd_find(f->ctx, label, HD_VIEW(&at, 1),
                         &(hd_find_options){.map = HD_WITH_STATE(is_other, &of_root)});
    if (status) return status;
    return hd__frame_fail(
        f, HD_ERROR_VALUE,
        "the edges are no tree: node %" PRId64 " is not joined to the root, %" PRId64, at, e->root);
}

static hd_status take_edges(hd__frame *f, edges *e, hd_view u, hd_view v)
{
    int64_t at = -1;
    hd_status status = hd__frame_indices_check(f, "node u of edge", u, e->n);
    if (!status) status = hd__frame_indices_check(f, "node v of edge", v, e->n);
    if (!status) status = hd__frame_dense(f, u, HD_I64, &e->u);
    if (!status) status = hd__frame_dense(f, v, HD_I64, &e->v);
    if (!status)
        status = hd_find(f->ctx, e->u, HD_VIEW(&at, 1),
                         &(hd_find_options){.map = joins_itself, .with = HD_VIEWS(e->v)});
    if (status || at < 0) return status;
    return hd__frame_fail(f, HD_ERROR_VALUE, "edge %" PRId64 " joins a node to itself", at);
}

// Arcs sorted by the node they come from; from and arc have one element more than arcs, which no
// node is equal to.
static hd_status sort_arcs(hd__frame *f, const edges *e, hd_view from, hd_view arc)
{
    const int64_t m = e->m, none = -1;
    hd_view source;
    hd_status status = hd__frame_row(f, HD_I64, 2 * m, &source);
    if (!status) status = hd_map(f->ctx, e->u, NULL, hd__frame_part(source, 0, m), NULL);
    if (!status) status = hd_map(f->ctx, e->v, NULL, hd__frame_part(source, m, m), NULL);
    const hd_view sorted = hd__frame_part(arc, 0, 2 * m);
    if (!status)
        status = hd_sort(f->ctx, source, hd__frame_part(from, 0, 2 * m), HD_NO_VALUES,
                         &(hd_sort_options){.indices = &sorted});
    if (!status)
        status = hd_map(f->ctx, hd_constant(none, 1), NULL, hd__frame_part(from, 2 * m, 1), NULL);
    if (!status)
        status = hd_map(f->ctx, hd_constant(none, 1), NULL, hd__frame_part(arc, 2 * m, 1), NULL);
    return status ? status : hd__frame_drop(f, &source);
}

// first[k] = where the arcs of arc k's node begin.
static hd_status find_groups(hd__frame *f, int64_t arcs, hd_view from, hd_view first)
{
    const int64_t zero = 0, others = arcs - 1;
    hd_status status =
        hd_map(f->ctx, hd_constant(zero, 1), NULL, hd__frame_part(first, 0, 1), NULL);
    if (status) return status;
    return hd_scan(f->ctx, hd__frame_part(from, 1, others), HD_MAX,
                   hd__frame_part(first, 1, others),
                   &(hd_scan_options){.map = group_begin,
                                      .with = HD_VIEWS(hd__frame_part(from, 0, others),
                                                       hd_progression(1, 1, others))});
}

static hd_status rank_arcs(hd__frame *f, const edges *e, hd_view position)
{
    const int64_t n = 2 * e->m;
    const arc_rule rule = {e->m, e->root};
    hd_view from, arc = HD_EMPTY, first, next, at;
    hd_status status = hd__frame_row(f, HD_I64, n + 1, &from);
    if (!status) status = hd__frame_row(f, HD_I64, n + 1, &arc);
    if (!status) status = hd__frame_row(f, HD_I64, n, &first);
    if (!status) status = hd__frame_row(f, HD_I64, n, &next);
    if (!status) status = hd__frame_row(f, HD_I64, n, &at);
    if (!status) status = sort_arcs(f, e, from, arc);
    if (!status) status = find_groups(f, n, from, first);
    const hd_view arcs = hd__frame_part(arc, 0, n);
    if (!status)
        status = hd_map(f->ctx, arcs, HD_WITH_STATE(after_twin, &rule), next,
                        &(hd_map_options){
                            .with = HD_VIEWS(hd__frame_part(from, 0, n), hd__frame_part(from, 1, n),
                                             hd__frame_part(arc, 1, n), hd_indexed(arcs, first))});
    if (!status) status = hd_map(f->ctx, arcs, HD_WITH_STATE(twin, &rule), at, NULL);
    if (!status)
        status = hd_scatter(f->ctx, next, at, position, &(hd_scatter_options){.unique = true});
    if (!status)
        status = hd_list_rank(f->ctx, position, position, &(hd_list_options){.from_head = true});
    return status == HD_ERROR_VALUE ? name_unreached(f, e) : status;
}

// The end of an edge that the tour comes to first is the upper one.
static hd_status hang_up(hd__frame *f, edges *e)
{
    const int64_t m = e->m, unknown = -2;
    hd_view position, lower, upper;
    int64_t at = -1;
    hd_status status = hd__frame_row(f, HD_I64, 2 * m, &position);
    if (!status) status = rank_arcs(f, e, position);
    if (!status) status = hd__frame_row(f, HD_I64, m, &lower);
    if (!status) status = hd__frame_row(f, HD_I64, m, &upper);
    if (status) return status;
    const hd_views with =
        HD_VIEWS(e->v, hd__frame_part(position, 0, m), hd__frame_part(position, m, m));
    status = hd_map(f->ctx, e->u, lower_end, lower, &(hd_map_options){.with = with});
    if (!status) status = hd_map(f->ctx, e->u, upper_end, upper, &(hd_map_options){.with = with});
    if (!status) status = hd_scatter(f->ctx, upper, lower, e->parent, NULL);
    if (!status)
        status = hd_map(f->ctx, hd_constant(e->root, 1), NULL,
                        hd__frame_part(e->parent, e->root, 1), NULL);
    if (!status)
        status = hd_find(f->ctx, e->parent, HD_VIEW(&at, 1), &(hd_find_options){.value = &unknown});
    return status || at < 0 ? status : name_unreached(f, e);
}

static hd_status make(hd__frame *f, edges *e)
{
    const int64_t unknown = -2;
    hd_status status = hd__frame_row(f, HD_I64, e->n, &e->parent);
    if (!status) status = hd_map(f->ctx, hd_constant(unknown, e->n), NULL, e->parent, NULL);
    if (status || e->m > 0) return status ? status : hang_up(f, e);
    return hd_map(f->ctx, hd_constant(e->root, 1), NULL, e->parent, NULL);
}

static hd_status check(hd__frame *f, const edges *e, hd_view u, hd_view v, hd_view parent)
{
    if (u.ndim != 1 || v.ndim != 1 || parent.ndim != 1 || hd_count(v) != e->m || e->n != e->m + 1)
        return hd__frame_fail(f, HD_ERROR_SHAPE,
                              "u has %" PRId64 " elements, v %" PRId64 " and parent %" PRId64
                              "; expected one more in parent, in one dimension",
                              e->m, hd_count(v), e->n);
    if (e->root < 0 || e->root >= e->n)
        return hd__frame_fail(f, HD_ERROR_ARGUMENT,
                              "the root is %" PRId64 "; expected 0 .. %" PRId64, e->root, e->n - 1);
    hd_status status = hd__frame_indices_hold(f, "parent", parent, e->n);
    if (!status) status = hd__frame_check_out(f, "parent", parent);
    if (!status) status = hd__frame_check_apart(f, "parent", parent, "u", u);
    return status ? status : hd__frame_check_apart(f, "parent", parent, "v", v);
}

hd_status hd_tree_parents(hd_context *ctx, hd_view u, hd_view v, int64_t root, hd_view parent,
                          const hd_tree_parents_options *options)
{
    hd__frame f;
    edges e = {.n = hd_count(parent), .m = hd_count(u), .root = root};
    hd_tree_parents_options o = {0};
    hd_status status = hd__frame_open(&f, ctx, "hd_tree_parents", u);
    if (!status) status = hd__frame_options(&f, options, sizeof o, &o);
    if (!status) status = check(&f, &e, u, v, parent);
    if (!status) status = take_edges(&f, &e, u, v);
    if (!status) status = make(&f, &e);
    if (!status) status = hd__frame_copy(&f, e.parent, parent);
    return hd__frame_close(&f, status);
}
