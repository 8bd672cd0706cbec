// SPDX-License-Identifier: Apache-2.0
// One pass over tiles that selects elements: compact_tiles, partition_tiles or run_tiles. Before a
// partition, which must know where the others begin, what tiles select is counted.
#include "select.h"

#include <string.h>

enum {
    LANE_BYTES = 128,   // what a lane has in registers at most
    TALLY_THREADS = 256 // of a block that counts
};

// hk_select_how and hk_select_out of select_tile.cuh.
typedef struct select_how {
    int64_t n, tiles, ahead, room, index_room, length_room;
} select_how;

typedef struct select_out {
    hd__gpu_kernel_view out, integer[HD__GPU_INTEGERS];
} select_out;

// ---- Views --------------------------------------------------------------------------------------

hd_status hd__gpu_select_in(hd__gpu_stage *s, hd__gpu_select *job)
{
    HD_TRY(hd__gpu_stage_in(s, &job->in));
    hd__collapse(&job->in);
    hd__reader *in = &job->flags.in;
    for (int k = 0; k < in->inputs; k++) {
        if (k == 0 && job->flags.own) {
            in->view[0] = job->in;
            continue;
        }
        HD_TRY(hd__gpu_stage_in(s, &in->view[k]));
        hd__collapse(&in->view[k]);
    }
    return HD_OK;
}

hd_status hd__gpu_select_out(hd__gpu_stage *s, hd__gpu_select *job)
{
    HD_TRY(hd__gpu_stage_out(s, &job->out));
    if (job->out.ndim > 0) hd__collapse(&job->out);
    for (int k = 0; k < HD__GPU_INTEGERS; k++) {
        HD_TRY(hd__gpu_stage_out(s, &job->integer[k]));
        if (job->integer[k].ndim > 0) hd__collapse(&job->integer[k]);
    }
    return HD_OK;
}

hd__reader hd__gpu_select_reader(const hd__gpu_select *job, bool with_elements)
{
    hd__reader r = job->flags.in;
    r.n = job->n;
    if (job->flags.own || !with_elements) return r;
    r.view[1] = r.view[0];
    r.view[0] = job->in;
    r.inputs = 2;
    return r;
}

// ---- Shapes -------------------------------------------------------------------------------------

// 1: out is in; 2: it is another input.
static uint8_t in_place(const hd__reader *r, const hd_view *out)
{
    for (int k = 0; k < r->inputs; k++)
        if (!hd__is_empty(out) && r->view[k].space == HD_DEVICE && r->view[k].data == out->data)
            return k == 0 ? 1 : 2;
    return 0;
}

static void fill_config(const hd__gpu_select *job, const hd__reader *r,
                        hd__gpu_kernel_config *config)
{
    memset(config, 0, sizeof *config);
    config->codegen_kind = HD__GPU_CODEGEN_FLAGS;
    config->op = -1;
    hd__gpu_config_inputs(config, r, 0);
    config->blocks = 1;
    config->heads = job->flags.heads;
    config->invert = job->flags.invert;
}

// Rows of a kernel that has its elements in registers, where a small one takes a register too.
static void keep_in_registers(hd__gpu_kernel_config *config, size_t size)
{
    while (config->rows > 1 &&
           (size_t)(config->rows * config->k) * (size < 4 ? 4 : size) > LANE_BYTES)
        config->rows /= 2;
}

static int64_t tile_of(const hd__gpu_kernel_config *config)
{
    return (int64_t)config->rows * config->threads * config->k;
}

// Of a tile: its elements, and positions of those that have one byte.
static size_t tile_bytes(const hd__gpu_select *job, const hd__gpu_kernel_config *config)
{
    const bool positions = !hd__is_empty(&job->integer[HD__GPU_PUT_INDEX]) ||
                           !hd__is_empty(&job->integer[HD__GPU_PUT_LENGTH]);
    const size_t size = hd__size_of(config->in[0].type);
    return (size_t)tile_of(config) * (size + (positions && size < 2 ? 2 : 0));
}

// Flags of elements that are large and many are counted first, so that no block waits for another:
// on an H200 530 us instead of 587 for 2^28 i32, half kept; but 49 instead of 46 for 2^24, and 253
// instead of 213 for 2^28 u8.
static bool counting_pays(const hd__gpu *gpu, const hd__gpu_select *job,
                          const hd__gpu_kernel_config *config, size_t size)
{
    const bool early = !config->heads && job->flags.in.map == NULL && config->inputs > 1;
    return early && config->in_place == 0 && size >= 4 && job->n >= gpu->tuning.select_tally;
}

static void fill_outputs(const hd__gpu *gpu, const hd__gpu_select *job, const hd__reader *r,
                         hd__gpu_kernel_config *config)
{
    const size_t size = hd__size_of(config->in[0].type),
                 most = (size_t)gpu->driver->properties(gpu->device)->tile_bytes;
    const bool runs = job->runs != NULL || !hd__is_empty(&job->integer[HD__GPU_PUT_LENGTH]);
    strcpy(config->kernel, job->both ? "partition_tiles" : runs ? "run_tiles" : "compact_tiles");
    config->out = hd__gpu_layout_of(&job->out);
    for (int k = 0; k < HD__GPU_INTEGERS; k++)
        config->integer[k] = hd__gpu_layout_of(&job->integer[k]);
    config->both = job->both;
    config->items = job->items;
    config->in_place = in_place(r, &job->out);
    config->contiguous = config->in[0].form == HD__GPU_CONTIGUOUS && config->in[0].aligned == 16;
    config->threads = gpu->tuning.select_threads;
    config->rows =
        hd__gpu_rows_for(gpu, job->n * (int64_t)size, (size_t)(config->threads * config->k) * size,
                         gpu->tuning.select_small_rows, gpu->tuning.select_rows);
    if (job->both && size > 8) keep_in_registers(config, size);
    while (config->rows > 1 && tile_bytes(job, config) > most) config->rows /= 2;
    while (config->threads > 32 && tile_bytes(job, config) > most) config->threads /= 2;
    config->blocks = size > 8 ? 1 : gpu->tuning.select_blocks;
    while (config->blocks > 1 && config->blocks * config->threads > 2048) config->blocks--;
    config->known = job->both || counting_pays(gpu, job, config, size);
}

