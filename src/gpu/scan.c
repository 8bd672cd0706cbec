// SPDX-License-Identifier: Apache-2.0
// The pass of hd_scan: one launch of scan_tiles.
#include "gpu/preamble.h"

#include <string.h>

enum { LEVELS = 12 };

// hd_scan_state and hd_scan_how of kernels/scan.cu.
typedef struct scan_state {
    hd__address word, arrived, clock;
} scan_state;

typedef struct scan_how {
    int64_t n, tiles, index;
    int32_t top, unused;
    int64_t level[LEVELS], counter[LEVELS];
} scan_how;

typedef struct scan_out {
    hd__kernel_view out, values;
} scan_out;

// Elements stay in registers while the block looks back: 128 bytes a lane.
static int32_t rows_for(const hd__gpu *gpu, const hd__shape *s, const hd__fold *f)
{
    const size_t bytes = f->element_size * (size_t)s->k;
    int32_t rows = gpu->tuning.scan_rows;
    while (rows > 1 && ((size_t)rows * bytes > 128 || (size_t)rows * f->node_size > 64 ||
                        rows * s->k > 32)) // nodes of all elements, on the way down
        rows /= 2;
    return rows;
}

static void fill_shape(const hd__gpu *gpu, hd__shape *s, const hd__scan_job *job)
{
    memset(s, 0, sizeof *s);
    strcpy(s->kernel, "scan_tiles");
    hd__shape_inputs(s, &job->in, job->fold.out_size);
    hd__shape_fold(s, &job->fold);
    s->rows = rows_for(gpu, s, &job->fold);
    s->threads = gpu->tuning.scan_threads;
    s->blocks = job->fold.node_size <= 8 ? gpu->tuning.scan_blocks : 1;
    s->out = hd__layout_of(&job->out);
    s->values = hd__layout_of(&job->values);
    s->has_values = !hd__is_unset(&job->values);
    s->exclusive = job->exclusive;
    s->hint = gpu->tuning.scan_hint;
    s->ticket = gpu->tuning.scan_ticket;
    s->ask = gpu->tuning.scan_ask;
    s->hander = gpu->tuning.scan_hander;
}

static scan_how how_for(const hd__shape *s, const hd__scan_job *job)
{
    const int64_t tile = (int64_t)s->rows * s->threads * s->k;
    scan_how how = {.n = job->in.n, .tiles = job->in.n / tile, .index = job->in.first};
    while (how.tiles >> 5 * how.top >= 32) how.top++;
    for (int k = 1; k < LEVELS; k++) {
        how.level[k] = how.level[k - 1] + (how.tiles >> 5 * (k - 1));
        how.counter[k] = how.counter[k - 1] + (how.tiles >> 5 * k);
    }
    return how;
}

static hd_status state_for(hd_context *ctx, hd__gpu *gpu, const scan_how *how, size_t node,
                           scan_state *state)
{
    const size_t words = (node + 3) / 4;
    const int64_t nodes = how->level[how->top] + 32, counters = how->counter[how->top] + 32;
    HD_TRY(hd__gpu_area(ctx, gpu, HD__WORDS, 8 * words * (size_t)nodes, &state->word));
    HD_TRY(hd__gpu_area(ctx, gpu, HD__COUNTERS, 4 * (size_t)counters, &state->arrived));
    return hd__gpu_area(ctx, gpu, HD__CLOCK, 64, &state->clock);
}

static hd_status launch(hd_context *ctx, hd__gpu *gpu, const hd__scan_job *job)
{
    static const char *const files[] = {"warp.h", "chunk.h", "scan.cu", NULL};
    static const unsigned char nothing[HD_MAX_ELEMENT];
    _Alignas(HD__ALIGNMENT) unsigned char empty[HD_MAX_ELEMENT + 16] = {0};
    hd__shape shape;
    hd__kernel *kernel;
    scan_state state;
    fill_shape(gpu, &shape, job);
    const scan_how how = how_for(&shape, job);
    HD_TRY(hd__kernel_for(ctx, gpu, &shape, &job->fold, job->in.map, files, &kernel));
    HD_TRY(state_for(ctx, gpu, &how, job->fold.node_size, &state));
    // An arg operator's empty index is 8 bytes; its value, if there is one, lies behind it.
    if (job->exclusive) hd__lower_empty(&job->fold, empty, empty + 8);
    hd__kernel_inputs in;
    for (int k = 0; k < job->in.inputs; k++) in.view[k] = hd__kernel_view_of(&job->in.view[k]);
    const scan_out to = {hd__kernel_view_of(&job->out), hd__kernel_view_of(&job->values)};
    const void *init = job->fold.init != NULL ? job->fold.init : nothing;
    const void *arguments[] = {&in, &how, &state, init, empty, &to};
    const int64_t tile = (int64_t)shape.rows * shape.threads * shape.k;
    const int64_t blocks = how.tiles + (how.n % tile != 0);
    return gpu->maker->launch(ctx, gpu->device, kernel,
                              &(hd__launch){.blocks = blocks,
                                            .threads = shape.threads,
                                            .argument_count = 6,
                                            .arguments = arguments});
}

static hd_status run(hd__gpu_stage *s, hd__scan_job *job)
{
    for (int k = 0; k < job->in.inputs; k++) {
        HD_TRY(hd__gpu_stage_in(s, &job->in.view[k]));
        hd__collapse(&job->in.view[k]);
    }
    HD_TRY(hd__gpu_stage_out(s, &job->out));
    HD_TRY(hd__gpu_stage_out(s, &job->values));
    hd__collapse(&job->out);
    if (job->values.ndim > 0) hd__collapse(&job->values);
    return launch(s->ctx, s->gpu, job);
}

hd_status hd__gpu_scan(hd_context *ctx, const void *any, const char **why)
{
    hd__scan_job job = *(const hd__scan_job *)any;
    *why = job.tree != NULL               ? "a carry is not on the GPU yet"
           : job.slices != HD__EVERYTHING ? "scans by axis, segment or key are not on the GPU yet"
                                          : NULL;
    if (*why != NULL) return HD__DECLINED;
    if (job.in.n == 0) return HD_OK;
    hd__gpu_stage s = {.ctx = ctx};
    HD_TRY(hd__gpu_of(ctx, &s.gpu));
    return hd__gpu_stage_end(&s, run(&s, &job));
}
