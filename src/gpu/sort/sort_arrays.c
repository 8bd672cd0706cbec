// SPDX-License-Identifier: Apache-2.0
//
// LSD radix sort of arrays of the device by onesweep passes (Adinets and Merrill 2022):
// sort_histogram, then sort_pass for each digit of 8 bits. A few keys are sorted by one block; keys
// of 8 and 16 bits without values are counted and written from the counts.
#include "sort_arrays.h"

#include <string.h>

enum {
    RADIX = 256,
    SMALL_THREADS = 256, // of sort_block at least
    SMALL_THREADS_MAX = 1024,
    SMALL_ROWS = 4,
    PASSES_MAX = 8,
    COUNT_THREADS = 1024,
    KNOWN_ROWS = 2,          // where the passes are: more would take more registers
    COUNT_ROWS = 4,          // of 16 bytes that a thread asks for at once
    COUNT_BYTES = 128 << 10, // of counters of one block
    FEW_COPIES = 2,          // of counters of small inputs
    BESIDE_BYTES = 1 << 10,  // of shared memory that the device keeps
    SPARE_BYTES = 32 << 20,  // that are kept between calls
    FILL_THREADS = 256,
    FILL_ROWS_MIN = 2,
    FILL_COUNT_ROWS = 2,    // 2^14 keys of 16 bits a block and round: sort_count.cu
    VALUES = 1 << 16,       // of keys of 16 bits
    AGAIN = PASSES_MAX + 2, // the first pass of those that sort all digits
    TOP_PASSES = 5,         // where there may be a rest, that many are rarely exceeded
    REST_THREADS = 256,     // of sort_rest: a tile of REST_ROWS rows, runs of REST_MORE at most
    REST_ROWS = 8,
    REST_MORE = 2,
    REST_BLOCKS = 8, // on one multiprocessor
    CONTROL_HEAD = 256,
    CONTROL_BEGIN = CONTROL_HEAD + 8 * PASSES_MAX * RADIX, // of hk_sort_control
    CONTROL_BYTES = CONTROL_HEAD + 2 * 8 * PASSES_MAX * RADIX
};

// hk_sort_how of order.cuh.
typedef struct sort_how {
    int64_t n;
    hd__gpu_address key_in, key_out, key_spare, value_in, value_out, value_spare;
    hd__gpu_address control, word;
    int64_t words;
    int32_t pass, passes, in_place, keeps_keys;
    int64_t keep;
    float together;
} sort_how;

typedef struct pass {
    hd_context *ctx;
    hd__gpu *gpu;
    const hd__gpu_sort_arrays *a;
    sort_how how;
    size_t key_bytes;
    size_t spare_bytes; // 0: those are kept
} pass;

// ---- Counting -----------------------------------------------------------------------------------

void hd__gpu_sort_config(const hd__gpu_sort_arrays *a, const char *kernel, int32_t threads,
                         hd__gpu_kernel_config *config)
{
    memset(config, 0, sizeof *config);
    strcpy(config->kernel, kernel);
    config->codegen_kind = HD__GPU_CODEGEN_SORT;
    config->op = -1;
    config->hint = 8;
    config->k = config->rows = config->blocks = config->items = 1;
    config->threads = threads;
    config->in[0].type = a->type;
    config->invert = a->descending;
    config->stage_bytes = (int32_t)a->value_bytes;
    config->wide_keys = a->n >> 32 != 0;
}

