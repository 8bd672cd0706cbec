// SPDX-License-Identifier: Apache-2.0
// One pass over tiles that selects elements: compact_tiles, partition_tiles or run_tiles. Before a
// partition, which must know where the others begin, what tiles choose is counted.
#include "select.h"

#include <string.h>

enum {
    LANE_BYTES = 128,   // what a lane has in registers at most
    TALLY_THREADS = 256 // of a block that counts
};

// hk_select_how and hk_select_out of kernels/select.cu.
typedef struct select_how {
    int64_t n, tiles, ahead, room, index_room, length_room;
} select_how;

typedef struct select_out {
    hd__kernel_view out, integer[HD__INTEGERS];
} select_out;

// ---- Views --------------------------------------------------------------------------------------

hd_status hd__select_in(hd__gpu_stage *s, hd__select *job)
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

hd_status hd__select_out(hd__gpu_stage *s, hd__select *job)
{
    HD_TRY(hd__gpu_stage_out(s, &job->out));
    if (job->out.ndim > 0) hd__collapse(&job->out);
    for (int k = 0; k < HD__INTEGERS; k++) {
        HD_TRY(hd__gpu_stage_out(s, &job->integer[k]));
        if (job->integer[k].ndim > 0) hd__collapse(&job->integer[k]);
    }
    return HD_OK;
}

hd__reader hd__select_reader(const hd__select *job, bool with_elements)
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

static void fill_shape(const hd__select *job, const hd__reader *r, hd__shape *s)
{
    memset(s, 0, sizeof *s);
    s->says = HD__SAYS_LABELS;
    s->op = -1;
    hd__shape_inputs(s, r, 0);
    s->blocks = 1;
    s->heads = job->flags.heads;
    s->invert = job->flags.invert;
}

// Rows of a kernel that has its elements in registers, where a small one takes a register too.
static void keep_in_registers(hd__shape *s, size_t size)
{
    while (s->rows > 1 && (size_t)(s->rows * s->k) * (size < 4 ? 4 : size) > LANE_BYTES)
        s->rows /= 2;
}

static int64_t tile_of(const hd__shape *s)
{
    return (int64_t)s->rows * s->threads * s->k;
}

// Of a tile: its elements, and places of those that have one byte.
static size_t tile_bytes(const hd__select *job, const hd__shape *s)
{
    const bool places =
        !hd__is_empty(&job->integer[HD__PUT_INDEX]) || !hd__is_empty(&job->integer[HD__PUT_LENGTH]);
    const size_t size = hd__size_of(s->in[0].type);
    return (size_t)tile_of(s) * (size + (places && size < 2 ? 2 : 0));
}

// Flags of elements that are large and many are counted first, so that no block waits for another:
// on an H200 530 us instead of 587 for 2^28 i32, half kept; but 49 instead of 46 for 2^24, and 253
// instead of 213 for 2^28 u8.
static bool counting_pays(const hd__gpu *gpu, const hd__select *job, const hd__shape *s,
                          size_t size)
{
    const bool early = !s->heads && job->flags.in.map == NULL && s->inputs > 1;
    return early && s->in_place == 0 && size >= 4 && job->n >= gpu->tuning.select_tally;
}

static void fill_outputs(const hd__gpu *gpu, const hd__select *job, const hd__reader *r,
                         hd__shape *s)
{
    const size_t size = hd__size_of(s->in[0].type),
                 most = (size_t)gpu->driver->properties(gpu->device)->tile_bytes;
    const bool runs = job->runs != NULL || !hd__is_empty(&job->integer[HD__PUT_LENGTH]);
    strcpy(s->kernel, job->both ? "partition_tiles" : runs ? "run_tiles" : "compact_tiles");
    s->out = hd__layout_of(&job->out);
    for (int k = 0; k < HD__INTEGERS; k++) s->integer[k] = hd__layout_of(&job->integer[k]);
    s->both = job->both;
    s->items = job->items;
    s->in_place = in_place(r, &job->out);
    s->dense = s->in[0].form == HD__DENSE && s->in[0].aligned == 16;
    s->threads = gpu->tuning.select_threads;
    s->rows = hd__rows_for(gpu, job->n * (int64_t)size, (size_t)(s->threads * s->k) * size,
                           gpu->tuning.select_small_rows, gpu->tuning.select_rows);
    if (job->both && size > 8) keep_in_registers(s, size);
    while (s->rows > 1 && tile_bytes(job, s) > most) s->rows /= 2;
    while (s->threads > 32 && tile_bytes(job, s) > most) s->threads /= 2;
    s->blocks = size > 8 ? 1 : gpu->tuning.select_blocks;
    while (s->blocks > 1 && s->blocks * s->threads > 2048) s->blocks--;
    s->known = job->both || counting_pays(gpu, job, s, size);
}

