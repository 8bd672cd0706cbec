// SPDX-License-Identifier: Apache-2.0
// The ladder of Gaussian blurs: an n x n image of f32, sigma 1, radius 3, borders repeated.
#include "ladder/ladder.h"

#include <math.h>
#include <stdio.h>

#define RADIUS 3

static void make_weights(float *weights)
{
    double sum = 0;
    for (int k = -RADIUS; k <= RADIUS; k++) sum += exp(-0.5 * k * k);
    for (int k = -RADIUS; k <= RADIUS; k++) weights[k + RADIUS] = (float)(exp(-0.5 * k * k) / sum);
}

static void play(stage *s, ladder_case *c, bool argument)
{
    float weights[2 * RADIUS + 1];
    make_weights(weights);
    const stage_shape shape = {
        {(int32_t)((c->n + 31) / 32), (int32_t)((c->n + 7) / 8)}, {32, 8}, 0};
    const stage_address in = stage_data(s, c->in[0], c->in_bytes[0]);
    const stage_address out = stage_room(s, c->bytes);
    if (argument) {
        const stage_address w = stage_data(s, weights, sizeof weights);
        stage_launch(s, "blur", shape, "pppi", in, w, out, (int32_t)c->n);
        stage_free(s, w);
    } else {
        stage_set(s, "weights", weights, sizeof weights);
        stage_launch(s, "blur", shape, "ppi", in, out, (int32_t)c->n);
    }
    stage_read(s, out, c->got, c->bytes);
    stage_free(s, in);
    stage_free(s, out);
}

static void play_argument(stage *s, ladder_case *c)
{
    play(s, c, true);
}

static void play_constant(stage *s, ladder_case *c)
{
    play(s, c, false);
}

static hd_status call_heddle(hd_context *ctx, ladder_case *c, const ladder_arrays *a)
{
    return hd_blur(ctx, ladder_cube(HD_F32, a->in[0], 2, c->n), 1,
                   ladder_cube(HD_F32, a->out, 2, c->n),
                   &(hd_blur_options){.border = HD_BORDER_REPLICATE, .radius = RADIUS});
}

static const ladder_step steps[] = {
    {.name = "global",
     .title = "all from global memory",
     .teaches = "Two loads for one product.",
     .play = play_argument},
    {.name = "constant",
     .title = "weights in constant memory",
     .teaches = "One answer for all lanes.",
     .play = play_constant},
    {.name = "read_only",
     .title = "image through the read-only cache",
     .teaches = "A promise not to write lets the cache help.",
     .play = play_constant},
    {.name = "shared_tiles",
     .title = "tiles in shared memory",
     .teaches = "Load once, and keep what neighbours need.",
     .play = play_constant},
    {.name = "separable",
     .title = "separable",
     .teaches = "The best load is the product that is not computed.",
     .play = play_constant},
    {.name = "heddle",
     .title = "Heddle's own",
     .teaches = "Both passes in one: rows in registers, columns in a ring in shared memory.",
     .call = call_heddle,
     .code = "hd_blur(ctx, in, 1, out, &(hd_blur_options){.border = HD_BORDER_REPLICATE});",
     .file = "separable_strip"},
};

static int64_t clamped(int64_t at, int64_t n)
{
    return at < 0 ? 0 : at < n ? at : n - 1;
}

static bool prepare(ladder_case *c)
{
    const int64_t n = c->n;
    float *in = ladder_array(c, 0, 4 * n * n), weights[2 * RADIUS + 1];
    if (in == NULL || !ladder_answer(c, HD_F32, n * n)) return false;
    c->tolerance = 1e-5; // orders of additions differ from step to step
    make_weights(weights);
    uint64_t state = c->seed;
    float *out = c->expected;
    for (int64_t i = 0; i < n * n; i++) in[i] = (float)(ladder_random(&state) >> 56);
    for (int64_t i = 0; i < n * n; i++) {
        double sum = 0;
        for (int64_t j = -RADIUS; j <= RADIUS; j++)
            for (int64_t k = -RADIUS; k <= RADIUS; k++)
                sum += (double)in[clamped(i / n + j, n) * n + clamped(i % n + k, n)] *
                       (double)weights[j + RADIUS] * (double)weights[k + RADIUS];
        out[i] = (float)sum;
    }
    return true;
}

static int64_t least_bytes(const ladder_case *c)
{
    return 8 * c->n * c->n;
}

static void define(const ladder_case *c, char (*into)[64], int32_t most)
{
    (void)c;
    if (most > 0) snprintf(into[0], sizeof *into, "R=%d", RADIUS);
}

const ladder ladder_blur = {
    LADDER_ROW(blur, "Gaussian blur", "an n x n image of f32, sigma 1"),
    LADDER_SIZES("rows", 200, 4096, 1, 1 << 14, 256),
    .fixed_block = true,
    .dimensions = 2,
    .define = define,
};
