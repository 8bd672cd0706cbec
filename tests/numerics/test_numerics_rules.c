// SPDX-License-Identifier: Apache-2.0
//
// The rules of numerics.md around the tree, with literal values, on every target: init, heads,
// elements before the first offset, carries, backward scans, exclusive means and places. And how
// large the error is: the height of the tree as an operator counts it, inputs that reach the bound,
// what sums and products may do on the way.
#define _GNU_SOURCE
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/check.h"

#define QNAN ((double)NAN)
#define INF  ((double)INFINITY)

static const check_target *target;

static void scan_is(int line, hd_view in, const hd_operator *op, hd_scan_options o, hd_type type,
                    const void *want)
{
    _Alignas(16) unsigned char got[16 * 8];
    const int64_t n = hd_count(in);
    CHECK_OK(target->ctx, hd_scan(target->ctx, in, op, HD_VIEW_OF(type, got, n), &o));
    CHECK_SAME(type, got, want, n, "line %d: scan by %s on %s", line, hd_operator_name(op),
               target->name);
}

static void reduce_is(int line, hd_view in, const hd_operator *op, hd_reduce_options o,
                      hd_type type, const void *want, int64_t outs)
{
    _Alignas(16) unsigned char got[16 * 8];
    CHECK_OK(target->ctx, hd_reduce(target->ctx, in, op, HD_VIEW_OF(type, got, outs), &o));
    CHECK_SAME(type, got, want, outs, "line %d: reduce by %s on %s", line, hd_operator_name(op),
               target->name);
}

#define SCAN(in, op, T, options, ...)                                                              \
    scan_is(__LINE__, in, op, (hd_scan_options)options, HD_TYPE(T), (const T[]){__VA_ARGS__})
#define REDUCE(in, op, T, options, outs, ...)                                                      \
    reduce_is(__LINE__, in, op, (hd_reduce_options)options, HD_TYPE(T), (const T[]){__VA_ARGS__},  \
              outs)
#define WITH(...)                                                                                  \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

static const double six[] = {1, 2, 4, 8, 16, 32};
static const int64_t cuts[] = {1, 3, 3, 5}; // element 0 before them, element 5 behind them

// ---- Around the tree ----------------------------------------------------------------------------

static void test_segments(void)
{
    const hd_view x = HD_VIEW(six, 6), offsets = HD_VIEW(cuts, 4);
    const double init = 100;
    REDUCE(x, HD_SUM, double, WITH(.segments = HD_REF(offsets)), 3, 6, 0, 24);
    REDUCE(x, HD_SUM, double, WITH(.segments = HD_REF(offsets), .init = &init), 3, 106, 100, 124);
    SCAN(x, HD_SUM, double, WITH(.segments = HD_REF(offsets)), 1, 2, 6, 8, 24, 32);
    SCAN(x, HD_SUM, double, WITH(.segments = HD_REF(offsets), .init = &init), 101, 102, 106, 108,
         124, 132);
    SCAN(x, HD_SUM, double, WITH(.segments = HD_REF(offsets), .exclusive = true), 0, 0, 2, 0, 8, 0);
    SCAN(x, HD_SUM, double, WITH(.segments = HD_REF(offsets), .exclusive = true, .init = &init),
         100, 100, 102, 100, 108, 100);
    SCAN(x, HD_SUM, double, WITH(.segments = HD_REF(offsets), .backward = true), 1, 6, 4, 24, 16,
         32);
    SCAN(x, HD_SUM, double, WITH(.segments = HD_REF(offsets), .backward = true, .exclusive = true),
         0, 4, 0, 16, 0, 0);
    SCAN(x, HD_SUM, double, WITH(.segments = HD_REF(HD_VIEW(cuts, 0))), 1, 3, 7, 15, 31, 63);
}

