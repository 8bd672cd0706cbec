// SPDX-License-Identifier: Apache-2.0
//
// Bad arguments of reduce_many, mismatch, is_sorted, reverse, rotate and random: each gives its
// status and a text that names the thing, and writes nothing, on every backend. And a failing
// allocator at every allocation of every call.
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

typedef struct triple {
    float v[3];
} triple;
HD_COMPARISON(up, float, HD_NO_SOURCE, { return a < b; })
HD_FUNCTION(two, float, HD_NO_SOURCE, (float, x, float, y), { return x + y; })
HD_FUNCTION(above, bool, HD_NO_SOURCE, (float, x, float, y), { return x >= y; })

static hd_context *ctx;
static const char *where;
enum { N = 100 };
static float x[N], y[N];

static void expect(int line, hd_status expected, hd_status got, const char *word)
{
    if (got != expected || !strstr(hd_error(ctx), word))
        check_failed(__FILE__, line, "status and text", "%s instead of %s, '%s' without '%s' on %s",
                     hd_status_name(got), hd_status_name(expected), hd_error(ctx), word, where);
    for (int i = 0; i < N; i++)
        if (y[i] != -7) check_failed(__FILE__, line, "written", "a failed call wrote on %s", where);
}
#define BAD(status, word, call) expect(__LINE__, HD_ERROR_##status, call, word)
#define IN(n)                   HD_VIEW((const float *)x, n)
#define OUT(n)                  HD_VIEW(y, n)
#define TRIPLES(p, n)           HD_VIEW_OF(HD_TYPE(triple), p, n)

static void test_reduce_many(void)
{
    int64_t place;
    const hd_view one = HD_VIEW(y, 1), other = HD_VIEW(y + 1, 1);
    BAD(ARGUMENT, "2 operators and 1 outputs",
        hd_reduce_many(ctx, IN(9), HD_OPERATORS(HD_MIN, HD_MAX), HD_VIEWS(one), NULL));
    BAD(ARGUMENT, "at most 64",
        hd_reduce_many(ctx, IN(9), (hd_operators){NULL, 65}, (hd_views){NULL, 65}, NULL));
    BAD(ARGUMENT, "null", hd_reduce_many(ctx, IN(9), (hd_operators){NULL, 1}, HD_VIEWS(one), NULL));
    BAD(ARGUMENT, "dot", hd_reduce_many(ctx, IN(9), HD_OPERATORS(HD_DOT), HD_VIEWS(one), NULL));
    BAD(ALIAS, "out 1",
        hd_reduce_many(ctx, IN(9), HD_OPERATORS(HD_MIN, HD_MAX), HD_VIEWS(one, one), NULL));
    BAD(ALIAS, "out 1",
        hd_reduce_many(ctx, HD_VIEW(y, 9), HD_OPERATORS(HD_MIN, HD_MAX),
                       HD_VIEWS(HD_VIEW(x, 1), other), NULL));
    BAD(SHAPE, "out 1",
        hd_reduce_many(ctx, IN(9), HD_OPERATORS(HD_MIN, HD_MAX), HD_VIEWS(one, OUT(2)), NULL));
    BAD(TYPE, "out 1",
        hd_reduce_many(ctx, IN(9), HD_OPERATORS(HD_MIN, HD_ARGMAX), HD_VIEWS(one, other), NULL));
    BAD(ARGUMENT, "out 0",
        hd_reduce_many(ctx, IN(9), HD_OPERATORS(HD_MIN), HD_VIEWS(hd_read_only(one)), NULL));
    BAD(ARGUMENT, "ddof",
        hd_reduce_many(ctx, IN(9), HD_OPERATORS(HD_MIN), HD_VIEWS(one),
                       &(hd_reduce_many_options){.ddof = 1}));
    BAD(ARGUMENT, "axis",
        hd_reduce_many(ctx, IN(9), HD_OPERATORS(HD_MIN), HD_VIEWS(one),
                       &(hd_reduce_many_options){.axis = HD_AXIS(1)}));
    BAD(ARGUMENT, "two",
        hd_reduce_many(ctx, IN(9), HD_OPERATORS(HD_MIN), HD_VIEWS(one),
                       &(hd_reduce_many_options){.map = two}));
    CHECK_OK(ctx, hd_reduce_many(ctx, IN(9), (hd_operators){NULL, 0}, HD_NO_VALUES, NULL));
    CHECK_OK(ctx, hd_reduce_many(ctx, IN(0), HD_OPERATORS(HD_ARGMIN), HD_VIEWS(HD_VIEW(&place, 1)),
                                 NULL));
    CHECK(place == -1, "argmin of nothing on %s", where);
}