// ---- Launches -----------------------------------------------------------------------------------

static hd_status launch_tally(hd_context *ctx, hd__gpu *gpu, const hd__select *job, int64_t tile,
                              hd__address count)
{
    const hd__reader r = hd__select_reader(job, false);
    hd__shape s;
    hd__kernel *kernel;
    fill_shape(job, &r, &s);
    strcpy(s.kernel, "select_tally");
    s.threads = TALLY_THREADS;
    while (s.threads > 32 && s.threads * s.k > tile) s.threads /= 2;
    while (s.threads * s.k > tile) s.k /= 2;
    s.rows = (int32_t)(tile / (s.threads * s.k));
    HD_TRY(hd__kernel_for(ctx, gpu, &s, NULL, r.map, &kernel));
    const hd__kernel_inputs in = hd__kernel_inputs_of(&r);
    const void *arguments[] = {&in, &job->n, &count};
    return gpu->driver->launch(ctx, gpu->device, kernel,
                               &(hd__launch){.blocks = (job->n + tile - 1) / tile,
                                             .threads = s.threads,
                                             .argument_count = 3,
                                             .arguments = arguments});
}

static hd_status launch_begins(hd_context *ctx, hd__gpu *gpu, int64_t tiles, hd__address count,
                               hd__address total)
{
    hd__shape s;
    hd__kernel *kernel;
    memset(&s, 0, sizeof s);
    strcpy(s.kernel, "select_begins");
    s.says = HD__SAYS_BOUNDS;
    s.op = -1;
    s.k = s.blocks = 1;
    s.rows = gpu->tuning.select_rows;
    s.threads = gpu->tuning.begin_threads;
    HD_TRY(hd__kernel_for(ctx, gpu, &s, NULL, NULL, &kernel));
    const void *arguments[] = {&count, &tiles, &total};
    return gpu->driver->launch(
        ctx, gpu->device, kernel,
        &(hd__launch){
            .blocks = 1, .threads = s.threads, .argument_count = 3, .arguments = arguments});
}

static hd_status launch_tiles(hd_context *ctx, hd__gpu *gpu, const hd__select *job,
                              const hd__reader *r, const hd__shape *s, const hd__gpu_state *state)
{
    hd__kernel *kernel;
    HD_TRY(hd__kernel_for(ctx, gpu, s, NULL, r->map, &kernel));
    const int64_t multiprocessors = gpu->driver->properties(gpu->device)->multiprocessors;
    const select_how how = {.n = job->n,
                            .tiles = (job->n + tile_of(s) - 1) / tile_of(s),
                            .ahead = s->known ? 0 : multiprocessors * gpu->tuning.select_ahead,
                            .room = hd__room(&job->out),
                            .index_room = hd__room(&job->integer[HD__PUT_INDEX]),
                            .length_room = hd__room(&job->integer[HD__PUT_LENGTH])};
    select_out to = {.out = hd__kernel_view_of(&job->out)};
    for (int k = 0; k < HD__INTEGERS; k++) to.integer[k] = hd__kernel_view_of(&job->integer[k]);
    const hd__kernel_inputs in = hd__kernel_inputs_of(r);
    static const hd__select_runs no_runs = {0};
    const void *arguments[] = {&in, &how, state, &to, job->runs != NULL ? job->runs : &no_runs};
    return gpu->driver->launch(
        ctx, gpu->device, kernel,
        &(hd__launch){.blocks = how.tiles,
                      .threads = s->threads,
                      .shared_bytes = (int32_t)tile_bytes(job, s),
                      .argument_count = strcmp(s->kernel, "run_tiles") == 0 ? 5 : 4,
                      .arguments = arguments});
}

hd_status hd__select_launch(hd_context *ctx, hd__gpu *gpu, const hd__select *job,
                            hd__gpu_state *state)
{
    hd__shape s;
    // Where no element is wanted, flags alone tell.
    const hd__reader r = hd__select_reader(job, !hd__is_empty(&job->out));
    fill_shape(job, &r, &s);
    fill_outputs(gpu, job, &r, &s);
    const int64_t tiles = (job->n + tile_of(&s) - 1) / tile_of(&s);
    HD_TRY(hd__gpu_state_of(ctx, gpu, s.known ? 0 : 2 * tiles, state));
    if (!s.known) return launch_tiles(ctx, gpu, job, &r, &s, state);
    hd__gpu_state known = *state;
    HD_TRY(hd__gpu_area(ctx, gpu, HD__TALLIES, 8 * (size_t)(tiles + 1), &known.word));
    HD_TRY(launch_tally(ctx, gpu, job, tile_of(&s), known.word));
    HD_TRY(launch_begins(ctx, gpu, tiles, known.word, state->clock + HD__CLOCK_TOTAL));
    return launch_tiles(ctx, gpu, job, &r, &s, &known);
}
