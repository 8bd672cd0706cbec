// SPDX-License-Identifier: Apache-2.0
// The ladder of scans: running sums of n ints. The lectures' kernels scan sections of one block
// each; the last steps scan all of the input.
#include "ladder/ladder.h"

#include <string.h>

// in[0] is the input; these are the answers a step may give.
enum { OF_SECTIONS = 1, EXCLUSIVE, OF_EVERYTHING };

static stage_address begin(stage *s, ladder_case *c, int answer)
{
    memcpy(c->expected, c->in[answer], (size_t)c->bytes);
    return stage_data(s, c->in[0], c->in_bytes[0]);
}

static int32_t sections(const ladder_case *c)
{
    return (int32_t)((c->n + c->block - 1) / c->block);
}

static void play_sections(stage *s, ladder_case *c, int answer, int32_t threads)
{
    const stage_address in = begin(s, c, answer), out = stage_room(s, c->bytes);
    stage_launch(s, "scan", (stage_shape){{sections(c)}, {threads}, 0}, "ppi", in, out,
                 (int32_t)c->n);
    stage_read(s, out, c->got, c->bytes);
    stage_free(s, in);
    stage_free(s, out);
}

static void play_one_each(stage *s, ladder_case *c)
{
    play_sections(s, c, OF_SECTIONS, c->block);
}

static void play_two_each(stage *s, ladder_case *c)
{
    play_sections(s, c, OF_SECTIONS, c->block / 2);
}

static void play_exclusive(stage *s, ladder_case *c)
{
    play_sections(s, c, EXCLUSIVE, c->block);
}

static void play_blelloch(stage *s, ladder_case *c)
{
    play_sections(s, c, EXCLUSIVE, c->block / 2);
}

static void play_hierarchy(stage *s, ladder_case *c)
{
    const int32_t count = sections(c), n = (int32_t)c->n;
    const stage_address in = begin(s, c, OF_EVERYTHING), out = stage_room(s, c->bytes);
    const stage_address sums = stage_room(s, 4 * (int64_t)count);
    const stage_shape all = {{count}, {c->block}, 0}, one = {{1}, {c->block}, 0};
    stage_launch(s, "scan_sections", all, "pppi", in, out, sums, n);
    stage_launch(s, "scan_sums", one, "pi", sums, count);
    stage_launch(s, "add_sums", all, "ppi", out, sums, n);
    stage_read(s, out, c->got, c->bytes);
    stage_free(s, in);
    stage_free(s, out);
    stage_free(s, sums);
}

static void play_look_back(stage *s, ladder_case *c)
{
    const stage_address in = begin(s, c, OF_EVERYTHING), out = stage_room(s, c->bytes);
    const stage_address words = stage_zeros(s, 8 * (int64_t)sections(c));
    const stage_address next = stage_zeros(s, 4);
    stage_launch(s, "scan", (stage_shape){{sections(c)}, {c->block}, 0}, "ppppi", in, out, words,
                 next, (int32_t)c->n);
    stage_read(s, out, c->got, c->bytes);
    stage_free(s, in);
    stage_free(s, out);
    stage_free(s, words);
    stage_free(s, next);
}

static void expect_everything(ladder_case *c)
{
    memcpy(c->expected, c->in[OF_EVERYTHING], (size_t)c->bytes);
}

static hd_status call_heddle(hd_context *ctx, ladder_case *c, const ladder_arrays *a)
{
    return hd_scan(ctx, ladder_view(HD_I32, a->in[0], c->n), HD_SUM,
                   ladder_view(HD_I32, a->out, c->n), NULL);
}

