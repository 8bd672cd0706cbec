// SPDX-License-Identifier: Apache-2.0
//
// Views: making, counting and slicing them, implicit ones, and that calls read what they describe.
#define _GNU_SOURCE
#include <string.h>

#include "tests/support/check.h"

static hd_context *ctx;

static int64_t sum_of(hd_view v)
{
    int64_t sum = -12345;
    CHECK_OK(ctx, hd_reduce(ctx, v, HD_SUM, HD_VIEW(&sum, 1), NULL));
    return sum;
}

static void test_making(void)
{
    int32_t x[24] = {0};
    const int64_t shape[] = {2, 3, 4}, stride[] = {1, -2, 6};
    const hd_view plain = hd_view_nd(HD_I32, x, 3, shape, NULL);
    CHECK(plain.stride[0] == 12 && plain.stride[1] == 4 && plain.stride[2] == 1, "row-major");
    CHECK(plain.data == x && plain.type == HD_I32 && plain.ndim == 3 && plain.space == HD_HOST,
          "nd");
    const hd_view turned = hd_view_nd(HD_I32, x, 3, shape, stride);
    CHECK(memcmp(turned.stride, stride, sizeof stride) == 0, "strides are kept");
    const hd_view line = HD_VIEW_OF(HD_BF16, x, 7);
    CHECK(line.type == HD_BF16 && line.ndim == 1 && line.shape[0] == 7 && line.stride[0] == 1,
          "of");
    const int32_t *fixed = x;
    const hd_view open = HD_VIEW_ND(HD_I32, x, 3, shape, stride);
    CHECK(memcmp(open.stride, stride, sizeof stride) == 0 && open.data == x && open.ndim == 3 &&
              open.read_only == 0,
          "of several dimensions, by the macro");
    CHECK(HD_VIEW_ND(HD_I32, fixed, 2, (int64_t[]){2, 3}, NULL).read_only == 1 &&
              HD_VIEW_ND(HD_I32, (const void *)x, 1, shape, NULL).read_only == 1 &&
              HD_VIEW_ND(HD_I32, (void *)x, 1, shape, NULL).read_only == 0 &&
              HD_VIEW_ND(HD_I32, NULL, 1, shape, NULL).read_only == 0,
          "a pointer to const");
}

static void test_counting(void)
{
    const int64_t big = (int64_t)1 << 31, shapes[][2] = {{3, 5}, {0, 9}, {9, 0}, {-1, 3}, {0, -3}};
    const int64_t counts[] = {15, 0, 0, -1, -1};
    for (int k = 0; k < 5; k++) {
        const int64_t got = hd_count(hd_view_nd(HD_I32, NULL, 2, shapes[k], NULL));
        CHECK(got == counts[k], "%d counts %lld", k, (long long)got);
    }
    CHECK(hd_count(hd_view_nd(HD_U8, NULL, 2, (int64_t[]){big, big}, NULL)) == big * big, "2^62");
    CHECK(hd_count(hd_view_nd(HD_U8, NULL, 2, (int64_t[]){big, big + 1}, NULL)) == -1,
          "above 2^62");
    CHECK(hd_count(hd_view_nd(HD_U8, NULL, 3, (int64_t[]){big, big, big}, NULL)) == -1, "2^93");
    CHECK(hd_count(hd_view_nd(HD_U8, NULL, 4, (int64_t[]){big, big, big, 0}, NULL)) == 0 ||
              hd_count(hd_view_nd(HD_U8, NULL, 4, (int64_t[]){big, big, big, 0}, NULL)) == -1,
          "2^93 times nothing");
    const int32_t bad[] = {-1, 9, INT32_MAX, INT32_MIN};
    for (int k = 0; k < 4; k++) {
        const hd_view v =
            hd_view_nd(HD_I32, NULL, bad[k], (int64_t[]){1, 1, 1, 1, 1, 1, 1, 1, 1}, NULL);
        int64_t sum;
        CHECK(hd_count(v) == -1, "%d dimensions count %lld", (int)bad[k], (long long)hd_count(v));
        CHECK(hd_reduce(ctx, v, HD_SUM, HD_VIEW(&sum, 1), NULL) != HD_OK, "%d dimensions",
              (int)bad[k]);
        CHECK(hd_error(ctx)[0] != 0, "no text for %d dimensions", (int)bad[k]);
    }
    CHECK(hd_count(hd_view_nd(HD_I32, NULL, 1, NULL, NULL)) == -1, "no shape");
}

