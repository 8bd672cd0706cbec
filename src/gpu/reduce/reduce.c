// SPDX-License-Identifier: Apache-2.0
// The pass of hd_reduce over everything: one launch of reduce_tiles.
#include "gpu/runtime/out_of_core.h"
#include "gpu/codegen/emit_kernel.h"
#include "reduce.h"

#include <string.h>

// Room for nodes beside the tiles': small tiles, and what is left after them.
enum { SMALL = 32, REST = 32, MOST_CHUNKS = 16 };

// hk_reduce_state and hk_reduce_how of reduce_tiles.cu.
typedef struct reduce_state {
    hd__gpu_address word, small, rest, rest_count, control;
} reduce_state;

typedef struct reduce_how {
    int64_t n, tiles, small, index, chunks, few;
} reduce_how;

// Rows that a warp reads at once: 128 bytes a lane, and no more nodes than registers hold; fewer
// where tiles are few.
static int32_t rows_for(const hd__gpu *gpu, const hd__gpu_kernel_config *config, const hd__fold *f,
                        int64_t n)
{
    size_t bytes = 0;
    for (int k = 0; k < config->inputs; k++)
        bytes += hd__size_of(config->in[k].type) * (size_t)config->k;
    int32_t rows = hd__gpu_rows_for(gpu, n / config->k * (int64_t)bytes,
                                    bytes * (size_t)gpu->tuning.reduce_threads,
                                    gpu->tuning.reduce_small_rows, gpu->tuning.reduce_rows);
    while (rows > 1 && ((size_t)rows * bytes > 128 || (size_t)rows * f->node_size > 64)) rows /= 2;
    return rows;
}

// Chunks a warp that a tile may have: nodes of all of them are in shared memory.
static int64_t most_chunks(const hd__gpu *gpu, const hd__gpu_kernel_config *config,
                           const hd__fold *f)
{
    const int64_t few = f->node_size <= 16 ? MOST_CHUNKS : 32 / (config->threads / 32);
    return few < gpu->tuning.reduce_chunks ? few : gpu->tuning.reduce_chunks;
}

static void fill_config(const hd__gpu *gpu, hd__gpu_kernel_config *config,
                        const hd__reduce_job *job)
{
    memset(config, 0, sizeof *config);
    strcpy(config->kernel, "reduce_tiles");
    hd__gpu_config_inputs(config, &job->in, 0);
    hd__gpu_config_fold(config, &job->fold);
    config->rows = rows_for(gpu, config, &job->fold, job->in.n);
    config->threads = gpu->tuning.reduce_threads;
    config->blocks = 1;
    config->hint = gpu->tuning.reduce_hint;
    config->chunks = (int32_t)most_chunks(gpu, config, &job->fold);
    config->out = hd__gpu_layout_of(&job->out);
    config->values = hd__gpu_layout_of(&job->values);
    config->has_values = !hd__is_empty(&job->values);
}

// The grid size: one block a tile, not as many as the occupancy allows, since blocks that stay were
// slower (tuning.def). Tiles are larger once there are enough of them for every multiprocessor.
static reduce_how how_for(const hd__gpu *gpu, const hd__gpu_kernel_config *config,
                          const hd__reduce_job *job)
{
    const int64_t chunk = (int64_t)config->rows * config->threads * config->k,
                  n = job->in.n; // of all warps
    const int64_t enough =
        gpu->tuning.reduce_waves * (int64_t)gpu->driver->properties(gpu->device)->multiprocessors;
    const int64_t most = most_chunks(gpu, config, &job->fold);
    int64_t chunks = 1;
    while (chunks < most && n / (chunk * 2 * chunks) >= enough) chunks *= 2;
    const int64_t tiles = n / (chunk * chunks);
    return (reduce_how){
        n, tiles, n / chunk - tiles * chunks, job->in.first, chunks, gpu->tuning.reduce_few};
}

static hd_status state_for(hd_context *ctx, hd__gpu *gpu, const reduce_how *how, size_t node,
                           reduce_state *state)
{
    const size_t words = 8 * ((node + 3) / 4);
    int64_t nodes = 0;
    for (int64_t count = how->tiles; count > 0; count /= 32) nodes += count;
    hd__gpu_address at;
    HD_TRY(hd__gpu_workspace(ctx, gpu, HD__GPU_NODE_WORDS, ((size_t)nodes + SMALL) * words,
                             &state->small));
    state->word = state->small + SMALL * words;
    HD_TRY(hd__gpu_workspace(ctx, gpu, HD__GPU_NODES, 64 + REST * node, &at));
    state->rest_count = at;
    state->rest = at + 64;
    return hd__gpu_workspace(ctx, gpu, HD__GPU_EPOCH, 64, &state->control);
}

