// SPDX-License-Identifier: Apache-2.0
// Links of lists: each node tells the one after it, so that the owner of a node knows who links to
// it, and sees where two do.
#include "links.h"

#include "mpi/layout.h"
#include "mpi/move/route.h"
#include "mpi/views.h"

HD_SOURCE(
    link_ranges, typedef struct { int64_t begin, all, minus_one; } link_range;)
// The node that node i of this rank links to, itself at an end, or -1.
HD_FUNCTION_STATE(link_of, int64_t, link_ranges, (int64_t, number, int64_t, i), link_range, {
    return number >= 0 && number < state->all ? number
           : number == state->minus_one       ? state->begin + i
                                              : -1;
})
HD_FUNCTION(is_negative, bool, HD_NO_SOURCE, (int64_t, x), { return x < 0; })
HD_FUNCTION_STATE(other_node, int64_t, HD_NO_SOURCE, (int64_t, link, int64_t, i), int64_t,
                  { return link == *state + i ? -1 : link; })
HD_FUNCTION(is_more_than_one, bool, HD_NO_SOURCE, (int64_t, x), { return x > 1; })

// ---- Bad links ----------------------------------------------------------------------------------

static hd_status check_range(const hd__mpi_list *l, const char *call, hd_view number)
{
    int64_t bad = -1;
    const hd_status status = hd__mpi_failed(l->m, hd_find(l->m->ctx, l->next, HD_VIEW(&bad, 1),
                                                          &(hd_find_options){.map = is_negative}));
    if (status != HD_OK || bad < 0) return status;
    return hd__mpi_fail(
        l->m, HD_ERROR_VALUE,
        "%s: node %lld links to %lld; expected 0 to %lld, or -1 or itself at an end", call,
        (long long)(l->begin[l->m->rank] + bad), (long long)((const int64_t *)number.data)[bad],
        (long long)l->begin[l->m->ranks] - 1);
}

static hd_status make_links(hd__mpi_list *l, const char *call, hd_type type, hd_view number)
{
    const int bits = 8 * (int)hd_type_size(type);
    const link_range range = {.begin = l->begin[l->m->rank],
                              .all = l->begin[l->m->ranks],
                              .minus_one =
                                  type > HD_I64 && bits < 64 ? ((int64_t)1 << bits) - 1 : -1};
    hd_status status = hd__mpi_row(l->m, HD_I64, l->n, &l->next);
    if (status == HD_OK)
        status =
            hd__mpi_failed(l->m, hd_map(l->m->ctx, number, HD_WITH_STATE(link_of, &range), l->next,
                                        &(hd_map_options){.with = HD_VIEWS(hd_iota(l->n))}));
    return status != HD_OK ? status : check_range(l, call, number);
}

// ---- The nodes before ---------------------------------------------------------------------------

// The lowest two that link to the node, which came in their order.
static hd_status name_two(const hd__mpi_list *l, const char *call, hd_view at, hd_view from,
                          int64_t node)
{
    const int64_t *to = at.data, *source = from.data;
    long long found[2] = {0, 0};
    for (int64_t k = 0, count = 0; k < at.shape[0] && count < 2; k++)
        if (to[k] == node) found[count++] = source[k];
    return hd__mpi_fail(l->m, HD_ERROR_VALUE,
                        "%s: nodes %lld and %lld both link to node %lld; expected one before each",
                        call, found[0], found[1], (long long)(l->begin[l->m->rank] + node));
}

static hd_status check_once(const hd__mpi_list *l, const char *call, hd_view at, hd_view from)
{
    hd_context *ctx = l->m->ctx;
    const int64_t one = 1;
    int64_t twice = -1;
    hd_view count;
    hd_status status = hd__mpi_filled(l->m, l->n, 0, &count);
    if (status == HD_OK)
        status = hd__mpi_failed(l->m, hd_scatter(ctx, hd_constant(one, at.shape[0]), at, count,
                                                 &(hd_scatter_options){.combine = HD_SUM}));
    if (status == HD_OK)
        status = hd__mpi_failed(l->m, hd_find(ctx, count, HD_VIEW(&twice, 1),
                                              &(hd_find_options){.map = is_more_than_one}));
    hd__mpi_drop(l->m, &count);
    return status != HD_OK || twice < 0 ? status : name_two(l, call, at, from, twice);
}

static hd_status fill_before(hd__mpi_list *l, hd_view at, hd_view from)
{
    const hd_status status = hd__mpi_filled(l->m, l->n, -1, &l->before);
    if (status != HD_OK) return status;
    return hd__mpi_failed(l->m, hd_scatter(l->m->ctx, from, at, l->before, NULL));
}

// Where each node is told to go: to the one after it, or nowhere.
static hd_status find_targets(const hd__mpi_list *l, hd_view *target)
{
    const int64_t first = l->begin[l->m->rank];
    const hd_status status = hd__mpi_row(l->m, HD_I64, l->n, target);
    if (status != HD_OK) return status;
    return hd__mpi_failed(l->m,
                          hd_map(l->m->ctx, l->next, HD_WITH_STATE(other_node, &first), *target,
                                 &(hd_map_options){.with = HD_VIEWS(hd_iota(l->n))}));
}

hd_status hd__mpi_read_links(hd__mpi_list *l, hd_status status, const char *call, hd_type type,
                             hd_view number)
{
    hd_mpi *m = l->m;
    hd__mpi_route route;
    hd_view target = HD_EMPTY, at, from;
    int64_t first, links;
    if (status == HD_OK) status = make_links(l, call, type, number);
    status = hd__mpi_agree(m, status); // a bad link comes before all else
    if (status == HD_OK) status = find_targets(l, &target);
    status = hd__mpi_find_route(m, status, l->begin, target, &route);
    status = hd__mpi_deliver_indices(m, status, &route, l->begin, target, &at);
    status = hd__mpi_deliver(
        m, status, &route, hd_progression(status == HD_OK ? l->begin[m->rank] : 0, 1, l->n), &from);
    if (status == HD_OK) status = check_once(l, call, at, from);
    status = hd__mpi_layout(m, status, route.items, &first, &links);
    if (status != HD_OK) return status;
    l->lists = l->begin[m->ranks] - links;
    status = fill_before(l, at, from);
    hd__mpi_drop(m, &target);
    hd__mpi_drop(m, &at);
    hd__mpi_drop(m, &from);
    hd__mpi_drop_route(m, &route);
    return status;
}

// ---- The other way ------------------------------------------------------------------------------

HD_FUNCTION_STATE(turned_next, int64_t, HD_NO_SOURCE, (int64_t, before, int64_t, i), int64_t,
                  { return before < 0 ? *state + i : before; })
HD_FUNCTION_STATE(turned_before, int64_t, HD_NO_SOURCE, (int64_t, next, int64_t, i), int64_t,
                  { return next == *state + i ? -1 : next; })

hd_status hd__mpi_turn_links(hd__mpi_list *l)
{
    const hd_map_options with = {.with = HD_VIEWS(hd_iota(l->n))};
    const int64_t *first = &l->begin[l->m->rank];
    const hd_view next = l->next;
    hd_context *ctx = l->m->ctx;
    hd_status status = hd_map(ctx, l->before, HD_WITH_STATE(turned_next, first), l->before, &with);
    if (status == HD_OK)
        status = hd_map(ctx, l->next, HD_WITH_STATE(turned_before, first), l->next, &with);
    l->next = l->before;
    l->before = next;
    return hd__mpi_failed(l->m, status);
}
