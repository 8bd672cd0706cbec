// SPDX-License-Identifier: Apache-2.0
//
// The maximum by every method: the element hd_reduce with HD_ARGMAX finds, checked by a plain loop,
// and steps, work and processors as the manual's formulas have them, written out here once more.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <heddle_teaching.h>

#include "tests/support/check.h"
#include "tests/support/reference.h"

static const check_target *targets;
static int target_count;

typedef struct counts {
    int64_t steps, work, processors;
} counts;

static int64_t ceil_log2(int64_t n)
{
    int64_t k = 0;
    while (((int64_t)1 << k) < n) k++;
    return k;
}

static int64_t floor_log2(int64_t n)
{
    int64_t k = 0;
    while (n >> (k + 1) > 0) k++;
    return k;
}

static void raise(int64_t *to, int64_t value)
{
    if (value > *to) *to = value;
}

// Group by group, as the manual tells it.
static counts double_log(int64_t m)
{
    counts c = {0, 0, 0};
    int64_t g = 2;
    for (int round = 1; m > 1; round++) {
        int64_t work = 0, compared = 0, left = m, winners = 0;
        for (; left > 0; left -= g, winners++) {
            const int64_t q = left < g ? left : g;
            if (q < 2) continue;
            work += round <= 2 ? q - 1 : q * q + 2 * q;
            compared += round <= 2 ? q - 1 : q * q;
        }
        c.steps += round <= 2 ? 1 : 3;
        c.work += work;
        raise(&c.processors, compared);
        m = winners;
        g = round == 1 ? 2 : round == 2 ? 4 : g * g;
    }
    return c;
}

static counts expected(hd_maximum_method method, int64_t n)
{
    if (n < 2) return (counts){0, 0, 0};
    switch (method) {
    case HD_MAXIMUM_SEQUENTIAL: return (counts){n - 1, n - 1, 1};
    case HD_MAXIMUM_SQUARE: return (counts){3, n * n + 2 * n, n * n};
    case HD_MAXIMUM_TREE: return (counts){ceil_log2(n), n - 1, n / 2};
    case HD_MAXIMUM_DOUBLE_LOG: return double_log(n);
    default: break;
    }
    const int64_t q = floor_log2(floor_log2(n)) < 1 ? 1 : floor_log2(floor_log2(n));
    const int64_t winners = (n + q - 1) / q;
    counts c = double_log(winners);
    c.steps += (q < n ? q : n) - 1;
    c.work += n - winners;
    // Groups of more than one have a processor each.
    if (q > 1) raise(&c.processors, n / q + (n % q > 1));
    return c;
}

static void ask(hd_type type, int64_t n, check_pattern pattern, check_layout layout, int target,
                uint64_t seed)
{
    hd_context *ctx = targets[target].ctx;
    check_array a = check_new(type, n, layout, seed & 1);
    unsigned char *x = check_memory((size_t)n * 8 + 8);
    int64_t want = -1;
    check_fill(type, x, n, pattern, seed);
    check_put(&a, x);
    ref_reduce(HD_ARGMAX, type, x, n, HD_I64, &want, NULL, &(ref_how){0});
    for (int m = 0; m < HD_MAXIMUM_METHODS; m++) {
        const hd_maximum_options options = {.method = (hd_maximum_method)m};
        hd_maximum_result r;
        if (m == HD_MAXIMUM_SQUARE && n > 3000) continue;
        CHECK_OK(ctx, hd_maximum(ctx, a.view, &r, &options));
        const counts c = expected((hd_maximum_method)m, n);
        CHECK(r.index == want,
              "%s of %" PRId64 " %s (%s): index %" PRId64 " instead of %" PRId64 " on %s",
              hd_maximum_name((hd_maximum_method)m), n, hd_type_name(type),
              check_pattern_name(pattern), r.index, want, targets[target].name);
        CHECK(r.steps == c.steps && r.work == c.work && r.processors == c.processors,
              "%s of %" PRId64 ": %" PRId64 " steps, work %" PRId64 ", %" PRId64
              " processors; expected %" PRId64 ", %" PRId64 ", %" PRId64 " on %s",
              hd_maximum_name((hd_maximum_method)m), n, r.steps, r.work, r.processors, c.steps,
              c.work, c.processors, targets[target].name);
    }
    check_drop(&a);
    free(x);
}

static void test_all(void)
{
    int turn = 0;
    for (int k = 0; check_size(k, check_small() ? 300 : 4097) >= 0; k++)
        for (int t = 0; check_type(t); t++, turn++) {
            const int64_t n = check_size(k, 4097);
            const check_pattern pattern = (check_pattern)(turn % CHECK_PATTERNS);
            const check_layout layout = (check_layout)(turn % CHECK_LAYOUTS);
            for (int target = 0; target < target_count; target++)
                if (n < 20 || target == 0 || target == 1 + turn % (target_count - 1))
                    ask(check_type(t), n, pattern, layout, target, check_seed() + (uint64_t)turn);
        }
    for (int target = 0; target < target_count && !check_small(); target++) {
        ask(HD_F32, 100003, CHECK_SPECIAL, CHECK_DENSE, target, 5);
        ask(HD_I32, 1000000, CHECK_TIES, CHECK_DENSE, target, 6);
    }
}

