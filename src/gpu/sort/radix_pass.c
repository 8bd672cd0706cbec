// SPDX-License-Identifier: Apache-2.0
// LSD radix sort: launches radix_histogram, radix_offsets, then radix_pass for each digit.
#include "radix_pass.h"

#include <string.h>

enum {
    MOST_BITS = 8,
    MOST_PASSES = 8,
    LANE_BYTES = 64,
    BLOCK_BYTES = 48 << 10, // in shared memory
    COUNT_THREADS = 512,
    COUNT_ROWS = 8,  // keys that a thread asks for at once
    COUNT_BLOCKS = 4 // a multiprocessor
};

// hk_radix_how and hk_radix_state of digits.cuh, hk_radix_out of radix_pass.cu.
typedef struct radix_how {
    int64_t n, tiles, ways;
    int32_t shift, passes;
} radix_how;

typedef struct radix_state {
    hd__gpu_address count, begin, stop, fault, at_once;
} radix_state;

typedef struct radix_to {
    hd__gpu_kernel_view out, indices, keys;
    hd__gpu_kernel_view destination; // kernels without HK_AT_ONCE know nothing of what follows
    hd__gpu_address at_once, bad;
    hd__gpu_destination_bitmap bitmap;
} radix_to;

hd__gpu_radix_plan hd__gpu_radix_plan_of(int64_t n, int64_t ways)
{
    int32_t bits = 1;
    while (bits < 63 && (ways - 1) >> bits != 0) bits++;
    hd__gpu_radix_plan s = {.n = n, .ways = ways, .wide = bits > 32};
    s.passes = (bits + MOST_BITS - 1) / MOST_BITS;
    s.bits = (bits + s.passes - 1) / s.passes;
    return s;
}

static void fill_config(hd__gpu_kernel_config *config, const char *kernel,
                        const hd__gpu_radix_plan *plan, const hd__reader *in, int32_t threads)
{
    memset(config, 0, sizeof *config);
    strcpy(config->kernel, kernel);
    config->codegen_kind = HD__GPU_CODEGEN_FLAGS;
    config->op = -1;
    hd__gpu_config_inputs(config, in, 0);
    config->k = config->rows = config->blocks = 1;
    config->threads = threads;
    config->bits = (uint8_t)plan->bits;
    config->passes = (uint8_t)plan->passes;
    config->wide_keys = plan->wide;
    config->out_of_range_last = plan->out_of_range_last;
    config->at_once = plan->at_once != 0;
}

// ---- Counting -----------------------------------------------------------------------------------

static hd_status find_workspaces(hd_context *ctx, hd__gpu *gpu, hd__gpu_radix_plan *plan,
                                 radix_state *state, hd__gpu_state *lookback)
{
    const size_t numbers = (size_t)MOST_PASSES << MOST_BITS;
    HD_TRY(hd__gpu_workspace(ctx, gpu, HD__GPU_DIGITS, 16 * numbers + 64, &state->count));
    HD_TRY(hd__gpu_workspace(ctx, gpu, HD__GPU_FAULT, 64, &state->fault));
    HD_TRY(hd__gpu_state_of(ctx, gpu, 0, lookback));
    state->begin = state->count + 8 * numbers;
    state->stop = state->begin + 8 * numbers;
    if (!plan->out_of_range_last) gpu->may_fault = true;
    state->at_once = plan->at_once;
    plan->begin = state->begin;
    plan->stop = state->stop;
    return HD_OK;
}

