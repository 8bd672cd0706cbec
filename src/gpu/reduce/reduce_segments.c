// SPDX-License-Identifier: Apache-2.0
// Reductions of rows and of segments: segment_tiles and reduce_segments, one launch each. Rows
// along an axis are segments of one length.
#include "reduce.h"
#include "patterns/scan/head_flags.h"
#include "gpu/codegen/emit_kernel.h"
#include "rows.h"

#include <string.h>

enum { THREADS = 256, SHARED_BYTES = 48 << 10, LEAST_ITEMS = 64, SHORT = 128, MANY_OFFSETS = 4 };

// hk_segments_how, hk_segments_state and hk_targets of kernels/segments.cu.
typedef struct segments_how {
    int64_t n, room, has_empty;
} segments_how;

typedef struct segments_state {
    hd__address part, word, clock, fault;
} segments_state;

// hk_parts_how of kernels/parts.cu, and the size of hk_part of segment_tile.cuh.
typedef struct parts_how {
    int64_t segments, n, tiles;
    hd__address given, clock;
} parts_how;

enum { PART_BYTES = 48 };

typedef struct targets {
    hd__kernel_view out, values;
} targets;

// ---- Shapes -------------------------------------------------------------------------------------

// Of hk_shared of kernels/segments.cu, at most.
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

static void fill_shape(const hd__gpu *gpu, hd__shape *s, const hd__reduce_job *job,
                       const hd__segments *segments)
{
    const hd__tuning *t = &gpu->tuning;
    memset(s, 0, sizeof *s);
    strcpy(s->kernel, "reduce_segments");
    hd__shape_inputs(s, &job->in, 0);
    while (s->k > 1 && job->fold.element_size * (size_t)s->k > 32) s->k /= 2;
    hd__shape_fold(s, &job->fold);
    s->rows = segments->count >= 0 ? 1 : 2; // tiles are of segments and elements; of elements alone
    // Where segments are long most chunks need no shared memory: fewer, larger blocks have them.
    const bool is_long = job->fold.node_size <= 8 && segments->count > 0 &&
                         job->in.n / segments->count >= t->segment_long;
    // Nodes of 8 bytes and short segments need more registers, and runs more shared memory: a block
    // fewer has them.
    const int32_t blocks = is_long ? t->segment_long_blocks : t->segment_blocks;
    const bool many = segments->count < 0 || job->in.n / SHORT < segments->count;
    const bool more = job->fold.node_size > 4 || segments->count < 0 || (!is_long && many);
    s->blocks = job->fold.node_size > 8 ? 1 : blocks - (more && blocks > 1);
    s->threads = is_long ? t->segment_long_threads : t->segment_threads;
    s->direct = is_long;
    s->key_rows = many ? MANY_OFFSETS : 1;
    s->hint = t->segment_hint;
    s->items = hd__gpu_segment_items(gpu, &job->fold);
    s->out = hd__layout_of(&job->out);
    s->values = hd__layout_of(&job->values);
    s->has_values = !hd__is_empty(&job->values);
    s->offsets = hd__layout_of(&segments->offsets);
}

// ---- Launches -----------------------------------------------------------------------------------

static hd_status segment_tiles(hd_context *ctx, hd__gpu *gpu, const hd__shape *of,
                               const hd__kernel_view *offsets, const parts_how *how,
                               hd__address part)
{
    const int64_t each = THREADS / 32 * 31; // tiles of a block
    hd__shape shape;
    hd__kernel *kernel;
    memset(&shape, 0, sizeof shape);
    strcpy(shape.kernel, "segment_tiles");
    shape.k = shape.rows = shape.blocks = 1;
    shape.threads = THREADS;
    shape.items = of->items;
    shape.op = -1;
    shape.says = HD__SAYS_BOUNDS;
    shape.offsets = of->offsets;
    HD_TRY(hd__kernel_for(ctx, gpu, &shape, NULL, NULL, &kernel));
    const void *arguments[] = {offsets, how, &part};
    return gpu->driver->launch(ctx, gpu->device, kernel,
                               &(hd__launch){.blocks = (how->tiles + each - 1) / each,
                                             .threads = THREADS,
                                             .argument_count = 3,
                                             .arguments = arguments});
}

