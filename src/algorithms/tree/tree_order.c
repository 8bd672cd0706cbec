// SPDX-License-Identifier: Apache-2.0
// Depth, preorder, postorder and sizes of subtrees, from the positions of the arcs of the tour.
#include <heddle_algorithms.h>

#include <inttypes.h>

#include "tour.h"

// Of the arcs before node i is entered, preorder[i] enter nodes and the rest leave them again.
HD_FUNCTION(depth_of, int64_t, HD_NO_SOURCE, (int64_t, preorder, int64_t, entered),
            { return 2 * preorder - entered; })
// Before it is left, preorder[i] + its size have been entered, and the other arcs leave nodes.
HD_FUNCTION(postorder_of, int64_t, HD_NO_SOURCE,
            (int64_t, preorder, int64_t, entered, int64_t, left),
            { return left - preorder - (left - entered + 1) / 2; })
HD_FUNCTION_STATE(node_of, int64_t, HD_NO_SOURCE, (int64_t, arc), int64_t,
                  { return arc < *state ? arc : arc - *state; })

typedef struct output {
    const char *name;
    const hd_view *view;
    int64_t elements, below; // values are less than this
} output;

enum { OUTPUTS = 5 };

static bool is_given(const hd_view *v)
{
    return v != NULL && v->type != HD_NONE;
}

static hd_status check_output(hd__frame *f, const output *o, hd_view parent)
{
    if (!is_given(o->view)) return HD_OK;
    if (o->view->ndim != 1 || hd_count(*o->view) != o->elements)
        return hd__frame_fail(f, HD_ERROR_SHAPE,
                              "%s has %" PRId64 " elements; expected %" PRId64 " in one dimension",
                              o->name, hd_count(*o->view), o->elements);
    hd_status status = hd__frame_indices_hold(f, o->name, *o->view, o->below);
    if (!status) status = hd__frame_check_out(f, o->name, *o->view);
    return status ? status : hd__frame_check_apart(f, o->name, *o->view, "parent", parent);
}

static hd_status check(hd__frame *f, hd_view parent, const hd_tree_order_options *o)
{
    const int64_t n = hd_count(parent);
    const output all[OUTPUTS] = {{"depth", o->depth, n, n},
                                 {"preorder", o->preorder, n, n},
                                 {"postorder", o->postorder, n, n},
                                 {"sizes", o->sizes, n, n + 1},
                                 {"tour", o->tour, 2 * n, n}};
    hd_status status = HD_OK;
    for (int k = 0; k < OUTPUTS && !status; k++) {
        status = check_output(f, &all[k], parent);
        for (int j = 0; j < k && !status; j++)
            if (is_given(all[j].view) && is_given(all[k].view))
                status =
                    hd__frame_check_apart(f, all[k].name, *all[k].view, all[j].name, *all[j].view);
    }
    return status;
}

// Output = made, converted.
static hd_status give(hd__frame *f, const hd_view *out, const hd_function *made, hd_view in,
                      hd_views with)
{
    hd_view row;
    if (!is_given(out)) return HD_OK;
    if (out->type == HD_I64) return hd_map(f->ctx, in, made, *out, &(hd_map_options){.with = with});
    hd_status status = hd__frame_row(f, HD_I64, hd_count(*out), &row);
    if (!status) status = hd_map(f->ctx, in, made, row, &(hd_map_options){.with = with});
    if (!status) status = hd__frame_copy(f, row, *out);
    return status ? status : hd__frame_drop(f, &row);
}

static hd_status give_tour(hd__frame *f, const hd__tour *t, const hd_view *out)
{
    hd_view row;
    if (!is_given(out)) return HD_OK;
    hd_status status = hd__frame_row(f, HD_I64, 2 * t->n, &row);
    if (!status)
        status = hd_scatter(f->ctx, hd_iota(2 * t->n), t->position, row,
                            &(hd_scatter_options){.unique = true});
    if (!status) status = hd_map(f->ctx, row, HD_WITH_STATE(node_of, &t->n), row, NULL);
    return status ? status : hd__frame_copy(f, row, *out);
}

static hd_status number(hd__frame *f, const hd__tour *t, const hd_tree_order_options *o)
{
    const hd_view entered = hd__frame_part(t->position, 0, t->n);
    const hd_view left = hd__frame_part(t->position, t->n, t->n);
    hd_status status = give(f, o->depth, depth_of, t->preorder, HD_VIEWS(entered));
    if (!status) status = give(f, o->preorder, NULL, t->preorder, hd_no_values());
    if (!status) status = give(f, o->postorder, postorder_of, t->preorder, HD_VIEWS(entered, left));
    if (!status && is_given(o->sizes)) {
        hd_view row;
        status = hd__frame_row(f, HD_I64, t->n, &row);
        if (!status) status = hd__tour_sizes(f, t, row);
        if (!status) status = hd__frame_copy(f, row, *o->sizes);
    }
    return status ? status : give_tour(f, t, o->tour);
}

hd_status hd_tree_order(hd_context *ctx, hd_view parent, const hd_tree_order_options *options)
{
    hd__frame f;
    hd__tour t;
    hd_tree_order_options o = {0};
    hd_status status = hd__frame_open(&f, ctx, "hd_tree_order", parent);
    if (!status) status = hd__frame_options(&f, options, sizeof o, &o);
    if (!status) status = check(&f, parent, &o);
    if (!status) status = hd__tour_open(&f, parent, &t);
    if (!status) status = number(&f, &t, &o);
    return hd__frame_close(&f, status);
}
