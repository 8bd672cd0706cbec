// SPDX-License-Identifier: Apache-2.0
//
// The pass of hd_expand: expand_begins sums the lengths, the host looks whether all is well,
// expand_runs writes.
#include "patterns/select/expand.h"
#include "patterns/select/flags.h"
#include "patterns/move/map.h"
#include "gpu/codegen/emit_kernel.h"

#include <string.h>

enum { THREADS = 256, BEGIN_ROWS = 8, FILL_ROWS = 4 };

#define MOST (((int64_t)1 << 62) - 1) // where sums stay

static void fill_config(hd__gpu_kernel_config *config, const char *kernel, const hd_view *in,
                        const hd_view *out)
{
    const hd__reader r = {.n = hd_count(*in), .inputs = 1, .view = {*in}};
    memset(config, 0, sizeof *config);
    strcpy(config->kernel, kernel);
    config->codegen_kind = HD__GPU_CODEGEN_GATHER;
    config->op = -1;
    hd__gpu_config_inputs(config, &r, 0);
    config->threads = THREADS;
    config->blocks = 1;
    config->out = hd__gpu_layout_of(out);
}

static hd__gpu_kernel_inputs one_input(const hd_view *v)
{
    return (hd__gpu_kernel_inputs){{hd__gpu_kernel_view_of(v)}};
}

// Begins of the runs, and the sum of all lengths. What is wrong is left at `bad`, or, if 0, in the
// state.
static hd_status launch_begins(hd_context *ctx, hd__gpu *gpu, const hd__expand_job *job,
                               hd__gpu_address begins, hd__gpu_address bad, hd__gpu_state *state)
{
    const int64_t tile = THREADS * BEGIN_ROWS, tiles = (job->m + tile - 1) / tile;
    hd__gpu_kernel_config config;
    hd__gpu_kernel *kernel;
    fill_config(&config, "expand_begins", &job->lengths, &job->lengths);
    config.k = 1;
    config.rows = BEGIN_ROWS;
    HD_TRY(hd__gpu_kernel_for(ctx, gpu, &config, NULL, NULL, &kernel));
    HD_TRY(hd__gpu_state_of(ctx, gpu, tiles, state));
    const hd__gpu_kernel_inputs in = one_input(&job->lengths);
    const hd__gpu_address first = bad != 0 ? bad : state->control + HD__GPU_CONTROL_BAD;
    const void *arguments[] = {&in, &job->m, &tiles, state, &begins, &first};
    return gpu->driver->launch(
        ctx, gpu->device, kernel,
        &(hd__gpu_launch){
            .blocks = tiles, .threads = THREADS, .argument_count = 6, .arguments = arguments});
}

// The sum is the host's; false in *good where a length is negative or the sum too large.
static hd_status sum_lengths(hd__gpu_stage *s, const hd__expand_job *job, hd__gpu_address begins,
                             bool *good)
{
    hd__gpu_state state;
    int64_t bad = -1, total;
    HD_TRY(launch_begins(s->ctx, s->gpu, job, begins, 0, &state));
    HD_TRY(hd__gpu_total(s, &state, &job->count_to, job->count, &total));
    HD_TRY(hd__gpu_bad(s->ctx, s->gpu, &state, &bad));
    *good = bad < 0 && *job->count < MOST;
    return HD_OK;
}

static hd_status write_runs(hd_context *ctx, hd__gpu *gpu, const hd__expand_job *job,
                            hd__gpu_address begins, int64_t n)
{
    hd__gpu_kernel_config config;
    hd__gpu_kernel *kernel;
    fill_config(&config, "expand_runs", &job->values, &job->out);
    while (config.k > 4) config.k /= 2;
    config.rows = FILL_ROWS;
    HD_TRY(hd__gpu_kernel_for(ctx, gpu, &config, NULL, NULL, &kernel));
    const hd__gpu_kernel_inputs in = one_input(&job->values);
    const hd__gpu_kernel_view out = hd__gpu_kernel_view_of(&job->out);
    const void *arguments[] = {&in, &out, &begins, &job->m, &n};
    const int64_t tile = (int64_t)THREADS * config.rows * config.k;
    return gpu->driver->launch(ctx, gpu->device, kernel,
                               &(hd__gpu_launch){.blocks = (n + tile - 1) / tile,
                                                 .threads = THREADS,
                                                 .argument_count = 5,
                                                 .arguments = arguments});
}

