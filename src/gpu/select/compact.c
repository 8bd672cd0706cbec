// SPDX-License-Identifier: Apache-2.0
// The pass of hd_compact and hd_unique.
#include "patterns/select/compact.h"
#include "comparison_runs.h"
#include "select.h"

static hd_status run(hd__gpu_stage *s, hd__gpu_select *job, const hd__compact_job *asked)
{
    hd__gpu_state state;
    int64_t total;
    HD_TRY(hd__gpu_select_in(s, job));
    HD_TRY(hd__gpu_select_out(s, job));
    HD_TRY(hd__gpu_select_launch(s->ctx, s->gpu, job, &state));
    HD_TRY(hd__gpu_total(s, &state, &asked->count_to, asked->count, &total));
    hd__gpu_stage_first(s, &job->out, total);
    hd__gpu_stage_first(s, &job->integer[HD__GPU_PUT_INDEX], total);
    return HD_OK;
}

// Of elements that are equal by a comparison.
static hd_status unique_by(hd_context *ctx, const hd__compact_job *job, const char **why)
{
    hd__gpu_runs runs;
    hd__compact_job by_flags = *job;
    hd_status status = hd__gpu_find_runs(ctx, &job->in, job->flags.comparison, &runs, why);
    by_flags.flags = hd__gpu_run_flags(&runs);
    if (status == HD_OK) status = hd__gpu_compact(ctx, &by_flags, why);
    hd__gpu_drop_runs(&runs);
    return status;
}

hd_status hd__gpu_compact(hd_context *ctx, const void *any, const char **why)
{
    const hd__compact_job *job = any;
    if (job->flags.comparison != NULL && job->n > 0) return unique_by(ctx, job, why);
    hd__gpu_stage s = {.ctx = ctx};
    HD_TRY(hd__gpu_of(ctx, &s.gpu));
    if (job->n == 0) return hd__gpu_no_total(ctx, s.gpu, &job->count_to, job->count);
    hd__gpu_select select = {.in = job->in, .flags = job->flags, .n = job->n, .out = job->out};
    select.integer[HD__GPU_PUT_INDEX] = job->indices;
    return hd__gpu_stage_end(&s, run(&s, &select, job));
}
