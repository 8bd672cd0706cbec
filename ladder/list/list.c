// SPDX-License-Identifier: Apache-2.0
// The ladder of list rankings: how far each of n nodes is from the end of a list whose nodes lie
// scattered in memory. The last node points to itself.
#include "ladder/ladder.h"

#define MARK_EVERY 32 // nodes a mark, on average

// in[0] is the list, extra[0] its head, extra[1] how many marks there are: each node's mark or -1,
// and each mark's node.
enum { ORDER = 1, MARK_OF, MARKS };

static int32_t steps_for(int64_t n)
{
    int32_t steps = 0;
    while ((int64_t)1 << steps < n) steps++;
    return steps;
}

static void play_walk(stage *s, ladder_case *c)
{
    const stage_address next = stage_data(s, c->in[0], c->in_bytes[0]);
    const stage_address ranks = stage_room(s, c->bytes);
    stage_launch(s, "rank", (stage_shape){{1}, {32}, 0}, "ppii", next, ranks, (int32_t)c->extra[0],
                 (int32_t)c->n);
    stage_read(s, ranks, c->got, c->bytes);
    stage_free(s, next);
    stage_free(s, ranks);
}

// Jumps from one pair of arrays to the other until all point to the end.
static void jump_all(stage *s, const ladder_case *c, stage_address to[2], stage_address ranks[2],
                     int32_t n, int32_t steps)
{
    for (int32_t k = 0; k < steps; k++) {
        stage_launch(s, "jump", ladder_shape(c, n), "ppppi", to[0], ranks[0], to[1], ranks[1], n);
        const stage_address t = to[0], r = ranks[0];
        to[0] = to[1], to[1] = t;
        ranks[0] = ranks[1], ranks[1] = r;
    }
}

static void play_jumping(stage *s, ladder_case *c)
{
    const int32_t n = (int32_t)c->n;
    const stage_address next = stage_data(s, c->in[0], c->in_bytes[0]);
    stage_address to[2] = {stage_room(s, c->bytes), stage_room(s, c->bytes)};
    stage_address ranks[2] = {stage_room(s, c->bytes), stage_room(s, c->bytes)};
    stage_launch(s, "begin", ladder_shape(c, n), "pppi", next, to[0], ranks[0], n);
    jump_all(s, c, to, ranks, n, steps_for(n));
    stage_read(s, ranks[0], c->got, c->bytes);
    stage_free(s, next);
    for (int k = 0; k < 2; k++) stage_free(s, to[k]), stage_free(s, ranks[k]);
}

static void play_in_place(stage *s, ladder_case *c)
{
    const int32_t n = (int32_t)c->n;
    const stage_address next = stage_data(s, c->in[0], c->in_bytes[0]);
    const stage_address to = stage_room(s, c->bytes), ranks = stage_room(s, c->bytes);
    stage_launch(s, "begin", ladder_shape(c, n), "pppi", next, to, ranks, n);
    for (int32_t k = 0; k < steps_for(n); k++)
        stage_launch(s, "jump", ladder_shape(c, n), "ppi", to, ranks, n);
    stage_read(s, ranks, c->got, c->bytes);
    stage_free(s, next);
    stage_free(s, to);
    stage_free(s, ranks);
}

static void play_sublists(stage *s, ladder_case *c)
{
    const int32_t n = (int32_t)c->n, count = (int32_t)c->extra[1];
    const int64_t mark_bytes = 4 * (int64_t)count;
    const stage_address next = stage_data(s, c->in[0], c->in_bytes[0]);
    const stage_address a = stage_data(s, c->in[MARK_OF], c->bytes);
    const stage_address b = stage_data(s, c->in[MARKS], mark_bytes);
    const stage_address owner = stage_room(s, c->bytes), place = stage_room(s, c->bytes);
    const stage_address out = stage_room(s, c->bytes), tail = stage_room(s, 4);
    stage_address to[2] = {stage_room(s, mark_bytes), stage_room(s, mark_bytes)};
    stage_address ranks[2] = {stage_room(s, mark_bytes), stage_room(s, mark_bytes)};
    stage_launch(s, "walk", ladder_shape(c, count), "ppppppppi", next, a, b, owner, place, to[0],
                 ranks[0], tail, count);
    jump_all(s, c, to, ranks, count, steps_for(count));
    stage_launch(s, "add", ladder_shape(c, n), "pppppi", owner, place, ranks[0], tail, out, n);
    stage_read(s, out, c->got, c->bytes);
    const stage_address all[] = {next, a,     b,     owner,    place,   out,
                                 tail, to[0], to[1], ranks[0], ranks[1]};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) stage_free(s, all[k]);
}