static void test_keys(void)
{
    const int32_t key[] = {7, 7, 5, 5, 5, 7};
    const hd_view x = HD_VIEW(six, 6), keys = HD_VIEW(key, 6);
    const double init = 100;
    REDUCE(x, HD_SUM, double, WITH(.keys = HD_REF(keys), .init = &init), 3, 103, 128, 132);
    SCAN(x, HD_SUM, double, WITH(.keys = HD_REF(keys)), 1, 3, 4, 12, 28, 32);
    SCAN(x, HD_SUM, double, WITH(.keys = HD_REF(keys), .exclusive = true, .init = &init), 100, 101,
         100, 104, 112, 100);
    SCAN(x, HD_SUM, double, WITH(.keys = HD_REF(keys), .backward = true), 3, 2, 28, 24, 16, 32);
}

// An operator that keeps its left side shows on which an init stands.
HD_OPERATOR(left_of, double, HD_NO_SOURCE, HD_ASSOCIATIVE, {
    (void)b;
    return a;
})

static void test_init(void)
{
    const int32_t key[] = {7, 7, 5, 5, 5, 7};
    const int64_t shape[] = {2, 3};
    const hd_view x = HD_VIEW(six, 6), plane = hd_view_nd(HD_F64, six, 2, shape, NULL);
    const hd_view offsets = HD_VIEW(cuts, 4), keys = HD_VIEW(key, 6);
    const double init = 100;
    REDUCE(x, left_of, double, WITH(.init = NULL), 1, 1);
    REDUCE(x, left_of, double, WITH(.init = &init), 1, 100);
    REDUCE(x, left_of, double, WITH(.init = &init, .segments = HD_REF(offsets)), 3, 100, 100, 100);
    REDUCE(x, left_of, double, WITH(.init = &init, .keys = HD_REF(keys)), 3, 100, 100, 100);
    REDUCE(plane, left_of, double, WITH(.init = &init, .axis = HD_AXIS(0)), 3, 100, 100, 100);
    REDUCE(plane, left_of, double, WITH(.init = &init, .axis = HD_AXIS(1)), 2, 100, 100);
    SCAN(x, left_of, double, WITH(.init = NULL), 1, 1, 1, 1, 1, 1);
    SCAN(x, left_of, double, WITH(.init = &init), 100, 100, 100, 100, 100, 100);
    SCAN(x, left_of, double, WITH(.init = &init, .exclusive = true), 100, 100, 100, 100, 100, 100);
    SCAN(x, left_of, double, WITH(.init = &init, .segments = HD_REF(offsets)), 100, 100, 100, 100,
         100, 100);
    SCAN(x, left_of, double, WITH(.init = &init, .keys = HD_REF(keys)), 100, 100, 100, 100, 100,
         100);
}

// What stands at a head, and before anything else.
static void test_exclusive(void)
{
    const hd_view x = HD_VIEW(six, 6), offsets = HD_VIEW(cuts, 4);
    SCAN(x, HD_PRODUCT, double, WITH(.exclusive = true, .segments = HD_REF(offsets)), 1, 1, 2, 1, 8,
         1);
    SCAN(x, HD_MIN, double, WITH(.exclusive = true, .segments = HD_REF(offsets)), INF, INF, 2, INF,
         8, INF);
    SCAN(x, HD_MAX, double, WITH(.exclusive = true, .segments = HD_REF(offsets)), -INF, -INF, 2,
         -INF, 8, -INF);
    SCAN(x, HD_MEAN, double, WITH(.exclusive = true), QNAN, 1, 1.5, 7.0 / 3, 3.75, 6.2);
    SCAN(x, HD_MEAN, double, WITH(.exclusive = true, .segments = HD_REF(offsets)), QNAN, QNAN, 2,
         QNAN, 8, QNAN);
    SCAN(x, HD_VARIANCE, double, WITH(.exclusive = true, .segments = HD_REF(offsets)), QNAN, QNAN,
         0, QNAN, 0, QNAN);
    SCAN(x, HD_ARGMAX, int64_t, WITH(.exclusive = true), -1, 0, 1, 2, 3, 4);
    SCAN(x, HD_ARGMAX, int64_t, WITH(.exclusive = true, .segments = HD_REF(offsets)), -1, -1, 1, -1,
         3, -1);
    double values[6];
    const double before[] = {0, 0, 2, 0, 8, 0};
    SCAN(x, HD_ARGMAX, int64_t,
         WITH(.exclusive = true, .segments = HD_REF(offsets), .values = HD_REF(HD_VIEW(values, 6))),
         -1, -1, 1, -1, 3, -1);
    CHECK_SAME(HD_F64, values, before, 6, "values before a head on %s", target->name);
}

