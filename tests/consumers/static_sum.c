// SPDX-License-Identifier: Apache-2.0
// A static program that only sums: what it does not call is not in it. With an argument it opens
// the model machine instead, which is there only where the linker was asked for it.
#include <heddle.h>
#include <stdio.h>

int main(int count, char **arguments)
{
    (void)arguments;
    enum { N = 1000 };
    float x[N], sum = 0;
    for (int i = 0; i < N; i++) x[i] = (float)i;
    hd_context *ctx = NULL;
    const hd_context_options options = {.backend = count > 1 ? HD_MODEL : HD_AUTO};
    hd_status status = hd_open(&ctx, &options);
    if (status == HD_OK) status = hd_reduce(ctx, HD_VIEW(x, N), HD_SUM, HD_VIEW(&sum, 1), NULL);
    if (status != HD_OK) {
        const char *why = "";
        hd_backend_available(HD_MODEL, &why);
        printf("%s: %s\n", hd_status_name(status), why);
    } else {
        printf("%g\n", (double)sum);
    }
    hd_close(ctx);
    return status != HD_OK;
}