hd_status hd__gpu_reduce_tiles(hd_context *ctx, hd__gpu *gpu, const hd__reduce_job *job,
                               hd__gpu_address node)
{
    static const unsigned char nothing[HD_MAX_ELEMENT];
    hd__gpu_kernel_config config;
    hd__gpu_kernel *kernel;
    reduce_state state;
    if (job->fold.form == HD__LIMBS) return hd__gpu_exact_all(ctx, gpu, job, node);
    fill_config(gpu, &config, job);
    if (node != 0) {
        config.writes_nodes = true;
        config.out = (hd__gpu_layout){.type = HD_U8, .form = HD__GPU_CONTIGUOUS, .aligned = 1};
    }
    const reduce_how how = how_for(gpu, &config, job);
    HD_TRY(hd__gpu_kernel_for(ctx, gpu, &config, &job->fold, job->in.map, &kernel));
    HD_TRY(state_for(ctx, gpu, &how, job->fold.node_size, &state));
    hd__gpu_kernel_inputs in;
    for (int k = 0; k < job->in.inputs; k++) in.view[k] = hd__gpu_kernel_view_of(&job->in.view[k]);
    const hd__gpu_kernel_view out =
        node != 0 ? (hd__gpu_kernel_view){.data = node} : hd__gpu_kernel_view_of(&job->out);
    const hd__gpu_kernel_view values = hd__gpu_kernel_view_of(&job->values);
    const void *init = job->fold.init != NULL ? job->fold.init : nothing;
    const void *arguments[] = {&in, &how, &state, init, &out, &values};
    const int64_t chunk = (int64_t)config.rows * config.threads * config.k;
    const int64_t blocks = how.tiles + how.small + (how.n % chunk != 0);
    return gpu->driver->launch(ctx, gpu->device, kernel,
                               &(hd__gpu_launch){.blocks = blocks,
                                                 .threads = config.threads,
                                                 .argument_count = 6,
                                                 .arguments = arguments});
}

hd_status hd__gpu_give(hd_context *ctx, hd__gpu *gpu, const hd__reduce_job *job, const void *out,
                       const void *value)
{
    const hd_view *views[] = {&job->out, &job->values};
    const void *bytes[] = {out, value};
    for (int k = 0; k < 2; k++) {
        if (hd__is_empty(views[k])) continue;
        if (views[k]->space == HD_HOST) {
            hd__scatter(views[k], 0, 1, bytes[k]);
            continue;
        }
        HD_TRY(gpu->driver->upload(ctx, gpu->device, (hd__gpu_address)(uintptr_t)views[k]->data,
                                   bytes[k], hd__size_of(views[k]->type)));
        HD_TRY(gpu->driver->wait(ctx, gpu->device));
    }
    return HD_OK;
}

// Nothing to reduce: the value is the host's to make.
static hd_status reduce_nothing(hd_context *ctx, hd__gpu *gpu, const hd__reduce_job *job)
{
    _Alignas(HD__ALIGNMENT) unsigned char out[HD_MAX_ELEMENT], value[HD_MAX_ELEMENT];
    if (!hd__finalize_empty(&job->fold, out, value))
        return hd__fail(ctx, HD_ERROR_VALUE,
                        "hd_reduce: result 0 has no elements and operator %s no identity",
                        job->fold.asked->name);
    return hd__gpu_give(ctx, gpu, job, out, value);
}

static hd_status run(hd__gpu_stage *s, hd__reduce_job *job)
{
    for (int k = 0; k < job->in.inputs; k++) {
        HD_TRY(hd__gpu_stage_in(s, &job->in.view[k]));
        hd__collapse(&job->in.view[k]);
    }
    HD_TRY(hd__gpu_stage_out(s, &job->out));
    HD_TRY(hd__gpu_stage_out(s, &job->values));
    return hd__gpu_reduce_tiles(s->ctx, s->gpu, job, 0);
}

hd_status hd__gpu_reduce(hd_context *ctx, const void *any, const char **why)
{
    hd__reduce_job job = *(const hd__reduce_job *)any;
    if (job.filter != NULL) return hd__gpu_reduce_filtered(ctx, &job, why);
    if (job.slices == HD__RUNS && job.comparison != NULL && job.in.n > 0)
        return hd__gpu_reduce_runs_by(ctx, &job, why);
    if (job.slices == HD__RUNS) return hd__gpu_reduce_runs(ctx, &job);
    if (job.slices == HD__ROWS || job.slices == HD__SEGMENTS)
        return hd__gpu_reduce_slices(ctx, &job);
    hd__gpu_stage s = {.ctx = ctx};
    HD_TRY(hd__gpu_of(ctx, &s.gpu));
    hd__reduce_job cut = job;
    const bool can = hd__gpu_can_chunk(&cut.in, &cut.out, &cut.values);
    if (job.tree != NULL || (can && hd__gpu_needs_out_of_core(s.gpu, &job.in, &job.out)))
        return hd__gpu_reduce_chunks(ctx, &cut, why);
    if (job.in.n == 0) return reduce_nothing(ctx, s.gpu, &job);
    const hd_status status = hd__gpu_stage_end(&s, run(&s, &job));
    return can && hd__gpu_too_large(&s, status) ? hd__gpu_reduce_chunks(ctx, &cut, why) : status;
}
