// SPDX-License-Identifier: Apache-2.0
// The ladder of histograms: n ints in 16 bins.
#include "ladder/ladder.h"

#include <stdio.h>
#include <string.h>

#define BINS       16
#define MAX_BLOCKS 1056 // of the kernels that loop

// As many blocks as take `each` values a thread, up to `most`.
static void play_blocks(stage *s, ladder_case *c, int64_t each, int32_t most)
{
    const int64_t all = (c->n + c->block * each - 1) / (c->block * each);
    const int32_t blocks = (int32_t)(all < most ? all : most);
    const stage_address in = stage_data(s, c->in[0], c->in_bytes[0]);
    const stage_address bins = stage_zeros(s, c->bytes);
    stage_launch(s, "histogram", (stage_shape){{blocks}, {c->block}, 0}, "ppi", in, bins,
                 (int32_t)c->n);
    stage_read(s, bins, c->got, c->bytes);
    stage_free(s, in);
    stage_free(s, bins);
}

static void play_one_each(stage *s, ladder_case *c)
{
    play_blocks(s, c, 1, INT32_MAX);
}

static void play_many_each(stage *s, ladder_case *c)
{
    play_blocks(s, c, 16, MAX_BLOCKS);
}

HD_FUNCTION(bin_of, int32_t, HD_NO_SOURCE, (int32_t, x), { return x % 16; })

static hd_status call_heddle(hd_context *ctx, ladder_case *c, const ladder_arrays *a)
{
    return hd_histogram(ctx, ladder_view(HD_I32, a->in[0], c->n), ladder_view(HD_U32, a->out, BINS),
                        &(hd_histogram_options){.bin = bin_of});
}

static const ladder_step steps[] = {
    {.name = "racy",
     .title = "no atomics",
     .teaches = "Read, add, write by many threads loses counts.",
     .play = play_one_each,
     .flags = STEP_WRONG,
     .fault = "read, add and write are three steps, and nothing keeps other threads out",
     .hazard = HD_HAZARD_RACE},
    {.name = "global_atomics",
     .title = "atomics in global memory",
     .teaches = "Right, and one at a time.",
     .play = play_one_each},
    {.name = "sectioned",
     .title = "a section a thread",
     .teaches = "What suits a core's cache does not suit a warp.",
     .play = play_many_each},
    {.name = "interleaved",
     .title = "interleaved",
     .teaches = "Neighbouring threads, neighbouring values.",
     .play = play_many_each},
    {.name = "part_private",
     .title = "half of the bins private",
     .teaches = "What does not fit near stays far.",
     .play = play_many_each},
    {.name = "shared_copies",
     .title = "a private copy a block",
     .teaches = "Count near, add up far.",
     .play = play_many_each},
    {.name = "warp_aggregated",
     .title = "alike lanes count once",
     .teaches = "Find out who wants the same before asking for it.",
     .play = play_many_each},
    {.name = "copy_each",
     .title = "a private copy a thread",
     .teaches = "No waiting at all, and threads times bins to add up.",
     .play = play_many_each},
    {.name = "copy_each_reduce",
     .title = "a copy a thread, then reduced",
     .teaches = "Adding up is a reduction, and reductions are fast.",
     .play = play_many_each},
    {.name = "sorted",
     .title = "sorted, then run lengths",
     .teaches = "Once alike values are neighbours, counting them is subtracting two places.",
     .play = play_many_each,
     .flags = STEP_POWER_OF_TWO},
    {.name = "heddle",
     .title = "Heddle's own",
     .teaches = "Copies of the bins for some lanes each, and loads of 16 bytes.",
     .call = call_heddle,
     .code = "hd_histogram(ctx, in, out, &(hd_histogram_options){.bin = bin_of});",
     .file = "histogram_shared"},
};

static bool prepare(ladder_case *c)
{
    int32_t *in = ladder_array(c, 0, 4 * c->n);
    if (in == NULL || !ladder_answer(c, HD_U32, BINS)) return false;
    uint64_t state = c->seed;
    uint32_t *bins = c->expected;
    memset(bins, 0, BINS * sizeof *bins);
    for (int64_t i = 0; i < c->n; i++) {
        // Half of the values are alike, as letters of a text are.
        const uint64_t r = ladder_random(&state);
        const int32_t x = ladder_value(c, i, r >> 63 ? 4 : (int32_t)(r >> 40 & 0xffff));
        in[i] = c->values == LADDER_ALIKE ? 4 : x & INT32_MAX;
        bins[in[i] % BINS]++;
    }
    return true;
}

static int64_t least_bytes(const ladder_case *c)
{
    return 4 * c->n + 4 * BINS;
}

static void define(const ladder_case *c, char (*into)[64], int32_t most)
{
    if (most > 0) snprintf(into[0], sizeof *into, "BINS=%d", BINS);
    if (most > 1) ladder_define_block(c, into + 1, most - 1);
}

const ladder ladder_histogram = {
    LADDER_ROW(histogram, "histogram", "n ints counted in 16 bins"),
    LADDER_SIZES("ints", 1 << 17, 1 << 24, 1, 1 << 29, 256),
    .takes_values = true,
    .peak = LADDER_READS,
    .define = define,
};
