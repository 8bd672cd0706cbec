// SPDX-License-Identifier: Apache-2.0
// The pass of hd_map: one launch of map_elements.
#include "patterns/move/map.h"
#include "gpu/runtime/out_of_core.h"
#include "gpu/codegen/emit_kernel.h"
#include "gpu/runtime/staging_ring.h"

#include <string.h>

static hd_status launch(hd_context *ctx, hd__gpu *gpu, const hd__map_job *job)
{
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
    HD_TRY(hd__kernel_for(ctx, gpu, &shape, NULL, job->in.map, &kernel));
    hd__kernel_inputs in;
    for (int k = 0; k < job->in.inputs; k++) in.view[k] = hd__kernel_view_of(&job->in.view[k]);
    const hd__kernel_view out = hd__kernel_view_of(&job->out);
    const void *arguments[] = {&in, &out, &job->in.n};
    const int64_t tile = (int64_t)shape.threads * shape.rows * shape.k;
    const hd__launch how = {.blocks = (job->in.n + tile - 1) / tile,
                            .threads = shape.threads,
                            .argument_count = 3,
                            .arguments = arguments};
    return gpu->driver->launch(ctx, gpu->device, kernel, &how);
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

// ---- Part by part -------------------------------------------------------------------------------

static hd_status run_piece(hd__belt *b, const hd__map_job *job, int64_t at, int64_t n)
{
    hd__slot *s = hd__belt_next(b);
    HD_TRY(hd__belt_settle(b, s));
    hd__belt_take(b, s, n);
    hd__map_job part = *job;
    part.in = hd__gpu_reader_part(&job->in, at, n);
    part.out = hd__gpu_part(&job->out, at, n);
    for (int k = 0; k < part.in.inputs; k++) HD_TRY(hd__belt_in(b, s, &part.in.view[k]));
    hd__belt_out(s, &part.out);
    HD_TRY(hd__belt_loaded(b, s));
    HD_TRY(hd__belt_work(b, s));
    HD_TRY(launch(b->ctx, b->gpu, &part));
    return hd__belt_worked(b, s);
}

static hd_status run_pieces_on(hd__belt *b, const hd__load *load, const hd__map_job *job)
{
    int64_t step = 1;
    while (step < job->in.n && hd__load_bytes(load, 2 * step) <= b->bytes) step *= 2;
    for (int64_t at = 0; at < job->in.n; at += step)
        HD_TRY(run_piece(b, job, at, job->in.n - at < step ? job->in.n - at : step));
    for (int k = 0; k < HD__SLOTS; k++) HD_TRY(hd__belt_settle(b, hd__belt_next(b)));
    return HD_OK;
}

static hd_status run_pieces(hd_context *ctx, hd__gpu *gpu, const hd__map_job *job)
{
    hd__belt b;
    hd__load load = {0};
    for (int k = 0; k < job->in.inputs; k++) hd__load_view(&load, &job->in.view[k]);
    hd__load_view(&load, &job->out);
    HD_TRY(hd__belt_open(&b, ctx, gpu, &load, job->in.n));
    return hd__belt_close(&b, run_pieces_on(&b, &load, job));
}

hd_status hd__gpu_map(hd_context *ctx, const void *any, const char **why)
{
    hd__map_job whole = *(const hd__map_job *)any, job = whole;
    hd_view none = {0};
    (void)why;
    if (job.in.n == 0) return HD_OK;
    hd__gpu_stage s = {.ctx = ctx};
    HD_TRY(hd__gpu_of(ctx, &s.gpu));
    const bool cut = hd__gpu_can_cut(&job.in, &job.out, &none);
    if (cut && hd__gpu_wants_pieces(s.gpu, &job.in, &job.out)) return run_pieces(ctx, s.gpu, &job);
    const hd_status status = hd__gpu_stage_end(&s, run(&s, &whole));
    return cut && hd__gpu_too_large(&s, status) ? run_pieces(ctx, s.gpu, &job) : status;
}
