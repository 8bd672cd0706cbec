// SPDX-License-Identifier: Apache-2.0
// A program that sums on the backend model; compiled with -DDIRECT it opens a model machine by
// heddle_model.h, too. Prints the sum, or the status and why the backend is not here.
#include <heddle.h>
#include <stdio.h>
#ifdef DIRECT
#include <heddle_model.h>
#endif

int main(void)
{
    enum { N = 1000 };
    float x[N], sum = 0;
    for (int i = 0; i < N; i++) x[i] = (float)i;
    hd_context *ctx = NULL;
    const hd_context_options options = {.backend = HD_MODEL};
    hd_status status = hd_open(&ctx, &options);
    if (status == HD_OK) status = hd_reduce(ctx, HD_VIEW(x, N), HD_SUM, HD_VIEW(&sum, 1), NULL);
    if (status != HD_OK) {
        const char *why = "";
        const bool here = hd_backend_available(HD_MODEL, &why);
        printf("%s: %s\n", hd_status_name(status), here ? hd_error(ctx) : why);
    } else {
        printf("%g\n", (double)sum);
    }
    hd_close(ctx);
#ifdef DIRECT
    hd_model *model = NULL;
    if (hd_model_open(&model, NULL) != HD_OK) return 2;
    hd_model_close(model);
#endif
    return status != HD_OK;
}