static void test_backward(void)
{
    const hd_view x = HD_VIEW(six, 6);
    SCAN(x, HD_MEAN, double, WITH(.backward = true, .exclusive = true), 12.4, 15, 56.0 / 3, 24, 32,
         QNAN);
    SCAN(x, HD_ARGMIN, int64_t, WITH(.backward = true), 5, 4, 3, 2, 1, 0);
    SCAN(x, HD_ARGMIN, int64_t, WITH(.backward = true, .exclusive = true), 4, 3, 2, 1, 0, -1);
    // The tree of the reversed sequence: ((-1 + 1) + 2^-60), not (-1 + (1 + 2^-60)).
    const double sums[] = {0x1p-60, 1, -1};
    SCAN(HD_VIEW(sums, 3), HD_SUM, double, WITH(.backward = true), 0x1p-60, 0, -1);
    SCAN(HD_VIEW(sums, 3), HD_SUM, double, WITH(.backward = false), 0x1p-60, 1, 0);
}

// 2^53 + 1 is no f64, so that the grouping shows: with a filter it is that of the elements left.
static void test_filter(void)
{
    const double big = 0x1p53, sums[] = {big, -1, 1, 1, 1};
    const uint8_t flags[] = {1, 0, 1, 1, 1}, none[] = {0, 0, 0, 0, 0};
    const hd_view x = HD_VIEW(sums, 5), by = HD_VIEW(flags, 5);
    REDUCE(x, HD_SUM, double, WITH(.flags = HD_REF(by)), 1, (big + 1) + 2);
    REDUCE(x, HD_SUM, double, WITH(.flags = HD_REF(by), .invert = true), 1, -1);
    REDUCE(x, HD_SUM, double, WITH(.flags = HD_REF(HD_VIEW(none, 5))), 1, 0);
    REDUCE(HD_VIEW(six, 5), HD_MEAN, double, WITH(.flags = HD_REF(by)), 1, 29.0 / 4);
    REDUCE(HD_VIEW(six, 5), HD_ARGMAX, int64_t, WITH(.flags = HD_REF(by)), 1, 4);
    REDUCE(x, HD_ARGMIN, int64_t, WITH(.flags = HD_REF(by)), 1, 2);
}

static void test_indexed(void)
{
    const int16_t index[] = {5, 0, 5, 3};
    const hd_view x = hd_indexed(HD_VIEW(six, 6), HD_VIEW(index, 4));
    REDUCE(x, HD_SUM, double, WITH(.init = NULL), 1, 73);
    REDUCE(x, HD_ARGMIN, int64_t, WITH(.init = NULL), 1, 1);
    SCAN(x, HD_SUM, double, WITH(.exclusive = true), 0, 32, 33, 65);
}

// The carry keeps the tree alone: an init is that of each call.
static void test_carry(void)
{
    const double init = 100;
    hd_carry *carry;
    hd_context *ctx = target->ctx;
    CHECK_OK(ctx, hd_carry_open(ctx, &carry));
    SCAN(HD_VIEW(six, 2), HD_SUM, double, WITH(.carry = carry, .init = &init), 101, 103);
    SCAN(HD_VIEW(six + 2, 2), HD_SUM, double, WITH(.carry = carry), 7, 15);
    SCAN(HD_VIEW(six + 4, 1), HD_SUM, double,
         WITH(.carry = carry, .init = &init, .exclusive = true), 115);
    SCAN(HD_VIEW(six + 5, 1), HD_SUM, double, WITH(.carry = carry, .exclusive = true), 31);
    hd_carry_close(ctx, carry);
    CHECK_OK(ctx, hd_carry_open(ctx, &carry));
    SCAN(HD_VIEW(six, 2), HD_ARGMAX, int64_t, WITH(.carry = carry), 0, 1);
    SCAN(HD_VIEW(six + 2, 2), HD_ARGMAX, int64_t, WITH(.carry = carry, .exclusive = true), 1, 2);
    hd_carry_close(ctx, carry);
    CHECK_OK(ctx, hd_carry_open(ctx, &carry));
    SCAN(HD_VIEW(six, 2), HD_MEAN, double, WITH(.carry = carry), 1, 1.5);
    SCAN(HD_VIEW(six + 2, 1), HD_MEAN, double, WITH(.carry = carry), 7.0 / 3);
    hd_carry_close(ctx, carry);
}

