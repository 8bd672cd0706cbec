// SPDX-License-Identifier: Apache-2.0
//
// Scratch that contexts keep between calls: how much it is, giving it back, and a limit. On every
// backend that is here; results stay what they are.
#include "tests/support/check.h"
#include "tests/support/counting_allocator.h"

#include <stdlib.h>
#include <string.h>

static hd_context *open_with(hd_backend backend, size_t limit)
{
    hd_context *ctx = NULL;
    CHECK_OK(ctx, hd_open(&ctx, &(hd_context_options){.backend = backend,
                                                      .threads = 2,
                                                      .allocator = COUNTING_ALLOCATOR,
                                                      .scratch_limit = limit}));
    return ctx;
}

// A call that needs scratch on the backend.
static void call(hd_context *ctx, hd_backend backend, int64_t n)
{
    static int32_t x[300000], y[300000], want[300000];
    const bool device = backend == HD_MODEL || backend == HD_CUDA;
    if (device && n > 20000) n = 20000;
    for (int64_t k = 0; k < n; k++) x[k] = (int32_t)(k * 7919 % n), want[k] = (int32_t)k;
    if (device)
        CHECK_OK(ctx, hd_scatter(ctx, HD_VIEW(x, n), HD_VIEW(x, n), HD_VIEW(y, n), NULL));
    else
        CHECK_OK(ctx, hd_sort(ctx, HD_VIEW(x, n), HD_VIEW(y, n), HD_NO_VALUES, NULL));
    CHECK_SAME(HD_I32, y, want, n, "%s", hd_backend_name(backend));
}

static void test_trim(hd_backend backend)
{
    hd_context *ctx = open_with(backend, 0);
    CHECK(hd_scratch_bytes(ctx) == 0, "%zu at first", hd_scratch_bytes(ctx));
    CHECK_OK(ctx, hd_trim(ctx, 0));
    call(ctx, backend, 300000);
    const size_t most = hd_scratch_bytes(ctx);
    CHECK(most > 0 && (backend != HD_CPU || (most > 1200000 && most == held)),
          "%s keeps %zu, of its allocator %zu", hd_backend_name(backend), most, held);
    CHECK_OK(ctx, hd_trim(ctx, most));
    CHECK(hd_scratch_bytes(ctx) == most, "%zu, not %zu", hd_scratch_bytes(ctx), most);
    CHECK_OK(ctx, hd_trim(ctx, most - 1));
    CHECK(hd_scratch_bytes(ctx) < most, "%zu", hd_scratch_bytes(ctx));
    CHECK_OK(ctx, hd_trim(ctx, 0));
    CHECK(hd_scratch_bytes(ctx) == 0 && held == 0, "%zu, %zu", hd_scratch_bytes(ctx), held);
    call(ctx, backend, 3000);
    call(ctx, backend, 300000);
    CHECK(hd_scratch_bytes(ctx) <= 2 * most, "%zu", hd_scratch_bytes(ctx));
    CHECK_OK(ctx, hd_sync(ctx));
    hd_close(ctx);
    CHECK(held == 0, "%zu bytes are left", held);
}

static void test_limit(hd_backend backend)
{
    const size_t limit = 100000;
    hd_context *ctx = open_with(backend, limit);
    for (int turn = 0; turn < 3; turn++) {
        call(ctx, backend, 300000);
        CHECK(hd_scratch_bytes(ctx) <= limit, "%s keeps %zu", hd_backend_name(backend),
              hd_scratch_bytes(ctx));
        call(ctx, backend, 300);
    }
    CHECK(hd_scratch_bytes(ctx) <= limit, "%zu", hd_scratch_bytes(ctx));
    hd_close(ctx);
    CHECK(held == 0, "%zu bytes are left", held);
}

int main(void)
{
    const hd_backend all[] = {HD_SERIAL, HD_CPU, HD_MODEL, HD_CUDA};
    CHECK(hd_scratch_bytes(NULL) == 0, "of no context");
    CHECK(hd_trim(NULL, 0) == HD_ERROR_ARGUMENT, "of no context");
    for (int k = 0; k < 4; k++) {
        if (!hd_backend_available(all[k], NULL)) continue;
        test_trim(all[k]);
        test_limit(all[k]);
    }
    return check_finish();
}
