// SPDX-License-Identifier: Apache-2.0
// The pass of hd_scan: one launch of scan_tiles, over nodes, or, for segments and runs of keys,
// over pairs of a head and a node.
#include "patterns/scan/head_flags.h"
#include "gpu/runtime/out_of_core.h"
#include "gpu/select/comparison_runs.h"
#include "scan.h"

#include <string.h>

// hk_heads_from of scan_heads.cuh; kernels of a scan of everything read nothing of it.
typedef struct heads_from {
    hd__gpu_kernel_view view;
    int64_t count;
    int32_t backward, check;
    hd__gpu_address fault;
} heads_from;

// hk_carried of scan_lookback.cuh: a node, and behind it whether there is one.
typedef struct carried_prefix {
    _Alignas(HD__ALIGNMENT) unsigned char bytes[HD_MAX_ELEMENT + 16];
} carried_prefix;

// Elements stay in registers: 128 bytes a lane.
int32_t hd__gpu_scan_depth(const hd__gpu *gpu, const hd__gpu_kernel_config *config,
                           const hd__fold *f)
{
    const size_t bytes = f->element_size * (size_t)config->k;
    int32_t rows = gpu->tuning.scan_rows;
    while (rows > 1 && ((size_t)rows * bytes > 128 || (size_t)rows * f->node_size > 64 ||
                        rows * config->k > 32)) // nodes of all elements, on the way down
        rows /= 2;
    return rows;
}

static size_t tile_bytes(const hd__gpu_kernel_config *config, const hd__fold *f)
{
    return (size_t)config->rows * (size_t)config->threads * (size_t)config->k * f->element_size;
}

// Of a tile, what lies in shared memory: register rows do not.
static size_t laid_bytes(const hd__gpu_kernel_config *config, const hd__fold *f)
{
    return tile_bytes(config, f) / (size_t)config->rows *
           (size_t)(config->rows - config->register_rows);
}

// Where tiles are many, more bytes are under way if a part of each stays in registers: see
// scan_register_rows of tuning.def.
static void hold_rows(const hd__gpu *gpu, hd__gpu_kernel_config *config, const hd__fold *f,
                      int64_t n)
{
    const char *why;
    const int64_t many =
        (int64_t)gpu->tuning.scan_many * gpu->driver->properties(gpu->device)->multiprocessors;
    const bool whole_words =
        config->contiguous && config->k <= 4 && (size_t)config->k * f->element_size == 16;
    if (gpu->tuning.scan_register_rows == 0 || !whole_words || config->pairs != HD__GPU_NO_PAIRS ||
        config->rows < gpu->tuning.scan_rows || config->rows < 2 || config->threads < 128 ||
        f->node_size > 8 || n * (int64_t)f->element_size / (int64_t)tile_bytes(config, f) < many ||
        !gpu->driver->compiles(gpu->device, &why))
        return;
    config->threads /= 2;
    config->rows *= 2;
    if (f->node_size <= f->element_size) config->blocks++; // see tuning.def
    config->register_rows =
        (uint8_t)(gpu->tuning.scan_register_rows < config->rows ? gpu->tuning.scan_register_rows
                                                                : config->rows / 2);
}

// Compensated sums in f64, nodes of 16 bytes: as many rows as others have, of half as many threads,
// so that several blocks share a multiprocessor. See scan_pair_blocks of tuning.def.
static bool has_wide_pairs(const hd__gpu_kernel_config *config, const hd__fold *f)
{
    return f->form == HD__SUM_PAIR && f->node_size == 16 && f->element_size >= 4 &&
           f->value == HD_NONE && config->pairs == HD__GPU_NO_PAIRS;
}

// Structures of the user's: combining them costs far more than reading them, so that lanes take
// several, which need two combinations each, and not a dozen. See scan_wide_items of tuning.def.
enum { WIDE_NODE = 32 };

static bool has_wide_nodes(const hd__gpu_kernel_config *config, const hd__fold *f)
{
    return f->op == HD__USER_OP && f->node_size > WIDE_NODE && config->pairs == HD__GPU_NO_PAIRS;
}

