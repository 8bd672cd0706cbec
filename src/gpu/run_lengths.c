// SPDX-License-Identifier: Apache-2.0
// The pass of hd_run_lengths: a compaction of heads that carries the last head along.
#include "core/run_lengths.h"
#include "gpu/select.h"

static hd_status run(hd__gpu_stage *s, hd__select *job, int64_t *runs)
{
    hd__gpu_state state;
    HD_TRY(hd__select_in(s, job));
    HD_TRY(hd__select_out(s, job));
    HD_TRY(hd__select_launch(s->ctx, s->gpu, job, &state));
    HD_TRY(hd__gpu_number(s->ctx, s->gpu, &state, HD__CLOCK_TOTAL, runs));
    hd__gpu_stage_first(s, &job->out, *runs);
    hd__gpu_stage_first(s, &job->integer[HD__PUT_INDEX], *runs);
    hd__gpu_stage_first(s, &job->integer[HD__PUT_LENGTH], *runs);
    return HD_OK;
}

hd_status hd__gpu_run_lengths(hd_context *ctx, const void *any, const char **why)
{
    const hd__run_lengths_job *job = any;
    (void)why; // never declines
    *job->runs = 0;
    if (job->n == 0) return HD_OK;
    hd__select select = {.in = job->in, .labels = job->labels, .n = job->n, .out = job->values};
    select.integer[HD__PUT_INDEX] = job->indices;
    select.integer[HD__PUT_LENGTH] = job->lengths;
    hd__gpu_stage s = {.ctx = ctx};
    HD_TRY(hd__gpu_of(ctx, &s.gpu));
    return hd__gpu_stage_end(&s, run(&s, &select, job->runs));
}
