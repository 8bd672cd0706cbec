// SPDX-License-Identifier: Apache-2.0
//
// Sorts of segments by their lengths (segments.cuh): sort_segment_tiles shares out all segments,
// sort_short_segments sorts short ones and lists the others, sort_medium_segments sorts those that
// a block has room for, and sort_large_digits and sort_large_pass the rest, by a radix sort whose
// tiles are of one segment each. The host knows no lengths and waits for none.
#include "sort_segments.h"
#include "gpu/sort/sort_arrays.h"

#include <string.h>

enum {
    RADIX = 256,
    SHORT = 256, // keys of a short segment: HK_SHORT
    CLASSES = 8,
    TILES_THREADS = 256,
    SHORT_THREADS = 128,
    BAD_THREADS = 1024,
    DIGITS_THREADS = 512,
    DIGITS_COPIES = 8,
    DIGITS_BLOCKS = 4,      // of a multiprocessor, at most
    MEDIUM_BLOCKS = 8,      // of a multiprocessor, at most
    BESIDE_BYTES = 1 << 10, // of shared memory that the device keeps
    SPARE_BYTES = 32 << 20, // of scratch that are kept between calls
    CONTROL_BYTES = 256     // hk_segments_control at most
};

// hk_segments_how of segments.cuh.
typedef struct segments_how {
    int64_t n, offsets, segments, tiles;
    hd__gpu_address key_in, key_out, order, key_spare, order_spare;
    hd__gpu_address first, control, medium, large, tile_segment, count, word, fault;
    int64_t medium_most, large_room, large_tiles_room;
    int32_t large_tile, pass, passes;
} segments_how;

typedef struct pass {
    hd_context *ctx;
    hd__gpu *gpu;
    const hd__gpu_sort_segments *a;
    hd__gpu_sort_arrays keys; // what kernels of sorts depend on
    segments_how how;
    hd__gpu_kernel_view offsets;
    size_t key_bytes;
    hd__gpu_kernel_config tiles; // of sort_large_pass
    bool has_large;              // there may be some
    hd__gpu_address key_aside;   // in the place of keys_out, where there is none
    hd__gpu_block scratch;       // 0: it is kept
} pass;

// ---- Shapes and memory --------------------------------------------------------------------------

static int64_t multiprocessors(const pass *p)
{
    return p->gpu->driver->properties(p->gpu->device)->multiprocessors;
}

// What is cut from one block of scratch; at first only how much there is.
static hd__gpu_address cut(size_t *used, hd__gpu_address at, size_t bytes)
{
    const size_t begin = *used;
    *used += hd__padded(bytes);
    return at + begin;
}

static size_t lay_out(pass *p, hd__gpu_address at)
{
    segments_how *h = &p->how;
    size_t used = 0, medium = 0;
    const size_t n = (size_t)h->n, keys = n * p->key_bytes;
    for (int c = 0; c < CLASSES; c++) medium += n / ((size_t)SHORT << c) + 1;
    h->control = cut(&used, at, CONTROL_BYTES);
    h->first = cut(&used, at, 8 * (size_t)(h->tiles + 1));
    if (p->a->longest > SHORT) h->medium = cut(&used, at, 8 * medium);
    if (!p->has_large) return used;
    h->large = cut(&used, at, 16 * (size_t)h->large_room);
    h->tile_segment = cut(&used, at, 4 * (size_t)h->large_tiles_room);
    h->count = cut(&used, at, 4 * RADIX * p->key_bytes * (size_t)h->large_room);
    h->word = cut(&used, at, 8 * RADIX * (size_t)h->large_tiles_room);
    if (h->key_out == 0) p->key_aside = cut(&used, at, keys);
    if (h->passes > 1) h->key_spare = cut(&used, at, keys);
    if (h->passes > 1 && h->order != 0) h->order_spare = cut(&used, at, 4 * n);
    return used;
}

