// SPDX-License-Identifier: Apache-2.0
//
// The pass of hd_scatter, launches of its kernels, and the write of indices that are promised to be
// unique. Others are scatter_repeated.c, large outputs scatter_buckets.c, operators
// scatter_combine.c.
#include "scatter.h"
#include "patterns/move/map.h"

#include <stdio.h>
#include <string.h>

enum { THREADS = 256, FEW_BLOCKS = 8 };

// ---- Launches -----------------------------------------------------------------------------------

static int32_t rows_of(const hd__gpu *gpu, const hd__gpu_scatter_writes *job)
{
    return hd__size_of(job->in.type) <= 8 ? gpu->tuning.scatter_rows : 1;
}

void hd__gpu_scatter_config(const hd__gpu *gpu, const hd__gpu_scatter_writes *job, const char *name,
                            int32_t threads, hd__gpu_kernel_config *config)
{
    const hd__reader r = {.n = job->n, .inputs = 1, .view = {job->in}};
    memset(config, 0, sizeof *config);
    snprintf(config->kernel, sizeof config->kernel, "%s", name);
    config->codegen_kind = HD__GPU_CODEGEN_GATHER;
    config->op = -1;
    hd__gpu_config_inputs(config, &r, 0);
    config->k = config->blocks = 1;
    config->rows = rows_of(gpu, job);
    config->threads = threads;
    config->out = hd__gpu_layout_of(&job->out);
    config->offsets = hd__gpu_layout_of(&job->index);
    config->wide_destinations = job->limit >> 32 != 0 || job->limit == UINT32_MAX;
    config->wide_keys = job->n >> 32 != 0 || job->n == UINT32_MAX;
}

hd_status hd__gpu_scatter_kernel(hd_context *ctx, hd__gpu *gpu, const hd__gpu_scatter_writes *job,
                                 const char *name, hd__gpu_kernel **kernel)
{
    hd__gpu_kernel_config config;
    hd__gpu_scatter_config(gpu, job, name, THREADS, &config);
    return hd__gpu_kernel_for(ctx, gpu, &config, NULL, NULL, kernel);
}

hd_status hd__gpu_scatter_launch(hd_context *ctx, hd__gpu *gpu, const hd__gpu_scatter_writes *job,
                                 hd__gpu_kernel *kernel, const hd__gpu_scatter_how *how,
                                 const void *const *arguments, int32_t argument_count)
{
    const int64_t tile = (int64_t)THREADS * rows_of(gpu, job), all = (job->n + tile - 1) / tile,
                  few = FEW_BLOCKS * gpu->driver->properties(gpu->device)->multiprocessors;
    return gpu->driver->launch(
        ctx, gpu->device, kernel,
        &(hd__gpu_launch){.blocks = how->ticket != 0 && few < all ? few : all,
                          .threads = THREADS,
                          .argument_count = argument_count,
                          .arguments = arguments});
}

hd_status hd__gpu_scatter_unique(hd_context *ctx, hd__gpu *gpu, const hd__gpu_scatter_writes *job)
{
    hd__gpu_kernel *kernel;
    HD_TRY(hd__gpu_scatter_kernel(ctx, gpu, job, "scatter_write", &kernel));
    const hd__gpu_kernel_inputs in = {{hd__gpu_kernel_view_of(&job->in)}};
    const hd__gpu_kernel_view index = hd__gpu_kernel_view_of(&job->index),
                              out = hd__gpu_kernel_view_of(&job->out);
    const hd__gpu_scatter_how how = {.n = job->n, .limit = job->limit};
    const void *arguments[] = {&in, &index, &out, &how, &job->bad};
    return hd__gpu_scatter_launch(ctx, gpu, job, kernel, &how, arguments, 5);
}

// ---- All of it ----------------------------------------------------------------------------------

// What a function makes of the inputs, as an array.
static hd_status make_elements(hd_context *ctx, const hd__reader *in, hd__gpu_address at,
                               hd_view *v)
{
    const char *why;
    const hd__map_job job = {.in = *in, .out = hd__gpu_array(in->map->result, at, in->n)};
    *v = job.out;
    return hd__gpu_map(ctx, &job, &why);
}

static hd_status run_write(hd__gpu_stage *s, const hd__reader *in, hd__gpu_scatter_writes *job)
{
    hd__gpu_address made = 0;
    size_t bytes = 0;
    hd_status status = HD_OK;
    job->in = in->view[0];
    if (in->map != NULL) {
        bytes = (size_t)job->n * hd__size_of(in->map->result);
        HD_TRY(hd__gpu_allocate(s->ctx, s->gpu, bytes, &made));
        status = make_elements(s->ctx, in, made, &job->in);
    }
    if (status == HD_OK) status = hd__gpu_scatter_bucketed(s->ctx, s->gpu, job);
    if (made != 0) hd__gpu_release(s->gpu, made, bytes);
    return status;
}

static hd_status run(hd__gpu_stage *s, hd__scatter_job *job)
{
    hd__gpu_state state;
    const bool looks = job->bad != NULL || !hd__is_empty(&job->bad_to);
    for (int k = 0; k < job->in.inputs; k++) {
        HD_TRY(hd__gpu_stage_in(s, &job->in.view[k]));
        hd__collapse(&job->in.view[k]);
    }
    HD_TRY(hd__gpu_stage_in(s, &job->index));
    hd__collapse(&job->index);
    HD_TRY(hd__gpu_stage_both(s, &job->out));
    hd__collapse(&job->out);
    HD_TRY(hd__gpu_state_of(s->ctx, s->gpu, 0, &state));
    hd__gpu_scatter_writes plain = {.n = job->in.n,
                                    .limit = job->limit,
                                    .index = job->index,
                                    .out = job->out,
                                    .unique = job->unique,
                                    .bad = looks ? state.control + HD__GPU_CONTROL_BAD : 0};
    HD_TRY(job->combines ? hd__gpu_scatter_combine(s->ctx, s->gpu, job, plain.bad, false)
                         : run_write(s, &job->in, &plain));
    if (job->bad == NULL)
        return looks ? hd__gpu_bad_to(s->ctx, s->gpu, &state, &job->bad_to) : HD_OK;
    HD_TRY(hd__gpu_bad(s->ctx, s->gpu, &state, job->bad));
    return hd__gpu_put_number(s->ctx, &job->bad_to, *job->bad);
}

hd_status hd__gpu_scatter(hd_context *ctx, const void *any, const char **why)
{
    hd__scatter_job job = *(const hd__scatter_job *)any;
    (void)why; // never declines
    if (job.in.n == 0) return hd__gpu_put_number(ctx, &job.bad_to, -1);
    if (job.limit == 0) { // no destination at all: the first index is bad
        if (job.bad != NULL) *job.bad = 0;
        return hd__gpu_put_number(ctx, &job.bad_to, 0);
    }
    job.in.fold = &job.fold;
    hd__gpu_stage s = {.ctx = ctx};
    HD_TRY(hd__gpu_of(ctx, &s.gpu));
    return hd__gpu_stage_end(&s, run(&s, &job));
}
