// SPDX-License-Identifier: Apache-2.0
// A rod that is held at 100 degrees at one end and at 0 at the other, and heated in its middle: its
// temperatures are the solution of a tridiagonal system. The same by the inverse of the matrix, for
// rods that are heated elsewhere, with the residual of each.
#include <heddle_algorithms.h>
#include <math.h>
#include <stdio.h>

enum { N = 8 };

int main(void)
{
    hd_context *ctx;
    double lower[N], diagonal[N], upper[N], heat[N] = {100}, t[N], off[N];
    double a[N][N] = {{0}}, inverse[N][N], by_inverse[N][1], residual = 0;
    const int64_t square[] = {N, N}, column[] = {N, 1};
    heat[N / 2] = 30;
    for (int i = 0; i < N; i++) {
        lower[i] = upper[i] = -1, diagonal[i] = 2;
        a[i][i] = 2;
        if (i > 0) a[i][i - 1] = -1;
        if (i < N - 1) a[i][i + 1] = -1;
    }
    hd_status status = hd_open(&ctx, NULL);
    if (!status)
        status = hd_tridiagonal(ctx, HD_VIEW(lower, N), HD_VIEW(diagonal, N), HD_VIEW(upper, N),
                                HD_VIEW(heat, N), HD_VIEW(t, N),
                                &(hd_tridiagonal_options){.residual = HD_REF(HD_VIEW(off, N))});
    const hd_view matrix = HD_VIEW_ND(HD_F64, a, 2, square, NULL);
    const hd_view inverted = HD_VIEW_ND(HD_F64, inverse, 2, square, NULL);
    if (!status)
        status = hd_inverse(ctx, matrix, inverted,
                            &(hd_inverse_options){.residual = HD_REF(HD_VIEW(&residual, 1))});
    if (!status)
        status = hd_matmul(ctx, inverted, HD_VIEW_ND(HD_F64, heat, 2, column, NULL),
                           HD_VIEW_ND(HD_F64, by_inverse, 2, column, NULL), NULL);
    if (status) fprintf(stderr, "%s: %s\n", hd_status_name(status), hd_error(ctx));
    double most = 0, apart = 0;
    for (int i = 0; i < N && !status; i++) {
        printf("%.3f%s", t[i], i < N - 1 ? " " : "\n");
        most = fmax(most, fabs(off[i]));
        apart = fmax(apart, fabs(t[i] - by_inverse[i][0]));
    }
    if (!status)
        printf("residuals below 1e-12: %s; both agree: %s\n",
               most < 1e-12 && residual < 1e-12 ? "yes" : "no", apart < 1e-10 ? "yes" : "no");
    hd_close(ctx);
    return status != HD_OK;
}