// Little memory is kept between calls: to allocate it takes as long as a launch.
static hd_status take_scratch(pass *p)
{
    hd__gpu_address at;
    const size_t bytes = lay_out(p, 0);
    if (bytes <= SPARE_BYTES) {
        HD_TRY(hd__gpu_workspace(p->ctx, p->gpu, HD__GPU_SORT_SPARE, bytes, &at));
    } else {
        HD_TRY(hd__gpu_allocate(p->ctx, p->gpu, bytes, &at));
        p->scratch = (hd__gpu_block){at, bytes};
    }
    lay_out(p, at);
    return HD_OK;
}

static int32_t items_of(const pass *p)
{
    const int32_t items = p->gpu->tuning.sort_segment_items;
    return p->key_bytes > 4 ? items / 2 : items;
}

static void plan(pass *p)
{
    const hd__gpu_sort_segments *a = p->a;
    segments_how *h = &p->how;
    const int64_t items = items_of(p), offsets = hd_count(a->offsets);
    h->n = a->n;
    h->offsets = offsets;
    h->segments = offsets > 1 ? offsets - 1 : 0;
    h->tiles = (h->n + h->segments + items - 1) / items;
    h->key_in = a->keys;
    h->key_out = a->keys_out;
    h->order = a->order;
    h->medium_most = p->gpu->tuning.sort_segment_medium / (p->key_bytes > 4 ? 2 : 1);
    p->has_large = a->longest > h->medium_most;
    hd__gpu_sort_tiles(p->gpu, &p->keys, &p->tiles);
    h->large_tile = p->tiles.threads * p->tiles.rows;
    h->large_room = h->n / (h->medium_most + 1) + 1;
    h->large_tiles_room = h->n / h->large_tile + 1 + h->large_room;
    h->passes = (int32_t)p->key_bytes;
    if (a->keys == a->keys_out && h->passes % 2 != 0) h->passes++;
}

// ---- Launches -----------------------------------------------------------------------------------

static hd_status launch(pass *p, hd__gpu_kernel_config *config, bool offsets, int64_t blocks,
                        int64_t shared_bytes)
{
    const hd__gpu *gpu = p->gpu;
    hd__gpu_kernel *kernel;
    const void *with[] = {&p->offsets, &p->how}, *without[] = {&p->how};
    if (offsets) config->offsets = hd__gpu_layout_of(&p->a->offsets);
    HD_TRY(hd__gpu_kernel_for(p->ctx, p->gpu, config, NULL, NULL, &kernel));
    return gpu->driver->launch(p->ctx, gpu->device, kernel,
                               &(hd__gpu_launch){.blocks = blocks,
                                                 .threads = config->threads,
                                                 .shared_bytes = (int32_t)shared_bytes,
                                                 .argument_count = offsets ? 2 : 1,
                                                 .arguments = offsets ? with : without});
}

static hd_status launch_short(pass *p)
{
    hd__gpu_kernel_config config;
    const int64_t tiles = p->how.tiles + 1;
    hd__gpu_sort_config(&p->keys, "sort_segment_tiles", TILES_THREADS, &config);
    config.stage_bytes = 0;
    config.items = items_of(p);
    HD_TRY(launch(p, &config, true, (tiles + TILES_THREADS - 1) / TILES_THREADS, 0));
    hd__gpu_sort_config(&p->keys, "sort_short_segments", SHORT_THREADS, &config);
    config.items = items_of(p);
    return launch(p, &config, true, p->how.tiles, 0);
}