// The square method where all threads share one group, at its most.
static void test_square(void)
{
    enum { N = 20000 };
    static int32_t x[N];
    check_fill(HD_I32, x, N, CHECK_ORDINARY, 3);
    x[777] = x[15000] = INT32_MAX;
    for (int t = 1; t < target_count; t++) {
        hd_maximum_result r;
        const hd_maximum_options options = {.method = HD_MAXIMUM_SQUARE};
        CHECK_OK(targets[t].ctx, hd_maximum(targets[t].ctx, HD_VIEW(x, N), &r, &options));
        CHECK(r.index == 777 && r.value.i == INT32_MAX && r.work == (int64_t)N * N + 2 * N,
              "index %" PRId64 " on %s", r.index, targets[t].name);
        if (check_small()) break;
    }
}

static void test_values(hd_context *ctx)
{
    hd_maximum_result r;
    const double d[] = {-1.5, -0.25, -3};
    const uint64_t u[] = {1, UINT64_MAX, 5};
    const int8_t i[] = {-5, -3, -4};
    const bool b[] = {false, true, true};
    CHECK_OK(ctx, hd_maximum(ctx, HD_VIEW(d, 3), &r, NULL));
    CHECK(r.index == 1 && r.value.f == -0.25, "double");
    CHECK_OK(ctx, hd_maximum(ctx, HD_VIEW(u, 3), &r, NULL));
    CHECK(r.index == 1 && r.value.u == UINT64_MAX, "unsigned");
    CHECK_OK(ctx, hd_maximum(ctx, HD_VIEW(i, 3), &r, NULL));
    CHECK(r.index == 1 && r.value.i == -3, "signed");
    CHECK_OK(ctx, hd_maximum(ctx, HD_VIEW_OF(HD_BOOL, b, 3), &r, NULL));
    CHECK(r.index == 1 && r.value.u == 1, "bool");
    CHECK_OK(ctx, hd_maximum(ctx, hd_progression(7, -2, 100), &r, NULL));
    CHECK(r.index == 0 && r.value.i == 7, "progression");
    CHECK_OK(ctx, hd_maximum(ctx, HD_VIEW(d, 0), &r, NULL));
    CHECK(r.index == -1 && r.steps == 0 && r.work == 0, "nothing");
    CHECK(hd_maximum_named("tree") == HD_MAXIMUM_TREE &&
              hd_maximum_name(HD_MAXIMUM_METHODS) == NULL && hd_maximum_named("bush") == -1 &&
              hd_maximum_named(NULL) == -1,
          "names");
}

static void test_errors(hd_context *ctx)
{
    float x[4] = {0};
    hd_maximum_result r;
    CHECK(hd_maximum(ctx, HD_VIEW(x, 4), NULL, NULL) == HD_ERROR_ARGUMENT &&
              strstr(hd_error(ctx), "result"),
          "%s", hd_error(ctx));
    CHECK(hd_maximum(ctx, HD_VIEW_OF(HD_STRUCTURE | 4u << 8, x, 4), &r, NULL) == HD_ERROR_TYPE &&
              strstr(hd_error(ctx), "numbers"),
          "%s", hd_error(ctx));
    CHECK(hd_maximum(ctx, HD_VIEW((float *)NULL, 4), &r, NULL) == HD_ERROR_ARGUMENT, "%s",
          hd_error(ctx));
    const hd_maximum_options none = {.method = (hd_maximum_method)77},
                             square = {.method = HD_MAXIMUM_SQUARE};
    CHECK(hd_maximum(ctx, HD_VIEW(x, 4), &r, &none) == HD_ERROR_ARGUMENT &&
              strstr(hd_error(ctx), "method 77"),
          "%s", hd_error(ctx));
    CHECK(hd_maximum(ctx, hd_iota(HD_MAXIMUM_SQUARE_MAX + 1), &r, &square) == HD_ERROR_SHAPE &&
              strstr(hd_error(ctx), "at most 65536"),
          "%s", hd_error(ctx));
    CHECK(hd_maximum(NULL, HD_VIEW(x, 4), &r, NULL) == HD_ERROR_ARGUMENT, "no context");
}

static void *refuse(void *user, size_t bytes, size_t alignment)
{
    (void)user, (void)bytes, (void)alignment;
    return NULL;
}

static void release(void *user, void *memory, size_t bytes)
{
    (void)user, (void)memory, (void)bytes;
}

static void test_memory(hd_backend backend)
{
    hd_context *ctx = NULL;
    hd_maximum_result r;
    const hd_context_options options = {.backend = backend, .allocator = {refuse, release, NULL}};
    CHECK_OK(ctx, hd_open(&ctx, &options));
    CHECK(hd_maximum(ctx, hd_iota(100), &r, NULL) == HD_ERROR_MEMORY, "%s", hd_error(ctx));
    hd_close(ctx);
}

int main(void)
{
    target_count = check_targets(&targets);
    test_all();
    test_square();
    for (int t = 0; t < 2; t++) test_values(targets[t].ctx), test_errors(targets[t].ctx);
    test_memory(HD_SERIAL);
    test_memory(HD_CPU);
    return check_finish();
}
