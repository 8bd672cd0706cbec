// SPDX-License-Identifier: Apache-2.0
// Complex numbers: a sum or a scan of them has the bits of those of its parts, a product follows
// its definition along the tree, on every backend; patterns that move elements move them; what does
// not take them says so.
#include <complex.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

static const check_target *targets;
static int target_count;

// Part 0 or 1 of a view of complex numbers.
static hd_view part(hd_type type, void *z, int64_t n, int k)
{
    hd_view v = hd_view_of(type, (char *)z + k * (int)hd_type_size(type), n);
    v.stride[0] = 2;
    return v;
}

static const struct {
    hd_type whole, part;
} kinds[] = {{HD_C64, HD_F32}, {HD_C128, HD_F64}};

static void test_sums(int kind, int64_t n, check_pattern pattern, uint64_t seed)
{
    const hd_type whole = kinds[kind].whole, half = kinds[kind].part;
    const size_t size = hd_type_size(whole), bytes = (size_t)n * size;
    void *z = check_memory(bytes), *got = check_memory(bytes + size);
    void *want = check_memory(bytes + size);
    check_fill(half, z, 2 * n, pattern, seed);
    hd_context *serial = check_open(HD_SERIAL, 0, NULL);
    for (int exclusive = 0; exclusive < 2; exclusive++) {
        memset(want, 0, bytes + size);
        for (int k = 0; k < 2; k++) {
            CHECK_OK(serial, hd_reduce(serial, part(half, z, n, k), HD_SUM,
                                       part(half, (char *)want + bytes, 1, k), NULL));
            CHECK_OK(serial, hd_scan(serial, part(half, z, n, k), HD_SUM, part(half, want, n, k),
                                     HD_OPTIONS(hd_scan_options, .exclusive = exclusive)));
        }
        for (int t = 0; t < target_count; t++) {
            hd_context *ctx = targets[t].ctx;
            memset(got, 0, bytes + size);
            CHECK_OK(ctx, hd_reduce(ctx, hd_view_of(whole, z, n), HD_SUM,
                                    hd_view_of(whole, (char *)got + bytes, 1), NULL));
            CHECK_OK(ctx, hd_scan(ctx, hd_view_of(whole, z, n), HD_SUM, hd_view_of(whole, got, n),
                                  HD_OPTIONS(hd_scan_options, .exclusive = exclusive)));
            CHECK_SAME(half, got, want, 2 * n + 2, "%s, %s, %lld", targets[t].name,
                       hd_type_name(whole), (long long)n);
        }
    }
    hd_close(serial);
    free(z), free(got), free(want);
}

// By the tree of eight: ((0 1) (2 3)) ((4 5) (6 7)).
static hd_c128 times(hd_c128 a, hd_c128 b)
{
    return (hd_c128){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static void test_products(void)
{
    hd_c128 z[8], got, want;
    check_fill(HD_F64, z, 16, CHECK_UNITS, 3);
    want = times(times(times(z[0], z[1]), times(z[2], z[3])),
                 times(times(z[4], z[5]), times(z[6], z[7])));
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW(z, 8), HD_PRODUCT, HD_VIEW(&got, 1), NULL));
        CHECK_SAME(HD_F64, &got, &want, 2, "%s", targets[t].name);
        CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW(z, 0), HD_PRODUCT, HD_VIEW(&got, 1), NULL));
        CHECK(got.re == 1 && got.im == 0, "no elements: %g %g on %s", got.re, got.im,
              targets[t].name);
        CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW(z, 0), HD_SUM, HD_VIEW(&got, 1), NULL));
        CHECK(got.re == 0 && got.im == 0, "no elements: %g %g", got.re, got.im);
    }
}

