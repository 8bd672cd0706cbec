// SPDX-License-Identifier: Apache-2.0
// Functions applied to each element on its way into a reduction: nothing in between is written to
// memory. A dot product, the square of a norm, and how many elements are greater than their
// partner.
#include <heddle.h>

#include <stdint.h>
#include <stdio.h>

HD_FUNCTION(times, float, HD_NO_SOURCE, (float, x, float, y), { return x * y; })
HD_FUNCTION(square, float, HD_NO_SOURCE, (float, x), { return x * x; })
HD_FUNCTION(is_greater, uint8_t, HD_NO_SOURCE, (float, x, float, y), { return x > y; })

#define N 1000

int main(void)
{
    float x[N], y[N], dot = 0, norm2 = 0;
    uint64_t greater = 0;
    for (int i = 0; i < N; i++) x[i] = (float)(i % 10), y[i] = (float)(i % 7);

    const hd_view in = HD_VIEW(x, N);
    const hd_views with = HD_VIEWS(HD_VIEW(y, N));
    const hd_reduce_options of_product = {.map = times, .with = with};
    const hd_reduce_options of_square = {.map = square};
    const hd_reduce_options of_greater = {.map = is_greater, .with = with};

    hd_context *ctx;
    hd_status status = hd_open(&ctx, NULL);
    if (!status) status = hd_reduce(ctx, in, HD_SUM, HD_VIEW(&dot, 1), &of_product);
    if (!status) status = hd_reduce(ctx, in, HD_SUM, HD_VIEW(&norm2, 1), &of_square);
    if (!status) status = hd_reduce(ctx, in, HD_SUM, HD_VIEW(&greater, 1), &of_greater);
    if (status) fprintf(stderr, "%s: %s\n", hd_status_name(status), hd_error(ctx));
    hd_close(ctx);
    if (status) return 1;
    printf("x . y    %g\n|x|^2    %g\nx > y    %llu times\n", (double)dot, (double)norm2,
           (unsigned long long)greater);
    return 0;
}
