// SPDX-License-Identifier: Apache-2.0
// The pass of hd_compact and hd_unique.
#include "core/compact.h"
#include "gpu/select.h"

static hd_status run(hd__gpu_stage *s, hd__select *job, int64_t *count)
{
    hd__gpu_state state;
    HD_TRY(hd__select_in(s, job));
    HD_TRY(hd__select_out(s, job));
    HD_TRY(hd__select_launch(s->ctx, s->gpu, job, &state));
    HD_TRY(hd__gpu_number(s->ctx, s->gpu, &state, HD__CLOCK_TOTAL, count));
    hd__gpu_stage_first(s, &job->out, *count);
    hd__gpu_stage_first(s, &job->integer[HD__PUT_INDEX], *count);
    return HD_OK;
}

hd_status hd__gpu_compact(hd_context *ctx, const void *any, const char **why)
{
    const hd__compact_job *job = any;
    (void)why; // never declines
    *job->count = 0;
    if (job->n == 0) return HD_OK;
    hd__select select = {.in = job->in, .labels = job->labels, .n = job->n, .out = job->out};
    select.integer[HD__PUT_INDEX] = job->indices;
    hd__gpu_stage s = {.ctx = ctx};
    HD_TRY(hd__gpu_of(ctx, &s.gpu));
    return hd__gpu_stage_end(&s, run(&s, &select, job->count));
}
