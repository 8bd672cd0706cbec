// SPDX-License-Identifier: Apache-2.0
// The ladder of maxima: where the greatest of n ints is (the first of equal ones), by the methods
// of the PRAM. Every launch is one step of it, or a few.
#include "ladder/ladder.h"

#include <stdio.h>

#define SECTION 8 // of accelerated cascading: about log log n

static void play_all_pairs(stage *s, ladder_case *c)
{
    const int32_t n = (int32_t)c->n;
    const stage_address x = stage_data(s, c->in[0], c->in_bytes[0]);
    const stage_address may_be = stage_room(s, 4 * c->n), at = stage_room(s, 4);
    stage_launch(s, "begin", ladder_shape(c, n), "ppi", may_be, at, n);
    stage_launch(s, "compare", ladder_shape(c, c->n * c->n), "ppi", x, may_be, n);
    stage_launch(s, "choose", ladder_shape(c, n), "ppi", may_be, at, n);
    stage_read(s, at, c->got, 4);
    stage_free(s, x);
    stage_free(s, may_be);
    stage_free(s, at);
}

static void play_tournament(stage *s, ladder_case *c)
{
    const stage_address x = stage_data(s, c->in[0], c->in_bytes[0]);
    stage_address from = stage_zeros(s, 4 * c->n), to = stage_zeros(s, 4 * c->n);
    int32_t first = 1;
    for (int32_t count = (int32_t)c->n; count > 1 && !stage_failed(s); count = (count + 1) / 2) {
        stage_launch(s, "play", ladder_shape(c, (count + 1) / 2), "pppii", x, from, to, count,
                     first);
        const stage_address winners = to;
        to = from;
        from = winners;
        first = 0;
    }
    stage_read(s, from, c->got, 4);
    stage_free(s, x);
    stage_free(s, from);
    stage_free(s, to);
}

// Rounds over groups of 2, 2, 4, 16, 256, ... candidates, from those of `from` (if not all) on.
static void play_rounds(stage *s, ladder_case *c, stage_address x, stage_address *from,
                        stage_address *to, int32_t count, bool with_first)
{
    const stage_address lost = stage_room(s, 4 * (int64_t)count);
    int32_t first = 1;
    for (int64_t group = 2, processors = 2; count > 1 && !stage_failed(s);) {
        const int64_t pairs = ((int64_t)count + group - 1) / group * group * group;
        stage_launch(s, "begin", ladder_shape(c, count), "pi", lost, count);
        if (with_first) {
            stage_launch(s, "compare", ladder_shape(c, pairs), "pppiii", x, *from, lost, count,
                         (int32_t)group, first);
            stage_launch(s, "choose", ladder_shape(c, count), "pppiii", *from, lost, *to, count,
                         (int32_t)group, first);
        } else {
            stage_launch(s, "compare", ladder_shape(c, pairs), "pppii", x, *from, lost, count,
                         (int32_t)group);
            stage_launch(s, "choose", ladder_shape(c, count), "pppii", *from, lost, *to, count,
                         (int32_t)group);
        }
        const stage_address winners = *to;
        *to = *from;
        *from = winners;
        first = 0;
        count = (int32_t)((count + group - 1) / group);
        // After groups g1 g2 ... gk there are g1 g2 ... gk threads for each candidate that is left.
        if (processors > 2) group = processors;
        processors *= group;
    }
    stage_free(s, lost);
}

static void play_doubly_log(stage *s, ladder_case *c)
{
    const stage_address x = stage_data(s, c->in[0], c->in_bytes[0]);
    stage_address from = stage_zeros(s, 4 * c->n), to = stage_zeros(s, 4 * c->n);
    play_rounds(s, c, x, &from, &to, (int32_t)c->n, true);
    stage_read(s, from, c->got, 4);
    stage_free(s, x);
    stage_free(s, from);
    stage_free(s, to);
}

static void play_cascading(stage *s, ladder_case *c)
{
    const int32_t count = (int32_t)((c->n + SECTION - 1) / SECTION);
    const stage_address x = stage_data(s, c->in[0], c->in_bytes[0]);
    stage_address from = stage_room(s, 4 * (int64_t)count), to = stage_room(s, 4 * (int64_t)count);
    stage_launch(s, "sections", ladder_shape(c, count), "ppi", x, from, (int32_t)c->n);
    play_rounds(s, c, x, &from, &to, count, false);
    stage_read(s, from, c->got, 4);
    stage_free(s, x);
    stage_free(s, from);
    stage_free(s, to);
}

static hd_status call_heddle(hd_context *ctx, ladder_case *c, const ladder_arrays *a)
{
    // The place is an i64; its lower half comes first, on every GPU.
    return hd_reduce(ctx, ladder_view(HD_I32, a->in[0], c->n), HD_ARGMAX,
                     ladder_view(HD_I64, a->out, 1), NULL);
}

static const ladder_step steps[] = {
    {.name = "all_pairs",
     .title = "all pairs, n^2 threads",
     .teaches = "Constant time is bought with n^2 work.",
     .play = play_all_pairs},
    {.name = "tournament",
     .title = "a tournament",
     .teaches = "n - 1 comparisons, log2 n steps, and most threads idle.",
     .play = play_tournament},
    {.name = "doubly_log",
     .title = "doubly logarithmic tree",
     .teaches = "Threads that winners left behind let groups grow: log log n steps.",
     .play = play_doubly_log},
    {.name = "cascading",
     .title = "accelerated cascading",
     .teaches = "Shrink the problem cheaply, then be fast on the rest.",
     .play = play_cascading},
    {.name = "heddle",
     .title = "Heddle's own",
     .teaches = "A GPU is no PRAM: a reduction of pairs of value and place, in one launch.",
     .call = call_heddle,
     .code = "hd_reduce(ctx, in, HD_ARGMAX, out, NULL);",
     .file = "reduce_tiles"},
};

static bool prepare(ladder_case *c)
{
    int32_t *in = ladder_array(c, 0, 4 * c->n), *at;
    if (in == NULL || !ladder_answer(c, HD_I32, 1)) return false;
    uint64_t state = c->seed;
    at = c->expected;
    *at = 0;
    for (int64_t i = 0; i < c->n; i++) {
        in[i] = ladder_value(c, i, (int32_t)(ladder_random(&state) % 1000));
        if (in[i] > in[*at]) *at = (int32_t)i;
    }
    return true;
}

static int64_t least_bytes(const ladder_case *c)
{
    return 4 * c->n;
}

static void define(const ladder_case *c, char (*into)[64], int32_t most)
{
    (void)c;
    if (most > 0) snprintf(into[0], sizeof *into, "SECTION=%d", SECTION);
}

const ladder ladder_maximum = {
    LADDER_ROW(maximum, "maximum", "where the greatest of n ints is"),
    LADDER_SIZES("ints", 1024, 1 << 14, 1, 1 << 16, 256),
    .takes_values = true,
    .peak = LADDER_READS,
    .define = define,
};
