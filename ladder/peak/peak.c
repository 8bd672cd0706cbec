// SPDX-License-Identifier: Apache-2.0
// The peak bandwidth of a card, measured: the fastest of a few plain ways to read, or to copy, so
// many bytes.
#include "ladder/ladder.h"

#include "program.h"
#include <string.h>

extern const hd__embedded ladder_texts[];

#define MIN_BYTES (INT64_C(1) << 28) // several times what a cache holds
#define THREADS   256
#define PLAYS     5

static const char *text_of_peak(void)
{
    for (const hd__embedded *e = ladder_texts; e->name != NULL; e++)
        if (strcmp(e->name, "peak/peak.cu") == 0) return e->text;
    return "";
}

// The best bytes a second with so many loads under way in a thread; 0: it did not run.
static double best_of(ladder_peak kind, int64_t bytes, const char *rows, int32_t row_count)
{
    const char *const define[] = {rows, NULL};
    const stage_options how = {.cuda = true, .define = define};
    const int64_t n = (kind == LADDER_READS ? bytes : bytes / 2) / 16;
    const int64_t tiles = (n + THREADS * row_count - 1) / (THREADS * row_count);
    double best = 0;
    stage *s;
    stage_open(&s, text_of_peak(), "peak.cu", &how);
    if (s == NULL) return 0;
    const stage_address in = stage_room(s, 16 * n);
    const stage_address out = stage_room(s, kind == LADDER_READS ? 16 : 16 * n);
    stage_launch(s, "fill", (stage_shape){{4096}, {THREADS}, 0}, "pl", in, n);
    for (int32_t blocks = 132 * 8; blocks <= 132 * 256; blocks *= 4)
        for (int k = 0; k < PLAYS && !stage_failed(s); k++) {
            const stage_shape shape = {{(int32_t)(blocks < tiles ? blocks : tiles)}, {THREADS}, 0};
            stage_begin(s);
            stage_launch(s, kind == LADDER_READS ? "read" : "copy", shape, "ppl", in, out, n);
            const double seconds = stage_sum(s)->device_seconds;
            if (k > 0 && seconds > 0 && (double)bytes / seconds > best)
                best = (double)bytes / seconds;
        }
    stage_free(s, in);
    stage_free(s, out);
    const bool failed = stage_failed(s);
    stage_close(s);
    return failed ? 0 : best;
}

double ladder_peak_of(ladder_peak kind, int64_t bytes)
{
    if (bytes < MIN_BYTES) bytes = MIN_BYTES;
    bytes -= bytes % 32;
    const double four = best_of(kind, bytes, "ROWS=4", 4),
                 eight = best_of(kind, bytes, "ROWS=8", 8);
    return four > eight ? four : eight;
}