static void test_searches(void)
{
    int64_t at = -5;
    const hd_view number = HD_VIEW(&at, 1);
    BAD(ARGUMENT, "position", hd_mismatch(ctx, IN(3), IN(3), HD_EMPTY, NULL));
    BAD(TYPE, "b is", hd_mismatch(ctx, IN(3), TRIPLES(x, 3), number, NULL));
    BAD(SHAPE, "b has", hd_mismatch(ctx, IN(3), IN(4), number, NULL));
    BAD(ALIAS, "position", hd_mismatch(ctx, HD_VIEW(&at, 1), hd_iota(1), number, NULL));
    BAD(ARGUMENT, "position", hd_mismatch(ctx, IN(3), IN(3), hd_read_only(number), NULL));
    BAD(ARGUMENT, "position", hd_is_sorted(ctx, IN(3), HD_EMPTY, NULL));
    BAD(TYPE, "comparison", hd_is_sorted(ctx, TRIPLES(x, 3), number, NULL));
    BAD(TYPE, "up",
        hd_is_sorted(ctx, hd_iota(3), number, &(hd_is_sorted_options){.comparison = up}));
    BAD(ALIAS, "position", hd_is_sorted(ctx, HD_VIEW(&at, 1), number, NULL));
    CHECK(at == -5, "a failed call wrote on %s", where);
}

static void test_moves(void)
{
    const int32_t low = 3, high = 2;
    int32_t w[2] = {-5, -5};
    BAD(SHAPE, "out", hd_reverse(ctx, IN(3), OUT(4), NULL));
    BAD(TYPE, "out is", hd_reverse(ctx, hd_iota(3), OUT(3), NULL));
    BAD(ALIAS, "out", hd_reverse(ctx, OUT(8), HD_VIEW(y + 1, 8), NULL));
    BAD(ARGUMENT, "out", hd_reverse(ctx, IN(3), hd_read_only(OUT(3)), NULL));
    BAD(ARGUMENT, "axis", hd_reverse(ctx, IN(3), OUT(3), &(hd_reverse_options){.axis = 1}));
    BAD(SHAPE, "hd_rotate: out", hd_rotate(ctx, IN(3), 1, OUT(4), NULL));
    BAD(ALIAS, "out", hd_rotate(ctx, OUT(8), 2, HD_VIEW(y + 1, 8), NULL));
    BAD(ARGUMENT, "axis 1",
        hd_rotate(ctx, IN(3), 1, OUT(3), &(hd_rotate_options){.axis = HD_AXIS(1)}));
    BAD(TYPE, "numbers", hd_random(ctx, TRIPLES(y, 3), NULL));
    BAD(ARGUMENT, "out", hd_random(ctx, hd_read_only(OUT(3)), NULL));
    BAD(ARGUMENT, "distribution", hd_random(ctx, OUT(3), &(hd_random_options){.distribution = 2}));
    BAD(TYPE, "range", hd_random(ctx, OUT(3), &(hd_random_options){.low = x, .high = x}));
    BAD(TYPE, "HD_NORMAL",
        hd_random(ctx, HD_VIEW(w, 2), &(hd_random_options){.distribution = HD_NORMAL}));
    BAD(ARGUMENT, "alone", hd_random(ctx, HD_VIEW(w, 2), &(hd_random_options){.low = &low}));
    BAD(ARGUMENT, "below low",
        hd_random(ctx, HD_VIEW(w, 2), &(hd_random_options){.low = &low, .high = &high}));
    CHECK(w[0] == -5 && w[1] == -5, "a failed call wrote on %s", where);
}

// ---- Memory -------------------------------------------------------------------------------------

static long long calls, alive, fail_at;

static void *allocate(void *user, size_t bytes, size_t alignment)
{
    (void)user;
    if (calls++ == fail_at) return NULL;
    void *memory = aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    if (memory == NULL) abort();
    alive++;
    memset(memory, 0xCD, bytes); // nobody may count on zeros
    return memory;
}

static void release(void *user, void *memory, size_t bytes)
{
    (void)user, (void)bytes;
    alive--;
    free(memory);
}