hd_status hd__gpu_radix_histogram(hd_context *ctx, hd__gpu *gpu, hd__gpu_radix_plan *plan,
                                  const hd__reader *in, const hd_view *counts,
                                  const hd_view *begins, hd__gpu_address bad)
{
    radix_state state;
    hd__gpu_state lookback;
    hd__gpu_kernel_config config;
    hd__gpu_kernel *count, *begin; // both before the first launch: counts are zero between calls
    HD_TRY(find_workspaces(ctx, gpu, plan, &state, &lookback));
    const hd__gpu_kernel_inputs inputs = hd__gpu_kernel_inputs_of(in);
    if (!plan->out_of_range_last) bad = lookback.control + HD__GPU_CONTROL_BAD;
    const radix_how how = {plan->n, 0, plan->ways, plan->shift, plan->passes};
    const hd__gpu_kernel_view to[2] = {hd__gpu_kernel_view_of(counts),
                                       hd__gpu_kernel_view_of(begins)};
    const void *arguments[] = {&inputs, &how, &state, &bad, &to[0], &to[1]};
    fill_config(&config, "radix_histogram", plan, in, COUNT_THREADS);
    config.rows = COUNT_ROWS;
    HD_TRY(hd__gpu_kernel_for(ctx, gpu, &config, NULL, in->map, &count));
    fill_config(&config, "radix_offsets", plan, in, 256);
    config.integer[HD__GPU_PUT_COUNT] = hd__gpu_layout_of(counts);
    config.integer[HD__GPU_PUT_BEGIN] = hd__gpu_layout_of(begins);
    HD_TRY(hd__gpu_kernel_for(ctx, gpu, &config, NULL, in->map, &begin));
    const int64_t most = COUNT_BLOCKS * gpu->driver->properties(gpu->device)->multiprocessors;
    const int64_t some = (plan->n + 16 * COUNT_THREADS - 1) / (16 * COUNT_THREADS);
    HD_TRY(gpu->driver->launch(ctx, gpu->device, count,
                               &(hd__gpu_launch){.blocks = some < most ? some : most,
                                                 .threads = COUNT_THREADS,
                                                 .argument_count = 4,
                                                 .arguments = arguments}));
    return gpu->driver->launch(
        ctx, gpu->device, begin,
        &(hd__gpu_launch){
            .blocks = 1, .threads = 256, .argument_count = 6, .arguments = arguments});
}

// ---- A pass -------------------------------------------------------------------------------------

// What a block has in shared memory: hk_radix_block of radix_pass.cu, and `staged` bytes an
// element.
static size_t block_bytes(const hd__gpu_kernel_config *config, size_t staged)
{
    const size_t digits = (size_t)1 << config->bits, warps = (size_t)config->threads / 32;
    return 256 + 4 * warps * (digits + 1) + 16 * digits +
           (size_t)(config->rows * config->threads) * (staged + 1);
}

static void fill_tiles(const hd__gpu *gpu, hd__gpu_kernel_config *config,
                       const hd__gpu_radix_plan *plan, const hd__reader *in,
                       const hd__gpu_radix_out *to)
{
    const size_t size = hd__size_of(in->view[0].type), key = plan->wide ? 8 : 4;
    const bool keys = !hd__is_empty(&to->keys);
    // Keys lie beside elements, or take their place, as indices of two bytes do: HK_BESIDE of the
    // kernel.
    const size_t most = keys && size < key ? key : size < 2 ? 2 : size;
    const size_t staged = keys && plan->bits < MOST_BITS ? size + key : most;
    fill_config(config, "radix_pass", plan, in, gpu->tuning.radix_threads);
    config->rows = gpu->tuning.radix_rows;
    while (config->rows > 1 && (size_t)config->rows * most > LANE_BYTES) config->rows /= 2;
    while (config->rows > 1 && block_bytes(config, staged) > BLOCK_BYTES) config->rows /= 2;
    while (config->threads > 32 && block_bytes(config, staged) > BLOCK_BYTES) config->threads /= 2;
    config->blocks =
        most <= 4 && config->threads <= 256 ? 3 : 1; // 80 registers, which spill next to nothing
    config->stage_bytes =
        (int32_t)(((size_t)(config->rows * config->threads) * staged + 31) / 16 * 16);
    config->out = hd__gpu_layout_of(&to->out);
    config->integer[HD__GPU_PUT_INDEX] = hd__gpu_layout_of(&to->indices);
    config->integer[HD__GPU_PUT_KEY] = hd__gpu_layout_of(&to->keys);
    config->at_once = 0;
    if (hd__is_empty(&to->destination)) return;
    config->at_once = to->bitmap != NULL ? 2 : 1;
    config->wide_destinations = plan->wide;
    config->values = hd__gpu_layout_of(&to->destination);
}

