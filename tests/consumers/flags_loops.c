// SPDX-License-Identifier: Apache-2.0
// The loops of flags_texts.c alone, without the library, for a machine that is only emulated: their
// bits against those of volatile variables, and what the file's own probe says.
#include <stdio.h>
#include <string.h>

#include "flags_exactly.h"

static int failures;

// The tree over eight elements and the scan below it, one combination at a time.
static void combine_one(const hd_operator *op, char *out, const char *a, const char *b)
{
    op->combine(out, a, b, 1, NULL);
}

static void up_exactly(const hd_operator *op, char *out, const char *x, size_t size)
{
    char node[7][64];
    for (int k = 0; k < 4; k++)
        combine_one(op, node[k], x + (size_t)(2 * k) * size, x + (size_t)(2 * k + 1) * size);
    for (int k = 0; k < 2; k++) combine_one(op, node[4 + k], node[2 * k], node[2 * k + 1]);
    combine_one(op, node[6], node[4], node[5]);
    memcpy(out, node[6], size);
}

static void expect(const hd_operator *op, const char *loop, const void *got, const void *want,
                   size_t bytes)
{
    if (memcmp(got, want, bytes) == 0) return;
    printf("%s of %s: other bits\n", loop, op->name);
    failures++;
}

static void expect_operator(const hd_operator *op, const hd_operator *exact, const void *in,
                            void *got, void *want)
{
    const size_t size = (op->type == HD_F32 ? 4 : op->type >> 8 & 0x7ff);
    const char *x = in;
    op->combine(got, x, x + size, COUNT - 1, NULL);
    exact->combine(want, x, x + size, COUNT - 1, NULL);
    expect(op, "combine", got, want, (COUNT - 1) * size);
    op->up(got, x, COUNT / 8, NULL);
    for (size_t j = 0; j < COUNT / 8; j++)
        up_exactly(exact, (char *)want + j * size, x + 8 * j * size, size);
    expect(op, "up", got, want, COUNT / 8 * size);
}

int main(void)
{
    fill();
    expect_operator(TEXTS.times, &exactly[0], complexes, complex_got, complex_want);
    expect_operator(TEXTS.turn, &exactly[1], turns, turn_got, turn_want);
    expect_operator(TEXTS.rows, &exactly[2], lines, line_got, line_want);
    expect_operator(TEXTS.either, &exactly[3], numbers, number_got, number_want);
    const uint32_t found = TEXTS.times->probe->run();
    printf("%d failures, found %u\n", failures, (unsigned)found);
    return failures != 0 || found != 0;
}
