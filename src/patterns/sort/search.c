// SPDX-License-Identifier: Apache-2.0
// hd_search: checks its arguments and hands the job to a backend.
#include "search.h"
#include "core/arguments.h"

#include <stdio.h>

static const char call[] = "hd_search";

static hd_status check_views(hd_context *ctx, const hd_view *sorted, const hd_view *queries,
                             const hd_view *out)
{
    HD_TRY(hd__check_input(ctx, "hd_search: sorted", sorted));
    HD_TRY(hd__check_input(ctx, "hd_search: queries", queries));
    if (sorted->ndim != 1)
        return hd__fail(ctx, HD_ERROR_SHAPE, "%s: sorted has %d dimensions; expected one", call,
                        (int)sorted->ndim);
    HD_TRY(hd__check_positions(ctx, call, "out", out, sorted->shape[0]));
    if (!hd__same_type(queries->type, sorted->type)) {
        char got[48];
        snprintf(got, sizeof got, "%s", hd_type_name(queries->type));
        return hd__fail(ctx, HD_ERROR_TYPE, "%s: queries are %s; expected %s, as sorted", call, got,
                        hd_type_name(sorted->type));
    }
    HD_TRY(hd__check_shape_of(ctx, call, "out", out, "queries", queries));
    HD_TRY(hd__check_apart_of(ctx, call, "out", out, "sorted", sorted));
    return hd__check_apart_of(ctx, call, "out", out, "queries", queries);
}

hd_status hd_search(hd_context *ctx, hd_view sorted, hd_view queries, hd_view out,
                    const hd_search_options *options)
{
    hd_search_options o[1];
    HD__BEGIN(ctx);
    HD_TRY(HD__TAKE_OPTIONS(ctx, call, hd_search_options, options, o));
    HD__LIFT(&sorted, &queries, &out);
    hd__search_job job = {.right = o->right, .sorted = sorted, .queries = queries, .out = out};
    HD_TRY(check_views(ctx, &sorted, &queries, &out));
    HD_TRY(hd__choose_order(ctx, call, o->comparison, sorted.type, o->descending, &job.order));
    job.n = sorted.shape[0], job.m = hd_count(queries);
    hd__collapse(&job.sorted);
    hd__collapse(&job.queries);
    hd__collapse(&job.out);
    if (o->checked) HD_TRY(hd__check_order(ctx, call, "sorted", &job.sorted, job.order));
    const hd__subject subject = {o->comparison != NULL ? job.order->name : "", job.m, sorted.type};
    return hd__dispatch(ctx, HD__SEARCH_PATTERN, &job, &subject);
}