hd_status hd__gpu_radix_pass(hd_context *ctx, hd__gpu *gpu, const hd__gpu_radix_plan *plan,
                             int32_t pass, const hd__reader *in, const hd__gpu_radix_out *to)
{
    hd__gpu_kernel_config config;
    hd__gpu_kernel *kernel;
    hd__gpu_state state;
    fill_tiles(gpu, &config, plan, in, to);
    HD_TRY(hd__gpu_kernel_for(ctx, gpu, &config, NULL, in->map, &kernel));
    const int64_t tile = (int64_t)config.rows * config.threads, tiles = (plan->n + tile - 1) / tile;
    HD_TRY(hd__gpu_state_of(ctx, gpu, tiles << plan->bits, &state));
    const radix_how how = {plan->n, tiles, plan->ways, plan->shift + pass * plan->bits,
                           plan->passes};
    const hd__gpu_kernel_inputs inputs = hd__gpu_kernel_inputs_of(in);
    const hd__gpu_address begin = plan->begin + ((hd__gpu_address)(8 * pass) << plan->bits);
    const radix_to out = {.out = hd__gpu_kernel_view_of(&to->out),
                          .indices = hd__gpu_kernel_view_of(&to->indices),
                          .keys = hd__gpu_kernel_view_of(&to->keys),
                          .destination = hd__gpu_kernel_view_of(&to->destination),
                          .at_once = plan->at_once,
                          .bad = to->bad,
                          .bitmap =
                              to->bitmap != NULL ? *to->bitmap : (hd__gpu_destination_bitmap){0}};
    // After a bad key, and where the first pass scattered elements to their destinations, the
    // passes do nothing.
    const hd__gpu_address stop =
        plan->out_of_range_last ? (pass > 0 ? plan->at_once : 0) : plan->stop;
    const void *arguments[] = {&inputs, &how, &state, &begin, &stop, &out};
    return gpu->driver->launch(ctx, gpu->device, kernel,
                               &(hd__gpu_launch){.blocks = tiles,
                                                 .threads = config.threads,
                                                 .argument_count = 6,
                                                 .arguments = arguments});
}

hd_status hd__gpu_radix_sort_indices(hd_context *ctx, hd__gpu *gpu, const hd__gpu_radix_plan *plan,
                                     const hd_view *given, hd_view *keys, hd_view *indices)
{
    const int64_t n = plan->n;
    hd_view from = hd_iota(n);
    from.type = indices[0].type;
    for (int32_t p = 0; p < plan->passes; p++) {
        const hd__reader in = {.n = n, .inputs = 2, .view = {from, p == 0 ? *given : keys[p % 2]}};
        const hd__gpu_radix_out to = {.out = indices[(p + 1) % 2], .keys = keys[(p + 1) % 2]};
        HD_TRY(hd__gpu_radix_pass(ctx, gpu, plan, p, &in, &to));
        from = to.out;
    }
    keys[0] = keys[plan->passes % 2];
    indices[0] = from;
    return HD_OK;
}

// ---- Buckets of sorted keys ---------------------------------------------------------------------

hd_status hd__gpu_radix_bounds(hd_context *ctx, hd__gpu *gpu, const hd__gpu_radix_plan *plan,
                               const hd_view *keys, const hd_view *counts, const hd_view *begins)
{
    const hd__reader in = {.n = plan->n, .inputs = 1, .view = {*keys}};
    hd__gpu_kernel_config config;
    hd__gpu_kernel *kernel;
    if (hd__is_empty(counts) && hd__is_empty(begins)) return HD_OK;
    fill_config(&config, "radix_bounds", plan, &in, 256);
    config.integer[HD__GPU_PUT_COUNT] = hd__gpu_layout_of(counts);
    config.integer[HD__GPU_PUT_BEGIN] = hd__gpu_layout_of(begins);
    HD_TRY(hd__gpu_kernel_for(ctx, gpu, &config, NULL, NULL, &kernel));
    const hd__gpu_kernel_inputs inputs = hd__gpu_kernel_inputs_of(&in);
    const hd__gpu_kernel_view to[2] = {hd__gpu_kernel_view_of(counts),
                                       hd__gpu_kernel_view_of(begins)};
    const void *arguments[] = {&inputs, &plan->n, &plan->ways, &plan->stop, &to[0], &to[1]};
    const int64_t blocks = (plan->ways + 256) / 256;
    return gpu->driver->launch(ctx, gpu->device, kernel,
                               &(hd__gpu_launch){.blocks = blocks < 65536 ? blocks : 65536,
                                                 .threads = 256,
                                                 .argument_count = 6,
                                                 .arguments = arguments});
}
