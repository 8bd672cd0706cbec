// SPDX-License-Identifier: Apache-2.0
//
// The pass of hd_sort: LSD radix sort by onesweep passes (Adinets and Merrill 2022), sort_histogram
// and then sort_pass for each digit of 8 bits. A value of a usual size goes with the keys; otherwise
// indices do, by which the values are gathered.
#include "patterns/sort/sort.h"
#include "gpu/codegen/emit_kernel.h"
#include "gpu/move/gather.h"
#include "patterns/move/map.h"

#include <string.h>

enum {
    RADIX = 256,
    SMALL_THREADS = 256, // of sort_block at least
    SMALL_THREADS_MAX = 1024,
    SMALL_ROWS = 4,
    PASSES_MAX = 8,
    COUNT_THREADS = 1024,
    COUNT_ROWS = 4,          // of 16 bytes that a thread asks for at once
    COUNT_BYTES = 128 << 10, // of counters of one block
    FEW_COPIES = 2,          // of counters of small inputs
    FEW_KEYS = 1 << 21,      // that are such
    MEMORY_MAX = 24,         // blocks of device memory that a call takes
    BESIDE_BYTES = 1 << 10,  // of shared memory that the device keeps
    VALUES_MAX = 4,          // arrays of values that are staged
    SPARE_BYTES = 32 << 20,  // that are kept
    FILL_THREADS = 256,
    FILL_ROWS = 4,
    FILL_COUNT_ROWS = 2, // 2^14 keys of 16 bits a block and round: sort_count.cu
    VALUES = 1 << 16,    // of keys of 16 bits
    CONTROL_BEGIN = 64 + 8 * PASSES_MAX * RADIX, // of hk_sort_control
    CONTROL_BYTES = 64 + 2 * 8 * PASSES_MAX * RADIX
};

// hk_sort_how of order.cuh.
typedef struct sort_how {
    int64_t n;
    hd__gpu_address key_in, key_out, key_spare, value_in, value_out, value_spare;
    hd__gpu_address control, word;
    int64_t words;
    int32_t pass, passes, in_place, keeps_keys;
} sort_how;

typedef struct pass {
    hd__gpu_stage *s;
    hd__sort_job *job;
    sort_how how;
    size_t key_bytes, value_bytes; // value_bytes: of what goes with the keys; 0: nothing does
    hd__gpu_block memory[MEMORY_MAX];
    int32_t count; // of these
} pass;

// ---- Memory and copies --------------------------------------------------------------------------

static hd_status take(pass *p, size_t bytes, hd__gpu_address *at)
{
    HD_TRY(hd__gpu_allocate(p->s->ctx, p->s->gpu, bytes, at));
    p->memory[p->count++] = (hd__gpu_block){*at, bytes};
    return HD_OK;
}

static void release_all(pass *p)
{
    for (int32_t k = 0; k < p->count; k++)
        hd__gpu_release(p->s->gpu, p->memory[k].at, p->memory[k].bytes);
}

// Elements of one view to another; a bool is moved as the byte that it is.
static hd_status copy_view(pass *p, hd_view from, hd_view to)
{
    const char *why;
    hd__map_job map = {.in = {.n = p->job->n, .inputs = 1}};
    if (to.type == HD_BOOL) from.type = to.type = HD_U8;
    hd__collapse(&from);
    hd__collapse(&to);
    map.in.view[0] = from;
    map.out = to;
    return hd__gpu_map(p->s->ctx, &map, &why);
}

static bool is_dense(hd_view v)
{
    hd__collapse(&v);
    return v.space == HD_DEVICE && hd__is_contiguous(&v) &&
           (uintptr_t)v.data % hd__size_of(v.type) == 0;
}

static hd_status take_like(pass *p, const hd_view *v, hd_view *dense)
{
    hd__gpu_address at;
    HD_TRY(take(p, (size_t)p->job->n * hd__size_of(v->type), &at));
    *dense = hd__gpu_array(v->type, at, p->job->n);
    return HD_OK;
}

// A view without gaps in the place of one that has some.
static hd_status make_dense(pass *p, hd_view *v)
{
    hd_view dense;
    if (is_dense(*v)) return HD_OK;
    HD_TRY(take_like(p, v, &dense));
    HD_TRY(copy_view(p, *v, dense));
    *v = dense;
    return HD_OK;
}

