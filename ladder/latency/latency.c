// SPDX-License-Identifier: Apache-2.0
// The ladder of latencies: n steps from word to word, each an atomic that tells where the next one
// is, by one thread that has nothing else to do. The lectures' rule: the L2 is ten times as near as
// DRAM, shared memory a hundred times.
#include "ladder/ladder.h"

#include <stdio.h>

#define NEAR  32        // words of the short way round
#define APART 32        // words from one to the next: a line each
#define FAR   (1 << 22) // words of the long way round: more than an L2 holds

// Cycles of an H200 from one step to the next, by where the word is.
#define DRAM_CYCLES    600.0
#define L2_CYCLES      270.0
#define SHARED_CYCLES  27.0
#define SHUFFLE_CYCLES 24.0

// The time of the chain from where its atomics were served.
static void add_up(stage *s, const ladder_case *c, int32_t threads)
{
    const stage_totals *t = stage_sum(s);
    const double far = (double)t->counts.global_atomics, near = (double)t->counts.shared_atomics;
    const double misses =
        (double)(t->l2_misses < t->counts.global_atomics ? t->l2_misses : t->counts.global_atomics);
    stage_chain(s, misses * DRAM_CYCLES + (far - misses) * L2_CYCLES + near * SHARED_CYCLES +
                       (threads > 1 ? (double)c->n * SHUFFLE_CYCLES : 0));
}

// in[0]: the long way round, in[1]: the short one.
static void play_way(stage *s, ladder_case *c, int way, int32_t threads)
{
    const stage_address next = stage_data(s, c->in[way], c->in_bytes[way]);
    const stage_address out = stage_room(s, 4);
    *(int32_t *)c->expected = ((const int32_t *)c->in[2])[way];
    stage_launch(s, "chase", (stage_shape){{1}, {threads}, 0}, "ppi", next, out, (int32_t)c->n);
    add_up(s, c, threads);
    stage_read(s, out, c->got, 4);
    stage_free(s, next);
    stage_free(s, out);
}

static void play_far(stage *s, ladder_case *c)
{
    play_way(s, c, 0, 1);
}

static void play_near(stage *s, ladder_case *c)
{
    play_way(s, c, 1, 1);
}

static void play_warp(stage *s, ladder_case *c)
{
    play_way(s, c, 1, 32);
}

static const ladder_step steps[] = {
    {.name = "dram",
     .title = "an atomic in DRAM",
     .teaches = "The far end of the machine.",
     .play = play_far},
    {.name = "l2",
     .title = "an atomic in the L2",
     .teaches = "The lectures' rule: a tenth of the way.",
     .play = play_near},
    {.name = "shared",
     .title = "an atomic in shared memory",
     .teaches = "The lectures' rule: a hundredth of the way.",
     .play = play_near},
    {.name = "shuffle",
     .title = "a shuffle from lane to lane",
     .teaches = "Registers of the neighbours are the nearest memory there is.",
     .play = play_warp},
};

// One cycle through `count` words in a random order; returns where `steps` steps from word 0 lead.
static int32_t make_way(int32_t *next, int32_t count, uint64_t *state, int64_t steps)
{
    for (int32_t k = 0; k < count; k++) next[(int64_t)k * APART] = k;
    for (int32_t k = count - 1; k > 0; k--) { // Sattolo's shuffle: a single cycle
        const int32_t j = (int32_t)(ladder_random(state) % (uint64_t)k);
        const int32_t kept = next[(int64_t)k * APART];
        next[(int64_t)k * APART] = next[(int64_t)j * APART];
        next[(int64_t)j * APART] = kept;
    }
    int32_t at = 0;
    for (int64_t k = 0; k < steps; k++) at = next[(int64_t)at * APART];
    for (int32_t k = 0; k < count; k++) next[(int64_t)k * APART] *= APART;
    return at * APART;
}

static bool prepare(ladder_case *c)
{
    // Short ways are no longer than they must be: every word is new.
    const int32_t far = c->n < 4096 ? (int32_t)c->n + 1 : FAR;
    const int32_t counts[] = {far < NEAR ? NEAR : far, NEAR};
    int32_t *ends = ladder_array(c, 2, 2 * sizeof *ends);
    if (ends == NULL || !ladder_answer(c, HD_I32, 1)) return false;
    uint64_t state = c->seed;
    for (int way = 0; way < 2; way++) {
        const int64_t words = (int64_t)counts[way] * APART;
        int32_t *next = ladder_array(c, way, words * 4);
        if (next == NULL) return false;
        for (int64_t k = 0; k < words; k++) next[k] = 0;
        ends[way] = make_way(next, counts[way], &state, c->n);
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
    if (most > 0) snprintf(into[0], sizeof *into, "NEAR=%d", NEAR);
    if (most > 1) snprintf(into[1], sizeof *into, "APART=%d", APART);
}

const ladder ladder_latency = {
    LADDER_ROW(latency, "latency", "n atomics, each waiting for the last"),
    LADDER_SIZES("steps", 1 << 10, 1 << 18, 1, 1 << 24, 32),
    .fixed_block = true,
    .define = define,
    .of_latency = true,
};