// The error as the host finds it, from lengths that may be on the device.
static hd_status explain(hd_context *ctx, const hd__expand_job *asked)
{
    if (asked->lengths.space != HD_DEVICE) return hd__sum_lengths(ctx, asked);
    hd__expand_job job = *asked;
    const size_t bytes = (size_t)job.m * hd__size_of(job.lengths.type);
    unsigned char *lengths = hd__allocate(ctx, bytes);
    if (lengths == NULL) return HD_ERROR_MEMORY;
    const char *why;
    hd_status status;
    job.lengths = hd_view_of(asked->lengths.type, lengths, job.m);
    const hd__map_job copy = {.in = {.n = job.m, .inputs = 1, .view = {asked->lengths}},
                              .out = job.lengths};
    status = hd__gpu_map(ctx, &copy, &why);
    if (status == HD_OK) status = hd__sum_lengths(ctx, &job);
    hd__release(ctx, lengths, bytes);
    return status;
}

static hd_status run(hd__gpu_stage *s, hd__expand_job *job, const hd__expand_job *asked,
                     hd__gpu_address begins)
{
    bool good;
    HD_TRY(sum_lengths(s, job, begins, &good));
    if (!good) {
        HD_TRY(explain(s->ctx, asked));
        return hd__fail(s->ctx, HD_ERROR_VALUE, "hd_expand: lengths changed during the call");
    }
    HD_TRY(hd__check_expansion(s->ctx, job));
    hd__gpu_stage_first(s, &job->out, *job->count);
    return *job->count > 0 ? write_runs(s->ctx, s->gpu, job, begins, *job->count) : HD_OK;
}

// All of out is written, whatever the sum is: the host is not told. Nothing is allocated once
// memory has grown.
static hd_status run_without_host(hd_context *ctx, hd__gpu *gpu, const hd__expand_job *job)
{
    enum { LENGTH_AT = 40 }; // in the workspace of faults
    hd__gpu_stage s = {.ctx = ctx, .gpu = gpu};
    hd__gpu_state state;
    hd__gpu_address begins, fault;
    int64_t total;
    HD_TRY(hd__gpu_workspace(ctx, gpu, HD__GPU_RUN_STARTS, 8 * (size_t)job->m, &begins));
    HD_TRY(hd__gpu_workspace(ctx, gpu, HD__GPU_FAULT, 64, &fault));
    gpu->may_fault = true;
    HD_TRY(launch_begins(ctx, gpu, job, begins, fault + LENGTH_AT, &state));
    HD_TRY(hd__gpu_total(&s, &state, &job->count_to, NULL, &total));
    const int64_t n = hd_count(job->out);
    return n > 0 ? write_runs(ctx, gpu, job, begins, n) : HD_OK;
}

static hd_status stage(hd__gpu_stage *s, hd__expand_job *job)
{
    HD_TRY(hd__gpu_stage_in(s, &job->values));
    HD_TRY(hd__gpu_stage_in(s, &job->lengths));
    HD_TRY(hd__gpu_stage_out(s, &job->out));
    hd__collapse(&job->values);
    hd__collapse(&job->lengths);
    hd__collapse(&job->out);
    return HD_OK;
}

hd_status hd__gpu_expand(hd_context *ctx, const void *any, const char **why)
{
    const hd__expand_job *asked = any;
    hd__expand_job job = *asked;
    hd__gpu_address begins;
    (void)why; // never declines
    int64_t count;
    hd__gpu_stage s = {.ctx = ctx};
    HD_TRY(hd__gpu_of(ctx, &s.gpu));
    if (job.m == 0) return hd__gpu_no_total(ctx, s.gpu, &job.count_to, job.count);
    const bool staged =
        job.values.space == HD_HOST || job.lengths.space == HD_HOST || job.out.space == HD_HOST;
    if (job.count == NULL && !staged) return run_without_host(ctx, s.gpu, &job);
    if (job.count == NULL) job.count = &count;
    HD_TRY(hd__gpu_allocate(ctx, s.gpu, (size_t)job.m * 8, &begins));
    hd_status status = stage(&s, &job);
    if (status == HD_OK) status = run(&s, &job, asked, begins);
    hd__gpu_release(s.gpu, begins, (size_t)job.m * 8);
    return hd__gpu_stage_end(&s, status);
}