static void fill_wide_tile(const hd__gpu *gpu, hd__gpu_kernel_config *config, const hd__fold *f)
{
    const size_t most = (size_t)gpu->driver->properties(gpu->device)->tile_bytes;
    config->threads = gpu->tuning.scan_wide_threads;
    config->k = gpu->tuning.scan_wide_items;
    for (size_t size = f->node_size; size > 2 * WIDE_NODE && config->k > 1; size /= 2)
        config->k /= 2;
    config->rows = config->rows_unrolled = 1;
    while (config->k > 1 && tile_bytes(config, f) > most) config->k /= 2;
    while (config->threads > 64 && tile_bytes(config, f) > most) config->threads /= 2;
    config->blocks = config->threads <= 128 ? 2 : 1;
}

// Rows that go down together: no more than registers hold nodes of, and a part of those that are
// held. Where none are, only nodes of 8 bytes gain by it.
static uint8_t turned_rows(const hd__gpu *gpu, const hd__gpu_kernel_config *config,
                           const hd__fold *f)
{
    int turn = gpu->tuning.scan_rows_unrolled;
    if (config->register_rows == 0 && !has_wide_pairs(config, f))
        turn = f->node_size == 8 && config->pairs == HD__GPU_NO_PAIRS ? turn / 2 : 1;
    if (turn < 1) turn = 1;
    while (turn > 1 && (config->rows % turn != 0 || config->register_rows % turn != 0)) turn /= 2;
    return (uint8_t)turn;
}

// Elements lie in shared memory. Heads are the bits of a word.
static void fill_tile(const hd__gpu *gpu, hd__gpu_kernel_config *config, const hd__fold *f,
                      int64_t n)
{
    const size_t most = (size_t)gpu->driver->properties(gpu->device)->tile_bytes;
    const size_t most_nodes =
        has_wide_pairs(config, f) ? 128 : 64; // bytes of a lane, on the way up
    if (has_wide_nodes(config, f)) {
        fill_wide_tile(gpu, config, f);
        return;
    }
    config->threads = gpu->tuning.scan_threads;
    if (has_wide_pairs(config, f) && config->threads > 64) config->threads /= 2;
    if (has_wide_pairs(config, f) && config->k > 1 && config->k < gpu->tuning.scan_pair_items)
        config->k = gpu->tuning.scan_pair_items;
    config->rows = hd__gpu_rows_for(gpu, n * (int64_t)f->element_size,
                                    (size_t)config->threads * (size_t)config->k * f->element_size,
                                    gpu->tuning.scan_small_rows, gpu->tuning.scan_rows);
    while (config->rows > 1 &&
           ((size_t)config->rows * f->node_size > most_nodes || tile_bytes(config, f) > most ||
            (config->pairs != HD__GPU_NO_PAIRS && config->rows * config->k > 32)))
        config->rows /= 2;
    while (config->threads > 64 && tile_bytes(config, f) > most) config->threads /= 2;
    // Registers for so many blocks: pairs of a node and a head take some more.
    config->blocks = has_wide_pairs(config, f) ? gpu->tuning.scan_pair_blocks
                     : f->node_size > 8        ? 1
                     : config->pairs != HD__GPU_NO_PAIRS && f->node_size > 4
                         ? 2
                         : gpu->tuning.scan_blocks;
    hold_rows(gpu, config, f, n);
    config->rows_unrolled = turned_rows(gpu, config, f);
}

void hd__gpu_scan_outputs(hd__gpu_kernel_config *config, const hd__scan_job *job)
{
    config->out = hd__gpu_layout_of(&job->out);
    config->values = hd__gpu_layout_of(&job->values);
    config->has_values = !hd__is_empty(&job->values);
    config->exclusive = job->exclusive;
}

