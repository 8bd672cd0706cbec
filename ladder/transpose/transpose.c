// SPDX-License-Identifier: Apache-2.0
// The ladder of transposes: an n x n matrix of f32, in tiles of 32 x 32.
#include "ladder/ladder.h"

static void play(stage *s, ladder_case *c)
{
    const int32_t tiles = (int32_t)((c->n + 31) / 32);
    const stage_address in = stage_data(s, c->in[0], c->in_bytes[0]);
    const stage_address out = stage_room(s, c->bytes);
    stage_launch(s, "transpose", (stage_shape){{tiles, tiles}, {32, 8}, 0}, "ppi", in, out,
                 (int32_t)c->n);
    stage_read(s, out, c->got, c->bytes);
    stage_free(s, in);
    stage_free(s, out);
}

static hd_status call_heddle(hd_context *ctx, ladder_case *c, const ladder_arrays *a)
{
    return hd_transpose(ctx, ladder_cube(HD_F32, a->in[0], 2, c->n),
                        ladder_cube(HD_F32, a->out, 2, c->n), NULL);
}

static const ladder_step steps[] = {
    {.name = "read_rows",
     .title = "naive, reads along rows",
     .teaches = "One of both sides goes against the grain.",
     .play = play},
    {.name = "write_rows",
     .title = "naive, writes along rows",
     .teaches = "Turning it round moves the waste from stores to loads.",
     .play = play},
    {.name = "tiled",
     .title = "tiled in shared memory",
     .teaches = "Shared memory has no grain, but it has banks.",
     .play = play},
    {.name = "no_barrier",
     .title = "tiled, no barrier",
     .teaches = "What other warps write is there after a barrier, not before.",
     .play = play,
     .flags = STEP_WRONG,
     .fault = "columns are read before other warps have written them",
     .hazard = HD_HAZARD_RACE},
    {.name = "padded",
     .title = "tiled, padded rows",
     .teaches = "An odd stride meets every bank.",
     .play = play},
    {.name = "heddle",
     .title = "Heddle's own",
     .teaches = "Blocks that go along a row of tiles, with more loads under way.",
     .call = call_heddle,
     .code = "hd_transpose(ctx, in, out, NULL);",
     .file = "transpose_tiles"},
};

static bool prepare(ladder_case *c)
{
    const int64_t n = c->n;
    float *in = ladder_array(c, 0, 4 * n * n);
    if (in == NULL || !ladder_answer(c, HD_F32, n * n)) return false;
    uint64_t state = c->seed;
    float *out = c->expected;
    for (int64_t y = 0; y < n; y++)
        for (int64_t x = 0; x < n; x++)
            out[x * n + y] = in[y * n + x] = (float)(ladder_random(&state) >> 40);
    return true;
}

static int64_t least_bytes(const ladder_case *c)
{
    return 8 * c->n * c->n;
}

const ladder ladder_transpose = {
    LADDER_ROW(transpose, "transpose", "an n x n matrix of f32"),
    LADDER_SIZES("rows", 512, 8192, 1, 1 << 15, 256),
    .fixed_block = true,
    .dimensions = 2,
};
