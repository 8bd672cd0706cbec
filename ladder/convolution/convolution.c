// SPDX-License-Identifier: Apache-2.0
// The ladder of convolutions in one dimension: n f32, a mask of 5, zeros beyond the border. Values
// and weights are small whole numbers, so that every order of additions gives the same bits.
#include "ladder/ladder.h"

#include <stdio.h>

#define WIDTH 5

static const float weights[WIDTH] = {1, 2, 3, 2, 1};

static void play(stage *s, ladder_case *c, bool argument, int32_t outputs)
{
    const stage_address in = stage_data(s, c->in[0], c->in_bytes[0]);
    const stage_address out = stage_room(s, c->bytes);
    const stage_shape shape = {{(int32_t)((c->n + outputs - 1) / outputs)}, {c->block}, 0};
    if (argument) {
        const stage_address mask = stage_data(s, weights, sizeof weights);
        stage_launch(s, "convolve", shape, "pppi", in, mask, out, (int32_t)c->n);
        stage_free(s, mask);
    } else {
        stage_set(s, "mask", weights, sizeof weights);
        stage_launch(s, "convolve", shape, "ppi", in, out, (int32_t)c->n);
    }
    stage_read(s, out, c->got, c->bytes);
    stage_free(s, in);
    stage_free(s, out);
}

static void play_basic(stage *s, ladder_case *c)
{
    play(s, c, true, c->block);
}

static void play_constant(stage *s, ladder_case *c)
{
    play(s, c, false, c->block);
}

static void play_input_tiles(stage *s, ladder_case *c)
{
    play(s, c, false, c->block - WIDTH + 1);
}

static hd_status call_heddle(hd_context *ctx, ladder_case *c, const ladder_arrays *a)
{
    return hd_convolve(ctx, ladder_view(HD_F32, a->in[0], c->n), HD_VIEW(weights, WIDTH),
                       ladder_view(HD_F32, a->out, c->n), NULL);
}

static const ladder_step steps[] = {
    {.name = "basic",
     .title = "all from global memory",
     .teaches = "The same elements are asked for again and again.",
     .play = play_basic},
    {.name = "constant",
     .title = "mask in constant memory",
     .teaches = "What all lanes want at once is sent to all of them.",
     .play = play_constant},
    {.name = "output_tiles",
     .title = "tiles, a thread an output",
     .teaches = "Load once, use WIDTH times: a tile of T saves T W / (T + W - 1).",
     .play = play_constant},
    {.name = "input_tiles",
     .title = "tiles, a thread an input",
     .teaches = "Simpler loads for a few threads that do not compute.",
     .play = play_input_tiles},
    {.name = "heddle",
     .title = "Heddle's own",
     .teaches = "Several outputs a thread from registers, by loads of 16 bytes.",
     .call = call_heddle,
     .code = "hd_convolve(ctx, in, mask, out, NULL);",
     .file = "convolve_tile"},
};

static bool prepare(ladder_case *c)
{
    float *in = ladder_array(c, 0, 4 * c->n);
    if (in == NULL || !ladder_answer(c, HD_F32, c->n)) return false;
    float *out = c->expected;
    uint64_t state = c->seed;
    for (int64_t i = 0; i < c->n; i++) in[i] = (float)(ladder_random(&state) >> 56);
    for (int64_t i = 0; i < c->n; i++) {
        out[i] = 0;
        for (int64_t k = 0; k < WIDTH; k++) {
            const int64_t at = i - WIDTH / 2 + k;
            if (at >= 0 && at < c->n) out[i] += in[at] * weights[k];
        }
    }
    return true;
}

static int64_t least_bytes(const ladder_case *c)
{
    return 8 * c->n;
}

static void define(const ladder_case *c, char (*into)[64], int32_t most)
{
    if (most < 2) return;
    snprintf(into[0], sizeof *into, "WIDTH=%d", WIDTH);
    snprintf(into[1], sizeof *into, "BLOCK=%d", c->block);
}

const ladder ladder_convolution = {
    LADDER_ROW(convolution, "convolution", "n f32 with a mask of 5"),
    LADDER_SIZES("f32", 1 << 17, 1 << 24, 1, 1 << 28, 256),
    .define = define,
};