// known: the passes are; otherwise it plans them.
static hd_status launch_histogram(pass *p, bool known)
{
    hd__gpu *gpu = p->gpu;
    hd__gpu_kernel_config config;
    hd__gpu_kernel *kernel;
    const int64_t counters = 4 * RADIX * (int64_t)p->key_bytes;
    const int64_t all = gpu->driver->properties(gpu->device)->shared_bytes - BESIDE_BYTES;
    const int64_t most = all < COUNT_BYTES ? all : COUNT_BYTES;
    hd__gpu_sort_config(p->a, "sort_histogram", gpu->tuning.sort_count_threads, &config);
    config.stage_bytes = 0;
    config.wide_keys = 0;
    config.rows = known ? KNOWN_ROWS : COUNT_ROWS;
    if (known) config.blocks = 2048 / config.threads;
    config.known = known;
    config.items = p->how.n < gpu->tuning.sort_count_few ? FEW_COPIES : gpu->tuning.sort_copies;
    while (config.items > 1 && config.items * counters > most) config.items /= 2;
    HD_TRY(hd__gpu_kernel_for(p->ctx, gpu, &config, NULL, NULL, &kernel));
    const int64_t tile = config.threads * config.rows * 16 / (int64_t)p->key_bytes;
    const int64_t tiles = (p->how.n + tile - 1) / tile;
    int64_t blocks = 2048 / config.threads;
    while (blocks > 1 && blocks * (config.items * counters + BESIDE_BYTES) > all) blocks--;
    blocks *= gpu->driver->properties(gpu->device)->multiprocessors;
    const void *arguments[] = {&p->how};
    return gpu->driver->launch(p->ctx, gpu->device, kernel,
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
    hd__gpu *gpu = p->gpu;
    hd__gpu_kernel_config config;
    hd__gpu_kernel *kernel;
    count_how how = {.n = p->how.n, .keys = p->how.key_in};
    HD_TRY(hd__gpu_workspace(p->ctx, gpu, HD__GPU_SORT_COUNTS, 64 + 4 * VALUES + 8 * (VALUES + 1),
                             &how.done));
    how.count = how.done + 64;
    *begin = how.begin = how.count + 4 * VALUES;
    hd__gpu_sort_config(p->a, "sort_count", COUNT_THREADS, &config);
    config.rows = FILL_COUNT_ROWS;
    HD_TRY(hd__gpu_kernel_for(p->ctx, gpu, &config, NULL, NULL, &kernel));
    const int64_t tile = COUNT_THREADS * FILL_COUNT_ROWS * 16 / (int64_t)p->key_bytes;
    const int64_t mps = gpu->driver->properties(gpu->device)->multiprocessors;
    const int64_t tiles = (how.n + tile - 1) / tile;
    const void *arguments[] = {&how};
    return gpu->driver->launch(p->ctx, gpu->device, kernel,
                               &(hd__gpu_launch){.blocks = tiles < mps ? tiles : mps,
                                                 .threads = COUNT_THREADS,
                                                 .shared_bytes = 2 * VALUES,
                                                 .argument_count = 1,
                                                 .arguments = arguments});
}

static hd_status launch_fill(pass *p)
{
    hd__gpu *gpu = p->gpu;
    hd__gpu_kernel_config config;
    hd__gpu_kernel *kernel;
    fill_how how = {.n = p->how.n, .out = p->how.key_out};
    hd__gpu_sort_config(p->a, "sort_fill", FILL_THREADS, &config);
    config.rows = hd__gpu_rows_for(gpu, how.n * (int64_t)p->key_bytes, FILL_THREADS * 16,
                                   FILL_ROWS_MIN, gpu->tuning.sort_fill_rows);
    const int64_t fill_rows = config.rows;
    HD_TRY(hd__gpu_kernel_for(p->ctx, gpu, &config, NULL, NULL, &kernel));
    if (p->key_bytes == 1) {
        HD_TRY(hd__gpu_workspace(p->ctx, gpu, HD__GPU_SORT, CONTROL_BYTES, &p->how.control));
        how.begin = p->how.control + CONTROL_BEGIN;
        HD_TRY(launch_histogram(p, true));
    } else {
        HD_TRY(launch_count(p, &how.begin));
    }
    const int64_t tile = FILL_THREADS * fill_rows * 16 / (int64_t)p->key_bytes;
    const void *arguments[] = {&how};
    return gpu->driver->launch(p->ctx, gpu->device, kernel,
                               &(hd__gpu_launch){.blocks = how.n / tile + 2,
                                                 .threads = FILL_THREADS,
                                                 .argument_count = 1,
                                                 .arguments = arguments});
}

// Integers that are equal where they have the same order. A block of counters of 16 bits takes
// 128 KiB of shared memory.
static bool is_filled(const pass *p)
{
    const hd__gpu *gpu = p->gpu;
    if (p->a->value_bytes > 0 || hd__is_float(p->a->type)) return false;
    if (p->key_bytes == 1) return true;
    return p->key_bytes == 2 && p->a->n >= gpu->tuning.sort_fill && p->a->n >> 32 == 0 &&
           gpu->driver->properties(gpu->device)->shared_bytes >= 2 * VALUES + BESIDE_BYTES;
}

// ---- Passes -------------------------------------------------------------------------------------

// hk_sort_tile of sort_tile.cuh, and the elements behind it.
int64_t hd__gpu_sort_tile_bytes(const hd__gpu_sort_arrays *a, const hd__gpu_kernel_config *config)
{
    const int64_t warps = config->threads / 32, tile = (int64_t)config->threads * config->rows;
    return 4 * RADIX * warps + 8 * RADIX + 64 +
           (tile * (int64_t)(hd__size_of(a->type) + a->value_bytes) + 63);
}

void hd__gpu_sort_tiles(const hd__gpu *gpu, const hd__gpu_sort_arrays *a,
                        hd__gpu_kernel_config *config)
{
    static const int32_t few[][2] = {{256, 4}, {512, 8}}; // threads, rows
    const hd__gpu_tuning *t = &gpu->tuning;
    const hd__gpu_properties *props = gpu->driver->properties(gpu->device);
    const bool wide = hd__size_of(a->type) == 8, alone = a->value_bytes == 0;
    hd__gpu_sort_config(a, "sort_pass", wide ? t->sort_wide_threads : t->sort_threads, config);
    config->rows = wide ? t->sort_wide_rows : t->sort_rows;
    config->items = t->sort_steps;
    config->blocks = alone && !wide ? t->sort_blocks : t->sort_wide_blocks;
    config->direct = alone && t->sort_early != 0; // HK_EARLY_COUNTS
    for (size_t k = 0; k < sizeof few / sizeof *few; k++) {
        if (a->n > (int64_t)t->sort_few * few[k][0] * few[k][1]) continue;
        config->threads = few[k][0];
        config->rows = few[k][1];
        config->items = t->sort_few_steps;
        config->blocks = 1;
        break;
    }
    config->threads = config->threads < RADIX ? RADIX : config->threads / 32 * 32;
    if (config->rows < 1) config->rows = 1;
    if (config->blocks < 1) config->blocks = 1;
    while (config->rows > 1 &&
           config->blocks * hd__gpu_sort_tile_bytes(a, config) > props->shared_bytes - BESIDE_BYTES)
        config->rows--;
    if (config->blocks * config->threads > 2048) config->blocks = 2048 / config->threads;
}

// One launch of a block for each row.
static hd_status launch_block(pass *p, int64_t rows)
{
    hd__gpu *gpu = p->gpu;
    hd__gpu_kernel_config config;
    hd__gpu_kernel *kernel;
    hd__gpu_sort_config(p->a, "sort_block", SMALL_THREADS, &config);
    config.rows = SMALL_ROWS;
    while (config.threads < SMALL_THREADS_MAX && config.threads * config.rows < p->how.n)
        config.threads *= 2;
    while (config.threads * config.rows < p->how.n) config.rows *= 2;
    HD_TRY(hd__gpu_kernel_for(p->ctx, gpu, &config, NULL, NULL, &kernel));
    const void *arguments[] = {&p->how};
    const int32_t tile = config.threads * config.rows;
    return gpu->driver->launch(p->ctx, gpu->device, kernel,
                               &(hd__gpu_launch){.blocks = rows,
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
    const size_t keys = hd__padded((size_t)p->a->n * p->key_bytes);
    const size_t bytes = keys + (size_t)p->a->n * p->a->value_bytes;
    if (bytes <= SPARE_BYTES)
        HD_TRY(hd__gpu_workspace(p->ctx, p->gpu, HD__GPU_SORT_SPARE, bytes, &p->how.key_spare));
    else
        HD_TRY(hd__gpu_allocate(p->ctx, p->gpu, p->spare_bytes = bytes, &p->how.key_spare));
    p->how.value_spare = p->how.key_spare + keys;
    return HD_OK;
}

// Passes `from` to `to` - 1. tickets: by as many blocks as are at work at once, not one a tile.
static hd_status launch_range(pass *p, hd__gpu_kernel_config *config, int32_t from, int32_t to,
                              bool tickets)
{
    hd__gpu *gpu = p->gpu;
    hd__gpu_kernel *kernel;
    config->known = tickets; // HK_TICKETS
    HD_TRY(hd__gpu_kernel_for(p->ctx, gpu, config, NULL, NULL, &kernel));
    const int64_t tile = (int64_t)config->threads * config->rows;
    const int64_t tiles = (p->a->n + tile - 1) / tile;
    const int64_t fit = config->blocks * gpu->driver->properties(gpu->device)->multiprocessors;
    for (p->how.pass = from; p->how.pass < to; p->how.pass++) {
        const void *arguments[] = {&p->how};
        HD_TRY(gpu->driver->launch(
            p->ctx, gpu->device, kernel,
            &(hd__gpu_launch){.blocks = tickets && fit < tiles ? fit : tiles,
                              .threads = config->threads,
                              .shared_bytes = (int32_t)hd__gpu_sort_tile_bytes(p->a, config),
                              .argument_count = 1,
                              .arguments = arguments}));
    }
    return HD_OK;
}

static hd_status launch_rest(pass *p)
{
    hd__gpu *gpu = p->gpu;
    hd__gpu_kernel_config config;
    hd__gpu_kernel *kernel;
    hd__gpu_sort_config(p->a, "sort_rest", REST_THREADS, &config);
    config.rows = REST_ROWS;
    config.items = REST_MORE;
    HD_TRY(hd__gpu_kernel_for(p->ctx, gpu, &config, NULL, NULL, &kernel));
    const int64_t tile = REST_THREADS * REST_ROWS, tiles = (p->a->n + tile - 1) / tile;
    const int64_t fit =
        (int64_t)REST_BLOCKS * gpu->driver->properties(gpu->device)->multiprocessors;
    const void *arguments[] = {&p->how};
    return gpu->driver->launch(p->ctx, gpu->device, kernel,
                               &(hd__gpu_launch){.blocks = tiles < fit ? tiles : fit,
                                                 .threads = REST_THREADS,
                                                 .argument_count = 1,
                                                 .arguments = arguments});
}

static hd_status launch_passes(pass *p)
{
    hd__gpu *gpu = p->gpu;
    hd__gpu_kernel_config config;
    hd__gpu_sort_tiles(gpu, p->a, &config);
    const int64_t tile = (int64_t)config.threads * config.rows, n = p->a->n;
    const bool rest = p->key_bytes == 8 && n >= gpu->tuning.sort_rest;
    p->how.words = (n + tile - 1) / tile * RADIX;
    p->how.passes = (int32_t)p->key_bytes;
    p->how.together = rest ? (float)gpu->tuning.sort_together : 0;
    if (p->how.in_place && p->how.passes % 2 != 0) p->how.passes++;
    HD_TRY(hd__gpu_workspace(p->ctx, gpu, HD__GPU_SORT, CONTROL_BYTES + 8 * (size_t)p->how.words,
                             &p->how.control));
    p->how.word = p->how.control + CONTROL_BYTES;
    p->how.words = (int64_t)(gpu->workspace[HD__GPU_SORT].bytes - CONTROL_BYTES) / 8;
    if (p->how.passes > 1) {
        HD_TRY(take_spare(p));
    }
    HD_TRY(launch_histogram(p, false));
    const int32_t top = rest ? TOP_PASSES : p->how.passes;
    HD_TRY(launch_range(p, &config, 0, top, false));
    if (!rest) return HD_OK;
    HD_TRY(launch_range(p, &config, top, p->how.passes, true));
    HD_TRY(launch_rest(p));
    return launch_range(p, &config, AGAIN, AGAIN + (int32_t)p->key_bytes, true);
}

static pass pass_of(hd_context *ctx, hd__gpu *gpu, const hd__gpu_sort_arrays *a)
{
    pass p = {.ctx = ctx, .gpu = gpu, .a = a, .key_bytes = hd__size_of(a->type)};
    p.how = (sort_how){.n = a->n,
                       .key_in = a->keys,
                       .key_out = a->keys_out,
                       .value_in = a->values,
                       .value_out = a->values_out,
                       .in_place =
                           a->keys == a->keys_out || (a->values != 0 && a->values == a->values_out),
                       .keeps_keys = a->keeps_keys,
                       .keep = a->n};
    return p;
}

hd_status hd__gpu_sort_arrays_run(hd_context *ctx, hd__gpu *gpu, const hd__gpu_sort_arrays *a)
{
    pass p = pass_of(ctx, gpu, a);
    const hd_status status = a->n <= gpu->tuning.sort_small ? launch_block(&p, 1)
                             : is_filled(&p)                ? launch_fill(&p)
                                                            : launch_passes(&p);
    if (p.spare_bytes > 0 && p.how.key_spare != 0)
        hd__gpu_release(gpu, p.how.key_spare, p.spare_bytes);
    return status;
}

hd_status hd__gpu_sort_rows_run(hd_context *ctx, hd__gpu *gpu, const hd__gpu_sort_arrays *a,
                                int64_t rows, int64_t keep)
{
    pass p = pass_of(ctx, gpu, a);
    p.how.keep = keep;
    return launch_block(&p, rows);
}
