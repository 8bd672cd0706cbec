// SPDX-License-Identifier: Apache-2.0
//
// The contract's table (numerics.md), cell by cell, with literal values, on every backend:
// NaN, signed zeros, ties, overflow, empty inputs, accumulation types, init, the order of the tree.
// Each row is tried at a length of its own and padded by a neutral element to lengths that use
// vectors and threads.
#define _GNU_SOURCE
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/reference.h"

#define INF  ((double)INFINITY)
#define QNAN ((double)NAN)

// ---- Floats: values in, one value out -------------------------------------------------------

typedef struct cell {
    const char *what;
    const hd_operator *op;
    int n;
    double in[4];
    double pad; // may be repeated after the input without changing the result; NaN: may not
    double want;
} cell;

static const cell cells[] = {{"sum: NaN", HD_SUM, 3, {1, QNAN, 2}, 0.0, QNAN},
                             {"sum: inf - inf", HD_SUM, 2, {INF, -INF}, 0.0, QNAN},
                             {"sum: inf", HD_SUM, 3, {1, INF, 2}, 0.0, INF},
                             {"sum: one -0", HD_SUM, 1, {-0.0}, -0.0, -0.0},
                             {"sum: -0 and -0", HD_SUM, 2, {-0.0, -0.0}, -0.0, -0.0},
                             {"sum: -0 and +0", HD_SUM, 2, {-0.0, 0.0}, -0.0, 0.0},
                             {"sum: x - x", HD_SUM, 2, {1.5, -1.5}, -0.0, 0.0},
                             {"sum: of nothing", HD_SUM, 0, {0}, QNAN, 0.0},
                             {"product: NaN", HD_PRODUCT, 3, {1, QNAN, 0}, 1.0, QNAN},
                             {"product: 0 times inf", HD_PRODUCT, 2, {0.0, INF}, 1.0, QNAN},
                             {"product: signs", HD_PRODUCT, 3, {-1, 0.0, 2}, 1.0, -0.0},
                             {"product: -0 times -1", HD_PRODUCT, 2, {-0.0, -1}, 1.0, 0.0},
                             {"product: of nothing", HD_PRODUCT, 0, {0}, QNAN, 1.0},
                             {"min: NaN", HD_MIN, 3, {1, QNAN, -INF}, INF, QNAN},
                             {"min: NaN first", HD_MIN, 2, {QNAN, 1}, INF, QNAN},
                             {"min: +0 then -0", HD_MIN, 2, {0.0, -0.0}, INF, -0.0},
                             {"min: -0 then +0", HD_MIN, 2, {-0.0, 0.0}, INF, -0.0},
                             {"min: -inf", HD_MIN, 3, {3, -INF, -5}, INF, -INF},
                             {"min: of nothing", HD_MIN, 0, {0}, QNAN, INF},
                             {"max: NaN", HD_MAX, 3, {1, QNAN, INF}, -INF, QNAN},
                             {"max: NaN last", HD_MAX, 3, {1, INF, QNAN}, -INF, QNAN},
                             {"max: +0 then -0", HD_MAX, 2, {0.0, -0.0}, -INF, 0.0},
                             {"max: -0 then +0", HD_MAX, 2, {-0.0, 0.0}, -INF, 0.0},
                             {"max: one -0", HD_MAX, 1, {-0.0}, -INF, -0.0},
                             {"max: of nothing", HD_MAX, 0, {0}, QNAN, -INF},
                             {"mean: NaN", HD_MEAN, 3, {1, QNAN, 2}, QNAN, QNAN},
                             {"mean", HD_MEAN, 4, {1, 2, 3, 4}, 2.5, 2.5},
                             {"mean: -0", HD_MEAN, 2, {-0.0, -0.0}, -0.0, -0.0},
                             {"mean: of nothing", HD_MEAN, 0, {0}, QNAN, QNAN},
                             {"variance", HD_VARIANCE, 4, {1, 2, 3, 4}, QNAN, 1.25},
                             {"variance: NaN", HD_VARIANCE, 3, {1, QNAN, 3}, 1.0, QNAN},
                             {"variance: of one", HD_VARIANCE, 1, {5}, 5.0, 0.0},
                             {"variance: NaN alone", HD_VARIANCE, 1, {QNAN}, 1.0, QNAN},
                             {"variance: inf alone", HD_VARIANCE, 1, {INF}, 1.0, QNAN},
                             {"variance: inf", HD_VARIANCE, 2, {1, INF}, QNAN, QNAN},
                             {"variance: -inf and more", HD_VARIANCE, 3, {-INF, 1, 2}, 1.0, QNAN},
                             {"variance: of nothing", HD_VARIANCE, 0, {0}, QNAN, QNAN}};