// keeps_order: of equal keys, though nothing goes with them.
static hd_status launch_medium(pass *p, bool keeps_order)
{
    hd__gpu_kernel_config config;
    const bool indexed = keeps_order || p->how.order != 0;
    const size_t item = p->key_bytes <= 2             ? 4
                        : indexed && p->key_bytes > 4 ? 16
                        : indexed || p->key_bytes > 4 ? 8
                                                      : 4;
    const int32_t rows = (int32_t)(128 / item), unit = (int32_t)p->how.medium_most;
    hd__gpu_sort_config(&p->keys, "sort_medium_segments", unit / rows, &config);
    config.rows = rows;
    config.known = keeps_order;
    const int32_t lanes = p->gpu->tuning.sort_segment_lanes;
    config.blocks = config.threads < lanes ? lanes / config.threads : 1;
    if (config.blocks > MEDIUM_BLOCKS) config.blocks = MEDIUM_BLOCKS;
    const int64_t units = p->how.n / (SHORT + 1) + 1, most = config.blocks * multiprocessors(p);
    return launch(p, &config, false, units < most ? units : most,
                  (int64_t)item * (unit + unit / 32 + 1));
}

static hd_status launch_large(pass *p)
{
    hd__gpu_kernel_config config;
    const int64_t tiles = p->how.large_tiles_room, mps = multiprocessors(p);
    const int64_t counters = 4 * RADIX * (int64_t)p->key_bytes * DIGITS_COPIES;
    const int64_t all = p->gpu->driver->properties(p->gpu->device)->shared_bytes - BESIDE_BYTES;
    int64_t blocks = all / (counters + BESIDE_BYTES);
    if (blocks > DIGITS_BLOCKS) blocks = DIGITS_BLOCKS;
    blocks *= mps;
    hd__gpu_sort_config(&p->keys, "sort_large_digits", DIGITS_THREADS, &config);
    config.stage_bytes = 0;
    config.items = DIGITS_COPIES;
    HD_TRY(launch(p, &config, false, tiles < blocks ? tiles : blocks, counters));
    strcpy(p->tiles.kernel, "sort_large_pass");
    p->tiles.known = p->how.key_out == 0;
    if (p->how.key_out == 0) p->how.key_out = p->key_aside; // they alternate between two arrays
    blocks = p->tiles.blocks * mps;
    for (p->how.pass = 0; p->how.pass < p->how.passes; p->how.pass++)
        HD_TRY(launch(p, &p->tiles, false, tiles < blocks ? tiles : blocks,
                      hd__gpu_sort_tile_bytes(&p->keys, &p->tiles)));
    return HD_OK;
}

static hd_status launch_bad(pass *p)
{
    hd__gpu_kernel_config config;
    const int64_t all = (p->how.n + BAD_THREADS - 1) / BAD_THREADS, most = multiprocessors(p);
    hd__gpu_sort_config(&p->keys, "sort_segments_bad", BAD_THREADS, &config);
    return launch(p, &config, false, all < most ? all : most, 0);
}

static hd_status run(pass *p)
{
    hd__gpu *gpu = p->gpu;
    plan(p);
    HD_TRY(hd__gpu_workspace(p->ctx, gpu, HD__GPU_FAULT, 64, &p->how.fault));
    HD_TRY(take_scratch(p));
    gpu->may_fault = true;
    HD_TRY(launch_short(p));
    if (p->a->longest > SHORT) HD_TRY(launch_medium(p, false));
    if (p->a->longest > SHORT && p->how.order == 0 && hd__is_float(p->a->type))
        HD_TRY(launch_medium(p, true));
    if (p->has_large) HD_TRY(launch_large(p));
    return p->how.order != 0 && p->a->offsets.space == HD_DEVICE ? launch_bad(p) : HD_OK;
}

hd_status hd__gpu_sort_segments_run(hd_context *ctx, hd__gpu *gpu, const hd__gpu_sort_segments *a)
{
    pass p = {.ctx = ctx,
              .gpu = gpu,
              .a = a,
              .keys = {.type = a->type,
                       .descending = a->descending,
                       .n = a->n,
                       .value_bytes = a->order != 0 ? sizeof(uint32_t) : 0},
              .offsets = hd__gpu_kernel_view_of(&a->offsets),
              .key_bytes = hd__size_of(a->type)};
    const hd_status status = run(&p);
    if (p.scratch.at != 0) hd__gpu_release(gpu, p.scratch.at, p.scratch.bytes);
    return status;
}
