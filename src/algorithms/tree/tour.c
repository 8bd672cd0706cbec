// SPDX-License-Identifier: Apache-2.0
#include "tour.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// What a link must be: none is a link of the root beside -1, which unsigned types do not have.
HD_SOURCE(
    links, typedef struct { int64_t n, none; } link_rule;)
HD_FUNCTION_STATE(normal_link, int64_t, links, (int64_t, p, int64_t, i), link_rule, {
    if (p == i || p == -1 || (p == state->none && p >= state->n)) return -1;
    return p < 0 || p >= state->n ? -2 : p;
})
HD_FUNCTION(sibling_of, int64_t, HD_NO_SOURCE,
            (int64_t, parent, int64_t, next_parent, int64_t, next),
            { return parent == next_parent ? next : -1; })
HD_FUNCTION_STATE(after_entering, int64_t, HD_NO_SOURCE, (int64_t, first, int64_t, i), int64_t,
                  { return first >= 0 ? first : *state + i; })
HD_FUNCTION_STATE(after_leaving, int64_t, HD_NO_SOURCE,
                  (int64_t, sibling, int64_t, parent, int64_t, i), int64_t, {
                      return sibling >= 0 ? sibling : parent >= 0 ? *state + parent : *state + i;
                  })
HD_FUNCTION_STATE(enters, bool, HD_NO_SOURCE, (int64_t, arc), int64_t, { return arc < *state; })
HD_FUNCTION(size_between, int64_t, HD_NO_SOURCE, (int64_t, left, int64_t, entered),
            { return (left - entered + 1) / 2; })

// The link that all bits set are, once converted.
static int64_t none_of(hd_type type)
{
    if (type == HD_U8) return UINT8_MAX;
    if (type == HD_U16) return UINT16_MAX;
    return type == HD_U32 ? (int64_t)UINT32_MAX : -1;
}

static hd_status name_bad_link(hd__frame *f, hd_view parent, int64_t at, int64_t n)
{
    int64_t value = 0;
    hd_view row;
    hd_status status = hd__frame_dense(f, parent, HD_I64, &row);
    if (!status) status = hd__frame_read(f, row, at, &value);
    if (status) return status;
    return hd__frame_fail(f, HD_ERROR_VALUE,
                          "the parent of node %" PRId64 " is %" PRId64 "; expected 0 .. %" PRId64
                          ", or -1 for the root",
                          at, value, n - 1);
}

// The text that hd_forest_roots has for the parents.
static hd_status name_cycle(hd__frame *f, const hd__tour *t)
{
    char text[300];
    hd_view roots;
    hd_status status = hd__frame_row(f, HD_I64, t->n, &roots);
    if (!status) status = hd_forest_roots(f->ctx, t->parent, roots, NULL);
    if (status != HD_ERROR_VALUE) return status ? status : HD_ERROR_VALUE;
    snprintf(text, sizeof text, "%s", hd_error(f->ctx));
    const char *what = strncmp(text, "hd_forest_roots: ", 17) == 0 ? text + 17 : text;
    return hd__frame_fail(f, HD_ERROR_VALUE, "the parents are no tree: %s", what);
}

static hd_status find_root(hd__frame *f, hd__tour *t)
{
    const int64_t none = -1;
    int64_t first = -1, last = -1;
    hd_status status =
        hd_find(f->ctx, t->parent, HD_VIEW(&first, 1), &(hd_find_options){.value = &none});
    if (!status)
        status = hd_find(f->ctx, t->parent, HD_VIEW(&last, 1),
                         &(hd_find_options){.value = &none, .last = true});
    t->root = first;
    if (status) return status;
    if (first < 0) return name_cycle(f, t);
    if (first == last) return HD_OK;
    return hd__frame_fail(f, HD_ERROR_VALUE,
                          "nodes %" PRId64 " and %" PRId64
                          " are both roots: a forest; expected one tree",
                          first, last);
}

static hd_status take_parents(hd__frame *f, hd_view parent, hd__tour *t)
{
    const link_rule rule = {t->n, none_of(parent.type)};
    const int64_t wrong = -2;
    int64_t at = -1;
    hd_view row;
    hd_status status = hd__frame_dense(f, parent, HD_I64, &row);
    if (!status) status = hd__frame_row(f, HD_I64, t->n, &t->parent);
    if (!status)
        status = hd_map(f->ctx, row, HD_WITH_STATE(normal_link, &rule), t->parent,
                        &(hd_map_options){.with = HD_VIEWS(hd_iota(t->n))});
    if (!status)
        status = hd_find(f->ctx, t->parent, HD_VIEW(&at, 1), &(hd_find_options){.value = &wrong});
    if (status) return status;
    return at >= 0 ? name_bad_link(f, parent, at, t->n) : find_root(f, t);
}