// Nodes of chunks of long segments: one for every so many elements.
static hd_status state_for(hd_context *ctx, hd__gpu *gpu, int64_t n, int32_t items, size_t node,
                           segments_state *state)
{
    const size_t chunks = (size_t)(n / items) + 1, words = (node + 3) / 4;
    HD_TRY(hd__gpu_area(ctx, gpu, HD__WORDS, 8 * words * chunks, &state->word));
    HD_TRY(hd__gpu_area(ctx, gpu, HD__CLOCK, 64, &state->clock));
    HD_TRY(hd__gpu_area(ctx, gpu, HD__FAULT, 64, &state->fault));
    gpu->may_fault = true;
    return HD_OK;
}

hd_status hd__gpu_reduce_segments(hd_context *ctx, hd__gpu *gpu, const hd__reduce_job *job,
                                  const hd__segments *segments)
{
    static const unsigned char nothing[HD_MAX_ELEMENT];
    _Alignas(HD__ALIGNMENT) unsigned char empty[HD_MAX_ELEMENT + 16] = {0};
    hd__shape shape;
    hd__kernel *kernel;
    segments_state state;
    if (job->fold.form == HD__LIMBS) return hd__gpu_exact_slices(ctx, gpu, job, segments);
    fill_shape(gpu, &shape, job, segments);
    const bool known = segments->count >= 0;
    const int64_t items = shape.items, all = job->in.n + (known ? segments->count : 0);
    const int64_t tiles = (all + items - 1) / items;
    const hd__kernel_view offsets = hd__kernel_view_of(&segments->offsets);
    HD_TRY(hd__kernel_for(ctx, gpu, &shape, &job->fold, job->in.map, &kernel));
    HD_TRY(state_for(ctx, gpu, job->in.n, shape.items, job->fold.node_size, &state));
    const parts_how parts = {known ? segments->count : 0, job->in.n, tiles,
                             known ? 0 : segments->part, state.clock};
    HD_TRY(hd__gpu_area(ctx, gpu, HD__PARTS, PART_BYTES * (size_t)tiles, &state.part));
    HD_TRY(segment_tiles(ctx, gpu, &shape, &offsets, &parts, state.part));
    const segments_how how = {job->in.n, segments->room,
                              hd__finalize_empty(&job->fold, empty, empty + 8)};
    hd__kernel_inputs in;
    for (int k = 0; k < job->in.inputs; k++) in.view[k] = hd__kernel_view_of(&job->in.view[k]);
    const targets to = {hd__kernel_view_of(&job->out), hd__kernel_view_of(&job->values)};
    const void *init = job->fold.init != NULL ? job->fold.init : nothing;
    const void *arguments[] = {&in, &how, &offsets, &state, init, empty, &to};
    return gpu->driver->launch(ctx, gpu->device, kernel,
                               &(hd__launch){.blocks = tiles,
                                             .threads = shape.threads,
                                             .argument_count = 7,
                                             .arguments = arguments});
}

// ---- Rows and segments --------------------------------------------------------------------------

static hd_status reduce_rows(hd_context *ctx, hd__gpu *gpu, hd__reduce_job *job)
{
    const int64_t length = job->in.view[0].shape[job->axis], rows = hd_count(job->out);
    if (rows == 0) return HD_OK;
    for (int k = 0; k < job->in.inputs; k++) hd__turn_axis(&job->in.view[k], job->axis);
    hd_view offsets = hd_view_of(HD_I64, NULL, rows + 1); // 0, length, 2 length, ...
    offsets.space = HD_IMPLICIT;
    offsets.scalar.i.start = 0;
    offsets.scalar.i.step = length;
    return hd__gpu_reduce_segments(
        ctx, gpu, job, &(hd__segments){.offsets = offsets, .count = rows, .room = rows});
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
    const hd__segments all = {.offsets = job->segments, .count = count, .room = count};
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
