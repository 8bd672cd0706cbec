// SPDX-License-Identifier: Apache-2.0
// A static program that only sums: what it does not call is not in it.
#include <heddle.h>
#include <stdio.h>

int main(void)
{
    enum { N = 1000 };
    float x[N], sum = 0;
    for (int i = 0; i < N; i++) x[i] = (float)i;
    hd_context *ctx = NULL;
    hd_status status = hd_open(&ctx, NULL);
    if (status == HD_OK) status = hd_reduce(ctx, HD_VIEW(x, N), HD_SUM, HD_VIEW(&sum, 1), NULL);
    printf("%g\n", (double)sum);
    hd_close(ctx);
    return status != HD_OK;
}