enum { MAX = 300000 };
static float a[MAX], b[MAX];
static const uint8_t order[MAX];
static int64_t n;

static hd_status call_reduce_many(hd_context *c)
{
    float least;
    double mean;
    return hd_reduce_many(c, HD_VIEW(a, n), HD_OPERATORS(HD_MIN, HD_MEAN),
                          HD_VIEWS(HD_VIEW(&least, 1), HD_VIEW(&mean, 1)), NULL);
}
static hd_status call_filtered(hd_context *c)
{
    float sum;
    return hd_reduce(c, HD_VIEW(a, n), HD_SUM, HD_VIEW(&sum, 1),
                     &(hd_reduce_options){.keep = above, .with = HD_VIEWS(HD_VIEW(b, n))});
}
static hd_status call_map_many(hd_context *c)
{
    return hd_map_many(c, HD_VIEW(a, n), HD_FUNCTIONS(two, NULL),
                       HD_VIEWS(HD_VIEW(b, n), HD_VIEW(a, n)),
                       &(hd_map_many_options){.with = HD_VIEWS(HD_VIEW(b, n))});
}
static hd_status call_indexed(hd_context *c)
{
    float sum;
    return hd_reduce(c, hd_indexed(HD_VIEW(a, n), HD_VIEW(order, n)), HD_SUM, HD_VIEW(&sum, 1),
                     NULL);
}
static hd_status call_mismatch(hd_context *c)
{
    int64_t at;
    return hd_mismatch(c, HD_VIEW(a, n), hd_slice(HD_VIEW(a, n), 0, n - 1, n, -1), HD_VIEW(&at, 1),
                       NULL);
}
static hd_status call_is_sorted(hd_context *c)
{
    int64_t at;
    return hd_is_sorted(c, hd_slice(HD_VIEW(a, n), 0, n - 1, n, -1), HD_VIEW(&at, 1), NULL);
}
static hd_status call_reverse(hd_context *c)
{
    return hd_reverse(c, HD_VIEW(a, n), HD_VIEW(a, n), NULL);
}
static hd_status call_rotate(hd_context *c)
{
    return hd_rotate(c, HD_VIEW(a, n), 77, HD_VIEW(b, n), NULL);
}
static hd_status call_random(hd_context *c)
{
    return hd_random(c, hd_slice(HD_VIEW(a, n), 0, 0, n / 2, 2), NULL);
}

static void fail_everywhere(hd_status (*call)(hd_context *), hd_backend backend, int32_t threads)
{
    long long points = 1;
    for (long long k = -1; k < points && k < 50; k++) {
        hd_context *c = NULL;
        fail_at = -1;
        calls = alive = 0;
        const hd_context_options options = {
            .backend = backend, .threads = threads, .allocator = {allocate, release, NULL}};
        CHECK_OK(c, hd_open(&c, &options));
        const long long opened = calls;
        if (k >= 0) fail_at = opened + k;
        const hd_status status = call(c);
        if (k < 0) points = calls - opened;
        CHECK(status == (k < 0 ? HD_OK : HD_ERROR_MEMORY), "allocation %lld of %lld on %s: %s", k,
              points, hd_backend_name(backend), hd_error(c));
        fail_at = -1;
        CHECK_OK(c, call(c));
        hd_close(c);
        CHECK(alive == 0, "%lld blocks lost on %s", alive, hd_backend_name(backend));
    }
}

static void test_memory(void)
{
    static hd_status (*const all[])(hd_context *) = {
        call_reduce_many, call_filtered, call_map_many, call_indexed, call_mismatch,
        call_is_sorted,   call_reverse,  call_rotate,   call_random};
    for (int s = 0; s < 2; s++)
        for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
            n = s ? MAX : 1000;
            fail_everywhere(all[k], HD_SERIAL, 0);
            fail_everywhere(all[k], HD_CPU, 1);
            fail_everywhere(all[k], HD_CPU, 3);
        }
}

int main(void)
{
    const check_target *targets;
    const int count = check_targets(&targets);
    for (int i = 0; i < N; i++) x[i] = (float)i, y[i] = -7;
    for (int t = 0; t < count; t++) {
        ctx = targets[t].ctx;
        where = targets[t].name;
        test_reduce_many();
        test_searches();
        test_moves();
    }
    test_memory();
    return check_finish();
}
