// SPDX-License-Identifier: Apache-2.0
//
// Bad arguments of map, gather, scatter, find, difference and shuffle: each gives its status and a
// text that names the thing, and writes nothing, on every backend. And a failing allocator at every
// allocation of every call.
#define _GNU_SOURCE
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

typedef struct triple {
    float v[3];
} triple;
HD_FUNCTION(two, float, HD_NO_SOURCE, (float, x, float, y), { return x + y; })
HD_FUNCTION(whole, int32_t, HD_NO_SOURCE, (float, x), { return (int32_t)x; })
HD_FUNCTION(later, bool, HD_NO_SOURCE, (float, x, float, y), { return x > y; })

static hd_context *ctx;
static const char *where;
static float x[100], y[100];
static int32_t index_of[100];

static void prepare(void)
{
    for (int i = 0; i < 100; i++) x[i] = (float)i, y[i] = -7, index_of[i] = i % 10;
}

static void expect(int line, hd_status expected, hd_status got, const char *word)
{
    if (got != expected || !strstr(hd_error(ctx), word))
        check_failed(__FILE__, line, "status and text", "%s instead of %s, '%s' without '%s' on %s",
                     hd_status_name(got), hd_status_name(expected), hd_error(ctx), word, where);
    for (int i = 0; i < 100; i++)
        if (y[i] != -7) check_failed(__FILE__, line, "written", "a failed call wrote on %s", where);
    prepare();
}

#define BAD(status, word, call) expect(__LINE__, HD_ERROR_##status, call, word)
#define MAP(...)                (&(const hd_map_options){.with = __VA_ARGS__})
#define GATHER(...)             (&(const hd_gather_options){__VA_ARGS__})
#define SCATTER(...)            (&(const hd_scatter_options){__VA_ARGS__})
#define FIND(...)               (&(const hd_find_options){__VA_ARGS__})
#define DIFFERENCE(...)         (&(const hd_difference_options){__VA_ARGS__})

static const hd_view none = {0};

static hd_view in(int64_t n)
{
    return HD_VIEW(x, n);
}
static hd_view out(int64_t n)
{
    return HD_VIEW(y, n);
}
static hd_view at(int64_t n)
{
    return HD_VIEW(index_of, n);
}
static hd_view twice(void)
{
    return hd_view_nd(HD_F32, y, 1, (int64_t[]){5}, (int64_t[]){0});
}

static void test_map(void)
{
    BAD(ARGUMENT, "in", hd_map(ctx, HD_VIEW((float *)NULL, 3), NULL, out(3), NULL));
    BAD(ARGUMENT, "out", hd_map(ctx, in(3), NULL, HD_VIEW((float *)NULL, 3), NULL));
    BAD(ARGUMENT, "dimensions", hd_map(ctx, none, NULL, out(3), NULL));
    BAD(SHAPE, "out", hd_map(ctx, in(3), NULL, out(4), NULL));
    BAD(SHAPE, "out", hd_map(ctx, hd_constant(1.0f, 3), NULL, out(4), NULL));
    BAD(SHAPE, "with", hd_map(ctx, in(3), two, out(3), MAP(HD_VIEWS(in(4)))));
    BAD(ARGUMENT, "two", hd_map(ctx, in(3), two, out(3), NULL));
    BAD(ARGUMENT, "with", hd_map(ctx, in(3), NULL, out(3), MAP(HD_VIEWS(in(3)))));
    BAD(TYPE, "whole gives i32", hd_map(ctx, in(3), whole, out(3), NULL));
    BAD(TYPE, "two", hd_map(ctx, at(3), two, out(3), MAP(HD_VIEWS(in(3)))));
    BAD(TYPE, "cannot become", hd_map(ctx, HD_VIEW_OF(HD_TYPE(triple), x, 3), NULL, out(3), NULL));
    BAD(ALIAS, "out overlaps in", hd_map(ctx, out(10), NULL, HD_VIEW(y + 1, 10), NULL));
    BAD(ALIAS, "out overlaps", hd_map(ctx, HD_VIEW_OF(HD_I32, y, 5), NULL, out(5), NULL));
    BAD(ALIAS, "with", hd_map(ctx, in(5), two, out(5), MAP(HD_VIEWS(HD_VIEW(y + 2, 5)))));
    BAD(ALIAS, "twice", hd_map(ctx, in(5), NULL, twice(), NULL));
    BAD(ARGUMENT, "implicit", hd_map(ctx, in(5), NULL, hd_constant(1.0f, 5), NULL));
    CHECK(hd_map(NULL, in(5), NULL, out(5), NULL) == HD_ERROR_ARGUMENT, "no context");
}

