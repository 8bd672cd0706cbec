// SPDX-License-Identifier: Apache-2.0
// The ladder of atomics: n threads count themselves.
#include "ladder/ladder.h"

#define COUNTERS 32

static void play(stage *s, ladder_case *c)
{
    uint32_t counted[COUNTERS] = {0}, sum = 0;
    const stage_address counters = stage_zeros(s, sizeof counted);
    stage_launch(s, "count", ladder_shape(c, c->n), "pi", counters, (int32_t)c->n);
    stage_read(s, counters, counted, sizeof counted);
    stage_free(s, counters);
    for (int k = 0; k < COUNTERS; k++) sum += counted[k];
    *(uint32_t *)c->got = sum;
}

static const ladder_step steps[] = {
    {.name = "racy",
     .title = "no atomics",
     .teaches = "Two read 0, both write 1: one is lost.",
     .play = play,
     .flags = STEP_WRONG,
     .fault = "read, add and write are three steps, and nothing keeps other threads out",
     .hazard = HD_HAZARD_RACE},
    {.name = "compare_and_swap",
     .title = "compare and swap, again and again",
     .teaches = "The mother of all atomics, and the slowest.",
     .play = play},
    {.name = "one_counter",
     .title = "one counter",
     .teaches = "Atomics on one address take turns.",
     .play = play},
    {.name = "many_counters",
     .title = "32 counters",
     .teaches = "More places, shorter lines.",
     .play = play},
    {.name = "shared_counter",
     .title = "a counter a block, in shared memory",
     .teaches = "A line nearby is faster than a line far away.",
     .play = play},
    {.name = "warp_aggregated",
     .title = "one lane counts for its warp",
     .teaches = "Agree first, then go once.",
     .play = play},
    {.name = "both", .title = "warps, then blocks", .teaches = "A tree of counters.", .play = play},
};

static bool prepare(ladder_case *c)
{
    if (!ladder_answer(c, HD_U32, 1)) return false;
    *(uint32_t *)c->expected = (uint32_t)c->n;
    return true;
}

static int64_t least_bytes(const ladder_case *c)
{
    (void)c;
    return 4;
}

const ladder ladder_atomics = {
    LADDER_ROW(atomics, "atomics", "n threads count themselves"),
    // On a card: compare and swap takes n^2.
    LADDER_SIZES("threads", 1 << 14, 1 << 15, 1, 1 << 29, 256),
    .peak = LADDER_READS,
};