// ---- Launches -----------------------------------------------------------------------------------

static void fill_config(const pass *p, const char *kernel, int32_t threads,
                        hd__gpu_kernel_config *config)
{
    memset(config, 0, sizeof *config);
    strcpy(config->kernel, kernel);
    config->codegen_kind = HD__GPU_CODEGEN_SORT;
    config->op = -1;
    config->hint = 8;
    config->k = config->rows = config->blocks = config->items = 1;
    config->threads = threads;
    config->in[0].type = p->job->keys.type;
    config->invert = p->job->descending;
    config->stage_bytes = (int32_t)p->value_bytes;
    config->wide_keys = p->job->n >> 32 != 0;
}

// known: the passes are; otherwise it plans them.
static hd_status launch_histogram(pass *p, bool known)
{
    hd__gpu *gpu = p->s->gpu;
    hd__gpu_kernel_config config;
    hd__gpu_kernel *kernel;
    const int64_t counters = 4 * RADIX * (int64_t)p->key_bytes;
    const int64_t all = gpu->driver->properties(gpu->device)->shared_bytes - BESIDE_BYTES;
    const int64_t most = all < COUNT_BYTES ? all : COUNT_BYTES;
    fill_config(p, "sort_histogram", gpu->tuning.sort_count_threads, &config);
    config.stage_bytes = 0;
    config.wide_keys = 0;
    config.rows = COUNT_ROWS;
    config.known = known;
    config.items = p->how.n < FEW_KEYS ? FEW_COPIES : gpu->tuning.sort_copies;
    while (config.items > 1 && config.items * counters > most) config.items /= 2;
    HD_TRY(hd__gpu_kernel_for(p->s->ctx, gpu, &config, NULL, NULL, &kernel));
    const int64_t tile = config.threads * COUNT_ROWS * 16 / (int64_t)p->key_bytes;
    const int64_t tiles = (p->how.n + tile - 1) / tile;
    int64_t blocks = 2048 / config.threads;
    while (blocks > 1 && blocks * (config.items * counters + BESIDE_BYTES) > all) blocks--;
    blocks *= gpu->driver->properties(gpu->device)->multiprocessors;
    const void *arguments[] = {&p->how};
    return gpu->driver->launch(p->s->ctx, gpu->device, kernel,
                               &(hd__gpu_launch){.blocks = tiles < blocks ? tiles : blocks,
                                                 .threads = config.threads,
                                                 .shared_bytes = (int32_t)(config.items * counters),
                                                 .argument_count = 1,
                                                 .arguments = arguments});
}

// ---- Keys of 8 and 16 bits without values -------------------------------------------------------

// hk_count_how of sort_count.cu, hk_fill_how of sort_fill.cu.
typedef struct count_how {
    int64_t n;
    hd__gpu_address keys, count, begin, done;
} count_how;

typedef struct fill_how {
    int64_t n;
    hd__gpu_address out, begin;
} fill_how;

static hd_status launch_count(pass *p, hd__gpu_address *begin)
{
    hd__gpu *gpu = p->s->gpu;
    hd__gpu_kernel_config config;
    hd__gpu_kernel *kernel;
    count_how how = {.n = p->how.n, .keys = p->how.key_in};
    HD_TRY(hd__gpu_workspace(p->s->ctx, gpu, HD__GPU_SORT_COUNTS,
                             64 + 4 * VALUES + 8 * (VALUES + 1), &how.done));
    how.count = how.done + 64;
    *begin = how.begin = how.count + 4 * VALUES;
    fill_config(p, "sort_count", COUNT_THREADS, &config);
    config.rows = FILL_COUNT_ROWS;
    HD_TRY(hd__gpu_kernel_for(p->s->ctx, gpu, &config, NULL, NULL, &kernel));
    const int64_t tile = COUNT_THREADS * FILL_COUNT_ROWS * 16 / (int64_t)p->key_bytes;
    const int64_t mps = gpu->driver->properties(gpu->device)->multiprocessors;
    const int64_t tiles = (how.n + tile - 1) / tile;
    const void *arguments[] = {&how};
    return gpu->driver->launch(p->s->ctx, gpu->device, kernel,
                               &(hd__gpu_launch){.blocks = tiles < mps ? tiles : mps,
                                                 .threads = COUNT_THREADS,
                                                 .shared_bytes = 2 * VALUES,
                                                 .argument_count = 1,
                                                 .arguments = arguments});
}

