// SPDX-License-Identifier: Apache-2.0
//
// The first k of many numbers. A sample gives a bound that somewhat more than k keys do not come
// after; one pass collects these (top_filter), and they are sorted. If they are too few or too
// many, for keys come often or lie in a way that the sample did not show, a radix select finds the
// k-th one, and writes what comes before it and those that equal it (top_exact). The device
// decides: a launch that has nothing to do ends at once, and the host waits for nothing.
#include "top_select.h"
#include "gpu/codegen/emit_kernel.h"
#include "gpu/sort/sort_arrays.h"

#include <math.h>
#include <string.h>

enum {
    UNIT = 16,    // bytes
    GROUP = 8,    // lanes of top_sample that leave one key
    KEYS_MAX = 8, // of the sample, of a lane
    SAMPLE_THREADS = 128,
    SAMPLED_PART = 8, // of so many keys the sample has at most one
    WORTH_PART = 4,   // candidates are at most one of so many keys
    COUNT_COPIES = 32,
    COLLECT_THREADS = 256,
    MARKS = 32,            // keys of a thread
    CONTROL_BYTES = 2304,  // of hk_top_control
    EXACT_BYTES = 16640,   // of hk_top_exact
    KEPT_BYTES = 32 << 20, // of memory that is kept between calls
    TILE_BYTES = 32
};

// hk_top_how of top.cuh.
typedef struct top_how {
    int64_t n, tiles, k, room, stride, bound, counters;
    int32_t pass, known;
    hd__gpu_address key, control, exact, tile, sample, pool_key, candidate, pool_index, index;
} top_how;

typedef struct selection {
    hd_context *ctx;
    hd__gpu *gpu;
    hd__gpu_top *top;
    const hd__gpu_top_plan *plan;
    top_how how;
    int32_t rows, threads;
    size_t key_bytes, index_bytes;
} selection;

// ---- The plan -----------------------------------------------------------------------------------

// The part of groups of `size` keys, a power of two, that have one of the first `part` of all keys.
static double groups_with(double part, int64_t size)
{
    double none = 1 - part;
    for (; size > 1; size /= 2) none *= none;
    return 1 - none;
}

// The part of all keys for which that is so.
static double keys_of_groups(double groups, int64_t size)
{
    double low = 0, high = 1;
    for (int k = 0; k < 50; k++) {
        const double middle = (low + high) / 2;
        if (groups_with(middle, size) < groups)
            low = middle;
        else
            high = middle;
    }
    return high;
}

// With four standard deviations on either side: enough candidates, and no more than there is room
// for.
static bool plan_sample(const hd__gpu_top *top, int64_t sample, int32_t keys,
                        hd__gpu_top_plan *plan)
{
    const int64_t size = GROUP * keys;
    const double n = (double)top->n, part = groups_with((double)top->k / n, size);
    const double all = (double)sample, expected = all * part;
    const double spread = sqrt(expected * (1 - part));
    const double bound = ceil(expected + 4 * spread + 2);
    const double most = bound + 4 * sqrt(bound) + 2;
    if (most >= all || sample * size * SAMPLED_PART > top->n) return false;
    plan->sample = sample;
    plan->keys = keys;
    plan->bound = (int64_t)bound - 1;
    plan->room = (int64_t)ceil(n * keys_of_groups(most / all, size)) + 64;
    return true;
}

bool hd__gpu_top_plan_of(const hd__gpu *gpu, const hd__gpu_top *top, hd__gpu_top_plan *plan)
{
    *plan = (hd__gpu_top_plan){.room = top->k, .no_sample = true};
    if (top->n < gpu->tuning.top_from || top->k > top->n / WORTH_PART || top->k >> 31 != 0)
        return false;
    if (hd__size_of(top->type) == 1) return true; // too many equal keys for candidates
    hd__gpu_top_plan best = {.room = INT64_MAX}, other = {0};
    for (int32_t keys = KEYS_MAX; keys > 0; keys /= 2)
        if (plan_sample(top, gpu->tuning.top_sample, keys, &other) && other.room < best.room)
            best = other;
    if (best.room < top->k) best.room = top->k;
    if (best.room > top->n / WORTH_PART || best.room >> 31 != 0) return false;
    *plan = best;
    return true;
}

