// SPDX-License-Identifier: Apache-2.0
// The ladder of convolutions in two dimensions: an n x n image of f32, the lectures' mask of 5 x 5,
// zeros beyond the border. Values and weights are small whole numbers: every order gives the same
// bits.
#include "ladder/ladder.h"

#include <stdio.h>

#define WIDTH 5

static const float weights[WIDTH * WIDTH] = {1, 2, 3, 2, 1, 2, 3, 4, 3, 2, 3, 4, 5,
                                             4, 3, 2, 3, 4, 3, 2, 1, 2, 3, 2, 1};

// pitch: elements from row to row; shift: from the beginning of the input's memory to its first
// row.
static void play(stage *s, ladder_case *c, int32_t outputs, int32_t wide, int32_t high,
                 int64_t pitch, int64_t shift)
{
    const int32_t blocks = (int32_t)((c->n + outputs - 1) / outputs);
    const stage_address room = stage_room(s, 4 * (pitch * c->n + shift));
    const stage_address in = room + (uint64_t)(4 * shift), out = stage_room(s, 4 * pitch * c->n);
    for (int64_t y = 0; y < c->n; y++)
        stage_write(s, in + (uint64_t)(4 * pitch * y), (float *)c->in[0] + y * c->n, 4 * c->n);
    stage_set(s, "mask", weights, sizeof weights);
    stage_launch(s, "convolve", (stage_shape){{blocks, blocks}, {wide, high}, 0}, "ppii", in, out,
                 (int32_t)c->n, (int32_t)pitch);
    for (int64_t y = 0; y < c->n; y++)
        stage_read(s, out + (uint64_t)(4 * pitch * y), (float *)c->got + y * c->n, 4 * c->n);
    stage_free(s, room);
    stage_free(s, out);
}

static void play_basic(stage *s, ladder_case *c)
{
    play(s, c, 16, 16, 16, c->n, 0);
}

static void play_tiled(stage *s, ladder_case *c)
{
    play(s, c, 16 - WIDTH + 1, 16, 16, c->n, 0);
}

static void play_wide(stage *s, ladder_case *c)
{
    play(s, c, 32, 32, 8, c->n, 0);
}

// Rows of tiles, their halo included, begin where sectors begin.
static void play_pitch(stage *s, ladder_case *c)
{
    play(s, c, 32, 32, 8, (c->n + 31) / 32 * 32, WIDTH / 2);
}

static hd_status call_heddle(hd_context *ctx, ladder_case *c, const ladder_arrays *a)
{
    return hd_convolve(ctx, ladder_cube(HD_F32, a->in[0], 2, c->n),
                       hd_view_nd(HD_F32, weights, 2, (const int64_t[]){WIDTH, WIDTH}, NULL),
                       ladder_cube(HD_F32, a->out, 2, c->n), NULL);
}

static const ladder_step steps[] = {
    {.name = "basic",
     .title = "all from global memory",
     .teaches = "25 loads a pixel, 24 of them for the neighbours too.",
     .play = play_basic},
    {.name = "tiled",
     .title = "tiles of 16 x 16 inputs",
     .teaches = "Each load serves up to 25 outputs.",
     .play = play_tiled},
    {.name = "wide_tiles",
     .title = "tiles of 32 x 32 outputs",
     .teaches = "The larger the tile, the smaller its halo's share.",
     .play = play_wide},
    {.name = "pitch",
     .source = "wide_tiles",
     .title = "rows with a pitch",
     .teaches = "Rows that begin where sectors do share none with others.",
     .play = play_pitch},
    {.name = "heddle",
     .title = "Heddle's own",
     .teaches = "Blocks of outputs in registers: each load from shared memory serves several rows.",
     .call = call_heddle,
     .code = "hd_convolve(ctx, in, mask, out, NULL);",
     .file = "convolve_tile"},
};

static bool prepare(ladder_case *c)
{
    const int64_t n = c->n;
    float *in = ladder_array(c, 0, 4 * n * n);
    if (in == NULL || !ladder_answer(c, HD_F32, n * n)) return false;
    float *out = c->expected;
    uint64_t state = c->seed;
    for (int64_t i = 0; i < n * n; i++) in[i] = (float)(ladder_random(&state) >> 56);
    for (int64_t i = 0; i < n * n; i++) {
        float sum = 0;
        for (int64_t k = 0; k < WIDTH * WIDTH; k++) {
            const int64_t y = i / n + k / WIDTH - WIDTH / 2, x = i % n + k % WIDTH - WIDTH / 2;
            if (y >= 0 && y < n && x >= 0 && x < n) sum += in[y * n + x] * weights[k];
        }
        out[i] = sum;
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
    if (most > 0) snprintf(into[0], sizeof *into, "WIDTH=%d", WIDTH);
}

const ladder ladder_convolution2d = {
    LADDER_ROW(convolution2d, "2-D convolution", "an n x n image with a mask of 5 x 5"),
    // On the model no multiple of anything: a pitch shows.
    LADDER_SIZES("rows", 250, 8190, 1, 1 << 14, 256),
    .fixed_block = true,
    .dimensions = 2,
    .define = define,
};
