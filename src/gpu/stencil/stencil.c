// SPDX-License-Identifier: Apache-2.0
// The pass of hd_stencil: step by step, from one array to another and back.
#include "patterns/stencil/stencil.h"
#include "grid.h"

#include <string.h>

static hd_status one_step(hd_context *ctx, hd__gpu *gpu, const hd__stencil_job *job,
                          const hd__gpu_grid_pass *p)
{
    hd__gpu_taps taps = {.count = job->taps,
                         .offset = job->offset,
                         .weight = job->weight,
                         .function = job->function};
    memcpy(taps.least, job->least, sizeof taps.least);
    memcpy(taps.most, job->most, sizeof taps.most);
    return hd__gpu_stencil_points(ctx, gpu, p, &taps);
}

static hd_status all_steps(hd_context *ctx, hd__gpu *gpu, const hd__stencil_job *job,
                           const hd__gpu_grid_pass *p)
{
    if (job->steps == 1) return one_step(ctx, gpu, job, p);
    const hd_type type = p->is.in;
    const size_t each = (size_t)p->points * hd__size_of(type);
    const size_t bytes = job->steps > 2 ? 2 * each : each;
    hd__gpu_address at;
    hd_status status = HD_OK;
    HD_TRY(hd__gpu_allocate(ctx, gpu, bytes, &at));
    for (int64_t s = 0; s < job->steps && status == HD_OK; s++) {
        hd__gpu_grid_pass step = *p;
        if (s > 0) hd__gpu_grid_pass_from(&step, type, s % 2 ? at : at + each);
        if (s + 1 < job->steps) hd__gpu_grid_pass_to(&step, type, s % 2 ? at + each : at);
        status = one_step(ctx, gpu, job, &step);
    }
    hd__gpu_release(gpu, at, bytes);
    return status;
}

hd_status hd__gpu_stencil(hd_context *ctx, const void *any, const char **why)
{
    hd__stencil_job job = *(const hd__stencil_job *)any;
    hd__gpu_stage s = {.ctx = ctx};
    (void)why; // never declines
    HD_TRY(hd__gpu_of(ctx, &s.gpu));
    hd_status status = hd__gpu_stage_grid(&s, &job.grid);
    if (status == HD_OK) {
        const hd__gpu_grid_pass p = hd__gpu_grid_pass_of(&job.grid, false);
        status = all_steps(ctx, s.gpu, &job, &p);
    }
    return hd__gpu_stage_end(&s, status);
}
