// SPDX-License-Identifier: Apache-2.0
// Reductions of rows and of segments: segment_tiles and reduce_segments, one launch each. Rows
// along an axis are segments of one length.
#include "reduce.h"
#include "patterns/scan/head_flags.h"
#include "gpu/codegen/emit_kernel.h"
#include "rows.h"

#include <string.h>

enum { THREADS = 256, SHARED_BYTES = 48 << 10, LEAST_ITEMS = 64, SHORT = 128, MANY_OFFSETS = 4 };

// hk_segments_how, hk_segments_state and hk_targets of reduce_segments.cu.
typedef struct segments_how {
    int64_t n, room, has_empty;
} segments_how;

typedef struct segments_state {
    hd__gpu_address part, word, control, fault;
} segments_state;

// hk_segment_tiles_how of segment_tiles.cu, and the size of hk_segment_tile of segment_tile.cuh.
typedef struct parts_how {
    int64_t segments, n, tiles;
    hd__gpu_address given, control;
    int64_t by_warps; // few tiles: a warp for each, where otherwise a lane is
} parts_how;

enum { PART_BYTES = 48 };

typedef struct targets {
    hd__gpu_kernel_view out, values;
} targets;

// ---- Shapes -------------------------------------------------------------------------------------

// Of hk_shared of reduce_segments.cu, at most.
static size_t shared_bytes(const hd__fold *f, size_t items)
{
    const size_t fill = f->element_size < 4 ? 4 : f->element_size, span = items + items / 8 + 32;
    const size_t windows = (span / 16 + 31) / 32 * 32, blocks = span / 512 + 2;
    return span * f->element_size + span / 32 * fill + 2 * (items + 2) + f->element_size +
           (windows + blocks) * (f->node_size + 2) + 64;
}

int32_t hd__gpu_segment_items(const hd__gpu *gpu, const hd__fold *f)
{
    int32_t items = gpu->tuning.segment_items;
    while (items > LEAST_ITEMS && shared_bytes(f, (size_t)items) > SHARED_BYTES) items /= 2;
    return items;
}

static bool asks(const hd__gpu_kernel_config *config)
{
    bool any = false;
    for (int k = 0; k < config->inputs; k++) any = any || config->in[k].form == HD__GPU_INDEXED;
    return any;
}

static void fill_config(const hd__gpu *gpu, hd__gpu_kernel_config *config,
                        const hd__reduce_job *job, const hd__gpu_segments *segments)
{
    const hd__gpu_tuning *t = &gpu->tuning;
    memset(config, 0, sizeof *config);
    strcpy(config->kernel, "reduce_segments");
    hd__gpu_config_inputs(config, &job->in, 0);
    while (config->k > 1 && job->fold.element_size * (size_t)config->k > 32) config->k /= 2;
    hd__gpu_config_fold(config, &job->fold);
    config->rows =
        segments->count >= 0 ? 1 : 2; // tiles are of segments and elements; of elements alone
    // Where segments are long most chunks need no shared memory: fewer, larger blocks have them.
    const bool is_long = job->fold.node_size <= 8 && segments->count > 0 &&
                         job->in.n / segments->count >= t->segment_long;
    // Nodes of 8 bytes and short segments need more registers, and runs more shared memory: a block
    // fewer has them.
    const int32_t blocks = is_long ? t->segment_long_blocks : t->segment_blocks;
    const bool many = segments->count < 0 || job->in.n / SHORT < segments->count;
    const bool more = job->fold.node_size > 4 || segments->count < 0 || (!is_long && many);
    // Indices that are under way take registers, too: more of them where elements are small.
    const int32_t asked = job->fold.element_size > 4 ? 3 : 4;
    const int32_t fewer = more + (asks(config) ? asked : 0);
    config->blocks = job->fold.node_size > 8 ? 1 : blocks > fewer ? blocks - fewer : 1;
    config->threads = is_long ? t->segment_long_threads : t->segment_threads;
    config->direct = is_long;
    config->key_rows = many ? MANY_OFFSETS : 1;
    config->hint = t->segment_hint;
    config->items = hd__gpu_segment_items(gpu, &job->fold);
    config->out = hd__gpu_layout_of(&job->out);
    config->values = hd__gpu_layout_of(&job->values);
    config->has_values = !hd__is_empty(&job->values);
    config->offsets = hd__gpu_layout_of(&segments->offsets);
}

