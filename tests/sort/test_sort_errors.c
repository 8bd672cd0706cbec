// SPDX-License-Identifier: Apache-2.0
//
// What hd_sort refuses, with which text, on every backend; and a failing allocator at each
// allocation of each of its ways: the call says so, loses nothing, and works the next time.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

static hd_context *ctx;
static const char *where;
static float x[100], y[100];
static int32_t v[100], w[100];
static int64_t index64[100];

static void expect(int line, hd_status expected, hd_status got, const char *word)
{
    if (got != expected)
        check_failed(__FILE__, line, "status", "%s instead of %s on %s: %s", hd_status_name(got),
                     hd_status_name(expected), where, hd_error(ctx));
    if (!strstr(hd_error(ctx), word))
        check_failed(__FILE__, line, "text", "no '%s' in '%s' on %s", word, hd_error(ctx), where);
    for (int i = 0; i < 100; i++)
        if (y[i] != -7 || w[i] != -7)
            check_failed(__FILE__, line, "written", "a failed call wrote on %s", where);
}

#define SORT(status, word, in, out, values, ...)                                                   \
    expect(__LINE__, status, hd_sort(ctx, in, out, values, &(hd_sort_options){__VA_ARGS__}), word)
#define ARGSORT(status, word, in, out, ...)                                                        \
    expect(__LINE__, status,                                                                       \
           hd_sort(ctx, in, HD_EMPTY, HD_NO_VALUES,                                                \
                   &(hd_sort_options){.indices = HD_REF(out), __VA_ARGS__}),                       \
           word)

static hd_view keys(int64_t n)
{
    return HD_VIEW(x, n);
}
static hd_view out(int64_t n)
{
    return HD_VIEW(y, n);
}

static void test_views(void)
{
    const hd_view none = HD_VIEW((float *)NULL, 3),
                  twelve = HD_VIEW_OF(HD_STRUCTURE | 12u << 8, x, 3);
    SORT(HD_ERROR_ARGUMENT, "keys", none, out(3), HD_NO_VALUES, .axis = 0);
    SORT(HD_ERROR_ARGUMENT, "keys_out", keys(3), none, HD_NO_VALUES, .axis = 0);
    SORT(HD_ERROR_TYPE, "numbers", twelve, out(3), HD_NO_VALUES, .axis = 0);
    SORT(HD_ERROR_TYPE, "keys_out", keys(3), HD_VIEW(w, 3), HD_NO_VALUES, .axis = 0);
    SORT(HD_ERROR_SHAPE, "keys_out", keys(3), out(4), HD_NO_VALUES, .axis = 0);
    SORT(HD_ERROR_SHAPE, "keys", keys(-1), out(4), HD_NO_VALUES, .axis = 0);
    SORT(HD_ERROR_ARGUMENT, "implicit", keys(3), hd_iota(3), HD_NO_VALUES, .axis = 0);
    SORT(HD_ERROR_ARGUMENT, "axis", keys(3), out(3), HD_NO_VALUES, .axis = HD_AXIS(1));
}

static void test_values(void)
{
    const hd_view a = HD_VIEW(v, 3), b = HD_VIEW(w, 3);
    SORT(HD_ERROR_ARGUMENT, "an input and an output", keys(3), out(3), HD_VALUES(a), .axis = 0);
    SORT(HD_ERROR_ARGUMENT, "NULL", keys(3), out(3), ((hd_views){NULL, 2}), .axis = 0);
    SORT(HD_ERROR_ARGUMENT, "values", keys(3), out(3), ((hd_views){NULL, -2}), .axis = 0);
    SORT(HD_ERROR_SHAPE, "input 0", keys(3), out(3), HD_VALUES(HD_VIEW(v, 4), b), .axis = 0);
    SORT(HD_ERROR_SHAPE, "output 0", keys(3), out(3), HD_VALUES(a, HD_VIEW(w, 2)), .axis = 0);
    SORT(HD_ERROR_TYPE, "output 1", keys(3), out(3), HD_VALUES(a, b, a, out(3)), .axis = 0);
}

static void test_overlaps(void)
{
    const hd_view a = HD_VIEW(v, 3), b = HD_VIEW(w, 3), late = HD_VIEW(w + 1, 3);
    SORT(HD_ERROR_ALIAS, "keys_out", out(9), HD_VIEW(y + 1, 9), HD_NO_VALUES, .axis = 0);
    SORT(HD_ERROR_ALIAS, "keys_out", out(9), hd_slice(out(9), 0, 8, 9, -1), HD_NO_VALUES,
         .axis = 0);
    SORT(HD_ERROR_ALIAS, "output 0", keys(3), out(3), HD_VALUES(late, b), .axis = 0);
    SORT(HD_ERROR_ALIAS, "output 1", keys(3), out(3), HD_VALUES(a, b, a, late), .axis = 0);
    SORT(HD_ERROR_ALIAS, "output 0", keys(3), out(3), HD_VALUES(a, b, b, b), .axis = 0);
    SORT(HD_ERROR_ALIAS, "output 0", HD_VIEW(w, 3), HD_VIEW(v, 3),
         HD_VALUES(keys(3), HD_VIEW_OF(HD_F32, w, 3)), .axis = 0);
    SORT(HD_ERROR_ALIAS, "segments", keys(3), HD_VIEW_OF(HD_F32, w, 3), HD_NO_VALUES,
         .segments = HD_REF(b));
}