static const check_target *targets;
static int target_count;

// Element k of a float array.
static void put(hd_type type, void *array, int64_t k, double value)
{
    const float single = (float)value;
    char *at = (char *)array + hd_type_size(type) * (size_t)k;
    if (type == HD_F64)
        memcpy(at, &value, 8);
    else if (type == HD_F32)
        memcpy(at, &single, 4);
    else
        *(uint16_t *)(void *)at = ref_narrow(type, value);
}

static void try_cell(const cell *c, hd_type type, int64_t n)
{
    _Alignas(8) unsigned char want[8], got[8];
    char *x = check_memory(8 * (size_t)n), *scanned = check_memory(8 * (size_t)n);
    for (int64_t i = 0; i < n; i++) put(type, x, i, i < c->n ? c->in[i] : c->pad);
    put(type, want, 0, c->want);
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        CHECK_OK(ctx,
                 hd_reduce(ctx, HD_VIEW_OF(type, x, n), c->op, HD_VIEW_OF(type, got, 1), NULL));
        CHECK_SAME(type, got, want, 1, "%s, %s, n = %" PRId64 ", on %s", c->what,
                   hd_type_name(type), n, targets[t].name);
        CHECK_OK(ctx,
                 hd_scan(ctx, HD_VIEW_OF(type, x, n), c->op, HD_VIEW_OF(type, scanned, n), NULL));
        if (n > 0)
            CHECK_SAME(type, scanned + hd_type_size(type) * (size_t)(n - 1), want, 1,
                       "scan, %s, %s, n = %" PRId64 ", on %s", c->what, hd_type_name(type), n,
                       targets[t].name);
    }
    free(x);
    free(scanned);
}

static void test_cells(void)
{
    static const hd_type types[] = {HD_F16, HD_BF16, HD_F32, HD_F64};
    for (size_t k = 0; k < sizeof cells / sizeof *cells; k++)
        for (int t = 0; t < 4; t++) {
            try_cell(&cells[k], types[t], cells[k].n);
            if (cells[k].pad != cells[k].pad) continue;
            try_cell(&cells[k], types[t], 100);
            try_cell(&cells[k], types[t], check_small() ? 1000 : 40000);
        }
}

// ---- Integers: wrapping, widening, empties --------------------------------------------------

#define EXPECT(T, out_T, op, want, n, ...)                                                         \
    do {                                                                                           \
        const T in[] = {__VA_ARGS__};                                                              \
        for (int t = 0; t < target_count; t++) {                                                   \
            out_T got = (out_T)77, expected = (want);                                              \
            CHECK_OK(targets[t].ctx,                                                               \
                     hd_reduce(targets[t].ctx, HD_VIEW(in, n), op, HD_VIEW(&got, 1), NULL));       \
            CHECK_SAME(HD_TYPE(out_T), &got, &expected, 1, #op " of " #T " as " #out_T " on %s",   \
                       targets[t].name);                                                           \
        }                                                                                          \
    } while (0)

