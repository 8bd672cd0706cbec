// SPDX-License-Identifier: Apache-2.0
// Selects the method of a stencil.
#include "stencil.h"
#include "cpu/runtime/cpu.h"

static bool lies_in_rows(const hd__grid *g, const int64_t *stride)
{
    const int64_t channels = g->shape[HD__CHANNEL];
    return stride[HD__X] == channels && (channels == 1 || stride[HD__CHANNEL] == 1);
}

static bool reaches_far(const hd__stencil_job *job)
{
    const int64_t far_offset = hd__cpu_tune.stencil_far_offset;
    bool far = false;
    for (int k = 0; k < 3; k++) far |= -job->least[k] > far_offset || job->most[k] > far_offset;
    return far;
}

hd_status hd__cpu_stencil(hd_context *ctx, const void *any, const char **why)
{
    const hd__stencil_job *job = any;
    const hd__grid *g = &job->grid;
    (void)why; // never declines
    if (job->function == NULL && (g->sum == HD_F32 || g->sum == HD_F64) && g->in.type == g->sum &&
        g->out.type == g->sum && lies_in_rows(g, g->in_stride) && lies_in_rows(g, g->out_stride) &&
        !reaches_far(job))
        return hd__cpu_stencil_blocks(ctx, job);
    return hd__cpu_stencil_rows(ctx, job);
}