// ---- Heights ------------------------------------------------------------------------------------

// As an operator no law is kept, but the tree is fixed: the result is the longest way of an
// element.
HD_OPERATOR(height, int64_t, HD_NO_SOURCE, HD_ASSOCIATIVE, { return (a > b ? a : b) + 1; })

#define HEIGHTS 600

static int64_t log2_of(int64_t n)
{
    return 63 - __builtin_clzll((unsigned long long)n);
}

// d of numerics.md.
static int64_t longest(int64_t n)
{
    return log2_of(n) + __builtin_popcountll((unsigned long long)n) - 1;
}

static void test_heights(void)
{
    static int64_t x[HEIGHTS], got[HEIGHTS];
    hd_context *ctx = target->ctx;
    CHECK_OK(ctx, hd_scan(ctx, HD_VIEW(x, HEIGHTS), height, HD_VIEW(got, HEIGHTS), NULL));
    for (int64_t i = 0; i < HEIGHTS; i++)
        CHECK(got[i] == longest(i + 1), "prefix of %" PRId64 ": height %" PRId64 " on %s", i + 1,
              got[i], target->name);
}

// In a segment from `start` on: no more than of the absolute prefix, nor than twice the logarithm
// of its own length, but more than that length alone has.
static void test_segment_heights(int64_t start)
{
    static int64_t x[HEIGHTS], got[HEIGHTS];
    hd_context *ctx = target->ctx;
    const hd_scan_options o = {.segments = HD_REF(HD_VIEW(&start, 1))};
    CHECK_OK(ctx, hd_scan(ctx, HD_VIEW(x, HEIGHTS), height, HD_VIEW(got, HEIGHTS), &o));
    for (int64_t i = start; i < HEIGHTS; i++) {
        const int64_t most = 2 * log2_of(i - start + 1);
        CHECK(got[i] <= longest(i + 1) && got[i] <= most,
              "segment %" PRId64 " to %" PRId64 ": height %" PRId64 " on %s", start, i, got[i],
              target->name);
    }
    if (start == 3) CHECK(got[6] == 3 && longest(4) == 2, "height %" PRId64 " of four", got[6]);
}

// ---- Errors -------------------------------------------------------------------------------------

// One unit more for init, for conversion and for the division of a mean: x is the input below.
static void test_more_roundings(const float *x, int64_t n, float half)
{
    hd_context *ctx = target->ctx;
    const int64_t d = longest(n);
    float sum, mean;
    CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW(x, n), HD_SUM, HD_VIEW(&sum, 1),
                            &(hd_reduce_options){.init = &half}));
    double exact = 1 + (double)(d + 1) * (double)half, units = ((double)sum / exact - 1) * 0x1p24;
    CHECK(units > (double)d + 0.999 && units <= (double)(d + 1), "%.6f units with init", units);
    CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW(x, n), HD_MEAN, HD_VIEW(&mean, 1), NULL));
    exact = (1 + (double)d * (double)half) / (double)n;
    units = fabs((double)mean / exact - 1) * 0x1p24;
    CHECK(units <= (double)(d + 1), "%.6f units of the mean", units);
    static int32_t whole[(1 << 20) - 1]; // in units of 128, of which 65 are just above half
    for (int64_t i = 0; i < n; i++) whole[i] = x[i] == 1 ? (1 << 30) + 65 : x[i] > 0 ? 65 : 0;
    CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW(whole, n), HD_SUM, HD_VIEW(&sum, 1), NULL));
    exact = 0x1p30 + (double)(d + 1) * 65;
    units = ((double)sum / exact - 1) * 0x1p24;
    CHECK(units > (double)d && units <= (double)(d + 1), "%.6f units of integers", units);
}

