// SPDX-License-Identifier: Apache-2.0
// The pass of hd_find: one launch of find_tiles, and what it found as a number.
#include "patterns/select/find.h"
#include "gpu/codegen/emit_kernel.h"

#include <string.h>

enum { LANE_BYTES = 64 }; // that a thread reads at once

static void fill_config(const hd__gpu *gpu, const hd__find_job *job, hd__gpu_kernel_config *config)
{
    memset(config, 0, sizeof *config);
    strcpy(config->kernel, "find_tiles");
    config->codegen_kind = HD__GPU_CODEGEN_FIND;
    config->op = -1;
    hd__gpu_config_inputs(config, &job->in, 0);
    size_t bytes = 0;
    for (int k = 0; k < job->in.inputs; k++)
        bytes += hd__size_of(job->in.view[k].type) * (size_t)config->k;
    config->rows = 1;
    while (2 * (size_t)config->rows * bytes <= LANE_BYTES) config->rows *= 2;
    config->chunks = gpu->tuning.find_chunks;
    config->threads = gpu->tuning.find_threads;
    config->blocks = 1;
    config->hint = gpu->tuning.reduce_hint;
    config->element = hd__element_type(&job->in);
    config->has_values = job->value != NULL;
    config->invert = job->last;
    config->out.aligned = 16; // there is none
}

static hd_status launch(hd_context *ctx, hd__gpu *gpu, const hd__find_job *job,
                        hd__gpu_address best)
{
    static const unsigned char zeros[HD_MAX_ELEMENT];
    hd__gpu_kernel_config config;
    hd__gpu_kernel *kernel;
    fill_config(gpu, job, &config);
    HD_TRY(hd__gpu_kernel_for(ctx, gpu, &config, NULL, job->in.map, &kernel));
    const hd__gpu_kernel_inputs in = hd__gpu_kernel_inputs_of(&job->in);
    const void *arguments[] = {&in, job->value != NULL ? job->value : zeros, &job->in.n, &best};
    const int64_t tile = (int64_t)config.threads * config.k * config.rows * config.chunks;
    return gpu->driver->launch(ctx, gpu->device, kernel,
                               &(hd__gpu_launch){.blocks = (job->in.n + tile - 1) / tile,
                                                 .threads = config.threads,
                                                 .argument_count = 4,
                                                 .arguments = arguments});
}

static hd_status run(hd__gpu_stage *s, hd__find_job *job)
{
    hd__gpu_state state;
    for (int k = 0; k < job->in.inputs; k++) {
        HD_TRY(hd__gpu_stage_in(s, &job->in.view[k]));
        hd__collapse(&job->in.view[k]);
    }
    HD_TRY(hd__gpu_state_of(s->ctx, s->gpu, 0, &state));
    HD_TRY(launch(s->ctx, s->gpu, job, state.control + HD__GPU_CONTROL_BAD));
    return hd__gpu_found(s->ctx, s->gpu, &state, job->last, job->position, &job->position_to);
}

hd_status hd__gpu_find(hd_context *ctx, const void *any, const char **why)
{
    hd__find_job job = *(const hd__find_job *)any;
    hd__gpu_stage s = {.ctx = ctx};
    (void)why; // never declines
    HD_TRY(hd__gpu_of(ctx, &s.gpu));
    if (job.in.n == 0) {
        if (job.position != NULL) *job.position = -1;
        return hd__gpu_put_number(ctx, &job.position_to, -1);
    }
    return hd__gpu_stage_end(&s, run(&s, &job));
}