static hd_status launch_fill(pass *p)
{
    hd__gpu *gpu = p->s->gpu;
    hd__gpu_kernel_config config;
    hd__gpu_kernel *kernel;
    fill_how how = {.n = p->how.n, .out = p->how.key_out};
    fill_config(p, "sort_fill", FILL_THREADS, &config);
    config.rows = FILL_ROWS;
    HD_TRY(hd__gpu_kernel_for(p->s->ctx, gpu, &config, NULL, NULL, &kernel));
    if (p->key_bytes == 1) {
        HD_TRY(hd__gpu_workspace(p->s->ctx, gpu, HD__GPU_SORT, CONTROL_BYTES, &p->how.control));
        how.begin = p->how.control + CONTROL_BEGIN;
        HD_TRY(launch_histogram(p, true));
    } else {
        HD_TRY(launch_count(p, &how.begin));
    }
    const int64_t tile = FILL_THREADS * FILL_ROWS * 16 / (int64_t)p->key_bytes;
    const void *arguments[] = {&how};
    return gpu->driver->launch(p->s->ctx, gpu->device, kernel,
                               &(hd__gpu_launch){.blocks = how.n / tile + 2,
                                                 .threads = FILL_THREADS,
                                                 .argument_count = 1,
                                                 .arguments = arguments});
}

// Integers that are equal where they have the same order. A block of counters of 16 bits takes
// 128 KiB of shared memory.
static bool is_filled(const pass *p)
{
    const hd__gpu *gpu = p->s->gpu;
    if (p->value_bytes > 0 || hd__is_float(p->job->keys.type)) return false;
    if (p->key_bytes == 1) return true;
    return p->key_bytes == 2 && p->job->n >= gpu->tuning.sort_fill && p->job->n >> 32 == 0 &&
           gpu->driver->properties(gpu->device)->shared_bytes >= 2 * VALUES + BESIDE_BYTES;
}

// ---- Passes -------------------------------------------------------------------------------------

// hk_sort_tile of sort_pass.cu, and the elements behind it.
static int64_t tile_bytes(const pass *p, const hd__gpu_kernel_config *config)
{
    const int64_t warps = config->threads / 32, tile = (int64_t)config->threads * config->rows;
    return 4 * RADIX * warps + 8 * RADIX + 64 +
           (tile * (int64_t)(p->key_bytes + p->value_bytes) + 63);
}

static void fill_tiles(const pass *p, hd__gpu_kernel_config *config)
{
    static const int32_t few[][2] = {{256, 4}, {512, 8}}; // threads, rows
    const hd__gpu *gpu = p->s->gpu;
    const hd__gpu_tuning *t = &gpu->tuning;
    const hd__gpu_properties *props = gpu->driver->properties(gpu->device);
    fill_config(p, "sort_pass", t->sort_threads, config);
    config->rows = t->sort_rows;
    config->items = t->sort_steps;
    config->blocks = t->sort_blocks > 0 ? t->sort_blocks : 1;
    for (size_t k = 0; k < sizeof few / sizeof *few; k++) {
        if (p->job->n > (int64_t)t->sort_few * few[k][0] * few[k][1]) continue;
        config->threads = few[k][0];
        config->rows = few[k][1];
        config->items = t->sort_few_steps;
        config->blocks = 1;
        break;
    }
    config->threads = config->threads < RADIX ? RADIX : config->threads / 32 * 32;
    if (config->rows < 1) config->rows = 1;
    while (config->rows > 1 &&
           config->blocks * tile_bytes(p, config) > props->shared_bytes - BESIDE_BYTES)
        config->rows--;
    if (config->blocks * config->threads > 2048) config->blocks = 2048 / config->threads;
}

