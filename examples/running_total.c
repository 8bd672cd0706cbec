// SPDX-License-Identifier: Apache-2.0
// A bread of 100 is cut for ten guests: the inclusive scan of what they want says where each cut
// goes, the exclusive one where each piece starts. Then the same at three tables, each with a bread
// of its own (segments), and from the other end (backward).
#include <heddle.h>

#include <stdint.h>
#include <stdio.h>

#define N 10

static int show(const char *what, hd_status status, const int32_t *x, const hd_context *ctx)
{
    if (status) {
        fprintf(stderr, "%s: %s\n", hd_status_name(status), hd_error(ctx));
        return 1;
    }
    printf("%-10s", what);
    for (int i = 0; i < N; i++) printf(" %d", x[i]);
    printf("\n");
    return 0;
}

int main(void)
{
    const int32_t wants[N] = {3, 5, 2, 7, 28, 4, 3, 0, 8, 1};
    const int64_t tables[4] = {0, 4, 7, 10};
    const hd_scan_options starts = {.exclusive = true};
    const hd_scan_options apart = {.segments = HD_REF(HD_VIEW(tables, 4))};
    const hd_scan_options from_the_end = {.backward = true};
    int32_t cuts[N];
    const hd_view in = HD_VIEW(wants, N), out = HD_VIEW(cuts, N);

    hd_context *ctx;
    int failed = hd_open(&ctx, NULL) != HD_OK;
    failed = failed || show("wants", HD_OK, wants, ctx);
    failed = failed || show("cuts", hd_scan(ctx, in, HD_SUM, out, NULL), cuts, ctx);
    if (!failed) printf("left       %d\n", 100 - cuts[N - 1]);
    failed = failed || show("starts", hd_scan(ctx, in, HD_SUM, out, &starts), cuts, ctx);
    failed = failed || show("tables", hd_scan(ctx, in, HD_SUM, out, &apart), cuts, ctx);
    failed = failed || show("backward", hd_scan(ctx, in, HD_SUM, out, &from_the_end), cuts, ctx);
    hd_close(ctx);
    return failed;
}
