// SPDX-License-Identifier: Apache-2.0
//
// Views of device memory: HD_DEVICE_VIEW and the device's number, device memory in a view of the
// host, which every backend refuses, and managed memory, which every backend takes.
#define _GNU_SOURCE
#include "tests/support/cuda_caller.h"

enum { N = 1000 };

#define SAYS(call, status, text)                                                                   \
    do {                                                                                           \
        const hd_status got = (call);                                                              \
        CHECK(got == (status) && strstr(hd_error(ctx), text) != NULL, "%s: status %d: %s", #call,  \
              (int)got, hd_error(ctx));                                                            \
    } while (0)

static hd_context *open_on(hd_backend backend, int32_t device)
{
    hd_context *ctx = NULL;
    CHECK_OK(ctx, hd_open(&ctx, &(hd_context_options){
                                    .backend = backend, .threads = 1, .device = device}));
    return ctx;
}

static void test_numbers(float *x)
{
    const hd_view first = HD_DEVICE_VIEW(x, N), third = HD_DEVICE_VIEW(x, N, 3);
    const hd_view fixed = HD_DEVICE_VIEW((const float *)x, N);
    float sum = 0;
    CHECK(first.space == HD_DEVICE && first.device == 0 && first.type == HD_F32 &&
              first.shape[0] == N && third.device == 3 && fixed.read_only == 1,
          "device %d, type %s", first.device, hd_type_name(first.type));
    hd_context *ctx = open_on(HD_CUDA, 0);
    CHECK_OK(ctx, hd_map(ctx, hd_constant(2.0f, N), NULL, first, NULL));
    CHECK_OK(ctx, hd_reduce(ctx, fixed, HD_SUM, HD_VIEW(&sum, 1), NULL));
    CHECK(sum == 2 * N, "%g", sum);
    SAYS(hd_reduce(ctx, third, HD_SUM, HD_VIEW(&sum, 1), NULL), HD_ERROR_ARGUMENT,
         "hd_reduce: in: the elements are on device 3; the context works on device 0");
    hd_close(ctx);
    ctx = open_on(HD_CUDA, 2);
    SAYS(hd_reduce(ctx, first, HD_SUM, HD_VIEW(&sum, 1), NULL), HD_ERROR_ARGUMENT,
         "the elements are on device 0; the context works on device 2");
    hd_close(ctx);
}

static const hd_backend all[] = {HD_SERIAL, HD_CPU, HD_AUTO, HD_CUDA};

static void test_host_views(float *x)
{
    float y[N] = {0}, sum = 0;
    for (int k = 0; k < 4; k++) {
        hd_context *ctx = open_on(all[k], 0);
        CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW(y, N), HD_SUM, HD_VIEW(&sum, 1), NULL));
        SAYS(hd_reduce(ctx, HD_VIEW(x, N), HD_SUM, HD_VIEW(&sum, 1), NULL), HD_ERROR_ARGUMENT,
             "is memory of device 0, in a view of the host");
        SAYS(hd_scan(ctx, HD_VIEW(y, N), HD_SUM, HD_VIEW(x, N), NULL), HD_ERROR_ARGUMENT,
             "hd_scan: out: address");
        SAYS(hd_map(ctx, HD_VIEW(x, N), NULL, HD_VIEW(y, N), NULL), HD_ERROR_ARGUMENT,
             "HD_DEVICE_VIEW");
        for (int64_t n = 20; all[k] != HD_CUDA && n <= N; n += N - 20)
            SAYS(hd_sort(ctx, HD_VIEW(x, n), HD_VIEW(y, n), HD_NO_VALUES, NULL), HD_ERROR_ARGUMENT,
                 "HD_DEVICE_VIEW");
        CHECK_OK(ctx, hd_scan(ctx, HD_VIEW(y, N), HD_SUM, HD_VIEW(y, N), NULL));
        hd_close(ctx);
    }
}

static void test_managed(void)
{
    unsigned long long at = 0;
    CU(managed(&at, N * sizeof(float), 1));
    float *x = (float *)(uintptr_t)at, sum = 0;
    for (int k = 0; k < N; k++) x[k] = 1;
    for (int k = 0; k < 4; k++) {
        hd_context *ctx = open_on(all[k], 0);
        CHECK_OK(ctx, hd_scan(ctx, HD_VIEW(x, N), HD_MAX, HD_VIEW(x, N), NULL));
        CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW(x, N), HD_SUM, HD_VIEW(&sum, 1), NULL));
        CHECK(sum == N, "%s: %g", hd_backend_name(all[k]), sum);
        if (!cu.fake && all[k] == HD_CUDA) {
            CHECK_OK(ctx, hd_scan(ctx, HD_DEVICE_VIEW(x, N), HD_MAX, HD_DEVICE_VIEW(x, N), NULL));
            CHECK_OK(ctx, hd_sync(ctx));
        }
        hd_close(ctx);
    }
    if (cu.fake)
        free(x);
    else
        CU(release(at));
}

int main(int argc, char **argv)
{
    const char *why = "";
    unsigned long long at = 0;
    (void)argc;
    if (!cuda_caller_begin(argv, &why)) {
        printf("cuda: %s\n", why);
        return CHECK_SKIP;
    }
    CU(allocate(&at, N * sizeof(float)));
    test_numbers((float *)(uintptr_t)at);
    test_host_views((float *)(uintptr_t)at);
    test_managed();
    CU(release(at));
    return check_finish();
}