static void test_slices(void)
{
    int32_t x[60];
    for (int i = 0; i < 60; i++) x[i] = i;
    const hd_view line = HD_VIEW(x, 60),
                  cube = hd_view_nd(HD_I32, x, 3, (int64_t[]){3, 4, 5}, NULL);
    CHECK(sum_of(hd_slice(line, 0, 10, 3, 1)) == 33, "10 11 12");
    CHECK(sum_of(hd_slice(line, 0, 10, 3, 20)) == 90, "10 30 50");
    CHECK(sum_of(hd_slice(line, 0, 59, 60, -1)) == 1770, "all, backwards");
    CHECK(sum_of(hd_slice(line, 0, 2, 3, -1)) == 3, "2 1 0");
    CHECK(sum_of(hd_slice(line, 0, 5, 0, 1)) == 0, "nothing");
    CHECK(sum_of(hd_slice(line, 0, 60, 0, 1)) == 0, "nothing at the end");
    CHECK(sum_of(hd_slice(cube, 1, 3, 2, -2)) == 960, "rows 3 and 1 of each plane");
    const hd_view twice = hd_slice(hd_slice(cube, 2, 4, 5, -1), 2, 0, 2, 3);
    CHECK(sum_of(hd_slice(hd_slice(twice, 0, 0, 1, 1), 1, 0, 1, 1)) == 4 + 1, "elements 4 and 1");
    int32_t copy[5];
    CHECK_OK(ctx, hd_scan(ctx, hd_slice(line, 0, 8, 5, -2), HD_MAX, HD_VIEW(copy, 5), NULL));
    CHECK(copy[0] == 8 && copy[4] == 8, "a running maximum of falling numbers stays");
}

static void test_bad_slices(void)
{
    int32_t x[10] = {0};
    int64_t sum;
    const hd_view line = HD_VIEW(x, 10);
    const hd_view bad[] = {
        hd_slice(line, 1, 0, 1, 1),        hd_slice(line, -1, 0, 1, 1),
        hd_slice(line, 0, 10, 1, 1),       hd_slice(line, 0, -1, 1, 1),
        hd_slice(line, 0, 0, 11, 1),       hd_slice(line, 0, 5, 6, 1),
        hd_slice(line, 0, 5, 7, -1),       hd_slice(line, 0, 0, -1, 1),
        hd_slice(line, 0, 0, 3, 5),        hd_slice(line, 0, 1, INT64_MAX, INT64_MAX),
        hd_slice(line, 0, 1, 2, INT64_MIN)};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        CHECK(hd_reduce(ctx, bad[k], HD_SUM, HD_VIEW(&sum, 1), NULL) != HD_OK, "slice %zu", k);
        CHECK(hd_error(ctx)[0] != 0, "no text for slice %zu", k);
        CHECK(hd_reduce(ctx, hd_slice(bad[k], 0, 0, 1, 1), HD_SUM, HD_VIEW(&sum, 1), NULL) != HD_OK,
              "a slice of slice %zu", k);
    }
}

