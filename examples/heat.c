// SPDX-License-Identifier: Apache-2.0
//
// Heat in a square plate: a hot spot in the middle, edges held at zero. One call takes twenty time
// steps of u + k Laplacian(u), by the finite difference of order 2.
#include <heddle.h>
#include <stdio.h>

enum { SIDE = 9 };

int main(void)
{
    hd_context *ctx;
    if (hd_open(&ctx, NULL) != HD_OK) return 1;

    int64_t offsets[HD_MAX_LAPLACIAN * 2];
    double weights[HD_MAX_LAPLACIAN];
    const int32_t taps = hd_laplacian(2, 2, 1.0, offsets, weights);
    for (int t = 0; t < taps; t++) weights[t] *= 0.1;
    weights[taps / 2] += 1; // the middle one: u itself

    float plate[SIDE][SIDE] = {{0}}, later[SIDE][SIDE];
    plate[SIDE / 2][SIDE / 2] = 10000;
    const int64_t shape[] = {SIDE, SIDE};
    if (hd_stencil(ctx, HD_VIEW_ND(HD_F32, plate, 2, shape, NULL),
                   HD_VIEW_ND(HD_I64, offsets, 2, (int64_t[]){taps, 2}, NULL),
                   HD_VIEW(weights, taps), HD_VIEW_ND(HD_F32, later, 2, shape, NULL),
                   &(hd_stencil_options){.border = HD_BORDER_KEEP, .iterations = 20}) != HD_OK) {
        fprintf(stderr, "%s\n", hd_error(ctx));
        return 1;
    }
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            printf("%5.0f%s", (double)later[y][x], x < SIDE - 1 ? " " : "\n");
    hd_close(ctx);
    return 0;
}