static void test_gather(void)
{
    BAD(ARGUMENT, "in", hd_gather(ctx, HD_VIEW((float *)NULL, 3), at(3), out(3), NULL));
    BAD(ARGUMENT, "index", hd_gather(ctx, in(3), HD_VIEW((int *)NULL, 3), out(3), NULL));
    BAD(ARGUMENT, "out", hd_gather(ctx, in(3), at(3), HD_VIEW((float *)NULL, 3), NULL));
    BAD(TYPE, "index is f32", hd_gather(ctx, in(3), in(3), out(3), NULL));
    BAD(TYPE, "index is bool", hd_gather(ctx, in(3), HD_VIEW_OF(HD_BOOL, x, 3), out(3), NULL));
    BAD(TYPE, "out is f32; expected i32", hd_gather(ctx, at(3), at(3), out(3), NULL));
    BAD(TYPE, "expected i32", hd_gather(ctx, in(3), at(3), out(3), GATHER(.function = whole)));
    BAD(SHAPE, "out", hd_gather(ctx, in(9), at(3), out(4), NULL));
    BAD(SHAPE, "with",
        hd_gather(ctx, in(9), at(3), out(3), GATHER(.function = two, .with = HD_VIEWS(in(4)))));
    BAD(ALIAS, "out overlaps in", hd_gather(ctx, out(9), at(3), HD_VIEW(y + 3, 3), NULL));
    BAD(ALIAS, "out overlaps in", hd_gather(ctx, out(3), at(3), out(3), NULL));
    BAD(ALIAS, "index", hd_gather(ctx, in(9), HD_VIEW_OF(HD_I32, y + 2, 3), out(3), NULL));
    BAD(ALIAS, "twice", hd_gather(ctx, in(9), at(5), twice(), NULL));
    BAD(ALIAS, "with",
        hd_gather(ctx, in(9), at(3), out(3),
                  GATHER(.function = two, .with = HD_VIEWS(HD_VIEW(y + 1, 3)))));
    const hd_view square = hd_view_nd(HD_F32, x, 2, (int64_t[]){4, 5}, NULL);
    const hd_view slices = hd_view_nd(HD_F32, y, 2, (int64_t[]){3, 5}, NULL);
    BAD(ARGUMENT, "axis 2", hd_gather(ctx, square, at(3), slices, GATHER(.axis = HD_AXIS(2))));
    BAD(SHAPE, "out", hd_gather(ctx, square, at(3), slices, GATHER(.axis = HD_AXIS(1))));
    BAD(SHAPE, "out", hd_gather(ctx, square, at(4), slices, GATHER(.axis = HD_AXIS(0))));
    BAD(SHAPE, "one dimension",
        hd_gather(ctx, square, hd_view_nd(HD_I32, index_of, 2, (int64_t[]){3, 1}, NULL), slices,
                  GATHER(.axis = HD_AXIS(0))));
    BAD(ARGUMENT, "function",
        hd_gather(ctx, square, at(3), slices, GATHER(.axis = HD_AXIS(0), .function = two)));
}

