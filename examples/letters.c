// SPDX-License-Identifier: Apache-2.0
// The histogram of a text: its letters four to a bin, as in the lecture; the mean place of each
// bin's letters, by weights; and places themselves in bins of a function's own.
#include <heddle.h>

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define BINS 7

HD_FUNCTION(thirds, int32_t, HD_NO_SOURCE, (int64_t, i), { return (int32_t)(i / 14); })

int main(void)
{
    static const char text[] = "Programming Massively Parallel Processors";
    const int64_t n = (int64_t)strlen(text);
    const hd_view in = HD_VIEW_OF(HD_U8, text, n);
    uint32_t counts[BINS], places[3];
    uint64_t sums[BINS];
    int64_t outside = 0;
    const hd_histogram_options letters = {.letters = 4, .outside = HD_REF(HD_VIEW(&outside, 1))};
    const hd_histogram_options weighted = {.letters = 4, .weights = HD_REF(hd_iota(n))};
    const hd_histogram_options by_function = {.bin = thirds};

    hd_context *ctx;
    hd_status status = hd_open(&ctx, NULL);
    if (!status) status = hd_histogram(ctx, in, HD_VIEW(counts, BINS), &letters);
    if (!status) status = hd_histogram(ctx, in, HD_VIEW(sums, BINS), &weighted);
    if (!status) status = hd_histogram(ctx, hd_iota(n), HD_VIEW(places, 3), &by_function);
    if (status) {
        fprintf(stderr, "%s: %s\n", hd_status_name(status), hd_error(ctx));
        hd_close(ctx);
        return 1;
    }
    for (int b = 0; b < BINS; b++)
        printf("%c-%c %2u, at %4.1f on average\n", 'a' + 4 * b, b < 6 ? 'd' + 4 * b : 'z',
               counts[b], (double)sums[b] / counts[b]);
    printf("%d characters are no letters\n", (int)outside);
    printf("%u, %u and %u characters are in its three thirds\n", places[0], places[1], places[2]);
    hd_close(ctx);
    return 0;
}
