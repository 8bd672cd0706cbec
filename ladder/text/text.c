// SPDX-License-Identifier: Apache-2.0
// The ladder of texts: the letters of n bytes of text, in bins of four letters, then a bin for
// every byte. The text is the lectures' own title, over and over.
#include "ladder/ladder.h"

#include <string.h>

#define MAX_BLOCKS 1056 // of the kernels that loop

enum { FOURS = 1, BYTES }; // answers, after the text in in[0]

// As many blocks as take `each` bytes a thread, up to `most`.
static void play_blocks(stage *s, ladder_case *c, int64_t each, int32_t most, int answer)
{
    const int64_t all = (c->n + c->block * each - 1) / (c->block * each);
    const int32_t blocks = (int32_t)(all < most ? all : most), bins = answer == FOURS ? 7 : 256;
    const stage_address text = stage_data(s, c->in[0], c->in_bytes[0]);
    const stage_address counts = stage_zeros(s, 4 * (int64_t)bins);
    memcpy(c->expected, c->in[answer], (size_t)c->bytes);
    memset(c->got, 0, (size_t)c->bytes);
    stage_launch(s, "letters", (stage_shape){{blocks}, {c->block}, 0}, "ppi", text, counts,
                 (int32_t)c->n);
    stage_read(s, counts, c->got, 4 * (int64_t)bins);
    stage_free(s, text);
    stage_free(s, counts);
}

static void play_fours(stage *s, ladder_case *c)
{
    play_blocks(s, c, 1, INT32_MAX, FOURS);
}

static void play_fours_loop(stage *s, ladder_case *c)
{
    play_blocks(s, c, 16, MAX_BLOCKS, FOURS);
}

static void play_bytes(stage *s, ladder_case *c)
{
    play_blocks(s, c, 1, INT32_MAX, BYTES);
}

static void play_bytes_loop(stage *s, ladder_case *c)
{
    play_blocks(s, c, 16, MAX_BLOCKS, BYTES);
}

static void expect_bytes(ladder_case *c)
{
    memcpy(c->expected, c->in[BYTES], (size_t)c->bytes);
}

static hd_status call_heddle(hd_context *ctx, ladder_case *c, const ladder_arrays *a)
{
    return hd_histogram(ctx, ladder_view(HD_U8, a->in[0], c->n), ladder_view(HD_U32, a->out, 256),
                        NULL);
}

static const ladder_step steps[] = {
    {.name = "overrun",
     .title = "bin = letter / 4",
     .teaches = "Seven bins are seven words, and what lies behind them is somebody's.",
     .play = play_fours,
     .flags = STEP_WRONG,
     .fault = "the codes of letters begin at 65 and 97: their quarter is no bin of seven",
     .hazard = HD_HAZARD_OUTSIDE},
    {.name = "fours",
     .title = "four letters a bin",
     .teaches = "Few bins, long lines.",
     .play = play_fours},
    {.name = "bytes",
     .title = "a bin a byte",
     .teaches = "More bins, shorter lines.",
     .play = play_bytes},
    {.name = "fours_shared",
     .title = "four letters a bin, private",
     .teaches = "A line in shared memory moves faster.",
     .play = play_fours_loop},
    {.name = "bytes_shared",
     .title = "a bin a byte, private",
     .teaches = "A kilobyte of bins fits anywhere.",
     .play = play_bytes_loop},
    {.name = "bytes_wide",
     .title = "16 bytes a load, eight copies",
     .teaches = "Neighbours that count the same letter count it in different banks.",
     .play = play_bytes_loop},
    {.name = "heddle",
     .title = "Heddle's own",
     .teaches = "A bin a byte is one rule of many; the kernel is the same.",
     .call = call_heddle,
     .expect = expect_bytes,
     .code = "hd_histogram(ctx, text, counts, NULL);",
     .file = "histogram_shared"},
};

static bool prepare(ladder_case *c)
{
    static const char title[] = "Programming Massively Parallel Processors";
    unsigned char *text = ladder_array(c, 0, c->n);
    uint32_t *fours = ladder_array(c, FOURS, 256 * sizeof *fours);
    uint32_t *bytes = ladder_array(c, BYTES, 256 * sizeof *bytes);
    if (text == NULL || fours == NULL || bytes == NULL || !ladder_answer(c, HD_U32, 256))
        return false;
    memset(fours, 0, 256 * sizeof *fours);
    memset(bytes, 0, 256 * sizeof *bytes);
    for (int64_t i = 0; i < c->n; i++) {
        // Other seeds begin elsewhere in it.
        const char letter = title[((uint64_t)i + c->seed - 1) % (sizeof title - 1)];
        text[i] = (unsigned char)letter;
        bytes[text[i]]++;
        if (letter >= 'a' && letter <= 'z') fours[(letter - 'a') / 4]++;
        if (letter >= 'A' && letter <= 'Z') fours[(letter - 'A') / 4]++;
    }
    return true;
}

static int64_t least_bytes(const ladder_case *c)
{
    return c->n;
}

const ladder ladder_text = {
    LADDER_ROW(text, "text", "the letters of n bytes of text counted in bins"),
    LADDER_SIZES("bytes", 1 << 17, 1 << 26, 1, 1 << 30, 256),
    .peak = LADDER_READS,
};