// ---- Launches -----------------------------------------------------------------------------------

static hd_status segment_tiles(hd_context *ctx, hd__gpu *gpu, const hd__gpu_kernel_config *of,
                               const hd__gpu_kernel_view *offsets, const parts_how *how,
                               hd__gpu_address part)
{
    const int64_t each = how->by_warps ? THREADS / 32 - 1 : THREADS / 32 * 31; // tiles of a block
    hd__gpu_kernel_config config;
    hd__gpu_kernel *kernel;
    memset(&config, 0, sizeof config);
    strcpy(config.kernel, "segment_tiles");
    config.k = config.rows = config.blocks = 1;
    config.threads = THREADS;
    config.items = of->items;
    config.op = -1;
    config.codegen_kind = HD__GPU_CODEGEN_OFFSETS;
    config.offsets = of->offsets;
    HD_TRY(hd__gpu_kernel_for(ctx, gpu, &config, NULL, NULL, &kernel));
    const void *arguments[] = {offsets, how, &part};
    return gpu->driver->launch(ctx, gpu->device, kernel,
                               &(hd__gpu_launch){.blocks = (how->tiles + each - 1) / each,
                                                 .threads = THREADS,
                                                 .argument_count = 3,
                                                 .arguments = arguments});
}

// Nodes of chunks of long segments: one for every so many elements.
static hd_status state_for(hd_context *ctx, hd__gpu *gpu, int64_t n, int32_t items, size_t node,
                           segments_state *state)
{
    const size_t chunks = (size_t)(n / items) + 1, words = (node + 3) / 4;
    HD_TRY(hd__gpu_workspace(ctx, gpu, HD__GPU_NODE_WORDS, 8 * words * chunks, &state->word));
    HD_TRY(hd__gpu_workspace(ctx, gpu, HD__GPU_EPOCH, 64, &state->control));
    HD_TRY(hd__gpu_workspace(ctx, gpu, HD__GPU_FAULT, 64, &state->fault));
    gpu->may_fault = true;
    return HD_OK;
}

hd_status hd__gpu_reduce_segments(hd_context *ctx, hd__gpu *gpu, const hd__reduce_job *job,
                                  const hd__gpu_segments *segments)
{
    static const unsigned char nothing[HD_MAX_ELEMENT];
    _Alignas(HD__ALIGNMENT) unsigned char empty[HD_MAX_ELEMENT + 16] = {0};
    hd__gpu_kernel_config config;
    hd__gpu_kernel *kernel;
    segments_state state;
    if (job->fold.form == HD__LIMBS) return hd__gpu_exact_slices(ctx, gpu, job, segments);
    fill_config(gpu, &config, job, segments);
    const bool known = segments->count >= 0;
    const int64_t items = config.items, all = job->in.n + (known ? segments->count : 0);
    const int64_t tiles = (all + items - 1) / items;
    const hd__gpu_kernel_view offsets = hd__gpu_kernel_view_of(&segments->offsets);
    HD_TRY(hd__gpu_kernel_for(ctx, gpu, &config, &job->fold, job->in.map, &kernel));
    HD_TRY(state_for(ctx, gpu, job->in.n, config.items, job->fold.node_size, &state));
    const parts_how parts = {.segments = known ? segments->count : 0,
                             .n = job->in.n,
                             .tiles = tiles,
                             .given = known ? 0 : segments->part,
                             .control = state.control,
                             .by_warps = known && tiles <= gpu->tuning.segment_warps};
    HD_TRY(hd__gpu_workspace(ctx, gpu, HD__GPU_SEGMENT_TILES, PART_BYTES * (size_t)tiles,
                             &state.part));
    HD_TRY(segment_tiles(ctx, gpu, &config, &offsets, &parts, state.part));
    const segments_how how = {job->in.n, segments->room,
                              hd__finalize_empty(&job->fold, empty, empty + 8)};
    hd__gpu_kernel_inputs in;
    for (int k = 0; k < job->in.inputs; k++) in.view[k] = hd__gpu_kernel_view_of(&job->in.view[k]);
    const targets to = {hd__gpu_kernel_view_of(&job->out), hd__gpu_kernel_view_of(&job->values)};
    const void *init = job->fold.init != NULL ? job->fold.init : nothing;
    const void *arguments[] = {&in, &how, &offsets, &state, init, empty, &to};
    return gpu->driver->launch(ctx, gpu->device, kernel,
                               &(hd__gpu_launch){.blocks = tiles,
                                                 .threads = config.threads,
                                                 .argument_count = 7,
                                                 .arguments = arguments});
}

