// SPDX-License-Identifier: Apache-2.0
// The softmax of a million scores, and how surprising it is: functions with hd_expf and hd_logf,
// which have the same bits on every backend, so that the last digit of what is printed is the same
// on a GPU. With expf and logf of the C library it would not be.
#include <heddle.h>

#include <stdio.h>

HD_FUNCTION(weight, float, HD_NO_SOURCE, (float, score, float, most),
            { return hd_expf(score - most); })
HD_FUNCTION(share, float, HD_NO_SOURCE, (float, part, float, all), { return part / all; })
HD_FUNCTION(surprise, float, HD_NO_SOURCE, (float, p), { return p > 0 ? -p * hd_logf(p) : 0.0f; })

#define N 1000000

static float score[N], p[N];

// Shares that sum up to one: the greatest score is taken off first, so that nothing overflows.
static hd_status softmax(hd_context *ctx, float *sum)
{
    float most;
    const hd_view in = HD_VIEW(score, N), out = HD_VIEW(p, N);
    hd_status status = hd_reduce(ctx, in, HD_MAX, HD_VIEW(&most, 1), NULL);
    if (!status)
        status =
            hd_map(ctx, in, weight, out, &(hd_map_options){.with = HD_VIEWS(hd_constant(most, N))});
    if (!status) status = hd_reduce(ctx, out, HD_SUM, HD_VIEW(sum, 1), NULL);
    if (!status)
        status =
            hd_map(ctx, out, share, out, &(hd_map_options){.with = HD_VIEWS(hd_constant(*sum, N))});
    return status;
}

int main(void)
{
    float sum = 0, one = 0, entropy = 0;
    for (int i = 0; i < N; i++) score[i] = (float)(i % 1000 * 7919 % 1000) * 0.01f - 1000.0f;

    hd_context *ctx;
    hd_status status = hd_open(&ctx, NULL);
    if (!status) status = softmax(ctx, &sum);
    if (!status) status = hd_reduce(ctx, HD_VIEW(p, N), HD_SUM, HD_VIEW(&one, 1), NULL);
    if (!status)
        status = hd_reduce(ctx, HD_VIEW(p, N), HD_SUM, HD_VIEW(&entropy, 1),
                           &(hd_reduce_options){.map = surprise});
    if (status) fprintf(stderr, "%s: %s\n", hd_status_name(status), hd_error(ctx));
    hd_close(ctx);
    if (status) return 1;

    printf("sum of weights  %.9g  %a\n", (double)sum, (double)sum);
    printf("sum of shares   %.9g  %a\n", (double)one, (double)one);
    printf("entropy         %.9g  %a\n", (double)entropy, (double)entropy);
    return 0;
}
