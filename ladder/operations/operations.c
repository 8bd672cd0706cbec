// SPDX-License-Identifier: Apache-2.0
// The ladder of atomic operations: all eleven, by n threads on one word. What a thread finds there
// depends on who came before it; what is left at the end does not.
#include "ladder/ladder.h"

#include <string.h>

#define FIRST 7u // what the word holds at first

enum { ADD, SUB, EXCH, MIN, MAX, INC, DEC, CAS, AND, OR, XOR, OPERATIONS };

static const char *const kernels[OPERATIONS] = {"do_add", "do_sub", "do_exch", "do_min",
                                                "do_max", "do_inc", "do_dec",  "do_cas",
                                                "do_and", "do_or",  "do_xor"};

// Two words: what is left, and for exch the sum of what was found. in[1] has them for every
// operation.
static void play(stage *s, ladder_case *c)
{
    const uint32_t begin[2] = {FIRST, 0};
    const stage_address in = stage_data(s, c->in[0], c->in_bytes[0]);
    const stage_address word = stage_data(s, begin, sizeof begin);
    stage_launch(s, kernels[c->way], ladder_shape(c, c->n), "ppi", in, word, (int32_t)c->n);
    stage_read(s, word, c->got, sizeof begin);
    stage_free(s, in);
    stage_free(s, word);
    memcpy(c->expected, (const uint32_t *)c->in[1] + 2 * c->way, sizeof begin);
    if (c->way != EXCH || stage_failed(s)) return;
    uint32_t *got = c->got; // who was last may be anybody: the sum of all is what counts
    got[1] += got[0];
    got[0] = 0;
}

static const ladder_step steps[] = {
    {.name = "add",
     .source = "operations",
     .title = "add",
     .teaches = "The one that histograms are made of.",
     .play = play,
     .way = ADD},
    {.name = "sub",
     .source = "operations",
     .title = "subtract",
     .teaches = "An addition of the negative.",
     .play = play,
     .way = SUB},
    {.name = "exch",
     .source = "operations",
     .title = "exchange",
     .teaches = "Nobody's value is lost: it is handed on.",
     .play = play,
     .way = EXCH},
    {.name = "min",
     .source = "operations",
     .title = "minimum",
     .teaches = "The order does not matter, nor do repeats.",
     .play = play,
     .way = MIN},
    {.name = "max",
     .source = "operations",
     .title = "maximum",
     .teaches = "As the minimum.",
     .play = play,
     .way = MAX},
    {.name = "inc",
     .source = "operations",
     .title = "increment, from 99 to 0",
     .teaches = "A ring of tickets.",
     .play = play,
     .way = INC},
    {.name = "dec",
     .source = "operations",
     .title = "decrement, from 0 to 99",
     .teaches = "The same ring, backwards.",
     .play = play,
     .way = DEC},
    {.name = "cas",
     .source = "operations",
     .title = "compare and swap: a product",
     .teaches = "Any operation can be made of this one, by trying.",
     .play = play,
     .way = CAS},
    {.name = "and",
     .source = "operations",
     .title = "and",
     .teaches = "Clear flags together.",
     .play = play,
     .way = AND},
    {.name = "or",
     .source = "operations",
     .title = "or",
     .teaches = "Set flags together.",
     .play = play,
     .way = OR},
    {.name = "xor",
     .source = "operations",
     .title = "exclusive or",
     .teaches = "Flip flags together.",
     .play = play,
     .way = XOR},
};

// One value after the other: the definition.
static void apply(uint32_t (*left)[2], uint32_t x)
{
    left[ADD][0] += x;
    left[SUB][0] -= x;
    left[EXCH][1] += x;
    if (x < left[MIN][0]) left[MIN][0] = x;
    if (x > left[MAX][0]) left[MAX][0] = x;
    left[INC][0] = left[INC][0] >= 99 ? 0 : left[INC][0] + 1;
    left[DEC][0] = left[DEC][0] == 0 || left[DEC][0] > 99 ? 99 : left[DEC][0] - 1;
    left[CAS][0] *= x | 1u;
    left[AND][0] &= x | 0xff00ff00u;
    left[OR][0] |= x & 0x0ff00ff0u;
    left[XOR][0] ^= x;
}

static bool prepare(ladder_case *c)
{
    uint32_t *in = ladder_array(c, 0, 4 * c->n);
    uint32_t(*left)[2] = ladder_array(c, 1, OPERATIONS * sizeof *left);
    if (in == NULL || left == NULL || !ladder_answer(c, HD_U32, 2)) return false;
    for (int k = 0; k < OPERATIONS; k++) left[k][0] = FIRST, left[k][1] = 0;
    left[EXCH][0] = 0;
    left[EXCH][1] = FIRST;
    uint64_t state = c->seed;
    for (int64_t i = 0; i < c->n; i++) {
        in[i] = (uint32_t)(ladder_random(&state) >> 32);
        apply(left, in[i]);
    }
    return true;
}

static int64_t least_bytes(const ladder_case *c)
{
    return 4 * c->n;
}

const ladder ladder_operations = {
    LADDER_ROW(operations, "atomic operations", "n threads, one word, every operation"),
    // On a card: compare and swap takes n^2.
    LADDER_SIZES("threads", 4096, 1 << 14, 1, 1 << 26, 256),
    .peak = LADDER_READS,
    .alike = true,
};