// Whether a block sorts the candidates, which writes no more than k of them.
static bool is_sorted_by_block(const hd__gpu *gpu, const hd__gpu_top_plan *plan)
{
    return plan->room <= gpu->tuning.sort_small && plan->room <= HD__GPU_SORT_ROW_MAX;
}

// ---- Launches -----------------------------------------------------------------------------------

static hd_status launch(const selection *s, const char *name, int32_t rows, int32_t threads,
                        int64_t blocks)
{
    hd__gpu_kernel_config config;
    hd__gpu_kernel *kernel;
    memset(&config, 0, sizeof config);
    strcpy(config.kernel, name);
    config.codegen_kind = HD__GPU_CODEGEN_SORT;
    config.op = -1;
    config.hint = s->gpu->tuning.top_hint;
    config.k = config.blocks = 1;
    config.items = COUNT_COPIES;
    config.rows = rows;
    config.threads = threads;
    config.in[0].type = s->top->type;
    config.invert = s->top->descending;
    config.stage_bytes = (int32_t)s->index_bytes;
    HD_TRY(hd__gpu_kernel_for(s->ctx, s->gpu, &config, NULL, NULL, &kernel));
    const void *arguments[] = {&s->how};
    return s->gpu->driver->launch(
        s->ctx, s->gpu->device, kernel,
        &(hd__gpu_launch){
            .blocks = blocks, .threads = threads, .argument_count = 1, .arguments = arguments});
}

// Blocks that take tile after tile.
static int64_t some_blocks(const selection *s)
{
    const hd__gpu *gpu = s->gpu;
    const int64_t most =
        gpu->tuning.top_blocks * gpu->driver->properties(gpu->device)->multiprocessors;
    return s->how.tiles < most ? s->how.tiles : most;
}

static hd_status find_candidates(selection *s)
{
    const int64_t lanes = s->plan->sample * GROUP;
    s->how.stride = s->how.n / (lanes * s->plan->keys);
    HD_TRY(launch(s, "top_sample", s->plan->keys, SAMPLE_THREADS, lanes / SAMPLE_THREADS));
    const hd__gpu_sort_arrays sample = {.type = s->top->type,
                                        .descending = s->top->descending,
                                        .keeps_keys = true,
                                        .n = s->plan->sample,
                                        .keys = s->how.sample,
                                        .keys_out = s->how.sample};
    HD_TRY(hd__gpu_sort_rows_run(s->ctx, s->gpu, &sample, 1, s->plan->sample));
    HD_TRY(launch(s, "top_filter", s->rows, s->threads, s->how.tiles));
    return HD_OK;
}

static hd_status collect_candidates(selection *s)
{
    HD_TRY(find_candidates(s));
    return launch(s, "top_collect", 1, COLLECT_THREADS, some_blocks(s));
}

// The candidates are in the order of their indices, which a sort keeps among equal ones.
static hd_status sort_candidates(const selection *s)
{
    const hd__gpu_top *top = s->top;
    const hd__gpu_sort_arrays a = {.type = top->type,
                                   .descending = top->descending,
                                   .keeps_keys = true,
                                   .n = s->how.room,
                                   .keys = s->how.candidate,
                                   .keys_out = top->sorted,
                                   .value_bytes = top->wants_indices ? s->index_bytes : 0,
                                   .values = top->wants_indices ? s->how.index : 0,
                                   .values_out = top->wants_indices ? top->indices : 0};
    if (is_sorted_by_block(s->gpu, s->plan))
        return hd__gpu_sort_rows_run(s->ctx, s->gpu, &a, 1, top->k);
    return hd__gpu_sort_arrays_run(s->ctx, s->gpu, &a);
}