// One launch of one block.
static hd_status launch_block(pass *p)
{
    hd__gpu *gpu = p->s->gpu;
    hd__gpu_kernel_config config;
    hd__gpu_kernel *kernel;
    fill_config(p, "sort_block", SMALL_THREADS, &config);
    config.rows = SMALL_ROWS;
    while (config.threads < SMALL_THREADS_MAX && config.threads * config.rows < p->how.n)
        config.threads *= 2;
    while (config.threads * config.rows < p->how.n) config.rows *= 2;
    HD_TRY(hd__gpu_kernel_for(p->s->ctx, gpu, &config, NULL, NULL, &kernel));
    const void *arguments[] = {&p->how};
    const int32_t tile = config.threads * config.rows;
    return gpu->driver->launch(p->s->ctx, gpu->device, kernel,
                               &(hd__gpu_launch){.blocks = 1,
                                                 .threads = config.threads,
                                                 .shared_bytes = config.threads / 32 * 4 * RADIX +
                                                                 64 +
                                                                 tile * (int32_t)(p->key_bytes + 2),
                                                 .argument_count = 1,
                                                 .arguments = arguments});
}

// Little memory is kept between calls: to allocate it takes as long as a launch.
static hd_status take_spare(pass *p)
{
    const size_t keys = hd__padded((size_t)p->job->n * p->key_bytes);
    const size_t bytes = keys + (size_t)p->job->n * p->value_bytes;
    if (bytes <= SPARE_BYTES)
        HD_TRY(
            hd__gpu_workspace(p->s->ctx, p->s->gpu, HD__GPU_SORT_SPARE, bytes, &p->how.key_spare));
    else
        HD_TRY(take(p, bytes, &p->how.key_spare));
    p->how.value_spare = p->how.key_spare + keys;
    return HD_OK;
}

static hd_status launch_passes(pass *p)
{
    hd__gpu *gpu = p->s->gpu;
    hd__gpu_kernel_config config;
    hd__gpu_kernel *kernel;
    fill_tiles(p, &config);
    const int64_t tile = (int64_t)config.threads * config.rows, n = p->job->n;
    const int64_t tiles = (n + tile - 1) / tile;
    p->how.words = tiles * RADIX;
    p->how.passes = (int32_t)p->key_bytes;
    if (p->how.in_place && p->how.passes % 2 != 0) p->how.passes++;
    HD_TRY(hd__gpu_workspace(p->s->ctx, gpu, HD__GPU_SORT, CONTROL_BYTES + 8 * (size_t)p->how.words,
                             &p->how.control));
    p->how.word = p->how.control + CONTROL_BYTES;
    p->how.words = (int64_t)(gpu->workspace[HD__GPU_SORT].bytes - CONTROL_BYTES) / 8;
    HD_TRY(hd__gpu_kernel_for(p->s->ctx, gpu, &config, NULL, NULL, &kernel));
    if (p->how.passes > 1) {
        HD_TRY(take_spare(p));
    }
    HD_TRY(launch_histogram(p, false));
    for (p->how.pass = 0; p->how.pass < p->how.passes; p->how.pass++) {
        const void *arguments[] = {&p->how};
        HD_TRY(
            gpu->driver->launch(p->s->ctx, gpu->device, kernel,
                                &(hd__gpu_launch){.blocks = tiles,
                                                  .threads = config.threads,
                                                  .shared_bytes = (int32_t)tile_bytes(p, &config),
                                                  .argument_count = 1,
                                                  .arguments = arguments}));
    }
    return HD_OK;
}

// ---- What goes with the keys --------------------------------------------------------------------

static bool is_usual_size(size_t size)
{
    return size == 1 || size == 2 || size == 4 || size == 8 || size == 16;
}

// Sorts keys, and `to` with them: what is at `from`, or indices (0).
static hd_status sort_with(pass *p, hd_view *from, hd_view *to)
{
    hd__sort_job *job = p->job;
    hd_view keys = job->keys, out = job->out;
    const bool keeps = !hd__is_empty(&out);
    HD_TRY(make_dense(p, &keys));
    if (!keeps || !is_dense(out)) HD_TRY(take_like(p, &keys, &out));
    p->how.n = job->n;
    p->how.key_in = (uintptr_t)keys.data;
    p->how.key_out = (uintptr_t)out.data;
    p->how.keeps_keys = keeps;
    p->how.in_place = keys.data == out.data;
    if (to != NULL) {
        p->value_bytes = hd__size_of(to->type);
        p->how.value_in = from != NULL ? (uintptr_t)from->data : 0;
        p->how.value_out = (uintptr_t)to->data;
        if (from != NULL && from->data == to->data) p->how.in_place = true;
    }
    HD_TRY(job->n <= p->s->gpu->tuning.sort_small ? launch_block(p)
           : is_filled(p)                         ? launch_fill(p)
                                                  : launch_passes(p));
    if (keeps && out.data != job->out.data) return copy_view(p, out, job->out);
    return HD_OK;
}