static void fill_config(const hd__gpu *gpu, hd__gpu_kernel_config *config, const hd__scan_job *job,
                        bool carries)
{
    const bool keys = job->slices == HD__RUNS, segments = job->slices == HD__SEGMENTS;
    memset(config, 0, sizeof *config);
    strcpy(config->kernel, "scan_tiles");
    hd__gpu_config_inputs(config, &job->in, job->fold.out_size);
    while (keys && config->k > 1 && hd__size_of(job->keys.type) * (size_t)config->k > 64)
        config->k /= 2;
    hd__gpu_config_fold(config, &job->fold);
    hd__gpu_scan_outputs(config, job);
    config->hint = gpu->tuning.scan_hint;
    config->carries = carries;
    config->contiguous = job->in.inputs == 1 && job->in.map == NULL &&
                         config->in[0].form == HD__GPU_CONTIGUOUS && config->in[0].aligned == 16;
    config->pairs = keys       ? HD__GPU_PAIRS_OF_KEYS
                    : segments ? HD__GPU_PAIRS_OF_OFFSETS
                               : HD__GPU_NO_PAIRS;
    if (keys) config->keys = hd__gpu_layout_of(&job->keys);
    if (keys) config->key_rows = gpu->tuning.key_rows;
    if (segments) config->offsets = hd__gpu_layout_of(&job->segments);
    fill_tile(gpu, config, &job->fold, job->in.n);
}

hd_status hd__gpu_scan_look_back(hd_context *ctx, hd__gpu *gpu, int64_t n, int64_t tile,
                                 size_t node, hd__gpu_scan_how *how, hd__gpu_scan_state *state)
{
    *how = (hd__gpu_scan_how){.n = n, .tiles = n / tile};
    while (how->tiles >> 5 * how->top >= 32) how->top++;
    for (int k = 1; k < HD__GPU_SCAN_LEVELS; k++)
        how->level[k] = how->level[k - 1] + (how->tiles >> 5 * (k - 1));
    const size_t words = (node + 3) / 4;
    const int64_t nodes = how->level[how->top] + 32;
    HD_TRY(
        hd__gpu_workspace(ctx, gpu, HD__GPU_NODE_WORDS, 8 * words * (size_t)nodes, &state->word));
    return hd__gpu_workspace(ctx, gpu, HD__GPU_EPOCH, 64, &state->control);
}

// A pair is a node, its head, and, where outputs depend on it, a count.
static size_t pair_size(const hd__fold *f)
{
    return (f->node_size + 3) / 4 * 4 + (f->counted ? 12 : 4);
}

hd_status hd__gpu_scan_tiles(hd_context *ctx, hd__gpu *gpu, const hd__scan_job *job,
                             const void *carried)
{
    static const unsigned char nothing[HD_MAX_ELEMENT];
    _Alignas(HD__ALIGNMENT) unsigned char empty[HD_MAX_ELEMENT + 16] = {0};
    const hd__fold *f = &job->fold;
    hd__gpu_kernel_config config;
    hd__gpu_kernel *kernel;
    hd__gpu_scan_state state;
    hd__gpu_scan_how how;
    hd__gpu_address fault;
    fill_config(gpu, &config, job, carried != NULL);
    const bool heads = config.pairs != HD__GPU_NO_PAIRS;
    const int64_t tile = (int64_t)config.rows * config.threads * config.k;
    HD_TRY(hd__gpu_kernel_for(ctx, gpu, &config, f, job->in.map, &kernel));
    HD_TRY(hd__gpu_scan_look_back(ctx, gpu, job->in.n, tile, heads ? pair_size(f) : f->node_size,
                                  &how, &state));
    how.index = job->in.first;
    for (int k = 0; k < job->in.inputs; k++)
        if (job->in.view[k].data == job->out.data || job->in.view[k].data == job->values.data)
            how.in_place = 1;
    HD_TRY(hd__gpu_workspace(ctx, gpu, HD__GPU_FAULT, 64, &fault));
    // An arg operator's empty index is 8 bytes; its value, if there is one, lies behind it.
    if (job->exclusive) hd__finalize_empty(f, empty, empty + 8);
    hd__gpu_kernel_inputs in;
    for (int k = 0; k < job->in.inputs; k++) in.view[k] = hd__gpu_kernel_view_of(&job->in.view[k]);
    const hd__gpu_scan_out to = {hd__gpu_kernel_view_of(&job->out),
                                 hd__gpu_kernel_view_of(&job->values)};
    const void *init = f->init != NULL ? f->init : nothing;
    carried_prefix before = {{0}};
    const uint32_t yes = 1;
    if (carried != NULL) {
        memcpy(before.bytes, carried, f->node_size);
        memcpy(before.bytes + (f->node_size + 3) / 4 * 4, &yes, sizeof yes);
    }
    heads_from from = {.backward = job->backward, .fault = fault};
    if (config.pairs == HD__GPU_PAIRS_OF_KEYS) from.view = hd__gpu_kernel_view_of(&job->keys);
    if (config.pairs == HD__GPU_PAIRS_OF_OFFSETS) {
        from.view = hd__gpu_kernel_view_of(&job->segments);
        from.count = job->segments.shape[0];
        from.check = gpu->may_fault = true;
    }
    const void *arguments[] = {&in, &how, &state, init, empty, &to, &before, &from};
    const int64_t blocks = how.tiles + (how.n % tile != 0);
    return gpu->driver->launch(ctx, gpu->device, kernel,
                               &(hd__gpu_launch){.blocks = blocks,
                                                 .threads = config.threads,
                                                 .shared_bytes = (int32_t)laid_bytes(&config, f),
                                                 .argument_count = 8,
                                                 .arguments = arguments});
}