static hd_status run(selection *s)
{
    const hd__gpu_driver *driver = s->gpu->driver;
    s->how.known = s->plan->no_sample;
    if (s->plan->no_sample)
        HD_TRY(driver->clear(s->ctx, s->gpu->device, s->how.control, CONTROL_BYTES + EXACT_BYTES));
    else
        HD_TRY(collect_candidates(s));
    HD_TRY(launch(s, "top_exact", s->rows, s->threads, some_blocks(s)));
    return sort_candidates(s);
}

// ---- Memory -------------------------------------------------------------------------------------

static hd__gpu_address cut(hd__gpu_address *at, size_t bytes)
{
    const hd__gpu_address here = *at;
    *at += (bytes + 255) / 256 * 256;
    return here;
}

// Results are where the pool was, which is free when they are written; or keys where the caller
// wants them.
static size_t cut_memory(selection *s, hd__gpu_address at)
{
    const hd__gpu_address begin = at;
    const size_t room = (size_t)s->how.room;
    s->how.control = cut(&at, CONTROL_BYTES);
    s->how.exact = cut(&at, EXACT_BYTES);
    s->how.counters = (CONTROL_BYTES + EXACT_BYTES) / 8;
    s->how.tile = cut(&at, (size_t)s->how.tiles * TILE_BYTES);
    s->how.sample = cut(&at, (size_t)s->plan->sample * s->key_bytes);
    s->how.candidate = cut(&at, room * s->key_bytes);
    s->how.index = cut(&at, room * s->index_bytes);
    s->how.pool_key = cut(&at, room * s->key_bytes);
    s->how.pool_index = cut(&at, room * s->index_bytes);
    const bool to_out = s->top->out != 0 && is_sorted_by_block(s->gpu, s->plan);
    s->top->sorted = to_out ? s->top->out : s->how.pool_key;
    s->top->indices = s->how.pool_index;
    return (size_t)(at - begin);
}

static void fill_how(selection *s)
{
    const hd__gpu_top *top = s->top;
    const int32_t each = UNIT / (int32_t)s->key_bytes;
    s->threads = s->gpu->tuning.top_threads;
    s->rows = s->gpu->tuning.top_rows;
    while (s->rows * each > MARKS) s->rows /= 2;
    const int64_t tile = (int64_t)s->threads * s->rows * each;
    const int64_t missing = (int64_t)(top->keys % UNIT / s->key_bytes);
    s->how = (top_how){
        .n = top->n, .k = top->k, .room = s->plan->room, .bound = s->plan->bound, .key = top->keys};
    s->how.tiles = (top->n + missing + tile - 1) / tile;
}

hd_status hd__gpu_top_select(hd_context *ctx, hd__gpu *gpu, hd__gpu_top *top,
                             const hd__gpu_top_plan *plan)
{
    selection s = {.ctx = ctx,
                   .gpu = gpu,
                   .top = top,
                   .plan = plan,
                   .key_bytes = hd__size_of(top->type),
                   .index_bytes = top->n >> 32 != 0 ? 8 : 4};
    fill_how(&s);
    const size_t bytes = cut_memory(&s, 0);
    hd__gpu_address at;
    if (bytes <= KEPT_BYTES) {
        HD_TRY(hd__gpu_workspace(ctx, gpu, HD__GPU_TOP, bytes, &at));
    } else {
        HD_TRY(hd__gpu_allocate(ctx, gpu, bytes, &at));
        top->memory = (hd__gpu_block){at, bytes};
    }
    cut_memory(&s, at);
    return run(&s);
}

// ---- Elements by rank ---------------------------------------------------------------------------

// hk_top_control of top.cuh, but for the digits.
typedef struct control_head {
    uint32_t done, exact;
    uint64_t count, prefix, rank;
} control_head;

// The bits of the element that hk_order of order.cuh makes an integer of; of NaN some NaN.
static uint64_t bits_of(const hd__gpu_top *top, uint64_t order)
{
    const size_t bits = 8 * hd__size_of(top->type);
    const uint64_t all = bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
    const uint64_t sign = (uint64_t)1 << (bits - 1);
    if (top->descending) order = ~order & all;
    if (hd__is_float(top->type)) return (order & sign) != 0 ? order ^ sign : ~order & all;
    return hd__kind_of(top->type) == HD__SIGNED ? order ^ sign : order;
}

