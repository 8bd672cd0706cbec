// SPDX-License-Identifier: Apache-2.0
// Sweeps: radix_histogram, radix_offsets, then radix_pass for each digit.
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

// hk_sweep_how, hk_sweep_state and hk_sweep_out of kernels/.
typedef struct sweep_how {
    int64_t n, tiles, ways;
    int32_t shift, passes;
} sweep_how;

typedef struct sweep_state {
    hd__address count, begin, stop, fault, at_once;
} sweep_state;

typedef struct sweep_to {
    hd__kernel_view out, indices, keys;
    hd__kernel_view place; // kernels without HD_AT_ONCE know nothing of what follows
    hd__address at_once, bad;
    hd__claims claims;
} sweep_to;

hd__sweep hd__sweep_of(int64_t n, int64_t ways)
{
    int32_t bits = 1;
    while (bits < 63 && (ways - 1) >> bits != 0) bits++;
    hd__sweep s = {.n = n, .ways = ways, .wide = bits > 32};
    s.passes = (bits + MOST_BITS - 1) / MOST_BITS;
    s.bits = (bits + s.passes - 1) / s.passes;
    return s;
}

static void fill_shape(hd__shape *s, const char *kernel, const hd__sweep *sweep,
                       const hd__reader *in, int32_t threads)
{
    memset(s, 0, sizeof *s);
    strcpy(s->kernel, kernel);
    s->says = HD__SAYS_LABELS;
    s->op = -1;
    hd__shape_inputs(s, in, 0);
    s->k = s->rows = s->blocks = 1;
    s->threads = threads;
    s->bits = (uint8_t)sweep->bits;
    s->passes = (uint8_t)sweep->passes;
    s->wide_keys = sweep->wide;
    s->loose = sweep->loose;
    s->at_once = sweep->at_once != 0;
}

// ---- Counting -----------------------------------------------------------------------------------

static hd_status find_places(hd_context *ctx, hd__gpu *gpu, hd__sweep *sweep, sweep_state *state,
                             hd__gpu_state *clock)
{
    const size_t numbers = (size_t)MOST_PASSES << MOST_BITS;
    HD_TRY(hd__gpu_area(ctx, gpu, HD__DIGITS, 16 * numbers + 64, &state->count));
    HD_TRY(hd__gpu_area(ctx, gpu, HD__FAULT, 64, &state->fault));
    HD_TRY(hd__gpu_state_of(ctx, gpu, 0, clock));
    state->begin = state->count + 8 * numbers;
    state->stop = state->begin + 8 * numbers;
    if (!sweep->loose) gpu->may_fault = true;
    state->at_once = sweep->at_once;
    sweep->begin = state->begin;
    sweep->stop = state->stop;
    return HD_OK;
}

hd_status hd__sweep_begin(hd_context *ctx, hd__gpu *gpu, hd__sweep *sweep, const hd__reader *in,
                          const hd_view *counts, const hd_view *begins, hd__address bad)
{
    sweep_state state;
    hd__gpu_state clock;
    hd__shape s;
    hd__kernel *count, *begin; // both before the first launch: counts are zero between calls
    HD_TRY(find_places(ctx, gpu, sweep, &state, &clock));
    const hd__kernel_inputs inputs = hd__kernel_inputs_of(in);
    if (!sweep->loose) bad = clock.clock + HD__CLOCK_BAD;
    const sweep_how how = {sweep->n, 0, sweep->ways, sweep->shift, sweep->passes};
    const hd__kernel_view to[2] = {hd__kernel_view_of(counts), hd__kernel_view_of(begins)};
    const void *arguments[] = {&inputs, &how, &state, &bad, &to[0], &to[1]};
    fill_shape(&s, "radix_histogram", sweep, in, COUNT_THREADS);
    s.rows = COUNT_ROWS;
    HD_TRY(hd__kernel_for(ctx, gpu, &s, NULL, in->map, &count));
    fill_shape(&s, "radix_offsets", sweep, in, 256);
    s.integer[HD__PUT_COUNT] = hd__layout_of(counts);
    s.integer[HD__PUT_BEGIN] = hd__layout_of(begins);
    HD_TRY(hd__kernel_for(ctx, gpu, &s, NULL, in->map, &begin));
    const int64_t most = COUNT_BLOCKS * gpu->driver->properties(gpu->device)->multiprocessors;
    const int64_t some = (sweep->n + 16 * COUNT_THREADS - 1) / (16 * COUNT_THREADS);
    HD_TRY(gpu->driver->launch(ctx, gpu->device, count,
                               &(hd__launch){.blocks = some < most ? some : most,
                                             .threads = COUNT_THREADS,
                                             .argument_count = 4,
                                             .arguments = arguments}));
    return gpu->driver->launch(
        ctx, gpu->device, begin,
        &(hd__launch){.blocks = 1, .threads = 256, .argument_count = 6, .arguments = arguments});
}

// ---- A sweep ------------------------------------------------------------------------------------

// What a block has in shared memory: hd_sweep_block of kernels/sweep.cu, and `staged` bytes an
// element.
static size_t block_bytes(const hd__shape *s, size_t staged)
{
    const size_t digits = (size_t)1 << s->bits, warps = (size_t)s->threads / 32;
    return 256 + 4 * warps * (digits + 1) + 16 * digits +
           (size_t)(s->rows * s->threads) * (staged + 1);
}

