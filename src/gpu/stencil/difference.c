// SPDX-License-Identifier: Apache-2.0
// The pass of hd_difference: one launch of difference_elements; in place, from a copy.
#include "patterns/stencil/difference.h"
#include "gpu/codegen/emit_kernel.h"
#include "patterns/move/map.h"

#include <string.h>

// hk_rows of difference_elements.cu.
typedef struct rows {
    int64_t n, inner, period;
} rows;

static rows rows_of(const hd__difference_job *job)
{
    rows r = {hd_count(job->in), 1, 0};
    r.period = r.n;
    if (job->axis < 0) return r;
    for (int k = job->axis + 1; k < job->in.ndim; k++) r.inner *= job->in.shape[k];
    r.period = r.inner * job->in.shape[job->axis];
    return r;
}

static hd_status launch(hd_context *ctx, hd__gpu *gpu, const hd__difference_job *job, rows r)
{
    const hd__reader in = {.n = r.n, .inputs = 1, .view = {job->in}};
    static const unsigned char none[HD_MAX_ELEMENT];
    hd__gpu_kernel_config config;
    hd__gpu_kernel *kernel;
    memset(&config, 0, sizeof config);
    strcpy(config.kernel, "difference_elements");
    hd__gpu_config_inputs(&config, &in, hd__size_of(job->out.type));
    config.codegen_kind = HD__GPU_CODEGEN_DIFFERENCE;
    config.rows = gpu->tuning.map_rows;
    config.threads = gpu->tuning.map_threads;
    config.blocks = 1;
    config.hint = gpu->tuning.map_hint;
    config.op = -1;
    config.has_init = job->before != NULL;
    config.slices = r.period != r.n || r.inner != 1;
    config.out = hd__gpu_layout_of(&job->out);
    HD_TRY(hd__gpu_kernel_for(ctx, gpu, &config, NULL, job->plain ? NULL : job->function, &kernel));
    const hd__gpu_kernel_inputs views = hd__gpu_kernel_inputs_of(&in);
    const hd__gpu_kernel_view out = hd__gpu_kernel_view_of(&job->out);
    const void *arguments[] = {&views, &out, &r, job->before != NULL ? job->before : none};
    const int64_t tile = (int64_t)config.threads * config.rows * config.k;
    return gpu->driver->launch(ctx, gpu->device, kernel,
                               &(hd__gpu_launch){.blocks = (r.n + tile - 1) / tile,
                                                 .threads = config.threads,
                                                 .argument_count = 4,
                                                 .arguments = arguments});
}

// Other blocks would read what one has written: in becomes a copy of itself.
static hd_status launch_in_place(hd_context *ctx, hd__gpu *gpu, hd__difference_job *job, rows r)
{
    const size_t bytes = (size_t)r.n * hd__size_of(job->in.type);
    const char *why;
    hd__gpu_address at;
    HD_TRY(hd__gpu_allocate(ctx, gpu, bytes, &at));
    hd__map_job copy = {.in = {.n = r.n, .inputs = 1, .view = {job->in}},
                        .out = hd__gpu_array(job->in.type, at, r.n)};
    if (job->in.type == HD_BOOL) copy.in.view[0].type = copy.out.type = HD_U8;
    hd_status status = hd__gpu_map(ctx, &copy, &why);
    job->in = hd__gpu_array(job->in.type, at, r.n);
    if (status == HD_OK) status = launch(ctx, gpu, job, r);
    hd__gpu_release(gpu, at, bytes);
    return status;
}

static hd_status run(hd__gpu_stage *s, hd__difference_job *job)
{
    const rows r = rows_of(job);
    if (job->in_place) {
        HD_TRY(hd__gpu_stage_both(s, &job->out));
        job->in = job->out;
    } else {
        HD_TRY(hd__gpu_stage_in(s, &job->in));
        HD_TRY(hd__gpu_stage_out(s, &job->out));
    }
    hd__collapse(&job->in);
    hd__collapse(&job->out);
    return job->in_place ? launch_in_place(s->ctx, s->gpu, job, r) : launch(s->ctx, s->gpu, job, r);
}

hd_status hd__gpu_difference(hd_context *ctx, const void *any, const char **why)
{
    hd__difference_job job = *(const hd__difference_job *)any;
    hd__gpu_stage s = {.ctx = ctx};
    (void)why; // never declines
    if (hd_count(job.in) == 0) return HD_OK;
    HD_TRY(hd__gpu_of(ctx, &s.gpu));
    return hd__gpu_stage_end(&s, run(&s, &job));
}