static void test_scatter(void)
{
    BAD(ARGUMENT, "in", hd_scatter(ctx, HD_VIEW((float *)NULL, 3), at(3), out(3), NULL));
    BAD(ARGUMENT, "index", hd_scatter(ctx, in(3), HD_VIEW((int *)NULL, 3), out(3), NULL));
    BAD(ARGUMENT, "out", hd_scatter(ctx, in(3), at(3), HD_VIEW((float *)NULL, 3), NULL));
    BAD(TYPE, "index is f64", hd_scatter(ctx, in(3), HD_VIEW_OF(HD_F64, x, 3), out(3), NULL));
    BAD(TYPE, "expected i32", hd_scatter(ctx, at(3), at(3), out(3), NULL));
    BAD(TYPE, "xor", hd_scatter(ctx, in(3), at(3), out(3), SCATTER(.combine = HD_XOR)));
    BAD(TYPE, "sum",
        hd_scatter(ctx, HD_VIEW_OF(HD_F64, x, 3), at(3), out(3), SCATTER(.combine = HD_SUM)));
    BAD(ARGUMENT, "mean", hd_scatter(ctx, in(3), at(3), out(3), SCATTER(.combine = HD_MEAN)));
    BAD(ARGUMENT, "argmax",
        hd_scatter(ctx, in(3), at(3), HD_VIEW_OF(HD_I64, y, 3), SCATTER(.combine = HD_ARGMAX)));
    BAD(ARGUMENT, "order", hd_scatter(ctx, in(3), at(3), out(3), SCATTER(.order = 7)));
    BAD(SHAPE, "index", hd_scatter(ctx, in(3), at(4), out(9), NULL));
    BAD(SHAPE, "index", hd_scatter(ctx, hd_constant(1.0f, 3), at(4), out(9), NULL));
    BAD(ALIAS, "in", hd_scatter(ctx, out(3), at(3), out(3), NULL));
    BAD(ALIAS, "in", hd_scatter(ctx, HD_VIEW(y + 8, 3), at(3), out(9), NULL));
    BAD(ALIAS, "index", hd_scatter(ctx, in(3), HD_VIEW_OF(HD_I32, y, 3), out(9), NULL));
    BAD(ALIAS, "twice", hd_scatter(ctx, in(3), at(3), twice(), NULL));
    BAD(ARGUMENT, "two", hd_scatter(ctx, in(3), at(3), out(3), SCATTER(.map = two)));
}

static void test_others(void)
{
    int64_t position = -5;
    const double value = 0;
    BAD(ARGUMENT, "position", hd_find(ctx, in(3), HD_EMPTY, NULL));
    BAD(ARGUMENT, "in", hd_find(ctx, HD_VIEW((float *)NULL, 3), HD_VIEW(&position, 1), NULL));
    BAD(TYPE, "structure",
        hd_find(ctx, HD_VIEW_OF(HD_TYPE(triple), x, 3), HD_VIEW(&position, 1), NULL));
    BAD(ARGUMENT, "two",
        hd_find(ctx, in(3), HD_VIEW(&position, 1), FIND(.map = two, .value = &value)));
    CHECK(position == -5, "a failed find wrote on %s", where);

    BAD(ARGUMENT, "in", hd_difference(ctx, HD_VIEW((float *)NULL, 3), out(3), NULL));
    BAD(ARGUMENT, "out", hd_difference(ctx, in(3), HD_VIEW((float *)NULL, 3), NULL));
    BAD(SHAPE, "out", hd_difference(ctx, in(3), out(4), NULL));
    BAD(TYPE, "out is f32; expected i32", hd_difference(ctx, at(3), out(3), NULL));
    BAD(TYPE, "bool",
        hd_difference(ctx, HD_VIEW_OF(HD_BOOL, x, 3), HD_VIEW_OF(HD_BOOL, y, 3), NULL));
    BAD(TYPE, "later", hd_difference(ctx, in(3), out(3), DIFFERENCE(.function = later)));
    BAD(TYPE, "two", hd_difference(ctx, at(3), out(3), DIFFERENCE(.function = two)));
    BAD(ARGUMENT, "whole",
        hd_difference(ctx, in(3), HD_VIEW_OF(HD_I32, y, 3), DIFFERENCE(.function = whole)));
    BAD(ARGUMENT, "before",
        hd_difference(ctx, in(3), HD_VIEW_OF(HD_BOOL, y, 3), DIFFERENCE(.function = later)));
    BAD(ARGUMENT, "axis 1", hd_difference(ctx, in(3), out(3), DIFFERENCE(.axis = HD_AXIS(1))));
    BAD(ALIAS, "out", hd_difference(ctx, out(5), HD_VIEW(y + 1, 5), NULL));

    BAD(ARGUMENT, "in", hd_shuffle(ctx, HD_VIEW((float *)NULL, 3), out(3), NULL));
    BAD(ARGUMENT, "out", hd_shuffle(ctx, in(3), HD_VIEW((float *)NULL, 3), NULL));
    BAD(SHAPE, "out", hd_shuffle(ctx, in(3), out(4), NULL));
    BAD(TYPE, "out is f32; expected i32", hd_shuffle(ctx, at(3), out(3), NULL));
    BAD(ALIAS, "out overlaps in", hd_shuffle(ctx, out(5), out(5), NULL));
}

