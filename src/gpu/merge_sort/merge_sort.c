// SPDX-License-Identifier: Apache-2.0
//
// Merge sort by a comparison: tiles are sorted in shared memory (merge_sort_block), then each pass
// merges pairs of runs along the merge path (Odeh and others 2012, Green and others 2012), from the
// output to spare memory and back, such that the last one writes the output. Where tiles are few,
// each searches its splits itself; else a launch before them does (merge_sort_splits).
#include "merge_sort.h"
#include "gpu/codegen/emit_kernel.h"
#include "gpu/codegen/order_function.h"
#include "gpu/merge/merge_probes.h"

#include <string.h>

enum {
    TILE_BYTES = 36 << 10, // of elements, and which they are
    PLACE_BYTES = 2,
    STATE_BYTES = 64,
    BULK_BYTES = 64, // what bulk copies need beside elements
    WIDE_BYTES = 8,  // of elements of which a thread has two runs
    THREADS = 256
};

// hk_runs_how of runs.cuh.
typedef struct runs_how {
    int64_t n, tiles;
    int32_t pass, items;
    hd__gpu_address from, to, index_from, index_to, split, state;
} runs_how;

typedef struct sorting {
    hd_context *ctx;
    hd__gpu *gpu;
    const hd__gpu_merge_sort *a;
    hd__gpu_order order;
    hd__gpu_kernel_config config;
    runs_how how;
    hd__gpu_address spare, spare_index;
    hd__gpu_block memory;
} sorting;

static int64_t items_of(const hd__gpu_kernel_config *config)
{
    return (int64_t)config->rows * config->threads;
}

// HK_STAGED of merge_tile.cuh.
static size_t staged_bytes(const hd__gpu_kernel_config *config, size_t size)
{
    return (size_t)(items_of(config) + config->rows + 1) * size + BULK_BYTES;
}

static void fill_config(sorting *s)
{
    const size_t size = hd__size_of(s->order.type);
    const size_t each = size + (s->a->index_bytes > 0 ? PLACE_BYTES : 0);
    const hd_view keys = hd__gpu_array(s->order.type, s->a->keys, s->a->n);
    const hd__reader in = {.inputs = 1, .view = {keys}};
    hd__gpu_kernel_config *config = &s->config;
    memset(config, 0, sizeof *config);
    config->codegen_kind = HD__GPU_CODEGEN_ORDER;
    config->op = -1;
    hd__gpu_config_inputs(config, &in, 0);
    config->k = config->blocks = 1;
    config->rows = s->gpu->tuning.merge_sort_items;
    config->threads = s->gpu->tuning.merge_sort_threads;
    while (config->rows > 1 && (size_t)items_of(config) * each > TILE_BYTES)
        config->rows = config->rows > 2 ? config->rows - 2 : 1;
    while (config->threads > 32 && (size_t)items_of(config) * each > TILE_BYTES)
        config->threads /= 2;
    config->items = config->rows;
    config->both = s->a->backwards;
    config->wide_keys = s->a->index_bytes == 8;
    if (s->a->index_bytes == 0) return;
    const hd_view indices =
        hd__gpu_array(config->wide_keys ? HD_U64 : HD_U32, s->a->indices, s->a->n);
    config->integer[HD__GPU_PUT_INDEX] = hd__gpu_layout_of(&indices);
}

static hd_status launch(const sorting *s, const char *name, int64_t blocks, int32_t threads,
                        const void *more)
{
    hd__gpu_kernel *kernel;
    hd__gpu_kernel_config config = s->config;
    strcpy(config.kernel, name);
    if (threads < config.threads) config.rows *= config.threads / threads;
    config.threads = threads;
    config.stage_bytes = (int32_t)staged_bytes(&config, hd__size_of(s->order.type));
    config.direct = s->gpu->tuning.merge_bulk == 0;
    HD_TRY(hd__gpu_kernel_for(s->ctx, s->gpu, &config, NULL, &s->order.precedes, &kernel));
    const void *arguments[] = {&s->how, more};
    return s->gpu->driver->launch(s->ctx, s->gpu->device, kernel,
                                  &(hd__gpu_launch){.blocks = blocks,
                                                    .threads = threads,
                                                    .argument_count = more != NULL ? 2 : 1,
                                                    .arguments = arguments});
}

