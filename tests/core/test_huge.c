// SPDX-License-Identifier: Apache-2.0
//
// Counts past 2^31: an implicit view, which needs no memory, always; more of them, and arrays of
// 2^32 + 7 bytes, with HEDDLE_TEST_HUGE=1.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "tests/support/check.h"

static const int64_t past_31 = ((int64_t)1 << 31) + 11;
static const int64_t past_32 = ((int64_t)1 << 32) + 7;

static void test_iota(hd_context *ctx)
{
    int64_t sum = 0, last = 0, index = 0;
    const int64_t n = check_huge() ? past_32 : past_31;
    CHECK_OK(ctx, hd_reduce(ctx, hd_iota(n), HD_SUM, HD_VIEW(&sum, 1), NULL));
    const uint64_t half = (uint64_t)(n % 2 ? (n - 1) / 2 : n / 2),
                   other = (uint64_t)(n % 2 ? n : n - 1);
    CHECK(sum == (int64_t)(half * other), "sum of iota is %" PRId64, sum);
    if (!check_huge()) return;
    CHECK_OK(ctx, hd_reduce(ctx, hd_iota(n), HD_MAX, HD_VIEW(&last, 1), NULL));
    CHECK(last == n - 1, "max of iota is %" PRId64, last);
    CHECK_OK(ctx, hd_reduce(ctx, hd_progression(n, -1, n), HD_ARGMIN, HD_VIEW(&index, 1), NULL));
    CHECK(index == n - 1, "argmin of a falling progression is %" PRId64, index);
}

static void test_constant(hd_context *ctx)
{
    int64_t sum = 0;
    float mean = 0;
    const int64_t n = past_32;
    if (!check_huge()) return;
    CHECK_OK(ctx, hd_reduce(ctx, hd_constant((int8_t)-3, n), HD_SUM, HD_VIEW(&sum, 1), NULL));
    CHECK(sum == -3 * n, "sum of -3 is %" PRId64, sum);
    CHECK_OK(ctx, hd_reduce(ctx, hd_constant(0.1f, n), HD_MEAN, HD_VIEW(&mean, 1), NULL));
    CHECK(mean > 0.0999f && mean < 0.1001f, "mean of 0.1 is %.9g", (double)mean);
}

// A matrix with one row seen past 2^31 times through a stride of 0: columns are sums of equals.
static void test_broadcast(hd_context *ctx)
{
    const int16_t row[] = {1, -2};
    int64_t sums[2] = {0};
    if (!check_huge()) return;
    const hd_view v = hd_view_nd(HD_I16, row, 2, (int64_t[]){past_31, 2}, (int64_t[]){0, 1});
    CHECK_OK(ctx,
             hd_reduce(ctx, v, HD_SUM, HD_VIEW(sums, 2), &(hd_reduce_options){.axis = HD_AXIS(0)}));
    CHECK(sums[0] == past_31 && sums[1] == -2 * past_31, "%" PRId64 " %" PRId64, sums[0], sums[1]);
}

// One byte past 2^32 stands out.
static void test_arg_of_bytes(hd_context *ctx, uint8_t *x, int64_t n)
{
    int64_t index = 0;
    for (int64_t i = 0; i < n; i++) x[i] = x[i] < 254 ? x[i] : 253;
    x[n - 3] = 255;
    CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW(x, n), HD_ARGMAX, HD_VIEW(&index, 1), NULL));
    CHECK(index == n - 3, "argmax is %" PRId64, index);
}

// u8 at 2^32 + 7: sum, then scan in place (wrapping), then its last elements.
static void test_bytes(hd_context *ctx)
{
    const int64_t n = past_32;
    uint64_t sum = 0, expected = 0;
    uint8_t *x = mmap(NULL, (size_t)n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (x == MAP_FAILED) {
        printf("no memory for 2^32 + 7 bytes: that part is left out\n");
        return;
    }
    for (int64_t i = 0; i < n; i++) x[i] = (uint8_t)(i * 7 + (i >> 20)), expected += x[i];
    const hd_view v = HD_VIEW(x, n);
    CHECK_OK(ctx, hd_reduce(ctx, v, HD_SUM, HD_VIEW(&sum, 1), NULL));
    CHECK(sum == expected, "sum is %" PRIu64 ", expected %" PRIu64, sum, expected);
    test_arg_of_bytes(ctx, x, n);
    uint8_t running = 0;
    uint64_t wrong = 0;
    uint8_t *ends = check_memory(1 << 20); // inputs that the scan will overwrite
    memcpy(ends, x + (n - (1 << 20)), 1 << 20);
    for (int64_t i = 0; i < n - (1 << 20); i++) running = (uint8_t)(running + x[i]);
    CHECK_OK(ctx, hd_scan(ctx, v, HD_SUM, v, NULL));
    for (int64_t i = 0; i < 1 << 20; i++) {
        running = (uint8_t)(running + ends[i]);
        wrong += running != x[n - (1 << 20) + i];
    }
    CHECK(wrong == 0, "%" PRIu64 " of the last 2^20 elements are wrong", wrong);
    free(ends);
    munmap(x, (size_t)n);
}

int main(void)
{
    if (check_small()) return CHECK_SKIP;
    hd_context *ctx = check_open(HD_CPU, 0, NULL);
    test_iota(ctx);
    test_constant(ctx);
    test_broadcast(ctx);
    if (check_huge()) test_bytes(ctx);
    hd_close(ctx);
    return check_finish();
}