static void test_integers(void)
{
    EXPECT(int8_t, int8_t, HD_SUM, -56, 2, 100, 100);
    EXPECT(int8_t, int16_t, HD_SUM, 200, 2, 100, 100);
    EXPECT(int8_t, uint32_t, HD_SUM, UINT32_MAX, 2, -2, 1);
    EXPECT(uint8_t, uint8_t, HD_SUM, 44, 2, 200, 100);
    EXPECT(uint8_t, float, HD_SUM, 300.0f, 2, 200, 100);
    EXPECT(int32_t, int32_t, HD_SUM, INT32_MIN, 2, INT32_MAX, 1);
    EXPECT(int64_t, int64_t, HD_SUM, INT64_MIN, 2, INT64_MAX, 1);
    EXPECT(int32_t, int32_t, HD_PRODUCT, 0, 2, 65536, 65536);
    EXPECT(int32_t, int64_t, HD_PRODUCT, 4294967296, 2, 65536, 65536);
    EXPECT(int16_t, float, HD_PRODUCT, 32767.0f * 32767.0f, 2, 32767, 32767);
    EXPECT(bool, int32_t, HD_SUM, 2, 3, true, false, true);
    EXPECT(bool, int64_t, HD_PRODUCT, 0, 3, true, false, true);
    EXPECT(int8_t, int8_t, HD_MIN, -128, 3, 5, -128, 7);
    EXPECT(uint64_t, uint64_t, HD_MAX, UINT64_MAX, 3, 5, UINT64_MAX, 7);
    EXPECT(int8_t, int64_t, HD_MIN, -3, 2, 5, -3);
    EXPECT(uint16_t, uint16_t, HD_AND, 0x0f00, 2, 0xff00, 0x0ff0);
    EXPECT(int8_t, int32_t, HD_OR, -1, 2, -128, 127);
    EXPECT(uint32_t, uint64_t, HD_XOR, 6, 2, 5, 3);
    EXPECT(bool, bool, HD_XOR, false, 2, true, true);
    EXPECT(uint32_t, uint64_t, HD_GCD, 6, 4, 12, 0, 18, 240);
    EXPECT(uint8_t, uint8_t, HD_GCD, 1, 3, 255, 4, 6);
    // an integer above 2^53 rounds once on its way into a float
    EXPECT(int64_t, double, HD_SUM, 9007199254740992.0, 1, 9007199254740993);
    EXPECT(int64_t, float, HD_SUM, 0x1.000002p61f, 1, ((int64_t)1 << 61) + ((int64_t)1 << 37) + 1);
    EXPECT(int64_t, double, HD_MEAN, 2.5, 4, 1, 2, 3, 4);
    EXPECT(uint8_t, float, HD_MEAN, 227.5f, 2, 200, 255);
    EXPECT(bool, double, HD_VARIANCE, 0.25, 2, true, false);
}

static void test_nothing(void)
{
    EXPECT(int8_t, int64_t, HD_SUM, 0, 0, 0);
    EXPECT(int16_t, int16_t, HD_PRODUCT, 1, 0, 0);
    EXPECT(int8_t, int8_t, HD_MIN, INT8_MAX, 0, 0);
    EXPECT(int8_t, int8_t, HD_MAX, INT8_MIN, 0, 0);
    EXPECT(int64_t, int64_t, HD_MIN, INT64_MAX, 0, 0);
    EXPECT(uint32_t, uint32_t, HD_MIN, UINT32_MAX, 0, 0);
    EXPECT(uint32_t, uint32_t, HD_MAX, 0, 0, 0);
    EXPECT(bool, bool, HD_MIN, true, 0, 0);
    EXPECT(bool, bool, HD_MAX, false, 0, 0);
    EXPECT(uint16_t, uint16_t, HD_AND, 0xffff, 0, 0);
    EXPECT(int32_t, int32_t, HD_AND, -1, 0, 0);
    EXPECT(bool, bool, HD_AND, true, 0, 0);
    EXPECT(uint16_t, uint16_t, HD_OR, 0, 0, 0);
    EXPECT(uint16_t, uint16_t, HD_XOR, 0, 0, 0);
    EXPECT(uint64_t, uint64_t, HD_GCD, 0, 0, 0);
    EXPECT(float, bool, HD_ALL, true, 0, 0);
    EXPECT(float, bool, HD_ANY, false, 0, 0);
    EXPECT(int32_t, int64_t, HD_ARGMIN, -1, 0, 0);
    EXPECT(float, int64_t, HD_ARGMAX, -1, 0, 0);
}

