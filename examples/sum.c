// SPDX-License-Identifier: Apache-2.0
// Sums a million times 0.1f: in a plain loop, where the error grows with n, and with Heddle, where
// it grows with the logarithm of n and the bits are the same on every machine.
#include <heddle.h>

#include <stdio.h>

#define N 1000000

static float x[N];

int main(void)
{
    float plain = 0, total = 0;
    for (int i = 0; i < N; i++) x[i] = 0.1f, plain += x[i];

    hd_context *ctx;
    hd_status status = hd_open(&ctx, NULL);
    if (!status) status = hd_reduce(ctx, HD_VIEW(x, N), HD_SUM, HD_VIEW(&total, 1), NULL);
    if (status) fprintf(stderr, "%s: %s\n", hd_status_name(status), hd_error(ctx));
    hd_close(ctx);
    if (status) return 1;

    printf("plain loop  %.2f\n", (double)plain);
    printf("hd_reduce   %.2f\n", (double)total);
    return 0;
}
