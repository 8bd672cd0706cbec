// SPDX-License-Identifier: Apache-2.0
// hd_run_lengths: checks its arguments and hands the job to a backend.
#include "run_lengths.h"
#include "core/arguments.h"

HD__BRINGS(run_lengths)
HD__BRINGS_PASS(run_lengths)

static const char call[] = "hd_run_lengths";

static hd_status check_apart(hd_context *ctx, const hd__run_lengths_job *job)
{
    const hd_view *const v[] = {&job->values, &job->lengths, &job->indices, &job->runs_to};
    static const char *const names[] = {"values", "lengths", "indices", "runs"};
    for (int a = 0; a < 4; a++) {
        HD_TRY(hd__check_apart_flags(ctx, call, names[a], v[a], &job->in, &job->flags, a == 0));
        for (int b = 0; b < a; b++)
            HD_TRY(hd__check_apart_of(ctx, call, names[a], v[a], names[b], v[b]));
    }
    return HD_OK;
}

hd_status hd_run_lengths(hd_context *ctx, hd_view in, hd_view values, hd_view lengths, hd_view runs,
                         const hd_run_lengths_options *options)
{
    hd_run_lengths_options o[1];
    hd__run_lengths_job job;
    HD__BEGIN_ANYWHERE(ctx);
    HD_TRY(HD__TAKE_OPTIONS(ctx, call, hd_run_lengths_options, options, o));
    HD__AT_LEAST_1D(&in, &values, &lengths, &runs);
    hd__counting counting = {runs, 0};
    HD_TRY(hd__check_counting(ctx, call, "runs", &counting, &job.runs));
    HD_TRY(hd__check_heads(ctx, call, &in, o->comparison, &job.flags));
    job.n = hd_count(in);
    job.in = in;
    job.values = values;
    job.lengths = lengths;
    job.indices = *o->indices;
    job.runs_to = runs;
    HD_TRY(hd__check_elements(ctx, call, "values", &values, in.type));
    HD_TRY(hd__check_indices(ctx, call, "lengths", &lengths, job.n));
    HD_TRY(hd__check_indices(ctx, call, "indices", o->indices, job.n - 1));
    hd_view *const views[] = {&job.in, &job.values, &job.lengths, &job.indices};
    for (int k = 0; k < 4; k++)
        if (views[k]->ndim > 1) hd__collapse(views[k]);
    HD_TRY(check_apart(ctx, &job));
    job.in_place = !hd__is_empty(&values) && hd__overlaps(&job.values, &job.in) == HD__SAME;
    if (job.runs != NULL) *job.runs = 0;
    const hd__subject subject = {o->comparison != NULL ? o->comparison->name : "", job.n, in.type};
    HD_TRY(hd__dispatch(ctx, HD__RUN_LENGTHS_PATTERN, &job, &subject));
    if (job.runs == NULL) return HD_OK;
    hd__end_counting(&counting, job.runs);
    HD_TRY(hd__check_room(ctx, call, "values", &values, *job.runs, "runs"));
    HD_TRY(hd__check_room(ctx, call, "lengths", &lengths, *job.runs, "runs"));
    return hd__check_room(ctx, call, "indices", o->indices, *job.runs, "runs");
}