static void test_segments(void)
{
    static const int64_t falling[] = {0, 3, 2}, far[] = {0, 11}, below[] = {-1, 3};
    static const float real[] = {0, 3};
    const hd_view square = hd_view_nd(HD_F32, x, 2, (int64_t[]){3, 3}, NULL);
    const hd_view square_out = hd_view_nd(HD_F32, y, 2, (int64_t[]){3, 3}, NULL);
    SORT(HD_ERROR_VALUE, "less than", keys(9), out(9), HD_NO_VALUES,
         .segments = HD_REF(HD_VIEW(falling, 3)));
    SORT(HD_ERROR_VALUE, "offset 1 is 11", keys(9), out(9), HD_NO_VALUES,
         .segments = HD_REF(HD_VIEW(far, 2)));
    SORT(HD_ERROR_VALUE, "offset 0 is -1", keys(9), out(9), HD_NO_VALUES,
         .segments = HD_REF(HD_VIEW(below, 2)));
    SORT(HD_ERROR_TYPE, "integer", keys(9), out(9), HD_NO_VALUES,
         .segments = HD_REF(HD_VIEW(real, 2)));
    SORT(HD_ERROR_ARGUMENT, "exclude", keys(9), out(9), HD_NO_VALUES,
         .segments = HD_REF(HD_VIEW(far, 2)), .axis = HD_AXIS(0));
    SORT(HD_ERROR_SHAPE, "one dimension", square, square_out, HD_NO_VALUES,
         .segments = HD_REF(HD_VIEW(far, 2)));
    ARGSORT(HD_ERROR_VALUE, "hd_sort", keys(9), HD_VIEW(index64, 9),
            .segments = HD_REF(HD_VIEW(falling, 3)));
}

static void test_indices(void)
{
    ARGSORT(HD_ERROR_TYPE, "indices", keys(3), out(3), .axis = 0);
    ARGSORT(HD_ERROR_TYPE, "indices", keys(3), HD_VIEW_OF(HD_I16, w, 3), .axis = 0);
    ARGSORT(HD_ERROR_SHAPE, "indices", keys(3), HD_VIEW(w, 4), .axis = 0);
    ARGSORT(HD_ERROR_ALIAS, "indices", HD_VIEW(w, 9), HD_VIEW(w, 9), .axis = 0);
    ARGSORT(HD_ERROR_SHAPE, "do not fit in i32", hd_constant(1.0f, (int64_t)1 << 40),
            HD_VIEW(w, (int64_t)1 << 40), .axis = 0);
    ARGSORT(HD_ERROR_SHAPE, "do not fit in u32", hd_constant(1.0f, ((int64_t)1 << 32) + 1),
            HD_VIEW_OF(HD_U32, w, ((int64_t)1 << 32) + 1), .axis = 0);
    const hd_view fixed = hd_read_only(HD_VIEW(w, 3));
    ARGSORT(HD_ERROR_ARGUMENT, "indices", keys(3), fixed, .axis = 0);
    ARGSORT(HD_ERROR_ALIAS, "indices overlaps segments", keys(3), HD_VIEW(index64, 3),
            .segments = HD_REF(HD_VIEW(index64, 3)));
    const hd_view b = HD_VIEW(w, 3), late = HD_VIEW(w + 1, 3);
    SORT(HD_ERROR_ALIAS, "keys_out overlaps indices", keys(3), HD_VIEW_OF(HD_F32, w, 3),
         HD_NO_VALUES, .indices = &b);
    SORT(HD_ERROR_ALIAS, "output 0 of values overlaps indices", keys(3), out(3),
         HD_VALUES(HD_VIEW(v, 3), late), .indices = &b);
    SORT(HD_ERROR_ALIAS, "indices overlaps input 0 of values", keys(3), out(3),
         HD_VALUES(late, HD_VIEW(v, 3)), .indices = &b);
}

// ---- Memory -----------------------------------------------------------------------------------

typedef struct ledger {
    atomic_llong calls, alive, fail_at;
} ledger;

static void *allocate(void *user, size_t bytes, size_t alignment)
{
    ledger *l = user;
    if (l->calls++ == l->fail_at) return NULL;
    void *memory = aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    if (memory) l->alive++;
    return memory;
}

static void release(void *user, void *memory, size_t bytes)
{
    (void)bytes;
    ((ledger *)user)->alive--;
    free(memory);
}

enum { N = 400000 };
static float many[N], many_out[N];
static int64_t wide_in[N], wide_out[N];
static uint32_t order[N];

