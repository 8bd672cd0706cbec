// SPDX-License-Identifier: Apache-2.0
// hd_search: checks its arguments and hands the job to a backend.
#include "search.h"
#include "core/arguments.h"
#include "patterns/in_blocks.h"
#include "rows.h"

#include <stdio.h>

HD__BRINGS(search)
HD__BRINGS_PASS(search)

static const char call[] = "hd_search";

// One row, or, along an axis, the shape of the queries but for the length.
static hd_status check_sorted(hd_context *ctx, const hd_view *sorted, const hd_view *queries,
                              int32_t axis)
{
    hd_view like = *queries;
    if (axis < 0) {
        if (sorted->ndim == 1) return HD_OK;
        return hd__fail(ctx, HD_ERROR_SHAPE,
                        "%s: sorted has %d dimensions; expected one, or an axis", call,
                        (int)sorted->ndim);
    }
    if (sorted->space == HD_IMPLICIT || queries->space == HD_IMPLICIT)
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: rows along an axis are in memory", call);
    if (sorted->ndim == queries->ndim) like.shape[axis] = sorted->shape[axis];
    return hd__check_shape_of(ctx, call, "sorted", sorted, "queries but for the axis", &like);
}

static hd_status check_views(hd_context *ctx, const hd_search_options *o, const hd__search_job *job,
                             int32_t *axis)
{
    const hd_view *sorted = &job->sorted, *queries = &job->queries, *out = &job->out;
    HD_TRY(hd__check_input(ctx, "hd_search: sorted", sorted));
    HD_TRY(hd__check_input(ctx, "hd_search: queries", queries));
    if (o->axis != 0) HD_TRY(hd__check_axis(ctx, call, o->axis, queries->ndim, axis));
    HD_TRY(check_sorted(ctx, sorted, queries, *axis));
    HD_TRY(hd__check_positions(ctx, call, "out", out, sorted->shape[*axis < 0 ? 0 : *axis]));
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

hd__search_job hd__search_row(const hd__search_job *job, int64_t r)
{
    hd__search_job row = *job;
    row.rows = 1;
    row.sorted = hd__range_of(&job->sorted, r * job->n, job->n);
    row.queries = hd__range_of(&job->queries, r * job->m, job->m);
    row.out = hd__range_of(&job->out, r * job->m, job->m);
    return row;
}

// The lengths of rows, and their views with the axis last.
static void cut_rows(hd__search_job *job, int32_t axis)
{
    job->rows = 1;
    job->n = hd__count(&job->sorted), job->m = hd__count(&job->queries);
    if (axis >= 0) {
        const int64_t n = job->sorted.shape[axis], m = job->queries.shape[axis];
        job->rows = m > 0 ? job->m / m : 0; // no queries: nothing to do
        job->n = n, job->m = m;
    }
    hd__put_axis_last(&job->sorted, axis);
    hd__put_axis_last(&job->queries, axis);
    hd__put_axis_last(&job->out, axis);
}

hd_status hd_search(hd_context *ctx, hd_view sorted, hd_view queries, hd_view out,
                    const hd_search_options *options)
{
    hd_search_options o[1];
    int32_t axis = -1;
    HD__BEGIN_ANYWHERE(ctx);
    HD_TRY(HD__TAKE_OPTIONS(ctx, call, hd_search_options, options, o));
    HD__AT_LEAST_1D(&sorted, &queries, &out);
    hd__search_job job = {.right = o->right, .sorted = sorted, .queries = queries, .out = out};
    HD_TRY(check_views(ctx, o, &job, &axis));
    HD_TRY(hd__select_order(ctx, call, o->comparison, sorted.type, o->descending, &job.order,
                            &job.backwards));
    cut_rows(&job, axis);
    if (o->checked) {
        const int64_t rows = axis < 0 ? 1 : job.n > 0 ? hd__count(&sorted) / job.n : 0;
        const hd__ordered_rows ordered = {job.order, job.backwards, rows};
        HD_TRY(hd__check_order(ctx, call, "sorted", &job.sorted, job.n, &ordered));
    }
    const hd__subject subject = {o->comparison != NULL ? job.order->name : "", job.rows * job.m,
                                 sorted.type};
    return hd__run_search(ctx, &job, &subject);
}