static hd_status select_ranks(selection *s, const int64_t *ranks, int64_t count, char *controls,
                              uint64_t *order)
{
    const hd__gpu_driver *driver = s->gpu->driver;
    const hd__gpu_address at = s->how.control;
    const size_t bytes = (size_t)count * CONTROL_BYTES;
    memset(controls, 0, bytes);
    for (int64_t k = 0; k < count; k++) {
        const control_head head = {.exact = 1, .rank = (uint64_t)ranks[k]};
        memcpy(controls + k * CONTROL_BYTES, &head, sizeof head);
    }
    HD_TRY(driver->upload(s->ctx, s->gpu->device, at, controls, bytes));
    for (int64_t k = 0; k < count; k++) {
        s->how.control = at + (hd__gpu_address)(k * CONTROL_BYTES);
        for (s->how.pass = 0; s->how.pass < (int32_t)s->key_bytes; s->how.pass++)
            HD_TRY(launch(s, "top_count", s->rows, s->threads, some_blocks(s)));
    }
    HD_TRY(driver->download(s->ctx, s->gpu->device, controls, at, bytes));
    for (int64_t k = 0; k < count; k++) {
        control_head head;
        memcpy(&head, controls + k * CONTROL_BYTES, sizeof head);
        order[k] = head.prefix;
    }
    return HD_OK;
}

static selection rank_selection(hd_context *ctx, hd__gpu *gpu, hd__gpu_top *top)
{
    static const hd__gpu_top_plan none;
    selection s = {.ctx = ctx,
                   .gpu = gpu,
                   .top = top,
                   .plan = &none,
                   .key_bytes = hd__size_of(top->type),
                   .index_bytes = 4};
    fill_how(&s);
    return s;
}

hd_status hd__gpu_rank_select(hd_context *ctx, hd__gpu *gpu, hd__gpu_top *top, const int64_t *ranks,
                              int64_t count, uint64_t *bits, bool *any_nan)
{
    selection s = rank_selection(ctx, gpu, top);
    const size_t bytes = (size_t)count * CONTROL_BYTES;
    const uint64_t all = UINT64_MAX >> (64 - 8 * s.key_bytes);
    char *controls = hd__allocate(ctx, bytes);
    if (controls == NULL) return HD_ERROR_MEMORY;
    hd_status status = hd__gpu_allocate(ctx, gpu, bytes, &s.how.control);
    const hd__gpu_address at = s.how.control;
    if (status == HD_OK) {
        status = select_ranks(&s, ranks, count, controls, bits);
        hd__gpu_release(gpu, at, bytes);
    }
    hd__release(ctx, controls, bytes);
    *any_nan = false;
    for (int64_t k = 0; k < count && status == HD_OK; k++) {
        *any_nan = *any_nan || (hd__is_float(top->type) && bits[k] == all);
        bits[k] = bits_of(top, bits[k]);
    }
    return status;
}

hd_status hd__gpu_count_nan(hd_context *ctx, hd__gpu *gpu, hd__gpu_top *top, int64_t *nans)
{
    selection s = rank_selection(ctx, gpu, top);
    control_head head = {0};
    HD_TRY(hd__gpu_allocate(ctx, gpu, CONTROL_BYTES, &s.how.control));
    hd_status status = gpu->driver->clear(ctx, gpu->device, s.how.control, CONTROL_BYTES);
    if (status == HD_OK) status = launch(&s, "top_nans", s.rows, s.threads, some_blocks(&s));
    if (status == HD_OK)
        status = gpu->driver->download(ctx, gpu->device, &head, s.how.control, sizeof head);
    hd__gpu_release(gpu, s.how.control, CONTROL_BYTES);
    *nans = (int64_t)head.count;
    return status;
}