static const ladder_step steps[] = {
    {.name = "sums_all",
     .title = "each thread sums all before it",
     .teaches = "Parallel is easy as long as speed does not matter.",
     .play = play_one_each},
    {.name = "divergent_barrier",
     .title = "barrier in a divergent loop",
     .teaches = "All threads of a block must come to a barrier, or none.",
     .play = play_one_each,
     .flags = STEP_POWER_OF_TWO | STEP_WRONG,
     .fault = "threads leave the loop while others wait at its barrier",
     .hazard = HD_HAZARD_BARRIER},
    {.name = "one_barrier",
     .title = "Kogge-Stone, a barrier missing",
     .teaches = "Read, barrier, write, barrier: in one buffer it takes both.",
     .play = play_one_each,
     .flags = STEP_POWER_OF_TWO | STEP_WRONG,
     .fault = "a thread overwrites what its neighbour has yet to read",
     .hazard = HD_HAZARD_RACE},
    {.name = "no_store",
     .title = "Kogge-Stone, no store",
     .teaches = "What stays in shared memory is lost.",
     .play = play_one_each,
     .flags = STEP_POWER_OF_TWO | STEP_WRONG,
     .fault = "the results are never stored",
     .hazard = HD_HAZARD_UNINITIALISED},
    {.name = "kogge_stone",
     .title = "Kogge-Stone, two barriers",
     .teaches = "log2 n steps, n log2 n - (n - 1) additions.",
     .play = play_one_each,
     .flags = STEP_POWER_OF_TWO},
    {.name = "double_buffer",
     .title = "Kogge-Stone, two buffers",
     .teaches = "A second buffer is cheaper than a second barrier.",
     .play = play_one_each,
     .flags = STEP_POWER_OF_TWO},
    {.name = "brent_kung",
     .title = "Brent-Kung",
     .teaches = "Twice the steps, but at most 2 (n - 1) additions.",
     .play = play_two_each,
     .flags = STEP_POWER_OF_TWO},
    {.name = "exclusive_shift",
     .title = "exclusive, by a shift",
     .teaches = "Exclusive is inclusive of the left neighbour.",
     .play = play_exclusive,
     .flags = STEP_POWER_OF_TWO},
    {.name = "blelloch",
     .title = "Blelloch's two sweeps",
     .teaches = "Up with sums, down with what lies before.",
     .play = play_blelloch,
     .flags = STEP_POWER_OF_TWO},
    {.name = "blelloch_padded",
     .title = "Blelloch, padded",
     .teaches = "One word left out after 32 sends strides to all banks.",
     .play = play_blelloch,
     .flags = STEP_POWER_OF_TWO},
    {.name = "shuffle",
     .title = "warp shuffles",
     .teaches = "A warp needs no barrier and no shared memory to scan.",
     .play = play_one_each,
     .flags = STEP_POWER_OF_TWO},
    {.name = "hierarchy",
     .title = "everything, three kernels",
     .teaches = "Scan sections, scan their sums, add.",
     .play = play_hierarchy,
     .flags = STEP_POWER_OF_TWO},
    {.name = "look_back",
     .title = "everything, one launch",
     .teaches = "Blocks that talk while they run need no second pass.",
     .play = play_look_back,
     .flags = STEP_POWER_OF_TWO},
    {.name = "heddle",
     .title = "Heddle's own",
     .teaches = "One pass, larger tiles, and sums that look back at every level of a tree.",
     .call = call_heddle,
     .expect = expect_everything,
     .code = "hd_scan(ctx, in, HD_SUM, out, NULL);",
     .file = "scan_tiles"},
};

static bool prepare(ladder_case *c)
{
    int32_t *array[4];
    for (int k = 0; k < 4; k++)
        if ((array[k] = ladder_array(c, k, 4 * c->n)) == NULL) return false;
    if (!ladder_answer(c, HD_I32, c->n)) return false;
    uint64_t state = c->seed;
    uint32_t all = 0, section = 0;
    for (int64_t i = 0; i < c->n; i++) {
        const uint32_t x = (uint32_t)ladder_value(c, i, (int32_t)(ladder_random(&state) >> 48));
        if (i % c->block == 0) section = 0;
        array[0][i] = (int32_t)x;
        array[EXCLUSIVE][i] = (int32_t)section;
        array[OF_SECTIONS][i] = (int32_t)(section += x);
        array[OF_EVERYTHING][i] = (int32_t)(all += x);
    }
    return true;
}

static int64_t least_bytes(const ladder_case *c)
{
    return 8 * c->n;
}

const ladder ladder_scan = {
    LADDER_ROW(scan, "scan", "running sums of n ints"),
    LADDER_SIZES("ints", 1 << 16, 1 << 24, 1, 1 << 28, 256),
    .takes_values = true,
    .define = ladder_define_block,
};