static void test_implicit(void)
{
    int64_t scanned[6];
    float half = 0;
    CHECK(sum_of(hd_iota(0)) == 0 && sum_of(hd_iota(1)) == 0 && sum_of(hd_iota(100)) == 4950,
          "iota");
    CHECK(sum_of(hd_progression(7, -3, 5)) == 5, "7 4 1 -2 -5");
    CHECK(sum_of(hd_progression(INT64_MAX, 1, 2)) == -1, "it wraps");
    CHECK(sum_of(hd_constant((int16_t)-3, 1000)) == -3000, "constant");
    CHECK(sum_of(hd_slice(hd_iota(100), 0, 90, 10, 1)) == 945, "a slice of iota");
    CHECK(sum_of(hd_slice(hd_iota(100), 0, 9, 3, -4)) == 15, "9 5 1");
    CHECK(sum_of(hd_slice(hd_constant((uint8_t)200, 9), 0, 8, 4, -2)) == 800, "of a constant");
    CHECK_OK(ctx, hd_reduce(ctx, hd_constant(0.5f, 3), HD_PRODUCT, HD_VIEW(&half, 1), NULL));
    CHECK(half == 0.125f, "%g", (double)half);
    CHECK_OK(ctx, hd_scan(ctx, hd_progression(1, 2, 6), HD_SUM, HD_VIEW(scanned, 6), NULL));
    for (int i = 0; i < 6; i++) CHECK(scanned[i] == (i + 1) * (i + 1), "squares, %d", i);
    CHECK(hd_reduce(ctx, hd_iota(4), HD_SUM, hd_iota(1), NULL) != HD_OK, "an implicit output");
    CHECK(hd_count(hd_iota((int64_t)1 << 40)) == (int64_t)1 << 40, "2^40");
    CHECK(hd_reduce(ctx, hd_iota(-1), HD_SUM, HD_VIEW(scanned, 1), NULL) != HD_OK, "iota of -1");
}

static void test_broadcast(void)
{
    // Strides of zero: one row seen three times, one number seen nine times.
    const int64_t row[] = {1, 10, 100};
    CHECK(sum_of(hd_view_nd(HD_I64, row, 2, (int64_t[]){3, 3}, (int64_t[]){0, 1})) == 333, "rows");
    CHECK(sum_of(hd_view_nd(HD_I64, row, 2, (int64_t[]){3, 3}, (int64_t[]){0, 0})) == 9, "number");
    CHECK(sum_of(hd_view_nd(HD_I64, row + 2, 1, (int64_t[]){3}, (int64_t[]){-1})) == 111,
          "backwards");
}

static void test_eight_dimensions(void)
{
    int64_t shape[8] = {2, 3, 2, 1, 2, 3, 1, 2}, x[144];
    for (int i = 0; i < 144; i++) x[i] = i;
    CHECK(sum_of(hd_view_nd(HD_I64, x, 8, shape, NULL)) == 144 * 143 / 2, "eight dimensions");
    int64_t out[144];
    const hd_view v = hd_view_nd(HD_I64, x, 8, shape, NULL);
    CHECK_OK(ctx, hd_scan(ctx, v, HD_SUM, hd_view_nd(HD_I64, out, 8, shape, NULL), NULL));
    CHECK(out[143] == 144 * 143 / 2 && out[1] == 1 && out[2] == 3, "scan of eight dimensions");
}

static void test_empty(void)
{
    CHECK(sum_of(HD_VIEW((int32_t *)NULL, 0)) == 0, "no elements, no pointer");
    const hd_view none = hd_view_nd(HD_F32, NULL, 3, (int64_t[]){4, 0, 5}, NULL);
    float sum = 7;
    CHECK_OK(ctx, hd_reduce(ctx, none, HD_SUM, HD_VIEW(&sum, 1), NULL));
    CHECK(sum == 0, "%g", (double)sum);
    CHECK_OK(ctx, hd_scan(ctx, none, HD_SUM, none, NULL));
}

int main(void)
{
    ctx = check_open(HD_AUTO, 0, NULL);
    test_making();
    test_counting();
    test_slices();
    test_bad_slices();
    test_implicit();
    test_broadcast();
    test_eight_dimensions();
    test_empty();
    hd_close(ctx);
    return check_finish();
}