static hd_status run(hd__gpu_stage *s, hd__scan_job *job)
{
    for (int k = 0; k < job->in.inputs; k++) HD_TRY(hd__gpu_stage_in(s, &job->in.view[k]));
    HD_TRY(hd__gpu_stage_out(s, &job->out));
    HD_TRY(hd__gpu_stage_out(s, &job->values));
    if (job->slices == HD__ROWS) return hd__gpu_scan_rows(s->ctx, s->gpu, job);
    if (job->slices == HD__RUNS) HD_TRY(hd__gpu_stage_in(s, &job->keys));
    if (job->slices == HD__SEGMENTS) HD_TRY(hd__gpu_stage_in(s, &job->segments));
    for (int k = 0; k < job->in.inputs; k++) hd__collapse(&job->in.view[k]);
    hd__collapse(&job->out);
    if (job->values.ndim > 0) hd__collapse(&job->values);
    return hd__gpu_scan_tiles(s->ctx, s->gpu, job, NULL);
}

// Of keys that are equal by a comparison: the numbers of runs take their place.
static hd_status scan_runs_by(hd_context *ctx, const hd__scan_job *given, const char **why)
{
    hd__gpu_runs runs;
    hd__scan_job job = *given;
    hd_status status = hd__gpu_find_runs(ctx, &given->keys, given->comparison, &runs, why);
    job.keys = runs.numbers;
    job.comparison = NULL;
    if (status == HD_OK) status = hd__gpu_scan(ctx, &job, why);
    hd__gpu_drop_runs(&runs);
    return status;
}

hd_status hd__gpu_scan(hd_context *ctx, const void *any, const char **why)
{
    hd__scan_job job = *(const hd__scan_job *)any;
    if (job.slices == HD__RUNS && job.comparison != NULL && job.in.n > 0)
        return scan_runs_by(ctx, &job, why);
    if (job.slices == HD__SEGMENTS && job.segments.space != HD_DEVICE)
        HD_TRY(hd__check_all_offsets(ctx, "hd_scan", &job.segments, job.in.n));
    if (job.in.n == 0) return HD_OK;
    hd__gpu_stage s = {.ctx = ctx};
    HD_TRY(hd__gpu_of(ctx, &s.gpu));
    hd__scan_job cut = job;
    const bool can =
        job.slices == HD__EVERYTHING && hd__gpu_can_chunk(&cut.in, &cut.out, &cut.values);
    if (job.tree != NULL || (can && hd__gpu_needs_out_of_core(s.gpu, &job.in, &job.out)))
        return hd__gpu_scan_chunks(ctx, &cut, why);
    const hd_status status = hd__gpu_stage_end(&s, run(&s, &job));
    return can && hd__gpu_too_large(&s, status) ? hd__gpu_scan_chunks(ctx, &cut, why) : status;
}
