// SPDX-License-Identifier: Apache-2.0
// The ladder of reductions: the sum of n ints. The first kernels are the lectures', the later ones
// what came since.
#include "ladder/ladder.h"

// Blocks of the kernels that loop: twice as many as a card of 132 multiprocessors runs at once.
#define MAX_BLOCKS 2112

static int32_t blocks_for(const ladder_case *c, int64_t n, int64_t each)
{
    const int64_t of_block = c->block * each;
    return (int32_t)(n <= of_block ? 1 : (n + of_block - 1) / of_block);
}

// Launches the kernel over the input, then over the blocks' sums, until one is left.
static void play_levels(stage *s, ladder_case *c, int64_t each, int32_t most)
{
    stage_address from = stage_data(s, c->in[0], c->in_bytes[0]);
    for (int64_t n = c->n;;) {
        int32_t blocks = blocks_for(c, n, each);
        if (blocks > most) blocks = most;
        const stage_address to = stage_room(s, 4 * (int64_t)blocks);
        const stage_shape shape = {{blocks}, {c->block}, 4 * (int64_t)c->block};
        stage_launch(s, "reduce", shape, "ppi", from, to, (int32_t)n);
        stage_free(s, from);
        from = to;
        if ((n = blocks) == 1 || stage_failed(s)) break;
    }
    stage_read(s, from, c->got, 4);
    stage_free(s, from);
}

static void play_one_each(stage *s, ladder_case *c)
{
    play_levels(s, c, 1, INT32_MAX);
}

static void play_two_each(stage *s, ladder_case *c)
{
    play_levels(s, c, 2, INT32_MAX);
}

static void play_many_each(stage *s, ladder_case *c)
{
    play_levels(s, c, 16, MAX_BLOCKS);
}

static void play_fours(stage *s, ladder_case *c)
{
    play_levels(s, c, 16, MAX_BLOCKS);
}

// The blocks' sums go to the host, which adds them.
static void play_host(stage *s, ladder_case *c)
{
    int32_t sums[MAX_BLOCKS], blocks = blocks_for(c, c->n, 16);
    if (blocks > MAX_BLOCKS) blocks = MAX_BLOCKS;
    const stage_address in = stage_data(s, c->in[0], c->in_bytes[0]);
    const stage_address out = stage_room(s, 4 * (int64_t)blocks);
    stage_launch(s, "reduce", (stage_shape){{blocks}, {c->block}, 0}, "ppi", in, out,
                 (int32_t)c->n);
    stage_read(s, out, sums, 4 * (int64_t)blocks);
    stage_free(s, in);
    stage_free(s, out);
    if (stage_failed(s)) return;
    uint32_t sum = 0;
    for (int32_t k = 0; k < blocks; k++) sum += (uint32_t)sums[k];
    *(uint32_t *)c->got = sum;
}

static void play_once(stage *s, ladder_case *c, bool with_sums)
{
    int32_t blocks = blocks_for(c, c->n, 16);
    if (blocks > MAX_BLOCKS) blocks = MAX_BLOCKS;
    const stage_address in = stage_data(s, c->in[0], c->in_bytes[0]);
    const stage_address out = stage_zeros(s, 4);
    const stage_shape shape = {{blocks}, {c->block}, 0};
    if (with_sums) {
        const stage_address sums = stage_room(s, 4 * (int64_t)blocks);
        stage_launch(s, "reduce", shape, "pppi", in, sums, out, (int32_t)c->n);
        stage_free(s, sums);
    } else {
        stage_launch(s, "reduce", shape, "ppi", in, out, (int32_t)c->n);
    }
    stage_read(s, out, c->got, 4);
    stage_free(s, in);
    stage_free(s, out);
}

static void play_atomic(stage *s, ladder_case *c)
{
    play_once(s, c, false);
}

static void play_one_launch(stage *s, ladder_case *c)
{
    play_once(s, c, true);
}

static hd_status call_heddle(hd_context *ctx, ladder_case *c, const ladder_arrays *a)
{
    return hd_reduce(ctx, ladder_view(HD_I32, a->in[0], c->n), HD_SUM,
                     ladder_view(HD_I32, a->out, 1), NULL);
}