// ---- Launches -----------------------------------------------------------------------------------

static hd_status launch_tally(hd_context *ctx, hd__gpu *gpu, const hd__gpu_select *job,
                              int64_t tile, hd__gpu_address count)
{
    const hd__reader r = hd__gpu_select_reader(job, false);
    hd__gpu_kernel_config config;
    hd__gpu_kernel *kernel;
    fill_config(job, &r, &config);
    strcpy(config.kernel, "select_tally");
    config.threads = TALLY_THREADS;
    while (config.threads > 32 && config.threads * config.k > tile) config.threads /= 2;
    while (config.threads * config.k > tile) config.k /= 2;
    config.rows = (int32_t)(tile / (config.threads * config.k));
    HD_TRY(hd__gpu_kernel_for(ctx, gpu, &config, NULL, r.map, &kernel));
    const hd__gpu_kernel_inputs in = hd__gpu_kernel_inputs_of(&r);
    const void *arguments[] = {&in, &job->n, &count};
    return gpu->driver->launch(ctx, gpu->device, kernel,
                               &(hd__gpu_launch){.blocks = (job->n + tile - 1) / tile,
                                                 .threads = config.threads,
                                                 .argument_count = 3,
                                                 .arguments = arguments});
}

static hd_status launch_begins(hd_context *ctx, hd__gpu *gpu, int64_t tiles, hd__gpu_address count,
                               hd__gpu_address total)
{
    hd__gpu_kernel_config config;
    hd__gpu_kernel *kernel;
    memset(&config, 0, sizeof config);
    strcpy(config.kernel, "select_begins");
    config.codegen_kind = HD__GPU_CODEGEN_OFFSETS;
    config.op = -1;
    config.k = config.blocks = 1;
    config.rows = gpu->tuning.select_rows;
    config.threads = gpu->tuning.begin_threads;
    HD_TRY(hd__gpu_kernel_for(ctx, gpu, &config, NULL, NULL, &kernel));
    const void *arguments[] = {&count, &tiles, &total};
    return gpu->driver->launch(
        ctx, gpu->device, kernel,
        &(hd__gpu_launch){
            .blocks = 1, .threads = config.threads, .argument_count = 3, .arguments = arguments});
}

static hd_status launch_tiles(hd_context *ctx, hd__gpu *gpu, const hd__gpu_select *job,
                              const hd__reader *r, const hd__gpu_kernel_config *config,
                              const hd__gpu_state *state)
{
    hd__gpu_kernel *kernel;
    HD_TRY(hd__gpu_kernel_for(ctx, gpu, config, NULL, r->map, &kernel));
    const int64_t multiprocessors = gpu->driver->properties(gpu->device)->multiprocessors;
    const select_how how = {.n = job->n,
                            .tiles = (job->n + tile_of(config) - 1) / tile_of(config),
                            .ahead =
                                config->known ? 0 : multiprocessors * gpu->tuning.select_prefetch,
                            .room = hd__room(&job->out),
                            .index_room = hd__room(&job->integer[HD__GPU_PUT_INDEX]),
                            .length_room = hd__room(&job->integer[HD__GPU_PUT_LENGTH])};
    select_out to = {.out = hd__gpu_kernel_view_of(&job->out)};
    for (int k = 0; k < HD__GPU_INTEGERS; k++)
        to.integer[k] = hd__gpu_kernel_view_of(&job->integer[k]);
    const hd__gpu_kernel_inputs in = hd__gpu_kernel_inputs_of(r);
    static const hd__gpu_select_runs no_runs = {0};
    const void *arguments[] = {&in, &how, state, &to, job->runs != NULL ? job->runs : &no_runs};
    return gpu->driver->launch(
        ctx, gpu->device, kernel,
        &(hd__gpu_launch){.blocks = how.tiles,
                          .threads = config->threads,
                          .shared_bytes = (int32_t)tile_bytes(job, config),
                          .argument_count = strcmp(config->kernel, "run_tiles") == 0 ? 5 : 4,
                          .arguments = arguments});
}

hd_status hd__gpu_select_launch(hd_context *ctx, hd__gpu *gpu, const hd__gpu_select *job,
                                hd__gpu_state *state)
{
    hd__gpu_kernel_config config;
    // Where no element is wanted, flags alone tell.
    const hd__reader r = hd__gpu_select_reader(job, !hd__is_empty(&job->out));
    fill_config(job, &r, &config);
    fill_outputs(gpu, job, &r, &config);
    const int64_t tiles = (job->n + tile_of(&config) - 1) / tile_of(&config);
    HD_TRY(hd__gpu_state_of(ctx, gpu, config.known ? 0 : 2 * tiles, state));
    if (!config.known) return launch_tiles(ctx, gpu, job, &r, &config, state);
    hd__gpu_state known = *state;
    HD_TRY(hd__gpu_workspace(ctx, gpu, HD__GPU_TILE_COUNTS, 8 * (size_t)(tiles + 1), &known.word));
    HD_TRY(launch_tally(ctx, gpu, job, tile_of(&config), known.word));
    HD_TRY(launch_begins(ctx, gpu, tiles, known.word, state->control + HD__GPU_CONTROL_TOTAL));
    return launch_tiles(ctx, gpu, job, &r, &config, &known);
}