static hd_status sort_with_value(pass *p, hd_view in, hd_view out)
{
    hd_view to = out;
    HD_TRY(make_dense(p, &in));
    if (!is_dense(out)) HD_TRY(take_like(p, &in, &to));
    HD_TRY(sort_with(p, &in, &to));
    return to.data != out.data ? copy_view(p, to, out) : HD_OK;
}

static hd_status gather_value(pass *p, hd_view in, hd_view out, const hd_view *indices)
{
    hd_view to = out;
    const bool in_place = in.data == out.data;
    hd__collapse(&in);
    hd__collapse(&to);
    if (in_place) HD_TRY(take_like(p, &out, &to));
    const hd__gather_job gather = {
        .in = in, .index = *indices, .out = to, .axis = -1, .limit = p->job->n, .bad_to = HD_EMPTY};
    HD_TRY(hd__gpu_gather_launch(p->s->ctx, p->s->gpu, &gather, 0, 0));
    return in_place ? copy_view(p, to, out) : HD_OK;
}

static hd_status sort_indices(pass *p, hd_view (*values)[2])
{
    hd__sort_job *job = p->job;
    hd_view order = job->indices;
    if (hd__is_empty(&job->indices)) order = hd__gpu_array(job->n >> 32 ? HD_U64 : HD_U32, 0, 0);
    if (hd__is_empty(&job->indices) || !is_dense(order)) HD_TRY(take_like(p, &order, &order));
    hd__collapse(&order);
    HD_TRY(sort_with(p, NULL, &order));
    for (int64_t k = 0; k < job->value_count; k++)
        HD_TRY(gather_value(p, values[k][0], values[k][1], &order));
    if (hd__is_empty(&job->indices) || order.data == job->indices.data) return HD_OK;
    return copy_view(p, order, job->indices);
}

// ---- All of it ----------------------------------------------------------------------------------

static hd_status run(pass *p)
{
    hd__sort_job *job = p->job;
    hd_view values[VALUES_MAX][2];
    HD_TRY(hd__gpu_stage_in(p->s, &job->keys));
    HD_TRY(hd__gpu_stage_out(p->s, &job->out));
    HD_TRY(hd__gpu_stage_out(p->s, &job->indices));
    for (int64_t k = 0; k < job->value_count; k++) {
        hd__sort_value(job, k, &values[k][0], &values[k][1]);
        HD_TRY(hd__gpu_stage_in(p->s, &values[k][0]));
        HD_TRY(hd__gpu_stage_out(p->s, &values[k][1]));
    }
    p->key_bytes = hd__size_of(job->keys.type);
    const bool indices = !hd__is_empty(&job->indices);
    if (!indices && job->value_count == 0)
        return hd__is_empty(&job->out) ? HD_OK : sort_with(p, NULL, NULL);
    const hd_view *value = &values[0][0];
    if (!indices && job->value_count == 1 && is_usual_size(hd__size_of(value->type)))
        return sort_with_value(p, values[0][0], values[0][1]);
    return sort_indices(p, values);
}

hd_status hd__gpu_sort(hd_context *ctx, const void *any, const char **why)
{
    hd__sort_job job = *(const hd__sort_job *)any;
    hd__gpu_stage s = {.ctx = ctx};
    pass p = {.s = &s, .job = &job};
    *why = job.order != NULL              ? "it does not sort by a comparison"
           : !hd__is_empty(&job.segments) ? "it does not sort segments"
           : job.length != job.n          ? "it sorts all keys, not rows of them"
           : job.value_count > VALUES_MAX ? "it moves at most four arrays of values"
                                          : NULL;
    if (*why != NULL) return HD__DECLINED;
    if (job.n == 0) return HD_OK;
    HD_TRY(hd__gpu_of(ctx, &s.gpu));
    const hd_status status = run(&p);
    release_all(&p);
    return hd__gpu_stage_end(&s, status);
}