// Where the elements are after a pass: `left` passes are to come.
static void put_side(sorting *s, int left)
{
    const bool out = left % 2 == 0;
    s->how.to = out ? s->a->keys_out : s->spare;
    if (s->a->index_bytes > 0) s->how.index_to = out ? s->a->indices : s->spare_index;
}

// Of a tile: half as many, of which each has twice as many elements, if these are small.
static int32_t threads_of(const sorting *s, int32_t times)
{
    const int32_t threads = s->config.threads;
    const bool small = hd__size_of(s->order.type) <= WIDE_BYTES && threads > 32;
    return times == 2 && small ? threads / 2 : threads;
}

static int32_t multiprocessors(const sorting *s)
{
    return s->gpu->driver->properties(s->gpu->device)->multiprocessors;
}

// Few tiles leave room for all threads.
static int32_t widen_of(const sorting *s)
{
    const bool few = s->how.tiles <= (int64_t)s->gpu->tuning.merge_sort_few * multiprocessors(s);
    return few ? 1 : s->gpu->tuning.merge_sort_widen;
}

static hd_status merge_runs(sorting *s, int left)
{
    const int32_t bits = hd__gpu_probe_bits(s->gpu, s->how.tiles);
    s->how.pass++;
    s->how.from = s->how.to;
    s->how.index_from = s->how.index_to;
    put_side(s, left);
    if (s->how.split != 0)
        HD_TRY(launch(s, "merge_sort_splits", ((s->how.tiles << bits) + THREADS - 1) / THREADS,
                      THREADS, &bits));
    return launch(s, "merge_sort_tiles", s->how.tiles, threads_of(s, widen_of(s)), NULL);
}

static hd_status mend(sorting *s)
{
    const int64_t most = multiprocessors(s);
    return launch(s, "merge_sort_mend", s->how.tiles < most ? s->how.tiles : most, THREADS, NULL);
}

static hd_status take_memory(sorting *s)
{
    const size_t n = (size_t)s->a->n, keys = hd__padded(n * hd__size_of(s->a->type));
    const bool search =
        s->how.tiles <= (int64_t)s->gpu->tuning.merge_sort_search * multiprocessors(s);
    const size_t splits = search ? 0 : hd__padded((size_t)s->how.tiles * 8);
    s->memory.bytes = keys + splits + STATE_BYTES + n * s->a->index_bytes;
    HD_TRY(hd__gpu_allocate(s->ctx, s->gpu, s->memory.bytes, &s->memory.at));
    s->spare = s->memory.at;
    s->how.split = search ? 0 : s->spare + keys;
    s->how.state = s->spare + keys + splits;
    s->spare_index = s->how.state + STATE_BYTES;
    return HD_OK;
}

static hd_status run(sorting *s)
{
    int passes = 0;
    while ((int64_t)s->how.items << passes < s->a->n) passes++;
    if (passes > 0) HD_TRY(take_memory(s));
    s->how.from = s->a->keys;
    put_side(s, passes);
    HD_TRY(launch(s, "merge_sort_block", s->how.tiles,
                  threads_of(s, s->gpu->tuning.merge_sort_pairs), NULL));
    if (passes == 0) return HD_OK;
    while (passes > 0) HD_TRY(merge_runs(s, --passes));
    return mend(s);
}

hd_status hd__gpu_merge_sort_run(hd_context *ctx, hd__gpu *gpu, const hd__gpu_merge_sort *a,
                                 const char **why)
{
    sorting s = {.ctx = ctx, .gpu = gpu, .a = a};
    HD_TRY(hd__gpu_order_of(&s.order, a->order, a->type, why));
    fill_config(&s);
    const int64_t items = items_of(&s.config);
    s.how = (runs_how){.n = a->n, .tiles = (a->n + items - 1) / items, .items = (int32_t)items};
    const hd_status status = run(&s);
    if (s.memory.at != 0) hd__gpu_release(gpu, s.memory.at, s.memory.bytes);
    return status;
}
