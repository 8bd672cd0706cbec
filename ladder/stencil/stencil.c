// SPDX-License-Identifier: Apache-2.0
// The ladder of stencils: the Laplacian of an n x n x n grid of f32 by finite differences of order
// 8.
#include "ladder/ladder.h"

#include <stdio.h>
#include <string.h>

#define RADIUS 4
#define SLAB   64 // planes that a block climbs through

static const double weights[RADIUS + 1] = {-205.0 / 72, 8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560};

static void play(stage *s, ladder_case *c, bool column)
{
    const int32_t inner = (int32_t)c->n - 2 * RADIUS;
    const stage_address in = stage_data(s, c->in[0], c->in_bytes[0]);
    const stage_address out = stage_zeros(s, c->bytes);
    const stage_shape shape = {
        {(inner + 31) / 32, (inner + 7) / 8, column ? (inner + SLAB - 1) / SLAB : inner},
        {32, 8},
        0};
    stage_launch(s, "laplacian", shape, "ppi", in, out, (int32_t)c->n);
    stage_read(s, out, c->got, c->bytes);
    stage_free(s, in);
    stage_free(s, out);
}

static void play_planes(stage *s, ladder_case *c)
{
    play(s, c, false);
}

static void play_columns(stage *s, ladder_case *c)
{
    play(s, c, true);
}

// Zeros beyond the grid, and outputs at its border, too.
static void expect_everywhere(ladder_case *c)
{
    const float *in = c->in[0];
    float *out = c->expected;
    const int64_t n = c->n, step[3] = {1, n, n * n};
    for (int64_t i = 0; i < n * n * n; i++) {
        const int64_t at[3] = {i % n, i / n % n, i / (n * n)};
        double sum = 3 * weights[0] * (double)in[i];
        for (int d = 0; d < 3; d++)
            for (int64_t k = 1; k <= RADIUS; k++) {
                if (at[d] >= k) sum += weights[k] * (double)in[i - k * step[d]];
                if (at[d] + k < n) sum += weights[k] * (double)in[i + k * step[d]];
            }
        out[i] = (float)sum;
    }
}

static hd_status call_heddle(hd_context *ctx, ladder_case *c, const ladder_arrays *a)
{
    int64_t offset[HD_MAX_LAPLACIAN * 3];
    double weight[HD_MAX_LAPLACIAN];
    const int64_t count = hd_laplacian(3, 2 * RADIUS, 1.0, offset, weight);
    return hd_stencil(ctx, ladder_cube(HD_F32, a->in[0], 3, c->n),
                      hd_view_nd(HD_I64, offset, 2, (const int64_t[]){count, 3}, NULL),
                      HD_VIEW(weight, count), ladder_cube(HD_F32, a->out, 3, c->n), NULL);
}

static const ladder_step steps[] = {
    {.name = "global",
     .title = "all from global memory",
     .teaches = "Finite differences are bound by memory: 25 loads, 25 products.",
     .play = play_planes},
    {.name = "shared_tile",
     .title = "a plane's tile in shared memory",
     .teaches = "A square tile reuses most for its halo.",
     .play = play_planes},
    {.name = "register_column",
     .title = "columns in registers",
     .teaches = "Walk through the data, and every plane is read once.",
     .play = play_columns},
    {.name = "heddle",
     .title = "Heddle's own",
     .teaches =
         "The same walk, for any neighbourhood: planes in shared memory, columns in registers.",
     .call = call_heddle,
     .expect = expect_everywhere,
     .code = "hd_stencil(ctx, in, offsets, weights, out, NULL);",
     .file = "stencil_march"},
};

static void expect(const float *in, float *out, int64_t n)
{
    const int64_t step[3] = {1, n, n * n};
    for (int64_t i = 0; i < n * n * n; i++) {
        const int64_t at[3] = {i % n, i / n % n, i / (n * n)};
        double sum = 3 * weights[0] * (double)in[i];
        bool inside = true;
        for (int d = 0; d < 3; d++) inside = inside && at[d] >= RADIUS && at[d] < n - RADIUS;
        for (int d = 0; d < 3 && inside; d++)
            for (int64_t k = 1; k <= RADIUS; k++)
                sum += weights[k] * ((double)in[i - k * step[d]] + (double)in[i + k * step[d]]);
        out[i] = inside ? (float)sum : 0;
    }
}

static bool prepare(ladder_case *c)
{
    const int64_t count = c->n * c->n * c->n;
    float *in = ladder_array(c, 0, 4 * count);
    if (in == NULL || !ladder_answer(c, HD_F32, count)) return false;
    c->tolerance = 1e-3; // of values up to 256, added in other orders
    uint64_t state = c->seed;
    for (int64_t i = 0; i < count; i++) in[i] = (float)(ladder_random(&state) >> 56);
    expect(in, c->expected, c->n);
    return true;
}

static int64_t least_bytes(const ladder_case *c)
{
    return 8 * c->n * c->n * c->n;
}

static void define(const ladder_case *c, char (*into)[64], int32_t most)
{
    (void)c;
    if (most < 3) return;
    snprintf(into[0], sizeof *into, "R=%d", RADIUS);
    snprintf(into[1], sizeof *into, "WEIGHTS=-205.f/72,8.f/5,-1.f/5,8.f/315,-1.f/560");
    snprintf(into[2], sizeof *into, "SLAB=%d", SLAB);
}

const ladder ladder_stencil = {
    LADDER_ROW(stencil, "stencil", "the Laplacian of an n x n x n grid, order 8"),
    LADDER_SIZES("points a side", 40, 512, 2 * RADIUS + 1, 1 << 10, 256),
    .fixed_block = true,
    .dimensions = 3,
    .define = define,
};
