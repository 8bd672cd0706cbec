// SPDX-License-Identifier: Apache-2.0
// Draws from a weighted distribution: the weights are summed up once, and each draw is a search for
// a part of the total. Rounded sums may fall, and a search needs them sorted: .monotone.
#include <heddle.h>

#include <stdint.h>
#include <stdio.h>

#define N     100000
#define DRAWS 5

static float weight[N], sums[N];

static uint32_t next(uint32_t *state)
{
    return *state = *state * 1664525u + 1013904223u;
}

static int falls(void)
{
    int count = 0;
    for (int i = 1; i < N; i++) count += sums[i] < sums[i - 1];
    return count;
}

int main(void)
{
    const hd_scan_options monotone = {.monotone = true};
    const hd_search_options behind = {.right = true, .checked = true};
    uint32_t state = 1;
    float draw[DRAWS];
    int64_t drawn[DRAWS];
    hd_context *ctx;
    hd_status status = hd_open(&ctx, NULL);
    const hd_view in = HD_VIEW(weight, N), out = HD_VIEW(sums, N);
    for (int i = 0; i < N; i++) { // most are light, a few heavy
        const float x = (float)(next(&state) >> 8) * 0x1p-24f;
        weight[i] = (x * x) * (x * x);
    }

    if (!status) status = hd_scan(ctx, in, HD_SUM, out, NULL);
    if (!status) printf("plain     falls %d times\n", falls());
    if (!status) status = hd_scan(ctx, in, HD_SUM, out, &monotone);
    if (!status) printf("monotone  falls %d times, total %.1f\n", falls(), (double)sums[N - 1]);

    for (int k = 0; k < DRAWS; k++) draw[k] = (float)k / DRAWS * sums[N - 1];
    if (!status) status = hd_search(ctx, out, HD_VIEW(draw, DRAWS), HD_VIEW(drawn, DRAWS), &behind);
    for (int k = 0; k < DRAWS && !status; k++)
        printf("%.1f of the total is in element %lld\n", k / (double)DRAWS, (long long)drawn[k]);

    if (status) fprintf(stderr, "%s: %s\n", hd_status_name(status), hd_error(ctx));
    hd_close(ctx);
    return status != HD_OK;
}