static void test_truth(void)
{
    EXPECT(float, bool, HD_ALL, true, 2, NAN, 1.0f);
    EXPECT(float, bool, HD_ANY, true, 2, 0.0f, NAN);
    EXPECT(float, bool, HD_ANY, false, 2, 0.0f, -0.0f);
    EXPECT(double, bool, HD_ALL, false, 2, 3.0, -0.0);
    EXPECT(double, bool, HD_ANY, true, 2, 0.0, 5e-324);
    EXPECT(int32_t, bool, HD_ALL, true, 2, -1, 256);
    EXPECT(uint64_t, bool, HD_ANY, true, 1, (uint64_t)1 << 32);
}

static void test_arg(void)
{
    EXPECT(float, int64_t, HD_ARGMIN, 1, 4, 3, 1, 2, 1);
    EXPECT(float, int64_t, HD_ARGMAX, 0, 4, 3, 1, 2, 3);
    EXPECT(float, int64_t, HD_ARGMAX, 2, 4, 3, 1, NAN, INFINITY);
    EXPECT(float, int64_t, HD_ARGMIN, 1, 4, 3, NAN, NAN, -INFINITY);
    EXPECT(float, int64_t, HD_ARGMAX, 0, 2, -0.0f, 0.0f);
    EXPECT(double, int64_t, HD_ARGMIN, 0, 2, 0.0, -0.0);
    EXPECT(uint64_t, int64_t, HD_ARGMAX, 1, 3, 1, UINT64_MAX, UINT64_MAX);
    EXPECT(int64_t, int64_t, HD_ARGMIN, 2, 3, 1, 0, INT64_MIN);
    EXPECT(bool, int64_t, HD_ARGMAX, 1, 3, false, true, true);
    EXPECT(double, int64_t, HD_ARGMAX, 1, 2, 0x1p60, 0x1.0000000000001p60);
}

// ---- Accumulation and order -----------------------------------------------------------------

static void test_order(void)
{
    // (1e30 + 1) + (-1e30 + 1) = 0, where a plain loop gives 1
    EXPECT(float, float, HD_SUM, 0.0f, 4, 1e30f, 1, -1e30f, 1);
    // ((1e30 - 1e30) + (1 + 1)) + 1
    EXPECT(float, float, HD_SUM, 3.0f, 5, 1e30f, -1e30f, 1, 1, 1);
    // an f64 output is an f64 tree
    EXPECT(float, double, HD_SUM, 2.0, 4, 1e9f, 1, -1e9f, 1);
    EXPECT(float, float, HD_MEAN, 0x1.555556p-2f, 3, 1, 0, 0);
    // 2049 halves of 1 are 2049 in f32, which rounds to 2048 in f16, ties to even
    static uint16_t ones[2049];
    for (int i = 0; i < 2049; i++) ones[i] = 0x3c00;
    for (int t = 0; t < target_count; t++) {
        uint16_t half = 0;
        float single = 0;
        hd_context *ctx = targets[t].ctx;
        const hd_view v = HD_VIEW_OF(HD_F16, ones, 2049);
        CHECK_OK(ctx, hd_reduce(ctx, v, HD_SUM, HD_VIEW_OF(HD_F16, &half, 1), NULL));
        CHECK_OK(ctx, hd_reduce(ctx, v, HD_SUM, HD_VIEW(&single, 1), NULL));
        CHECK(half == 0x6800 && single == 2049, "0x%04x, %g on %s", half, (double)single,
              targets[t].name);
    }
}

