// SPDX-License-Identifier: Apache-2.0
// The pass of hd_map: one launch of map_elements.
#include "core/map.h"
#include "gpu/pieces.h"
#include "gpu/preamble.h"

#include <string.h>

static hd_status launch(hd_context *ctx, hd__gpu *gpu, const hd__map_job *job)
{
    static const char *const files[] = {"map.cu", NULL};
    hd__shape shape;
    memset(&shape, 0, sizeof shape);
    strcpy(shape.kernel, "map_elements");
    hd__shape_inputs(&shape, &job->in, hd__size_of(job->out.type));
    shape.rows = gpu->tuning.map_rows;
    shape.threads = gpu->tuning.map_threads;
    shape.blocks = 1;
    shape.hint = gpu->tuning.map_hint;
    shape.op = -1;
    shape.out = hd__layout_of(&job->out);
    hd__kernel *kernel;
    HD_TRY(hd__kernel_for(ctx, gpu, &shape, NULL, job->in.map, files, &kernel));
    hd__kernel_inputs in;
    for (int k = 0; k < job->in.inputs; k++) in.view[k] = hd__kernel_view_of(&job->in.view[k]);
    const hd__kernel_view out = hd__kernel_view_of(&job->out);
    const void *arguments[] = {&in, &out, &job->in.n};
    const int64_t tile = (int64_t)shape.threads * shape.rows * shape.k;
    const hd__launch how = {.blocks = (job->in.n + tile - 1) / tile,
                            .threads = shape.threads,
                            .argument_count = 3,
                            .arguments = arguments};
    return gpu->maker->launch(ctx, gpu->device, kernel, &how);
}

static hd_status run(hd__gpu_stage *s, hd__map_job *job)
{
    for (int k = 0; k < job->in.inputs; k++) {
        HD_TRY(hd__gpu_stage_in(s, &job->in.view[k]));
        hd__collapse(&job->in.view[k]);
    }
    HD_TRY(hd__gpu_stage_out(s, &job->out));
    hd__collapse(&job->out);
    return launch(s->ctx, s->gpu, job);
}

// Host views that are more than is to be on the device at once, part by part.
static hd_status run_pieces(hd_context *ctx, hd__gpu *gpu, const hd__map_job *job)
{
    size_t bytes = hd__size_of(job->out.type);
    for (int k = 0; k < job->in.inputs; k++) bytes += hd__size_of(job->in.view[k].type);
    int64_t step = 1;
    while (bytes << 1 <= (size_t)gpu->tuning.stage_bytes / (size_t)step) step *= 2;
    for (int64_t at = 0; at < job->in.n; at += step) {
        const int64_t m = job->in.n - at < step ? job->in.n - at : step;
        hd__map_job part = *job;
        part.in = hd__gpu_reader_part(&job->in, at, m);
        part.out = hd__gpu_part(&job->out, at, m);
        hd__gpu_stage s = {.ctx = ctx, .gpu = gpu};
        HD_TRY(hd__gpu_stage_end(&s, run(&s, &part)));
    }
    return HD_OK;
}

hd_status hd__gpu_map(hd_context *ctx, const void *any, const char **why)
{
    hd__map_job job = *(const hd__map_job *)any;
    (void)why;
    if (job.in.n == 0) return HD_OK;
    hd__gpu_stage s = {.ctx = ctx};
    HD_TRY(hd__gpu_of(ctx, &s.gpu));
    if (hd__gpu_wants_pieces(s.gpu, &job.in, &job.out)) return run_pieces(ctx, s.gpu, &job);
    return hd__gpu_stage_end(&s, run(&s, &job));
}