// C's own complex numbers, by key and by segment, gathered, and a constant.
static void test_patterns(void)
{
    float complex z[] = {1 + 2 * I, 3 - 1 * I, -2 + 5 * I, 4, 2 * I}, y[5], one;
    const int64_t bounds[] = {0, 2, 2, 5};
    const int32_t index[] = {4, 0, 0, 3, 1};
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        CHECK_OK(ctx,
                 hd_reduce(ctx, HD_VIEW(z, 5), HD_SUM, HD_VIEW(y, 3),
                           HD_OPTIONS(hd_reduce_options, .segments = HD_REF(HD_VIEW(bounds, 4)))));
        CHECK(y[0] == 4 + 1 * I && y[1] == 0 && y[2] == 2 + 7 * I, "segments on %s",
              targets[t].name);
        CHECK_OK(ctx, hd_gather(ctx, HD_VIEW(z, 5), HD_VIEW(index, 5), HD_VIEW(y, 5), NULL));
        CHECK(y[0] == 2 * I && y[4] == 3 - 1 * I, "gathered on %s", targets[t].name);
        const float complex unit = I;
        CHECK_OK(ctx, hd_reduce(ctx, hd_constant(unit, 3), HD_PRODUCT, HD_VIEW(&one, 1), NULL));
        CHECK(one == -I, "a constant on %s", targets[t].name);
    }
}

static void test_refused(void)
{
    hd_c64 z[2] = {{1, 2}, {3, 4}};
    float f;
    hd_context *ctx = targets[0].ctx;
    hd_status status = hd_reduce(ctx, HD_VIEW(z, 2), HD_MAX, HD_VIEW(z, 1), NULL);
    CHECK(status == HD_ERROR_TYPE && strstr(hd_error(ctx), "c64") != NULL &&
              strstr(hd_error(ctx), "sum and product") != NULL,
          "%s", hd_error(ctx));
    status = hd_reduce(ctx, HD_VIEW(z, 2), HD_SUM, HD_VIEW(&f, 1), NULL);
    CHECK(status == HD_ERROR_TYPE, "%s", hd_status_name(status));
    status = hd_sort(ctx, HD_VIEW(z, 2), HD_VIEW(z, 2), HD_NO_VALUES, NULL);
    CHECK(status == HD_ERROR_TYPE, "%s", hd_status_name(status));
    const uint8_t bin[2] = {0, 0};
    hd_c128 wide[2] = {{1, 2}, {3, 4}};
    status = hd_histogram(ctx, HD_VIEW(bin, 2), HD_VIEW(wide, 1),
                          &(hd_histogram_options){.weights = HD_REF(HD_VIEW(wide, 2))});
    CHECK(status == HD_ERROR_TYPE, "weights: %s", hd_status_name(status));
    CHECK(HD_STRUCT(hd_c64) == HD_C64 && HD_STRUCT(hd_c128) == HD_C128, "written out in heddle.h");
    CHECK(hd_type_named("c64") == HD_C64 && hd_type_named("c128") == HD_C128, "names");
    CHECK(strcmp(hd_type_name(HD_TYPE(double _Complex)), "c128") == 0, "%s",
          hd_type_name(HD_TYPE(double _Complex)));
    CHECK(hd_default_output(HD_SUM, HD_C64) == HD_C64, "default output of sum");
    CHECK(hd_default_output(HD_MEAN, HD_C64) == HD_NONE, "default output of mean");
}

static void test_gpu(hd_backend which)
{
    check_target one = {check_open(which, 0, NULL), "a GPU"};
    targets = &one, target_count = 1;
    for (int kind = 0; kind < 2; kind++)
        for (int pattern = 0; pattern < CHECK_PATTERNS; pattern += 2 - kind)
            test_sums(kind, pattern % 2 ? 33 : 2039, (check_pattern)pattern, 77);
    test_products();
    test_patterns();
    hd_close(one.ctx);
}

int main(void)
{
    uint64_t seed = check_seed();
    target_count = check_targets(&targets);
    int64_t n;
    for (int kind = 0; kind < 2; kind++)
        for (int s = 0; (n = check_size(s, check_small() ? 1025 : 10007)) >= 0; s++, seed++)
            test_sums(kind, n, (check_pattern)(seed % CHECK_PATTERNS), seed);
    test_sums(0, check_small() ? 70001 : 300007, CHECK_ORDINARY, seed);
    test_products();
    test_patterns();
    test_refused();
    const int code = check_on_gpus(test_gpu);
    return code == CHECK_SKIP ? 0 : code;
}