static void fill_tiles(const hd__gpu *gpu, hd__shape *s, const hd__sweep *sweep,
                       const hd__reader *in, const hd__sweep_out *to)
{
    const size_t size = hd__size_of(in->view[0].type), key = sweep->wide ? 8 : 4;
    const bool keys = !hd__is_empty(&to->keys);
    // Keys lie beside elements, or take their place, as indices of two bytes do: HD_BESIDE of the
    // kernel.
    const size_t most = keys && size < key ? key : size < 2 ? 2 : size;
    const size_t staged = keys && sweep->bits < MOST_BITS ? size + key : most;
    fill_shape(s, "radix_pass", sweep, in, gpu->tuning.sweep_threads);
    s->rows = gpu->tuning.sweep_rows;
    while (s->rows > 1 && (size_t)s->rows * most > LANE_BYTES) s->rows /= 2;
    while (s->rows > 1 && block_bytes(s, staged) > BLOCK_BYTES) s->rows /= 2;
    while (s->threads > 32 && block_bytes(s, staged) > BLOCK_BYTES) s->threads /= 2;
    s->blocks = most <= 4 && s->threads <= 256 ? 3 : 1; // 80 registers, which spill next to nothing
    s->stage_bytes = (int32_t)(((size_t)(s->rows * s->threads) * staged + 31) / 16 * 16);
    s->out = hd__layout_of(&to->out);
    s->integer[HD__PUT_INDEX] = hd__layout_of(&to->indices);
    s->integer[HD__PUT_KEY] = hd__layout_of(&to->keys);
    s->at_once = 0;
    if (hd__is_empty(&to->place)) return;
    s->at_once = to->claims != NULL ? 2 : 1;
    s->far = sweep->wide;
    s->values = hd__layout_of(&to->place);
}

hd_status hd__sweep_pass(hd_context *ctx, hd__gpu *gpu, const hd__sweep *sweep, int32_t pass,
                         const hd__reader *in, const hd__sweep_out *to)
{
    hd__shape s;
    hd__kernel *kernel;
    hd__gpu_state state;
    fill_tiles(gpu, &s, sweep, in, to);
    HD_TRY(hd__kernel_for(ctx, gpu, &s, NULL, in->map, &kernel));
    const int64_t tile = (int64_t)s.rows * s.threads, tiles = (sweep->n + tile - 1) / tile;
    HD_TRY(hd__gpu_state_of(ctx, gpu, tiles << sweep->bits, &state));
    const sweep_how how = {sweep->n, tiles, sweep->ways, sweep->shift + pass * sweep->bits,
                           sweep->passes};
    const hd__kernel_inputs inputs = hd__kernel_inputs_of(in);
    const hd__address begin = sweep->begin + ((hd__address)(8 * pass) << sweep->bits);
    const sweep_to out = {.out = hd__kernel_view_of(&to->out),
                          .indices = hd__kernel_view_of(&to->indices),
                          .keys = hd__kernel_view_of(&to->keys),
                          .place = hd__kernel_view_of(&to->place),
                          .at_once = sweep->at_once,
                          .bad = to->bad,
                          .claims = to->claims != NULL ? *to->claims : (hd__claims){0}};
    // After a bad key, and where the first sweep brought elements to their places, nothing is
    // swept.
    const hd__address stop = sweep->loose ? (pass > 0 ? sweep->at_once : 0) : sweep->stop;
    const void *arguments[] = {&inputs, &how, &state, &begin, &stop, &out};
    return gpu->driver->launch(
        ctx, gpu->device, kernel,
        &(hd__launch){
            .blocks = tiles, .threads = s.threads, .argument_count = 6, .arguments = arguments});
}

hd_status hd__sweep_indices(hd_context *ctx, hd__gpu *gpu, const hd__sweep *sweep,
                            const hd_view *given, hd_view *keys, hd_view *indices)
{
    const int64_t n = sweep->n;
    hd_view from = hd_iota(n);
    from.type = indices[0].type;
    for (int32_t p = 0; p < sweep->passes; p++) {
        const hd__reader in = {.n = n, .inputs = 2, .view = {from, p == 0 ? *given : keys[p % 2]}};
        const hd__sweep_out to = {.out = indices[(p + 1) % 2], .keys = keys[(p + 1) % 2]};
        HD_TRY(hd__sweep_pass(ctx, gpu, sweep, p, &in, &to));
        from = to.out;
    }
    keys[0] = keys[sweep->passes % 2];
    indices[0] = from;
    return HD_OK;
}

// ---- Buckets of sorted keys ---------------------------------------------------------------------

hd_status hd__sweep_parts(hd_context *ctx, hd__gpu *gpu, const hd__sweep *sweep,
                          const hd_view *keys, const hd_view *counts, const hd_view *begins)
{
    const hd__reader in = {.n = sweep->n, .inputs = 1, .view = {*keys}};
    hd__shape s;
    hd__kernel *kernel;
    if (hd__is_empty(counts) && hd__is_empty(begins)) return HD_OK;
    fill_shape(&s, "radix_bounds", sweep, &in, 256);
    s.integer[HD__PUT_COUNT] = hd__layout_of(counts);
    s.integer[HD__PUT_BEGIN] = hd__layout_of(begins);
    HD_TRY(hd__kernel_for(ctx, gpu, &s, NULL, NULL, &kernel));
    const hd__kernel_inputs inputs = hd__kernel_inputs_of(&in);
    const hd__kernel_view to[2] = {hd__kernel_view_of(counts), hd__kernel_view_of(begins)};
    const void *arguments[] = {&inputs, &sweep->n, &sweep->ways, &sweep->stop, &to[0], &to[1]};
    const int64_t blocks = (sweep->ways + 256) / 256;
    return gpu->driver->launch(ctx, gpu->device, kernel,
                               &(hd__launch){.blocks = blocks < 65536 ? blocks : 65536,
                                             .threads = 256,
                                             .argument_count = 6,
                                             .arguments = arguments});
}
