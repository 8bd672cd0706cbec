// SPDX-License-Identifier: Apache-2.0
// Elements chosen: those above a limit (a predicate with a further input), their places, the rest
// behind them; and the runs of a sequence, taken apart and put together again.
#include <heddle.h>

#include <stdint.h>
#include <stdio.h>

#define N 8

HD_FUNCTION(above, bool, HD_NO_SOURCE, (int32_t, x, int32_t, limit), { return x > limit; })

static int show(const char *what, hd_status status, const int32_t *x, int64_t n,
                const hd_context *ctx)
{
    if (status) {
        fprintf(stderr, "%s: %s\n", hd_status_name(status), hd_error(ctx));
        return 1;
    }
    printf("%-10s", what);
    for (int64_t i = 0; i < n; i++) printf(" %d", x[i]);
    printf("\n");
    return 0;
}

int main(void)
{
    const int32_t x[N] = {3, 1, 7, 0, 4, 1, 6, 3}, text[N] = {5, 5, 5, 2, 2, 5, 9, 9};
    int32_t out[N], places[N], lengths[N], again[N];
    int64_t count = 0, all = 0;
    int failed = 0;
    hd_context *ctx;
    hd_status status = hd_open(&ctx, NULL);

    const hd_views limit = HD_VIEWS(hd_constant(3, N));
    if (!status)
        status =
            hd_compact(ctx, HD_VIEW(x, N), HD_VIEW(out, N), HD_VIEW(&count, 1),
                       &(hd_compact_options){
                           .keep = above, .with = limit, .indices = HD_REF(HD_VIEW(places, N))});
    failed |= show("above 3", status, out, count, ctx);
    failed |= show("places", status, places, count, ctx);

    status = hd_partition(ctx, HD_VIEW(x, N), HD_VIEW(out, N), HD_EMPTY,
                          &(hd_partition_options){.keep = above, .with = limit});
    failed |= show("parted", status, out, N, ctx);

    status = hd_run_lengths(ctx, HD_VIEW(text, N), HD_VIEW(out, N), HD_VIEW(lengths, N),
                            HD_VIEW(&count, 1), NULL);
    failed |= show("values", status, out, count, ctx);
    failed |= show("lengths", status, lengths, count, ctx);

    status = hd_expand(ctx, HD_VIEW(out, count), HD_VIEW(lengths, count), HD_VIEW(again, N),
                       HD_VIEW(&all, 1), NULL);
    failed |= show("again", status, again, all, ctx);
    hd_close(ctx);
    return failed;
}