// ---- A failing allocator ----------------------------------------------------------------------

static atomic_llong calls, alive, fail_at;

static void *allocate(void *user, size_t bytes, size_t alignment)
{
    (void)user;
    if (atomic_fetch_add(&calls, 1) == atomic_load(&fail_at)) return NULL;
    void *memory = aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    if (memory == NULL) return NULL;
    atomic_fetch_add(&alive, 1);
    memset(memory, 0xCD, bytes); // nobody may count on zeros
    return memory;
}

static void release(void *user, void *memory, size_t bytes)
{
    (void)user, (void)bytes;
    alive--;
    free(memory);
}

enum { MAX = 100000 };
static float a[MAX], b[MAX];
static int32_t places[MAX];
static int64_t n;

static hd_status call_map(hd_context *c)
{
    return hd_map(c, hd_slice(HD_VIEW(a, n), 0, n - 1, n, -1), two, HD_VIEW(b, n),
                  MAP(HD_VIEWS(HD_VIEW(b, n))));
}
static hd_status call_gather(hd_context *c)
{
    return hd_gather(c, HD_VIEW(a, n), HD_VIEW(places, n), HD_VIEW(b, n), NULL);
}
static hd_status call_scatter(hd_context *c)
{
    return hd_scatter(c, HD_VIEW(a, n), HD_VIEW(places, n), HD_VIEW(b, n), NULL);
}
static hd_status call_sums(hd_context *c)
{
    return hd_scatter(c, HD_VIEW(a, n), HD_VIEW(places, n), HD_VIEW(b, n),
                      SCATTER(.combine = HD_SUM));
}
static hd_status call_any_sums(hd_context *c)
{
    return hd_scatter(c, HD_VIEW(a, n), HD_VIEW(places, n), HD_VIEW(b, n),
                      SCATTER(.combine = HD_SUM, .order = HD_ANY_ORDER));
}
static hd_status call_find(hd_context *c)
{
    int64_t position;
    return hd_find(c, hd_slice(HD_VIEW(a, n), 0, 0, n / 2, 2), HD_VIEW(&position, 1), NULL);
}
static hd_status call_difference(hd_context *c)
{
    return hd_difference(c, HD_VIEW(b, n), HD_VIEW(b, n), NULL);
}
static hd_status call_shuffle(hd_context *c)
{
    return hd_shuffle(c, HD_VIEW(a, n), HD_VIEW(b, n), NULL);
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
        CHECK(alive == 0, "%lld blocks lost on %s", (long long)alive, hd_backend_name(backend));
    }
}

static void test_memory(void)
{
    static hd_status (*const all[])(hd_context *) = {call_map,        call_gather,   call_scatter,
                                                     call_sums,       call_any_sums, call_find,
                                                     call_difference, call_shuffle};
    for (int i = 0; i < MAX; i++) places[i] = (i * 31) % 997;
    for (int s = 0; s < 2; s++)
        for (int k = 0; k < 8; k++) {
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
    for (int t = 0; t < count; t++) {
        ctx = targets[t].ctx;
        where = targets[t].name;
        prepare();
        test_map();
        test_gather();
        test_scatter();
        test_others();
    }
    test_memory();
    return check_finish();
}