static const ladder_step steps[] = {
    {.name = "modulo",
     .title = "interleaved, by modulo",
     .teaches = "Lanes that part make their warp run both ways.",
     .play = play_one_each,
     .flags = STEP_POWER_OF_TWO,
     .then_gb_s = 7},
    {.name = "strided",
     .title = "interleaved, first threads work",
     .teaches = "Give the work to neighbours, and whole warps are done.",
     .play = play_one_each,
     .flags = STEP_POWER_OF_TWO,
     .then_gb_s = 9.7},
    {.name = "sequential",
     .title = "sequential addressing",
     .teaches = "A warp that reads 32 neighbouring words meets every bank once.",
     .play = play_one_each,
     .flags = STEP_POWER_OF_TWO,
     .then_gb_s = 13.9},
    {.name = "first_add",
     .title = "first addition on load",
     .teaches = "A thread that loads one element and stops is wasted.",
     .play = play_two_each,
     .flags = STEP_POWER_OF_TWO,
     .then_gb_s = 29},
    {.name = "last_warp_racy",
     .title = "last warp, no barrier",
     .teaches = "Lanes of a warp are threads: without __syncwarp they race.",
     .play = play_two_each,
     .flags = STEP_POWER_OF_TWO | STEP_WRONG,
     .fault = "lanes read what others write, with no __syncwarp in between",
     .hazard = HD_HAZARD_RACE},
    {.name = "last_warp",
     .title = "last warp unrolled",
     .teaches = "A barrier of one warp costs less than one of the block.",
     .play = play_two_each,
     .flags = STEP_POWER_OF_TWO,
     .then_gb_s = 45.7},
    {.name = "unrolled",
     .title = "fully unrolled",
     .teaches = "What the compiler knows it need not compute.",
     .play = play_two_each,
     .flags = STEP_POWER_OF_TWO,
     .then_gb_s = 59.8},
    {.name = "many_each",
     .title = "many elements a thread",
     .teaches = "Add in registers first: the tree is for what is left.",
     .play = play_many_each,
     .flags = STEP_POWER_OF_TWO,
     .then_gb_s = 88.1},
    {.name = "shuffle",
     .title = "warp shuffles",
     .teaches = "Registers of the neighbours are nearer than shared memory.",
     .play = play_many_each,
     .flags = STEP_POWER_OF_TWO},
    {.name = "vector",
     .title = "loads of 16 bytes",
     .teaches = "Fewer, wider requests, several under way.",
     .play = play_fours,
     .flags = STEP_POWER_OF_TWO},
    {.name = "host",
     .source = "vector",
     .title = "the host adds the blocks' sums",
     .teaches = "A copy of a few sums instead of a second launch.",
     .play = play_host,
     .flags = STEP_POWER_OF_TWO},
    {.name = "atomic",
     .title = "one launch, atomics",
     .teaches = "One atomic a block is cheap; one an element is not.",
     .play = play_atomic,
     .flags = STEP_POWER_OF_TWO},
    {.name = "one_launch",
     .title = "one launch, last block adds",
     .teaches = "The last to come finishes the work, in a fixed order.",
     .play = play_one_launch,
     .flags = STEP_POWER_OF_TWO},
    {.name = "heddle",
     .title = "Heddle's own",
     .teaches = "One launch, a tree in a fixed order, as many bytes under way as memory can take.",
     .call = call_heddle,
     .code = "hd_reduce(ctx, in, HD_SUM, out, NULL);",
     .file = "reduce_tiles"},
};

static bool prepare(ladder_case *c)
{
    int32_t *in = ladder_array(c, 0, 4 * c->n);
    if (in == NULL || !ladder_answer(c, HD_I32, 1)) return false;
    uint64_t state = c->seed;
    uint32_t sum = 0;
    for (int64_t i = 0; i < c->n; i++) {
        in[i] = ladder_value(c, i, (int32_t)(ladder_random(&state) >> 40) - (1 << 23));
        sum += (uint32_t)in[i];
    }
    *(uint32_t *)c->expected = sum;
    return true;
}

static int64_t least_bytes(const ladder_case *c)
{
    return 4 * c->n;
}

const ladder ladder_reduce = {
    LADDER_ROW(reduce, "reduction", "the sum of n ints"),
    LADDER_SIZES("ints", 1 << 18, 1 << 28, 1, 1 << 29, 256),
    .takes_values = true,
    .peak = LADDER_READS,
    .define = ladder_define_block,
};