// first[i] = the first child of node i, sibling[i] = the next child of its parent, or -1: nodes
// sorted by their parents, the root before all others.
static hd_status find_children(hd__frame *f, const hd__tour *t, hd_view first, hd_view sibling)
{
    const int64_t none = -1, n = t->n;
    hd_view parent, child, next;
    hd_status status = hd__frame_row(f, HD_I64, n, &parent);
    if (!status) status = hd__frame_row(f, HD_I64, n, &child);
    if (!status) status = hd__frame_row(f, HD_I64, n, &next);
    if (!status)
        status =
            hd_sort(f->ctx, t->parent, parent, HD_NO_VALUES, &(hd_sort_options){.indices = &child});
    if (!status) status = hd_map(f->ctx, hd_constant(none, n), NULL, first, NULL);
    if (!status) status = hd_map(f->ctx, hd_constant(none, n), NULL, sibling, NULL);
    if (status) return status;
    // The last one that is written is the first child.
    status = hd_scatter(f->ctx, hd_slice(child, 0, n - 1, n - 1, -1),
                        hd_slice(parent, 0, n - 1, n - 1, -1), first, NULL);
    if (status || n < 2) return status;
    status =
        hd_map(f->ctx, hd__frame_part(parent, 0, n - 1), sibling_of, hd__frame_part(next, 0, n - 1),
               &(hd_map_options){.with = HD_VIEWS(hd__frame_part(parent, 1, n - 1),
                                                  hd__frame_part(child, 1, n - 1))});
    if (!status)
        status = hd_scatter(f->ctx, hd__frame_part(next, 0, n - 1), hd__frame_part(child, 0, n - 1),
                            sibling, &(hd_scatter_options){.unique = true});
    if (!status) status = hd__frame_drop(f, &parent);
    if (!status) status = hd__frame_drop(f, &child);
    return status ? status : hd__frame_drop(f, &next);
}

// position = the linked list of arcs, ranked.
static hd_status rank_arcs(hd__frame *f, hd__tour *t)
{
    const int64_t n = t->n;
    const hd_view self = hd_iota(n);
    hd_view first, sibling, next = HD_EMPTY;
    hd_status status = hd__frame_row(f, HD_I64, n, &first);
    if (!status) status = hd__frame_row(f, HD_I64, n, &sibling);
    if (!status) status = find_children(f, t, first, sibling);
    if (!status) status = hd__frame_row(f, HD_I64, 2 * n, &next);
    if (!status)
        status = hd_map(f->ctx, first, HD_WITH_STATE(after_entering, &n),
                        hd__frame_part(next, 0, n), &(hd_map_options){.with = HD_VIEWS(self)});
    if (!status)
        status =
            hd_map(f->ctx, sibling, HD_WITH_STATE(after_leaving, &n), hd__frame_part(next, n, n),
                   &(hd_map_options){.with = HD_VIEWS(t->parent, self)});
    if (!status) status = hd_list_rank(f->ctx, next, next, &(hd_list_options){.from_head = true});
    t->position = next;
    if (status == HD_ERROR_VALUE) return name_cycle(f, t);
    if (!status) status = hd__frame_drop(f, &first);
    return status ? status : hd__frame_drop(f, &sibling);
}

static hd_status number_nodes(hd__frame *f, hd__tour *t)
{
    const int64_t n = t->n;
    hd_view tour;
    int64_t count = 0;
    hd_status status = hd__frame_row(f, HD_I64, 2 * n, &tour);
    if (!status) status = hd__frame_row(f, HD_I64, n, &t->order);
    if (!status) status = hd__frame_row(f, HD_I64, n, &t->preorder);
    if (!status)
        status = hd_scatter(f->ctx, hd_iota(2 * n), t->position, tour,
                            &(hd_scatter_options){.unique = true});
    if (!status)
        status = hd_compact(f->ctx, tour, t->order, HD_VIEW(&count, 1),
                            &(hd_compact_options){.keep = HD_WITH_STATE(enters, &n)});
    if (!status)
        status = hd_scatter(f->ctx, hd_iota(n), t->order, t->preorder,
                            &(hd_scatter_options){.unique = true});
    return status ? status : hd__frame_drop(f, &tour);
}

hd_status hd__tour_open(hd__frame *f, hd_view parent, hd__tour *t)
{
    *t = (hd__tour){.n = hd_count(parent), .root = -1};
    if (parent.type < HD_I8 || parent.type > HD_U64)
        return hd__frame_fail(f, HD_ERROR_TYPE, "parent is of %s; expected integers",
                              hd_type_name(parent.type));
    if (parent.ndim != 1)
        return hd__frame_fail(f, HD_ERROR_SHAPE, "parent has %d dimensions; expected 1",
                              parent.ndim);
    if (t->n == 0)
        return hd__frame_fail(f, HD_ERROR_SHAPE, "no nodes; expected a tree of one at least");
    hd_status status = take_parents(f, parent, t);
    if (!status) status = rank_arcs(f, t);
    return status ? status : number_nodes(f, t);
}

hd_status hd__tour_sizes(hd__frame *f, const hd__tour *t, hd_view sizes)
{
    return hd_map(f->ctx, hd__frame_part(t->position, t->n, t->n), size_between, sizes,
                  &(hd_map_options){.with = HD_VIEWS(hd__frame_part(t->position, 0, t->n))});
}
