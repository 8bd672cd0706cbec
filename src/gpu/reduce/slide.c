// SPDX-License-Identifier: Apache-2.0
//
// The pass of hd_slide: one launch of slide_tiles, or, where windows are too wide for shared
// memory, a launch of slide_levels for each power of two up to the width, by way of device memory.
#include "patterns/reduce/slide.h"
#include "gpu/codegen/emit_kernel.h"
#include "rows.h"

#include <string.h>

enum {
    LEVELS = 48,           // HK_SLIDE_BITS of slide.cuh
    TILE_BYTES = 44 << 10, // of nodes: five blocks on a multiprocessor
    ROWS_MAX = 16,         // windows of a thread
    LEVEL_THREADS = 256
};

// hk_slide_how of slide.cuh.
typedef struct slide_how {
    int64_t rows, length, width, count, tiles, tile, top, half;
    hd__gpu_address from, to, level[LEVELS];
} slide_how;

typedef struct sliding {
    hd_context *ctx;
    hd__gpu *gpu;
    hd__slide_job job; // its views are of the device, rows last
    hd__gpu_kernel_config config;
    slide_how how;
    size_t node; // bytes
} sliding;

static hd_status launch(const sliding *s, const char *name, int32_t threads, int64_t bytes)
{
    hd__gpu_kernel *kernel;
    hd__gpu_kernel_config config = s->config;
    strcpy(config.kernel, name);
    config.threads = threads;
    HD_TRY(hd__gpu_kernel_for(s->ctx, s->gpu, &config, &s->job.fold, s->job.in.map, &kernel));
    const hd__gpu_kernel_inputs in = hd__gpu_kernel_inputs_of(&s->job.in);
    const hd__gpu_kernel_view out = hd__gpu_kernel_view_of(&s->job.out);
    const void *arguments[] = {&in, &s->how, &out};
    return s->gpu->driver->launch(s->ctx, s->gpu->device, kernel,
                                  &(hd__gpu_launch){.blocks = s->how.rows * s->how.tiles,
                                                    .threads = threads,
                                                    .shared_bytes = (int32_t)bytes,
                                                    .argument_count = 3,
                                                    .arguments = arguments});
}

// ---- In shared memory ---------------------------------------------------------------------------

// Two levels of a tile, and a node of each window for every set bit of the width but the highest.
static int64_t tile_bytes(const sliding *s, int64_t tile)
{
    const int64_t kept = __builtin_popcountll((uint64_t)s->how.width) - 1;
    return (2 * (tile + s->how.width - 1) + kept * tile) * (int64_t)s->node;
}

// The most windows of a tile; 0: more than half of its nodes would be of windows beside it.
static int64_t windows_of_tile(const sliding *s)
{
    const int64_t threads = s->gpu->tuning.slide_threads;
    int64_t tile = threads * ROWS_MAX;
    while (tile > 32 && tile / 2 >= s->how.count) tile /= 2;
    while (tile >= 32 && s->how.width <= TILE_BYTES && tile_bytes(s, tile) > TILE_BYTES) tile /= 2;
    const bool fits = tile >= 32 && s->how.width <= TILE_BYTES;
    return fits && (tile >= s->how.width || tile >= s->how.count) ? tile : 0;
}

static hd_status run_tiles(sliding *s, int64_t tile)
{
    s->how.tile = tile;
    s->how.tiles = (s->how.count + tile - 1) / tile;
    return launch(s, "slide_tiles", s->gpu->tuning.slide_threads, tile_bytes(s, tile));
}

// ---- In device memory ---------------------------------------------------------------------------

// Levels that no set bit names have two places in turn.
static size_t take_levels(sliding *s, hd__gpu_address at)
{
    const size_t bytes = hd__padded((size_t)(s->how.rows * s->how.length) * s->node);
    const hd__gpu_address first = at;
    hd__gpu_address turn[2] = {at, at + bytes};
    at += 2 * bytes;
    for (int64_t k = 0; k <= s->how.top; k++) {
        s->how.level[k] = turn[k % 2];
        if (k == s->how.top || (s->how.width >> k & 1) == 0) continue;
        s->how.level[k] = at;
        at += bytes;
    }
    return (size_t)(at - first);
}

static hd_status run_levels(sliding *s)
{
    s->how.tiles = (s->how.length + LEVEL_THREADS - 1) / LEVEL_THREADS;
    s->how.from = 0;
    for (int64_t k = 0; k <= s->how.top; k++) {
        s->how.to = s->how.level[k];
        s->how.half = k > 0 ? (int64_t)1 << (k - 1) : 0;
        HD_TRY(launch(s, "slide_levels", LEVEL_THREADS, 0));
        s->how.from = s->how.to;
    }
    s->how.to = 0;
    return launch(s, "slide_levels", LEVEL_THREADS, 0);
}

static hd_status run_wide(sliding *s)
{
    const size_t bytes = take_levels(s, 0);
    hd__gpu_address at;
    HD_TRY(hd__gpu_allocate(s->ctx, s->gpu, bytes, &at));
    take_levels(s, at);
    const hd_status status = run_levels(s);
    hd__gpu_release(s->gpu, at, bytes);
    return status;
}

// ---- All of it ----------------------------------------------------------------------------------

static void fill_config(sliding *s)
{
    hd__gpu_kernel_config *config = &s->config;
    memset(config, 0, sizeof *config);
    hd__gpu_config_inputs(config, &s->job.in, 0);
    hd__gpu_config_fold(config, &s->job.fold);
    config->k = config->rows = config->blocks = 1;
    config->out = hd__gpu_layout_of(&s->job.out);
}

static hd_status run(hd__gpu_stage *stage, sliding *s)
{
    hd__slide_job *job = &s->job;
    for (int k = 0; k < job->in.inputs; k++) {
        HD_TRY(hd__gpu_stage_in(stage, &job->in.view[k]));
        hd__gpu_move_axis_last(&job->in.view[k], job->axis);
    }
    HD_TRY(hd__gpu_stage_out(stage, &job->out));
    hd__gpu_move_axis_last(&job->out, job->axis);
    fill_config(s);
    s->how = (slide_how){.rows = job->rows,
                         .length = job->count + job->width - 1,
                         .width = job->width,
                         .count = job->count,
                         .top = 63 - __builtin_clzll((uint64_t)job->width)};
    s->node = job->fold.node_size;
    const int64_t tile = windows_of_tile(s);
    return tile > 0 ? run_tiles(s, tile) : run_wide(s);
}

hd_status hd__gpu_slide(hd_context *ctx, const void *any, const char **why)
{
    sliding s = {.ctx = ctx, .job = *(const hd__slide_job *)any};
    hd__gpu_stage stage = {.ctx = ctx};
    (void)why; // never declines
    HD_TRY(hd__gpu_of(ctx, &s.gpu));
    stage.gpu = s.gpu;
    return hd__gpu_stage_end(&stage, run(&stage, &s));
}
