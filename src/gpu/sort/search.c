// SPDX-License-Identifier: Apache-2.0
// The pass of hd_search: one launch of search_queries.
#include "patterns/sort/search.h"
#include "gpu/codegen/emit_kernel.h"
#include "gpu/codegen/order_function.h"

#include <string.h>

enum { STAGE_BYTES = 16 << 10 }; // of elements between the ends of a block's queries

// hk_search_how of search_queries.cu.
typedef struct search_how {
    int64_t n, m, rows;
} search_how;

static void fill_config(const hd__gpu *gpu, const hd__search_job *job, const hd__reader *in,
                        hd__gpu_kernel_config *config)
{
    const size_t size = hd__size_of(job->sorted.type);
    memset(config, 0, sizeof *config);
    strcpy(config->kernel, "search_queries");
    config->codegen_kind = HD__GPU_CODEGEN_ORDER;
    config->op = -1;
    hd__gpu_config_inputs(config, in, 0);
    config->k = config->blocks = 1;
    config->rows = gpu->tuning.search_rows;
    while (config->rows > 1 && (size_t)config->rows * size > 64) config->rows /= 2;
    config->threads = gpu->tuning.search_threads;
    config->stage_bytes = STAGE_BYTES;
    config->invert = job->right;
    config->both = job->backwards;
    config->wide_keys = job->n >> 31 != 0;
    config->out.aligned = 16; // there is none
    config->integer[HD__GPU_PUT_INDEX] = hd__gpu_layout_of(&job->out);
}

static hd_status launch(hd_context *ctx, hd__gpu *gpu, const hd__search_job *job,
                        const hd_function *precedes)
{
    hd__gpu_kernel_config config;
    hd__gpu_kernel *kernel;
    const hd__reader in = {.map = precedes, .inputs = 2, .view = {job->sorted, job->queries}};
    fill_config(gpu, job, &in, &config);
    HD_TRY(hd__gpu_kernel_for(ctx, gpu, &config, NULL, precedes, &kernel));
    const hd__gpu_kernel_inputs inputs = hd__gpu_kernel_inputs_of(&in);
    const search_how how = {job->n, job->m, job->rows};
    const hd__gpu_kernel_view out = hd__gpu_kernel_view_of(&job->out);
    const void *arguments[] = {&inputs, &how, &out};
    const int64_t tile = (int64_t)config.rows * config.threads;
    return gpu->driver->launch(ctx, gpu->device, kernel,
                               &(hd__gpu_launch){.blocks = (job->rows * job->m + tile - 1) / tile,
                                                 .threads = config.threads,
                                                 .argument_count = 3,
                                                 .arguments = arguments});
}

static hd_status run(hd__gpu_stage *s, hd__search_job *job, const char **why)
{
    hd__gpu_order order;
    HD_TRY(hd__gpu_order_of(&order, job->order, job->sorted.type, why));
    HD_TRY(hd__gpu_stage_in(s, &job->sorted));
    HD_TRY(hd__gpu_stage_in(s, &job->queries));
    HD_TRY(hd__gpu_stage_out(s, &job->out));
    hd__collapse(&job->sorted);
    hd__collapse(&job->queries);
    hd__collapse(&job->out);
    job->sorted.type = job->queries.type = order.type;
    return launch(s->ctx, s->gpu, job, &order.precedes);
}

hd_status hd__gpu_search(hd_context *ctx, const void *any, const char **why)
{
    hd__search_job job = *(const hd__search_job *)any;
    hd__gpu_stage s = {.ctx = ctx};
    if (job.rows * job.m == 0) return HD_OK;
    HD_TRY(hd__gpu_of(ctx, &s.gpu));
    return hd__gpu_stage_end(&s, run(&s, &job, why));
}