// Sums of -0, products of signed zeros, extremes of zeros: the sign of every prefix.
static void test_zeros(const hd_operator *op, hd_type type, int64_t n)
{
    char *x = check_memory(8 * (size_t)n), *want = check_memory(8 * (size_t)n),
         *got = check_memory(8 * (size_t)n);
    for (int64_t i = 0; i < n; i++)
        put(type, x, i,
            op == HD_SUM || i % 3 == 1  ? -0.0
            : op == HD_PRODUCT && i > 4 ? (i % 7 ? 1 : -1)
                                        : 0.0);
    ref_scan(op, type, x, n, type, want, NULL, NULL);
    for (int t = 0; t < target_count; t++) {
        CHECK_OK(targets[t].ctx, hd_scan(targets[t].ctx, HD_VIEW_OF(type, x, n), op,
                                         HD_VIEW_OF(type, got, n), NULL));
        CHECK_SAME(type, got, want, n, "zeros, scan, %s of %" PRId64 " %s on %s",
                   hd_operator_name(op), n, hd_type_name(type), targets[t].name);
    }
    free(x), free(want), free(got);
}

static void test_all_zeros(void)
{
    static const hd_operator *ops[] = {HD_SUM, HD_PRODUCT, HD_MIN, HD_MAX};
    static const hd_type types[] = {HD_F16, HD_BF16, HD_F32, HD_F64};
    for (int o = 0; o < 4; o++)
        for (int t = 0; t < 4; t++) {
            test_zeros(ops[o], types[t], 1000);
            if (!check_small()) test_zeros(ops[o], types[t], 70001);
        }
}

static void test_init(void)
{
    const float x[] = {1, 2, 3}, big = 1e30f, minus = -0.0f, nothing[1] = {0};
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        float got = 7, scanned[3] = {0};
        CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW(x, 3), HD_SUM, HD_VIEW(&got, 1),
                                &(hd_reduce_options){.init = &big}));
        CHECK(got == 1e30f, "%g on %s", (double)got, targets[t].name);
        CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW(nothing, 0), HD_SUM, HD_VIEW(&got, 1),
                                &(hd_reduce_options){.init = &minus}));
        CHECK(got == 0 && signbit(got), "init alone is init: %g on %s", (double)got,
              targets[t].name);
        CHECK_OK(ctx, hd_scan(ctx, HD_VIEW(x, 3), HD_SUM, HD_VIEW(scanned, 3),
                              &(hd_scan_options){.init = &minus, .exclusive = true}));
        CHECK(signbit(scanned[0]) && scanned[1] == 1 && scanned[2] == 3, "exclusive on %s",
              targets[t].name);
        CHECK_OK(ctx, hd_scan(ctx, HD_VIEW(x, 3), HD_SUM, HD_VIEW(scanned, 3),
                              &(hd_scan_options){.exclusive = true}));
        CHECK(!signbit(scanned[0]) && scanned[0] == 0, "an empty prefix is +0 on %s",
              targets[t].name);
    }
}

static void test_ddof(void)
{
    const double x[] = {1, 2, 3, 4};
    static const double want[] = {1.25, 5.0 / 3, 2.5, 5.0, NAN, NAN};
    for (int t = 0; t < target_count; t++)
        for (int32_t d = 0; d < 6; d++) {
            double got = 0;
            CHECK_OK(targets[t].ctx, hd_reduce(targets[t].ctx, HD_VIEW(x, 4), HD_VARIANCE,
                                               HD_VIEW(&got, 1), &(hd_reduce_options){.ddof = d}));
            CHECK_SAME(HD_F64, &got, &want[d], 1, "ddof %d on %s", (int)d, targets[t].name);
        }
}

int main(void)
{
    target_count = check_targets(&targets);
    test_cells();
    test_integers();
    test_nothing();
    test_truth();
    test_arg();
    test_order();
    test_all_zeros();
    test_init();
    test_ddof();
    return check_finish();
}
