// SPDX-License-Identifier: Apache-2.0
// compile: $<$<CONFIG:Release>:-O3>
//
// The lectures' own figures that concern scan and reduce, on every backend.
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

#include "tests/support/check.h"

static const check_target *targets;
static int target_count;

static void test_scan_of_eight(hd_context *ctx, const char *where)
{
    const int32_t x[] = {3, 1, 7, 0, 4, 1, 6, 3};
    const int32_t inclusive[] = {3, 4, 11, 11, 15, 16, 22, 25};
    const int32_t exclusive[] = {0, 3, 4, 11, 11, 15, 16, 22};
    int32_t got[8] = {0};
    CHECK_OK(ctx, hd_scan(ctx, HD_VIEW(x, 8), HD_SUM, HD_VIEW(got, 8), NULL));
    CHECK_SAME(HD_I32, got, inclusive, 8, "inclusive on %s", where);
    CHECK_OK(ctx, hd_scan(ctx, HD_VIEW(x, 8), HD_SUM, HD_VIEW(got, 8),
                          &(hd_scan_options){.exclusive = true}));
    CHECK_SAME(HD_I32, got, exclusive, 8, "exclusive on %s", where);
}

static void test_bread(hd_context *ctx, const char *where)
{
    const int32_t wants[] = {3, 5, 2, 7, 28, 4, 3, 0, 8, 1};
    const int32_t cuts[] = {3, 8, 10, 17, 45, 49, 52, 52, 60, 61};
    int32_t got[10] = {0}, left = 100;
    CHECK_OK(ctx, hd_scan(ctx, HD_VIEW(wants, 10), HD_SUM, HD_VIEW(got, 10), NULL));
    CHECK_SAME(HD_I32, got, cuts, 10, "bread on %s", where);
    left -= got[9];
    CHECK(left == 39, "%d left on %s", (int)left, where);
}

static void test_five(hd_context *ctx, const char *where)
{
    const float x[] = {3, 5, 6, 2, 4}, want[] = {3, 8, 14, 16, 20};
    float got[5] = {0};
    CHECK_OK(ctx, hd_scan(ctx, HD_VIEW(x, 5), HD_SUM, HD_VIEW(got, 5), NULL));
    CHECK_SAME(HD_F32, got, want, 5, "3 5 6 2 4 on %s", where);
}

// The tree with interleaved addressing: after step k, node j is the sum of 2^k neighbours. Each
// step is a reduction of pairs: an axis of two.
static void test_tree(hd_context *ctx, const char *where)
{
    int32_t x[16] = {10, 1, 8, -1, 0, -2, 3, 5, -2, -3, 2, 7, 0, 11, 0, 2}, next[16] = {0};
    static const int32_t steps[4][8] = {
        {11, 7, -2, 8, -5, 9, 11, 2}, {18, 6, 4, 13}, {24, 17}, {41}};
    int step = 0;
    for (int64_t n = 8; n >= 1; n /= 2, step++) {
        const hd_view pairs = hd_view_nd(HD_I32, x, 2, (int64_t[]){n, 2}, NULL);
        CHECK_OK(ctx, hd_reduce(ctx, pairs, HD_SUM, HD_VIEW(next, n),
                                &(hd_reduce_options){.axis = HD_AXIS(1)}));
        CHECK_SAME(HD_I32, next, steps[step], n, "neighbours, step %d on %s", step + 1, where);
        memcpy(x, next, sizeof x);
    }
}

// Sequential addressing: element j meets element j + n/2: an axis of two, outermost.
static void test_sequential(hd_context *ctx, const char *where)
{
    int32_t x[16] = {10, 1, 8, -1, 0, -2, 3, 5, -2, -3, 2, 7, 0, 11, 0, 2}, next[16] = {0}, sum = 0;
    static const int32_t steps[4][8] = {{8, -2, 10, 6, 0, 9, 3, 7}, {8, 7, 13, 13}, {21, 20}, {41}};
    int step = 0;
    CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW(x, 16), HD_SUM, HD_VIEW(&sum, 1), NULL));
    CHECK(sum == 41, "the sum is %d on %s", (int)sum, where);
    for (int64_t n = 8; n >= 1; n /= 2, step++) {
        const hd_view halves = hd_view_nd(HD_I32, x, 2, (int64_t[]){2, n}, NULL);
        CHECK_OK(ctx, hd_reduce(ctx, halves, HD_SUM, HD_VIEW(next, n),
                                &(hd_reduce_options){.axis = HD_AXIS(0)}));
        CHECK_SAME(HD_I32, next, steps[step], n, "halves, step %d on %s", step + 1, where);
        memcpy(x, next, sizeof x);
    }
}

// The farthest of many points by a reduction of structures (lecture on reduction).
HD_SOURCE(
    geometry, typedef struct { float x, y, z; } point;
    static inline float norm2(point p) { return p.x * p.x + p.y * p.y + p.z * p.z; })
HD_OPERATOR(farther, point, geometry, HD_ASSOCIATIVE, { return norm2(a) >= norm2(b) ? a : b; })

static void test_farthest(hd_context *ctx, const char *where)
{
    enum { N = 5000 };
    static point p[N];
    point far = {0, 0, 0};
    for (int i = 0; i < N; i++) p[i] = (point){(float)(i % 71), (float)(i % 73), (float)(i % 79)};
    p[3210] = (point){0, -1000, 0};
    CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW_OF(HD_TYPE(point), p, N), farther,
                            HD_VIEW_OF(HD_TYPE(point), &far, 1), NULL));
    CHECK(far.y == -1000, "(%g, %g, %g) on %s", (double)far.x, (double)far.y, (double)far.z, where);
}

// A scan is checked in parallel: each element is its predecessor plus the input.
static void test_verification(hd_context *ctx, const char *where)
{
    enum { N = 100000 };
    static int32_t x[N], s[N];
    check_fill(HD_I32, x, N, CHECK_ORDINARY, check_seed());
    CHECK_OK(ctx, hd_scan(ctx, HD_VIEW(x, N), HD_SUM, HD_VIEW(s, N), NULL));
    int64_t wrong = s[0] != x[0];
    for (int i = 1; i < N; i++) wrong += (uint32_t)s[i] != (uint32_t)s[i - 1] + (uint32_t)x[i];
    CHECK(wrong == 0, "%d elements are not their predecessor plus the input on %s", (int)wrong,
          where);
}

int main(void)
{
    target_count = check_targets(&targets);
    for (int t = 0; t < target_count; t++) {
        test_scan_of_eight(targets[t].ctx, targets[t].name);
        test_bread(targets[t].ctx, targets[t].name);
        test_five(targets[t].ctx, targets[t].name);
        test_tree(targets[t].ctx, targets[t].name);
        test_sequential(targets[t].ctx, targets[t].name);
        test_farthest(targets[t].ctx, targets[t].name);
        test_verification(targets[t].ctx, targets[t].name);
    }
    return check_finish();
}
