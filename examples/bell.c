// SPDX-License-Identifier: Apache-2.0
// A bell: a filter of order 2 rings when it is struck and fades, in two chunks that a state joins;
// and a polynomial that tunes it, at several points at once.
#include <heddle_algorithms.h>
#include <stdio.h>
#include <string.h>

enum { N = 12, CHUNK = 6 };

int main(void)
{
    hd_context *ctx;
    // y[i] = x[i] + 1.5 y[i - 1] - 0.75 y[i - 2]
    const double b[] = {1}, a[] = {1, -1.5, 0.75};
    const double tuning[] = {440, 12, -0.5}; // 440 + 12 t - t^2 / 2
    double strike[N] = {1}, sound[N], before[2] = {0, 0}, after[2], warmth[4] = {0, 2, 4, 8},
           pitch[4];
    strike[8] = 0.5;
    hd_status status = hd_open(&ctx, NULL);
    for (int at = 0; at < N && !status; at += CHUNK) {
        const hd_filter_options joined = {.state_in = HD_REF(HD_VIEW(before, 2)),
                                          .state_out = HD_REF(HD_VIEW(after, 2))};
        status = hd_filter(ctx, HD_VIEW(strike + at, CHUNK), HD_VIEW(b, 1), HD_VIEW(a, 3),
                           HD_VIEW(sound + at, CHUNK), &joined);
        memcpy(before, after, sizeof before);
    }
    if (!status)
        status =
            hd_polynomial(ctx, HD_VIEW(tuning, 3), HD_VIEW(warmth, 4), HD_VIEW(pitch, 4), NULL);
    if (status) fprintf(stderr, "%s: %s\n", hd_status_name(status), hd_error(ctx));
    for (int i = 0; i < N && !status; i++)
        printf("%*s*  %.4f\n", (int)(20 + 6 * sound[i]), "", sound[i]);
    for (int i = 0; i < 4 && !status; i++) printf("at %g: %g Hz\n", warmth[i], pitch[i]);
    hd_close(ctx);
    return status != HD_OK;
}