// The first element is 1, and at each addition it meets something just above half a unit: 38 times
// half a unit too much, of 2^20 - 1 elements.
static void test_adversary(void)
{
    enum { N = (1 << 20) - 1, D = 38 };
    static float x[N];
    const float half = 0x1p-24f * (1 + FLT_EPSILON);
    memset(x, 0, sizeof x);
    x[0] = 1;
    for (int k = 0; k < 19; k++) x[1 << k] = half; // the right children on the way up
    for (int64_t k = 18, at = 1 << 19; k >= 0; at += (int64_t)1 << k, k--) x[at] = half;
    float sum;
    hd_context *ctx = target->ctx;
    CHECK(longest(N) == D, "d is %" PRId64, longest(N));
    CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW(x, N), HD_SUM, HD_VIEW(&sum, 1), NULL));
    const double exact = 1 + D * (double)half, units = ((double)sum - exact) / exact * 0x1p24;
    CHECK(units > 37.999 && units <= D, "%.6f units on %s", units, target->name);
    test_more_roundings(x, N, half);
}

static void test_overflow(void)
{
    const float f[] = {FLT_MAX, FLT_MAX, -FLT_MAX, -FLT_MAX};
    const double d[] = {DBL_MAX, DBL_MAX, -DBL_MAX, -DBL_MAX};
    REDUCE(HD_VIEW(f, 4), HD_SUM, float, WITH(.ddof = 0), 1, NAN);
    REDUCE(HD_VIEW(d, 4), HD_SUM, double, WITH(.ddof = 0), 1, QNAN);
    const float paired[] = {FLT_MAX, -FLT_MAX, FLT_MAX, -FLT_MAX};
    REDUCE(HD_VIEW(paired, 4), HD_SUM, float, WITH(.ddof = 0), 1, 0);
    // Products: a node that underflows, one that overflows, and both.
    const float low[] = {1e-30f, 1e-30f, 1e30f, 1e20f}, high[] = {1e30f, 1e30f, 1e-30f, 1e-20f};
    REDUCE(HD_VIEW(low, 4), HD_PRODUCT, float, WITH(.ddof = 0), 1, NAN);
    REDUCE(HD_VIEW(low, 3), HD_PRODUCT, float, WITH(.ddof = 0), 1, 0);
    REDUCE(HD_VIEW(high, 3), HD_PRODUCT, float, WITH(.ddof = 0), 1, INFINITY);
}

// One element raised: no sum, mean or product of non-negative numbers falls.
static void test_raised(uint64_t *state)
{
    enum { N = 999 };
    static const hd_operator *const ops[] = {HD_SUM, HD_MEAN, HD_PRODUCT};
    static float x[N], before[N], after[N];
    hd_context *ctx = target->ctx;
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < N; i++) x[i] = (float)(check_next(state) >> 40) * 0x1p-23f;
        CHECK_OK(ctx, hd_scan(ctx, HD_VIEW(x, N), ops[k], HD_VIEW(before, N), NULL));
        const int64_t raised = check_below(state, N);
        x[raised] = nextafterf(x[raised], INFINITY);
        CHECK_OK(ctx, hd_scan(ctx, HD_VIEW(x, N), ops[k], HD_VIEW(after, N), NULL));
        for (int i = 0; i < N; i++)
            CHECK(after[i] >= before[i], "%s: prefix %d falls on %s", hd_operator_name(ops[k]), i,
                  target->name);
    }
}

int main(void)
{
    const check_target *targets;
    const int count = check_targets(&targets);
    uint64_t state = check_seed();
    for (int t = 0; t < count; t++) {
        target = &targets[t];
        test_segments();
        test_keys();
        test_init();
        test_exclusive();
        test_backward();
        test_carry();
        test_filter();
        test_indexed();
        test_heights();
        for (int64_t start = 0; start < HEIGHTS; start += t == 0 ? 1 : 1 + start / 5)
            test_segment_heights(start);
        test_adversary();
        test_overflow();
        test_raised(&state);
    }
    return check_finish();
}