static hd_status call_heddle(hd_context *ctx, ladder_case *c, const ladder_arrays *a)
{
    return hd_list_rank(ctx, ladder_view(HD_I32, a->in[0], c->n), ladder_view(HD_I32, a->out, c->n),
                        NULL);
}

static const ladder_step steps[] = {
    {.name = "walk",
     .title = "one thread walks",
     .teaches = "A list is the least parallel of all structures, it seems.",
     .play = play_walk},
    {.name = "jumping_in_place",
     .title = "pointer jumping, in place",
     .teaches = "The PRAM keeps step; a GPU does not.",
     .play = play_in_place,
     .flags = STEP_WRONG,
     .fault = "a thread reads a rank and a pointer while their owner changes them",
     .hazard = HD_HAZARD_RACE},
    {.name = "jumping",
     .title = "pointer jumping",
     .teaches = "log2 n steps for n log n work (Wyllie).",
     .play = play_jumping},
    {.name = "sublists",
     .title = "marks, walks, and jumping",
     .teaches = "Walk where it is short, jump where it is few.",
     .play = play_sublists},
    {.name = "heddle",
     .title = "Heddle's own",
     .teaches = "Splitters at random, walks of all sublists at once, and a list of splitters "
                "(Helman and JaJa).",
     .call = call_heddle,
     .code = "hd_list_rank(ctx, next, ranks, NULL);",
     .file = "list_walk"},
};

// Marks nodes at random, the head among them.
static bool mark(ladder_case *c)
{
    int32_t *mark_of = ladder_array(c, MARK_OF, 4 * c->n),
            *marks = ladder_array(c, MARKS, 4 * c->n);
    int32_t count = 0;
    uint64_t state = c->seed + 1;
    if (mark_of == NULL || marks == NULL) return false;
    for (int64_t i = 0; i < c->n; i++) {
        const bool marked = i == c->extra[0] || ladder_random(&state) % MARK_EVERY == 0;
        mark_of[i] = marked ? count : -1;
        if (marked) marks[count++] = (int32_t)i;
    }
    c->extra[1] = count;
    return true;
}

static bool prepare(ladder_case *c)
{
    const int64_t n = c->n;
    int32_t *next = ladder_array(c, 0, 4 * n), *order = ladder_array(c, ORDER, 4 * n);
    if (next == NULL || order == NULL || !ladder_answer(c, HD_I32, n)) return false;
    uint64_t state = c->seed;
    int32_t *ranks = c->expected;
    for (int64_t i = 0; i < n; i++) order[i] = (int32_t)i;
    // Else the list lies in order, or from the end to the front.
    for (int64_t i = 0; i < n && c->values == LADDER_FALLING; i++) order[i] = (int32_t)(n - 1 - i);
    for (int64_t i = n - 1; i > 0 && c->values == LADDER_RANDOM; i--) {
        const int64_t j = (int64_t)(ladder_random(&state) % (uint64_t)(i + 1));
        const int32_t swap = order[i];
        order[i] = order[j];
        order[j] = swap;
    }
    for (int64_t i = 0; i < n; i++) {
        next[order[i]] = order[i + 1 < n ? i + 1 : i];
        ranks[order[i]] = (int32_t)(n - 1 - i);
    }
    c->extra[0] = order[0];
    return mark(c);
}

static int64_t least_bytes(const ladder_case *c)
{
    return 8 * c->n;
}

const ladder ladder_list = {
    LADDER_ROW(list, "list ranking",
               "the distance of each of n nodes from the end of a scattered list"),
    LADDER_SIZES("nodes", 1 << 13, 1 << 20, 1, 1 << 26, 128),
    .takes_values = true,
};
