// SPDX-License-Identifier: Apache-2.0
// Three stories of people who share a board, a ticket machine, the seats of a plane: each first as
// a program that races, then mended. The answer is the board and, for each ticket or seat, how
// often it was given away.
#include "ladder/ladder.h"

#include <string.h>

static void play(stage *s, ladder_case *c, const void *in, int32_t board, int32_t each)
{
    int32_t *expected = c->expected;
    expected[0] = board;
    for (int64_t i = 1; i <= c->n; i++) expected[i] = each;
    const stage_address a = stage_data(s, in, 4 * c->n), b = stage_zeros(s, 4);
    const stage_address taken = stage_zeros(s, 4 * c->n);
    stage_launch(s, "serve", ladder_shape(c, c->n), "pppi", a, b, taken, (int32_t)c->n);
    stage_read(s, b, c->got, 4);
    stage_read(s, taken, (int32_t *)c->got + 1, 4 * c->n);
    stage_free(s, a);
    stage_free(s, b);
    stage_free(s, taken);
}

static void play_cashiers(stage *s, ladder_case *c)
{
    const int32_t *piles = c->in[0];
    int32_t sum = 0;
    for (int64_t i = 0; i < c->n; i++) sum += piles[i];
    play(s, c, piles, sum, 0);
}

static void play_tickets(stage *s, ladder_case *c)
{
    play(s, c, c->in[0], (int32_t)c->n, 1);
}

static void play_seats(stage *s, ladder_case *c)
{
    play(s, c, c->in[1], (int32_t)c->n, 1);
}

#define RACE .hazard = HD_HAZARD_RACE, .flags = STEP_WRONG
static const ladder_step steps[] = {
    {.name = "cashiers_racy",
     .title = "cashiers, each for itself",
     .teaches = "A total that several update is a total that loses.",
     .play = play_cashiers,
     .fault = "the total changes between a cashier's look and its writing",
     RACE},
    {.name = "cashiers",
     .title = "cashiers, one at a time",
     .teaches = "Addition is one step, or it is wrong.",
     .play = play_cashiers},
    {.name = "tickets_racy",
     .title = "tickets, drawn by hand",
     .teaches = "Two customers, one number.",
     .play = play_tickets,
     .fault = "the next number is read by several before one sets it further",
     RACE},
    {.name = "tickets",
     .title = "tickets, from the machine",
     .teaches = "What an atomic returns is yours alone.",
     .play = play_tickets},
    {.name = "seats_racy",
     .title = "seats, looked up then marked",
     .teaches = "To see that a seat is free is not to have it.",
     .play = play_seats,
     .fault = "a seat is taken by others between the look and the mark",
     RACE},
    {.name = "seats",
     .title = "seats, by compare and swap",
     .teaches = "Take it only if it is still as you saw it.",
     .play = play_seats},
};

static bool prepare(ladder_case *c)
{
    int32_t *piles = ladder_array(c, 0, 4 * c->n), *wishes = ladder_array(c, 1, 4 * c->n);
    if (piles == NULL || wishes == NULL || !ladder_answer(c, HD_I32, c->n + 1)) return false;
    uint64_t state = c->seed;
    for (int64_t i = 0; i < c->n; i++) {
        piles[i] = (int32_t)(1 + ladder_random(&state) % 1000);
        // Everyone wants to sit in front.
        wishes[i] = (int32_t)(ladder_random(&state) % (uint64_t)(c->n / 8 + 1));
    }
    return true;
}

static int64_t least_bytes(const ladder_case *c)
{
    return 8 * c->n;
}

const ladder ladder_sharing = {
    LADDER_ROW(sharing, "sharing", "n people at one board, one ticket machine, one plane"),
    LADDER_SIZES("people", 512, 1 << 12, 64, 1 << 16, 128),
    .alike = true,
};
