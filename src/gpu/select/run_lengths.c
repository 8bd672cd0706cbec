// SPDX-License-Identifier: Apache-2.0
// The pass of hd_run_lengths: a compaction of heads that carries the last head along.
#include "patterns/select/run_lengths.h"
#include "comparison_runs.h"
#include "patterns/select/compact.h"
#include "select.h"

static hd_status run(hd__gpu_stage *s, hd__gpu_select *job, const hd__run_lengths_job *asked)
{
    hd__gpu_state state;
    int64_t total;
    HD_TRY(hd__gpu_select_in(s, job));
    HD_TRY(hd__gpu_select_out(s, job));
    HD_TRY(hd__gpu_select_launch(s->ctx, s->gpu, job, &state));
    HD_TRY(hd__gpu_total(s, &state, &asked->runs_to, asked->runs, &total));
    hd__gpu_stage_first(s, &job->out, total);
    hd__gpu_stage_first(s, &job->integer[HD__GPU_PUT_INDEX], total);
    hd__gpu_stage_first(s, &job->integer[HD__GPU_PUT_LENGTH], total);
    return HD_OK;
}

// Of elements that are equal by a comparison: lengths are those of the runs' numbers.
static hd_status lengths_and_values(hd_context *ctx, const hd__run_lengths_job *job,
                                    const hd__gpu_runs *runs, const char **why)
{
    hd__run_lengths_job numbers = *job;
    numbers.in = runs->numbers;
    numbers.flags = (hd__flags){
        .in = {.n = job->n, .inputs = 1, .view = {runs->numbers}}, .heads = true, .own = true};
    numbers.flags.type = HD_I64;
    numbers.values = HD_EMPTY;
    numbers.in_place = false;
    HD_TRY(hd__gpu_run_lengths(ctx, &numbers, why));
    const hd__compact_job values = {.in = job->in,
                                    .flags = hd__gpu_run_flags(runs),
                                    .n = job->n,
                                    .out = job->values,
                                    .in_place = job->in_place};
    return hd__is_empty(&job->values) ? HD_OK : hd__gpu_compact(ctx, &values, why);
}

static hd_status run_lengths_by(hd_context *ctx, const hd__run_lengths_job *job, const char **why)
{
    hd__gpu_runs runs;
    hd_status status = hd__gpu_find_runs(ctx, &job->in, job->flags.comparison, &runs, why);
    if (status == HD_OK) status = lengths_and_values(ctx, job, &runs, why);
    hd__gpu_drop_runs(&runs);
    return status;
}

hd_status hd__gpu_run_lengths(hd_context *ctx, const void *any, const char **why)
{
    const hd__run_lengths_job *job = any;
    if (job->flags.comparison != NULL && job->n > 0) return run_lengths_by(ctx, job, why);
    hd__gpu_stage s = {.ctx = ctx};
    HD_TRY(hd__gpu_of(ctx, &s.gpu));
    if (job->n == 0) return hd__gpu_no_total(ctx, s.gpu, &job->runs_to, job->runs);
    hd__gpu_select select = {.in = job->in, .flags = job->flags, .n = job->n, .out = job->values};
    select.integer[HD__GPU_PUT_INDEX] = job->indices;
    select.integer[HD__GPU_PUT_LENGTH] = job->lengths;
    return hd__gpu_stage_end(&s, run(&s, &select, job));
}
