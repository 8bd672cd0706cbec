// SPDX-License-Identifier: Apache-2.0
// The pass of hd_gather: one launch of gather_elements.
#include "patterns/move/gather.h"
#include "gather.h"
#include "gpu/codegen/emit_kernel.h"

#include <string.h>

enum { THREADS = 256, LANE_BYTES = 64 };

// hk_gather_how of gather_elements.cu.
typedef struct gather_how {
    int64_t n, indices, limit, inner;
} gather_how;

static void fill_config(const hd__gpu *gpu, const hd__gather_job *job, const hd__reader *r,
                        hd__gpu_kernel_config *config)
{
    const size_t size = hd__size_of(job->in.type);
    memset(config, 0, sizeof *config);
    strcpy(config->kernel, "gather_elements");
    config->codegen_kind = HD__GPU_CODEGEN_GATHER;
    config->op = -1;
    hd__gpu_config_inputs(config, r, 0);
    config->k = 1;
    config->rows = gpu->tuning.gather_rows;
    while (config->rows > 1 && (size_t)config->rows * size > LANE_BYTES) config->rows /= 2;
    config->threads = THREADS;
    config->blocks = 1;
    config->out = hd__gpu_layout_of(&job->out);
    config->offsets = hd__gpu_layout_of(&job->index);
    config->slices = job->axis >= 0;
}

hd_status hd__gpu_gather_launch(hd_context *ctx, hd__gpu *gpu, const hd__gather_job *job,
                                hd__gpu_address bad, hd__gpu_address stop)
{
    hd__reader r = {.map = job->map, .inputs = job->map != NULL ? job->map->inputs : 1};
    r.view[0] = job->in;
    for (int k = 1; k < r.inputs; k++) r.view[k] = job->with[k - 1];
    gather_how how = {hd_count(job->out), hd_count(job->index), job->limit, 0};
    if (job->axis >= 0) {
        how.inner = 1;
        for (int k = job->axis + 1; k < job->out.ndim; k++) how.inner *= job->out.shape[k];
    }
    hd_view out = job->out;
    hd__collapse(&out);
    for (int k = 0; k < r.inputs; k++) hd__collapse(&r.view[k]);
    hd__gather_job flat = *job;
    flat.out = out;
    hd__gpu_kernel_config config;
    hd__gpu_kernel *kernel;
    fill_config(gpu, &flat, &r, &config);
    HD_TRY(hd__gpu_kernel_for(ctx, gpu, &config, NULL, r.map, &kernel));
    hd__gpu_kernel_inputs in;
    for (int k = 0; k < r.inputs; k++) in.view[k] = hd__gpu_kernel_view_of(&r.view[k]);
    const hd__gpu_kernel_view index = hd__gpu_kernel_view_of(&job->index),
                              to = hd__gpu_kernel_view_of(&out);
    const int64_t tile = (int64_t)config.threads * config.rows;
    const int64_t all = bad != 0 && how.indices > how.n ? how.indices : how.n;
    if (all == 0) return HD_OK;
    const void *arguments[] = {&in, &index, &to, &how, &bad, &stop};
    return gpu->driver->launch(ctx, gpu->device, kernel,
                               &(hd__gpu_launch){.blocks = (all + tile - 1) / tile,
                                                 .threads = config.threads,
                                                 .argument_count = 6,
                                                 .arguments = arguments});
}

static hd_status run(hd__gpu_stage *s, hd__gather_job *job)
{
    hd__gpu_state state;
    HD_TRY(hd__gpu_stage_in(s, &job->in));
    HD_TRY(hd__gpu_stage_in(s, &job->index));
    hd__collapse(&job->index);
    for (int k = 1; job->map != NULL && k < job->map->inputs; k++)
        HD_TRY(hd__gpu_stage_in(s, &job->with[k - 1]));
    HD_TRY(hd__gpu_stage_out(s, &job->out));
    const bool to_device = !hd__is_empty(&job->bad_to);
    if (job->bad == NULL && !to_device) return hd__gpu_gather_launch(s->ctx, s->gpu, job, 0, 0);
    HD_TRY(hd__gpu_state_of(s->ctx, s->gpu, 0, &state));
    HD_TRY(hd__gpu_gather_launch(s->ctx, s->gpu, job, state.control + HD__GPU_CONTROL_BAD, 0));
    if (job->bad == NULL) return hd__gpu_bad_to(s->ctx, s->gpu, &state, &job->bad_to);
    HD_TRY(hd__gpu_bad(s->ctx, s->gpu, &state, job->bad));
    return hd__gpu_put_number(s->ctx, &job->bad_to, *job->bad);
}

hd_status hd__gpu_gather(hd_context *ctx, const void *any, const char **why)
{
    hd__gather_job job = *(const hd__gather_job *)any;
    (void)why; // never declines
    hd__gpu_stage s = {.ctx = ctx};
    HD_TRY(hd__gpu_of(ctx, &s.gpu));
    return hd__gpu_stage_end(&s, run(&s, &job));
}