static hd_status plain(hd_context *c)
{
    return hd_sort(c, HD_VIEW(many, N), HD_VIEW(many_out, N), HD_NO_VALUES, NULL);
}
static hd_status two_values(hd_context *c)
{
    return hd_sort(
        c, HD_VIEW(many, N), HD_VIEW(many_out, N),
        HD_VALUES(HD_VIEW(wide_in, N), HD_VIEW(wide_out, N), HD_VIEW(order, N), HD_VIEW(order, N)),
        NULL);
}
static hd_status strided(hd_context *c)
{
    return hd_sort(c, hd_slice(HD_VIEW(many, N), 0, N - 1, N / 2, -2),
                   hd_slice(HD_VIEW(many_out, N), 0, 0, N / 2, 2),
                   HD_VALUES(hd_iota(N / 2), hd_slice(HD_VIEW(wide_out, N), 0, 1, N / 2, 2)), NULL);
}
static hd_status indices(hd_context *c)
{
    return hd_sort(c, HD_VIEW(many, N), HD_EMPTY, HD_NO_VALUES,
                   &(hd_sort_options){.indices = HD_REF(HD_VIEW(order, N))});
}
static hd_status indices_and_values(hd_context *c)
{
    return hd_sort(c, HD_VIEW(many, N), HD_VIEW(many_out, N),
                   HD_VALUES(HD_VIEW(wide_in, N), HD_VIEW(wide_out, N)),
                   &(hd_sort_options){.indices = HD_REF(HD_VIEW(order, N))});
}
HD_COMPARISON(less, float, HD_NO_SOURCE, { return a < b; })
static hd_status by_comparison(hd_context *c)
{
    return hd_sort(c, HD_VIEW(many, N), HD_VIEW(many_out, N), HD_NO_VALUES,
                   &(hd_sort_options){.comparison = less, .descending = true});
}
static hd_status rows_by_comparison(hd_context *c)
{
    const int64_t shape[2] = {4, N / 4};
    const hd_view at = hd_view_nd(HD_U32, order, 2, shape, NULL);
    return hd_sort(c, hd_view_nd(HD_F32, many, 2, shape, NULL), HD_EMPTY,
                   HD_VALUES(hd_view_nd(HD_I64, wide_in, 2, shape, NULL),
                             hd_view_nd(HD_I64, wide_out, 2, shape, NULL)),
                   &(hd_sort_options){.comparison = less, .indices = &at, .axis = HD_AXIS(0)});
}
static hd_status segments(hd_context *c)
{
    static const int64_t ends[] = {0, 10, 300000, 399000};
    return hd_sort(c, HD_VIEW(many, N), HD_VIEW(many_out, N), HD_NO_VALUES,
                   &(hd_sort_options){.segments = HD_REF(HD_VIEW(ends, 4))});
}

static void fail_everywhere(hd_status (*call)(hd_context *), hd_backend backend, int32_t threads)
{
    long long points = 1;
    for (long long k = -1; k < points && k < 50; k++) {
        ledger l = {.fail_at = -1};
        hd_context *c = NULL;
        CHECK_OK(c, hd_open(&c, &(hd_context_options){.backend = backend,
                                                      .threads = threads,
                                                      .allocator = {allocate, release, &l}}));
        const long long opened = l.calls;
        if (k >= 0) l.fail_at = opened + k;
        const hd_status status = call(c);
        if (k < 0) points = l.calls - opened;
        CHECK(status == (k < 0 ? HD_OK : HD_ERROR_MEMORY), "allocation %lld of %lld on %s: %s: %s",
              k, points, hd_backend_name(backend), hd_status_name(status), hd_error(c));
        l.fail_at = -1;
        CHECK_OK(c, call(c));
        hd_close(c);
        CHECK(l.alive == 0, "allocation %lld on %s: %lld blocks lost", k, hd_backend_name(backend),
              (long long)l.alive);
    }
}

static void test_memory(void)
{
    hd_status (*const calls[])(hd_context *) = {
        plain,    two_values,         strided,       indices,
        segments, indices_and_values, by_comparison, rows_by_comparison};
    for (int nan = 0; nan < 2; nan++) {
        check_fill(HD_F32, many, N, nan ? CHECK_SPECIAL : CHECK_ORDINARY, check_seed());
        // Half of the keys in one bucket: it is sorted as the whole was.
        for (int64_t i = 0; i < N; i += 4) many[i] = 1 + (float)(i % 4093) * 0x1p-20f;
        for (int k = 0; k < 8; k++) {
            fail_everywhere(calls[k], HD_CPU, 3);
            if (!nan && !check_small() && k == 1) fail_everywhere(calls[k], HD_SERIAL, 0);
        }
    }
}

int main(void)
{
    const check_target *targets;
    const int count = check_targets(&targets);
    for (int i = 0; i < 100; i++) x[i] = (float)i, y[i] = -7, w[i] = -7;
    for (int t = 0; t < count; t++) {
        ctx = targets[t].ctx, where = targets[t].name;
        test_views();
        test_values();
        test_overlaps();
        test_segments();
        test_indices();
    }
    test_memory();
    return check_finish();
}