// ---- Rows and segments --------------------------------------------------------------------------

static hd_status reduce_rows(hd_context *ctx, hd__gpu *gpu, hd__reduce_job *job)
{
    const int64_t length = job->in.view[0].shape[job->axis], rows = hd_count(job->out);
    if (rows == 0) return HD_OK;
    for (int k = 0; k < job->in.inputs; k++) hd__gpu_move_axis_last(&job->in.view[k], job->axis);
    hd_view offsets = hd_view_of(HD_I64, NULL, rows + 1); // 0, length, 2 length, ...
    offsets.space = HD_IMPLICIT;
    offsets.scalar.i.start = 0;
    offsets.scalar.i.step = length;
    return hd__gpu_reduce_segments(
        ctx, gpu, job, &(hd__gpu_segments){.offsets = offsets, .count = rows, .room = rows});
}

// What the host can see is checked here; offsets on the device are checked there.
static hd_status check_segments(hd_context *ctx, const hd__reduce_job *job)
{
    if (job->segments.space == HD_DEVICE) return HD_OK;
    HD_TRY(hd__check_all_offsets(ctx, "hd_reduce", &job->segments, job->in.n));
    return hd__check_empty_segments(ctx, job);
}

// A row without elements has the operator's empty value, if there is one.
static hd_status check_rows(hd_context *ctx, const hd__reduce_job *job)
{
    _Alignas(HD__ALIGNMENT) unsigned char out[HD_MAX_ELEMENT], value[HD_MAX_ELEMENT];
    if (job->in.view[0].shape[job->axis] > 0 || hd_count(job->out) == 0 ||
        hd__finalize_empty(&job->fold, out, value))
        return HD_OK;
    return hd__fail(ctx, HD_ERROR_VALUE,
                    "hd_reduce: result 0 has no elements and operator %s no identity",
                    job->fold.asked->name);
}

static hd_status run(hd__gpu_stage *s, hd__reduce_job *job)
{
    for (int k = 0; k < job->in.inputs; k++) HD_TRY(hd__gpu_stage_in(s, &job->in.view[k]));
    HD_TRY(hd__gpu_stage_out(s, &job->out));
    HD_TRY(hd__gpu_stage_out(s, &job->values));
    if (job->slices == HD__ROWS) return reduce_rows(s->ctx, s->gpu, job);
    HD_TRY(hd__gpu_stage_in(s, &job->segments));
    for (int k = 0; k < job->in.inputs; k++) hd__collapse(&job->in.view[k]);
    const int64_t count = job->segments.shape[0] - 1;
    if (count <= 0) return HD_OK;
    const hd__gpu_segments all = {.offsets = job->segments, .count = count, .room = count};
    return hd__gpu_reduce_segments(s->ctx, s->gpu, job, &all);
}

hd_status hd__gpu_reduce_slices(hd_context *ctx, const hd__reduce_job *given)
{
    hd__reduce_job job = *given;
    HD_TRY(job.slices == HD__SEGMENTS ? check_segments(ctx, &job) : check_rows(ctx, &job));
    hd__gpu_stage s = {.ctx = ctx};
    HD_TRY(hd__gpu_of(ctx, &s.gpu));
    return hd__gpu_stage_end(&s, run(&s, &job));
}
