// SPDX-License-Identifier: Apache-2.0
//
// The kernels that the build compiles are those that calls of usual sizes ask for: a device that
// only writes down what it is to compile is asked for the precompiled calls, as the build asks, and
// then for the same patterns on large arrays, of which it must know every text.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"
#include "core/system/cache_folder.h"
#include "gpu/gpu.h"
#include "gpu/model/model_device.h"
#include "gpu/runtime/precompiled_calls.h"

enum { MOST = 600, N = 1 << 21, SIDE = 1 << 10 };

static hd__gpu_driver driver;
static hd__digest known[MOST];
static int known_count, unknown;
static bool learns;
static hd_context *ctx;

static hd_status compile(hd_context *c, hd__gpu_device *device, const char *text, void **image,
                         size_t *bytes)
{
    const hd__digest d = hd__digest_of("", text, strlen(text));
    bool is_known = false;
    (void)c, (void)device;
    for (int k = 0; k < known_count; k++) is_known = is_known || hd__digest_same(&known[k], &d);
    if (!is_known && learns && known_count < MOST) known[known_count++] = d;
    unknown += !is_known && !learns;
    *image = calloc(1, *bytes = 1);
    return *image != NULL ? HD_OK : HD_ERROR_MEMORY;
}

static hd_status load(hd_context *c, hd__gpu_device *device, const void *image, size_t bytes,
                      const char *name, hd__gpu_kernel **kernel)
{
    static char some;
    (void)c, (void)device, (void)image, (void)bytes, (void)name;
    *kernel = (hd__gpu_kernel *)(void *)&some;
    return HD_OK;
}

static void unload(hd__gpu_device *device, hd__gpu_kernel *kernel)
{
    (void)device, (void)kernel;
}

static hd_status launch(hd_context *c, hd__gpu_device *device, const hd__gpu_kernel *kernel,
                        const hd__gpu_launch *how)
{
    (void)c, (void)device, (void)kernel, (void)how;
    return HD_OK;
}

static void begin(const char *tune)
{
    hd__gpu *gpu;
    if (tune != NULL)
        setenv("HEDDLE_TUNE", tune, 1);
    else
        unsetenv("HEDDLE_TUNE");
    ctx = check_open(HD_MODEL, 1, NULL);
    CHECK_OK(ctx, hd__gpu_of(ctx, &gpu));
    gpu->driver = &driver;
}

static void learn(int rows)
{
    const char *name;
    char tune[200];
    snprintf(tune, sizeof tune, "scan_small_rows=%d%s", rows > 0 ? rows : 1,
             hd__gpu_precompiled_sorts(rows));
    begin(tune);
    for (int32_t k = 0; k < hd__gpu_precompiled_calls(); k++)
        if (!hd__gpu_precompiled_call_is_large(k) &&
            (rows > 0 || hd__gpu_precompiled_call_is_sort(k)))
            CHECK_OK(ctx, hd__gpu_precompiled_call(ctx, k, &name));
    hd_close(ctx);
}

static hd_view there(hd_type type, int32_t ndim, int64_t n, int64_t columns)
{
    hd_view v;
    const int64_t shape[] = {n, columns};
    CHECK_OK(ctx, hd_alloc_device(ctx, type, ndim, shape, &v));
    return v;
}

static void expect(hd_status status, const char *what, hd_type type, int64_t n)
{
    CHECK(status == HD_OK, "%s: %s", what, hd_error(ctx));
    CHECK(unknown == 0, "%s of %lld %s: %d kernels are not precompiled", what, (long long)n,
          hd_type_name(type), unknown);
    unknown = 0;
}

static void test_sorts(void)
{
    static const hd_type types[] = {HD_I32, HD_U32, HD_F32, HD_F64};
    static const int64_t sizes[] = {4000, 30000, 200000, N};
    const hd_view of = there(HD_I32, 1, N, 0), to = there(HD_I32, 1, N, 0);
    for (int t = 0; t < 4; t++) {
        const hd_view in = there(types[t], 1, N, 0), out = there(types[t], 1, N, 0);
        for (int k = 0; k < 4; k++) {
            const int64_t n = sizes[k];
            const hd_view x = hd_slice(in, 0, 0, n, 1), y = hd_slice(out, 0, 0, n, 1);
            expect(hd_sort(ctx, x, y, HD_NO_VALUES, NULL), "a sort", types[t], n);
            if (types[t] != HD_I32 && types[t] != HD_F32) continue;
            const hd_views values = HD_VALUES(hd_slice(of, 0, 0, n, 1), hd_slice(to, 0, 0, n, 1));
            expect(hd_sort(ctx, x, y, values, NULL), "a sort with values", types[t], n);
        }
    }
}

static void test_others(void)
{
    static const hd_type types[] = {HD_U8, HD_I32, HD_F32, HD_F64};
    const hd_view bins = there(HD_I64, 1, 256, 0), found = there(HD_I64, 1, N, 0);
    float mask[25];
    for (int k = 0; k < 25; k++) mask[k] = (float)(k * k % 13);
    for (int t = 0; t < 4; t++) {
        const hd_histogram_options even = {.even = types[t] == HD_F32, .upper = types[t] == HD_F32};
        const hd_view in = there(types[t], 1, N, 0), plane = there(types[t], 2, SIDE, SIDE),
                      other = there(types[t], 2, SIDE, SIDE);
        if (types[t] != HD_F64)
            expect(hd_histogram(ctx, in, bins, &even), "a histogram", types[t], N);
        if (types[t] != HD_U8) expect(hd_search(ctx, in, in, found, NULL), "a search", types[t], N);
        if (types[t] == HD_F32 || types[t] == HD_F64)
            expect(hd_transpose(ctx, plane, other, NULL), "a transposition", types[t], SIDE);
        for (int64_t side = 3; side <= 5 && types[t] == HD_F32; side += 2) {
            const int64_t shape[] = {side, side};
            expect(hd_convolve(ctx, plane, hd_view_nd(HD_F32, mask, 2, shape, NULL), other, NULL),
                   "a convolution", types[t], SIDE);
        }
    }
}

int main(void)
{
    const char *why;
    if (!hd_backend_available(HD_MODEL, &why)) {
        printf("%s\n", why);
        return CHECK_SKIP;
    }
    setenv("HEDDLE_KERNELS", "none", 1); // so that everything is compiled
    setenv("HEDDLE_CACHE_DIR", "none", 1);
    setenv("HEDDLE_PTXAS", "none", 1);
    driver = *hd__gpu_driver_model();
    driver.compile = compile, driver.load = load, driver.unload = unload, driver.launch = launch;
    learns = true;
    for (int rows = 8; rows >= 2; rows /= 2) learn(rows);
    learn(0);
    learns = false;
    begin(NULL);
    test_sorts();
    test_others();
    hd_close(ctx);
    return check_finish();
}
