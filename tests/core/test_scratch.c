// SPDX-License-Identifier: Apache-2.0
//
// Scratch that contexts keep between calls: how much it is, giving it back, and a limit. On every
// backend that is here; results stay what they are.
#include "tests/support/check.h"
#include "tests/support/counting_allocator.h"

#include <heddle_algorithms.h>

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

// An algorithm's rows, whose sizes are these of its arguments.
static void call_algorithm(hd_context *ctx, int64_t n, int64_t rows)
{
    static int32_t row[300000], column[300000];
    static float value[300000], x[300000], y[300000], want[300000];
    memset(want, 0, sizeof want);
    for (int64_t k = 0; k < n; k++) {
        row[k] = (int32_t)(k * 7919 % rows), column[k] = (int32_t)(k % rows);
        value[k] = (float)(k % 10), x[k % rows] = (float)(k % rows % 100);
    }
    for (int64_t k = 0; k < n; k++) want[row[k]] += value[k] * x[column[k]]; // whole numbers
    CHECK_OK(ctx, hd_spmv_coo(ctx, HD_VIEW(row, n), HD_VIEW(column, n), HD_VIEW(value, n),
                              HD_VIEW(x, rows), HD_DOT, HD_VIEW(y, rows), NULL));
    CHECK_SAME(HD_F32, y, want, rows, "%s", hd_backend_name(hd_last_backend(ctx)));
}

static void test_algorithms(hd_backend backend)
{
    uint64_t r = check_seed();
    hd_context *ctx = open_with(backend, 0);
    call_algorithm(ctx, 300000, 20000);
    const size_t most = hd_scratch_bytes(ctx);
    CHECK(most > 1200000 && most == held, "%s keeps %zu, of its allocator %zu",
          hd_backend_name(backend), most, held);
    for (int turn = 0; turn < 20; turn++) {
        const bool again = turn % 4 == 0;
        const int64_t n = again ? 300000 : 1 + check_below(&r, 300000);
        call_algorithm(ctx, n, again ? 20000 : 1 + check_below(&r, n < 20000 ? n : 20000));
        CHECK(hd_scratch_bytes(ctx) <= 2 * most && hd_scratch_bytes(ctx) == held,
              "%s keeps %zu after %zu, of its allocator %zu", hd_backend_name(backend),
              hd_scratch_bytes(ctx), most, held);
    }
    CHECK_OK(ctx, hd_trim(ctx, most / 2));
    CHECK(hd_scratch_bytes(ctx) <= most / 2 && hd_scratch_bytes(ctx) == held, "%zu of %zu",
          hd_scratch_bytes(ctx), most / 2);
    CHECK_OK(ctx, hd_trim(ctx, 0));
    CHECK(hd_scratch_bytes(ctx) == 0 && held == 0, "%zu, %zu", hd_scratch_bytes(ctx), held);
    call_algorithm(ctx, 100000, 1000);
    hd_close(ctx);
    CHECK(held == 0, "%zu bytes are left", held);
    ctx = open_with(backend, 100000);
    call_algorithm(ctx, 300000, 20000);
    CHECK(hd_scratch_bytes(ctx) <= 100000 && hd_scratch_bytes(ctx) == held, "%zu, %zu",
          hd_scratch_bytes(ctx), held);
    hd_close(ctx);
}

// Rows that a caller takes: what they hold is its own, they are kept once they are back, and the
// next row of about as many bytes is the same memory.
static void test_rows(hd_backend backend)
{
    hd_context *ctx = open_with(backend, 0);
    hd_view row = HD_EMPTY, other = HD_EMPTY;
    uint64_t r = check_seed();
    for (int turn = 0; turn < 100; turn++) {
        const int64_t n = check_below(&r, 60000), more = n + check_below(&r, 1 + n / 100);
        CHECK_OK(ctx, hd_alloc_scratch(ctx, HD_F64, n, &row));
        CHECK_OK(ctx, hd_alloc_scratch(ctx, HD_F64, more, &other));
        CHECK(row.type == HD_F64 && row.ndim == 1 && hd_count(row) == n &&
                  (uintptr_t)row.data % 64 == 0 && (n == 0 || row.data != other.data),
              "a row of %lld", (long long)n);
        if (n > 0) memset(row.data, 1, (size_t)n * 8);
        if (more > 0) memset(other.data, 2, (size_t)more * 8);
        CHECK(n == 0 || ((char *)row.data)[n * 8 - 1] == 1, "a row of %lld", (long long)n);
        CHECK_OK(ctx, hd_free_scratch(ctx, &row));
        CHECK_OK(ctx, hd_free_scratch(ctx, &other));
        CHECK(row.data == NULL && hd_scratch_bytes(ctx) == held, "%zu kept, %zu held",
              hd_scratch_bytes(ctx), held);
        CHECK(held <= 2 * 60600 * 8 * 9 / 8, "%zu are kept", held);
    }
    CHECK_OK(ctx, hd_trim(ctx, 0));
    CHECK_OK(ctx, hd_alloc_scratch(ctx, HD_I32, 100000, &row));
    void *const memory = row.data;
    CHECK(hd_scratch_bytes(ctx) == 0 && held > 0, "%zu", hd_scratch_bytes(ctx));
    CHECK_OK(ctx, hd_free_scratch(ctx, &row));
    CHECK_OK(ctx, hd_alloc_scratch(ctx, HD_U8, 400010, &row));
    CHECK(row.data == memory, "the row that was given back is not taken again");
    CHECK_OK(ctx, hd_free_scratch(ctx, &row));
    CHECK_OK(ctx, hd_free_scratch(ctx, &row)); // an empty one
    CHECK(hd_alloc_scratch(ctx, HD_NONE, 3, &row) == HD_ERROR_TYPE, "%s", hd_error(ctx));
    CHECK(hd_alloc_scratch(ctx, HD_I64, -1, &row) == HD_ERROR_SHAPE, "%s", hd_error(ctx));
    CHECK(hd_alloc_scratch(ctx, HD_I64, INT64_MAX, &row) == HD_ERROR_SHAPE, "%s", hd_error(ctx));
    CHECK(hd_alloc_scratch(ctx, HD_I64, 1, NULL) == HD_ERROR_ARGUMENT, "%s", hd_error(ctx));
    CHECK(hd_free_scratch(ctx, NULL) == HD_ERROR_ARGUMENT, "%s", hd_error(ctx));
    row = hd_iota(4);
    CHECK(hd_free_scratch(ctx, &row) == HD_ERROR_ARGUMENT, "%s", hd_error(ctx));
    CHECK(hd_alloc_scratch(NULL, HD_I64, 1, &row) == HD_ERROR_ARGUMENT, "of no context");
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
        test_rows(all[k]);
        if (all[k] <= HD_CPU) test_algorithms(all[k]);
    }
    return check_finish();
}
