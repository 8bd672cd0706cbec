// SPDX-License-Identifier: Apache-2.0
//
// Histograms with bad arguments: each gives its status, a text that names the thing, and writes
// nothing; and with an allocator that fails at every point in turn.
#define _GNU_SOURCE
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

HD_FUNCTION(real_bin, float, HD_NO_SOURCE, (uint8_t, v), { return v; })
HD_FUNCTION(low_bit, int32_t, HD_NO_SOURCE, (uint8_t, v), { return v & 1; })
HD_FUNCTION(sum_of_two, int32_t, HD_NO_SOURCE, (uint8_t, v, uint8_t, w), { return v + w; })

typedef struct point {
    float x, y;
} point;

static hd_context *ctx;
static const char *where;
static uint8_t bytes[64];
static float reals[64];
static uint32_t out[64], guard[64];
static uint32_t counts[HD_MAX_BINS / 8];

static void expect(int line, hd_status expected, const char *word, hd_status got)
{
    if (got != expected)
        check_failed(__FILE__, line, "status", "%s instead of %s on %s: %s", hd_status_name(got),
                     hd_status_name(expected), where, hd_error(ctx));
    if (!strstr(hd_error(ctx), word) || !strstr(hd_error(ctx), "hd_histogram"))
        check_failed(__FILE__, line, "text", "no '%s' in '%s' on %s", word, hd_error(ctx), where);
    if (memcmp(out, guard, sizeof out) != 0)
        check_failed(__FILE__, line, "written", "a failed call wrote on %s", where);
}

#define REFUSED(status, word, in, out, ...)                                                        \
    expect(__LINE__, status, word, hd_histogram(ctx, in, out, &(hd_histogram_options){__VA_ARGS__}))

static hd_view in(void)
{
    return HD_VIEW(bytes, 64);
}

static hd_view bins(int64_t n)
{
    return HD_VIEW(out, n);
}

static void test_views(void)
{
    REFUSED(HD_ERROR_ARGUMENT, "in", HD_VIEW((uint8_t *)NULL, 3), bins(4), .first = 0);
    REFUSED(HD_ERROR_ARGUMENT, "out", in(), HD_VIEW((uint32_t *)NULL, 4), .first = 0);
    REFUSED(HD_ERROR_ARGUMENT, "out has 0 bins", in(), bins(0), .first = 0);
    REFUSED(HD_ERROR_ARGUMENT, "16777216", in(), HD_VIEW(out, HD_MAX_BINS + 1), .first = 0);
    REFUSED(HD_ERROR_SHAPE, "in", HD_VIEW(bytes, -1), bins(4), .first = 0);
    REFUSED(HD_ERROR_TYPE, "expected i32, u32, i64 or u64", in(), HD_VIEW(reals, 4), .first = 0);
    REFUSED(HD_ERROR_TYPE, "u8", in(), HD_VIEW_OF(HD_U8, out, 4), .first = 0);
    hd_view twice = bins(4);
    twice.stride[0] = 0;
    REFUSED(HD_ERROR_ALIAS, "out", in(), twice, .first = 0);
    REFUSED(HD_ERROR_ALIAS, "out overlaps in", HD_VIEW(out, 8), bins(4), .first = 0);
    REFUSED(HD_ERROR_ALIAS, "out overlaps weights", in(), HD_VIEW_OF(HD_U64, out, 4),
            .weights = HD_REF(HD_VIEW_OF(HD_U8, out, 64)));
    REFUSED(HD_ERROR_ALIAS, "out overlaps edges", in(), bins(4),
            .edges = HD_REF(HD_VIEW(out + 2, 5)));
    REFUSED(HD_ERROR_ALIAS, "out overlaps second", in(),
            hd_view_nd(HD_U32, out, 2, (int64_t[]){2, 2}, NULL),
            .second = HD_REF(HD_VIEW_OF(HD_U8, out, 64)));
}

static void test_even(void)
{
    REFUSED(HD_ERROR_ARGUMENT, "without even", in(), bins(4), .upper = 1);
    REFUSED(HD_ERROR_ARGUMENT, "lower below upper", in(), bins(4), .even = true);
    REFUSED(HD_ERROR_ARGUMENT, "lower is 2 and upper 1", in(), bins(4), .even = true, .lower = 2,
            .upper = 1);
    REFUSED(HD_ERROR_ARGUMENT, "lower below upper", in(), bins(4), .even = true, .lower = 1,
            .upper = 1);
    REFUSED(HD_ERROR_ARGUMENT, "lower below upper", in(), bins(4), .even = true, .lower = NAN,
            .upper = 1);
    REFUSED(HD_ERROR_ARGUMENT, "lower below upper", in(), bins(4), .even = true, .upper = NAN);
    REFUSED(HD_ERROR_ARGUMENT, "finite", in(), bins(4), .even = true, .upper = INFINITY);
    REFUSED(HD_ERROR_ARGUMENT, "finite", in(), bins(4), .even = true, .lower = -1e308,
            .upper = 1e308);
    REFUSED(HD_ERROR_ARGUMENT, "finite", in(), bins(4), .even = true, .upper = 1e-320);
    REFUSED(HD_ERROR_TYPE, "give bin", HD_VIEW_OF(HD_TYPE(point), reals, 4), bins(4), .even = true,
            .upper = 1);
}

static void test_edges(void)
{
    const double rise[] = {0, 1, 2, 2, 3}, nan[] = {0, 1, NAN, 3, 4};
    const uint64_t fall[] = {5, 6, 1, 7, 8};
    REFUSED(HD_ERROR_VALUE, "edges[3] is 2, not above edges[2], 2", HD_VIEW(reals, 4), bins(4),
            .edges = HD_REF(HD_VIEW(rise, 5)));
    REFUSED(HD_ERROR_VALUE, "edges[2]", in(), bins(4), .edges = HD_REF(HD_VIEW(nan, 5)));
    REFUSED(HD_ERROR_VALUE, "edges[2]", HD_VIEW(fall, 5), bins(4),
            .edges = HD_REF(HD_VIEW(fall, 5)));
    REFUSED(HD_ERROR_SHAPE, "expected one dimension of 5", in(), bins(4),
            .edges = HD_REF(HD_VIEW(rise, 4)));
    REFUSED(HD_ERROR_TYPE, "edges", in(), bins(4),
            .edges = HD_REF(HD_VIEW_OF(HD_TYPE(point), rise, 5)));
    REFUSED(HD_ERROR_ARGUMENT, "edges", in(), bins(4), .edges = HD_REF(HD_VIEW((double *)NULL, 5)));
    REFUSED(HD_ERROR_ARGUMENT, "exclude", in(), bins(4), .edges = HD_REF(HD_VIEW(rise, 5)),
            .even = true, .upper = 1);
}

static void test_integers_and_letters(void)
{
    REFUSED(HD_ERROR_TYPE, "needs integers, got f32", HD_VIEW(reals, 4), bins(4), .first = 0);
    REFUSED(HD_ERROR_ARGUMENT, "first", in(), bins(4), .first = INT64_MAX - 2);
    REFUSED(HD_ERROR_ARGUMENT, "letters is 27", in(), bins(4), .letters = 27);
    REFUSED(HD_ERROR_ARGUMENT, "letters is -1", in(), bins(4), .letters = -1);
    REFUSED(HD_ERROR_SHAPE, "expected 7", in(), bins(4), .letters = 4);
    REFUSED(HD_ERROR_TYPE, "u8 or i8", HD_VIEW(reals, 4), bins(7), .letters = 4);
    REFUSED(HD_ERROR_ARGUMENT, "clamp", in(), bins(7), .letters = 4, .clamp = true);
    REFUSED(HD_ERROR_ARGUMENT, "exclude", in(), bins(7), .letters = 4, .even = true, .upper = 1);
    REFUSED(HD_ERROR_ARGUMENT, "order is 7", in(), bins(7), .order = 7);
}

static void test_functions(void)
{
    REFUSED(HD_ERROR_TYPE, "function real_bin returns f32", in(), bins(4), .bin = real_bin);
    REFUSED(HD_ERROR_ARGUMENT, "map and bin", in(), bins(4), .bin = low_bit, .map = low_bit);
    REFUSED(HD_ERROR_ARGUMENT, "takes 2 inputs", in(), bins(4), .bin = sum_of_two);
    REFUSED(HD_ERROR_TYPE, "input 0", HD_VIEW(reals, 4), bins(4), .bin = low_bit);
    REFUSED(HD_ERROR_SHAPE, "with[0]", in(), bins(4), .bin = sum_of_two,
            .with = HD_VIEWS(HD_VIEW(bytes, 63)));
    REFUSED(HD_ERROR_TYPE, "input 1", in(), bins(4), .bin = sum_of_two,
            .with = HD_VIEWS(HD_VIEW(reals, 64)));
    REFUSED(HD_ERROR_ARGUMENT, "exclude", in(), bins(4), .bin = low_bit, .even = true, .upper = 1);
}

static void test_weights_and_second(void)
{
    const hd_view square = hd_view_nd(HD_U32, out, 2, (int64_t[]){2, 2}, NULL);
    REFUSED(HD_ERROR_SHAPE, "weights has shape (63); expected (64)", in(), HD_VIEW(reals, 4),
            .weights = HD_REF(HD_VIEW(reals, 63)));
    REFUSED(HD_ERROR_TYPE, "sum", in(), bins(4), .weights = HD_REF(HD_VIEW(reals, 64)));
    REFUSED(HD_ERROR_TYPE, "sum", in(), HD_VIEW(reals, 4),
            .weights = HD_REF(HD_VIEW_OF(HD_TYPE(point), counts, 64)));
    REFUSED(HD_ERROR_SHAPE, "second has shape (63)", in(), square,
            .second = HD_REF(HD_VIEW(bytes, 63)));
    REFUSED(HD_ERROR_SHAPE, "expected 2", in(), bins(4), .second = HD_REF(in()));
    REFUSED(HD_ERROR_ARGUMENT, "second_lower", in(), square, .second = HD_REF(in()),
            .second_even = true, .second_lower = 1);
    REFUSED(HD_ERROR_SHAPE, "second_edges", in(), square, .second = HD_REF(in()),
            .second_edges = HD_REF(HD_VIEW(reals, 4)));
    REFUSED(HD_ERROR_ARGUMENT, "bin and second", in(), square, .second = HD_REF(in()),
            .bin = low_bit);
    REFUSED(HD_ERROR_TYPE, "second_even", in(), square, .second = HD_REF(HD_VIEW(reals, 64)));
}

// ---- Memory -----------------------------------------------------------------------------------

typedef struct ledger {
    long long calls, fail_at, alive;
} ledger;

static void *allocate(void *user, size_t size, size_t alignment)
{
    ledger *l = user;
    void *memory = NULL;
    if (l->calls++ == l->fail_at || posix_memalign(&memory, alignment, size)) return NULL;
    l->alive++;
    return memory;
}

static void release(void *user, void *memory, size_t size)
{
    (void)size;
    ((ledger *)user)->alive--;
    free(memory);
}

enum { MAX = 300000 };
static uint32_t values[MAX];
static float weights[MAX], sums[MAX], cuts[300];

static hd_status call(hd_context *c, int way)
{
    const hd_view v = HD_VIEW(values, MAX);
    switch (way) {
    case 0: return hd_histogram(c, HD_VIEW_OF(HD_U8, values, MAX), HD_VIEW(counts, 256), NULL);
    case 1: return hd_histogram(c, v, HD_VIEW(counts, 70000), NULL);
    case 2:
        return hd_histogram(c, HD_VIEW_OF(HD_F32, values, MAX), HD_VIEW(counts, 299),
                            &(hd_histogram_options){.edges = HD_REF(HD_VIEW(cuts, 300))});
    case 3:
        return hd_histogram(
            c, v, HD_VIEW(sums, 1000),
            &(hd_histogram_options){.weights = HD_REF(HD_VIEW(weights, MAX)), .add = true});
    case 4: return hd_histogram(c, HD_VIEW_OF(HD_U16, values, MAX), HD_VIEW(counts, 10), NULL);
    case 5: return hd_histogram(c, v, HD_VIEW(counts, HD_MAX_BINS / 8), NULL);
    default:
        return hd_histogram(c, v, HD_VIEW(sums, 1000),
                            &(hd_histogram_options){.weights = HD_REF(HD_VIEW(weights, MAX)),
                                                    .order = HD_ANY_ORDER});
    }
}

static void test_memory(hd_backend backend, int32_t threads)
{
    for (int way = 0; way < 7; way++) {
        long long points = 1;
        for (long long k = -1; k < points; k++) {
            ledger l = {.fail_at = -1};
            hd_context *c;
            const hd_context_options options = {
                .backend = backend, .threads = threads, .allocator = {allocate, release, &l}};
            CHECK(hd_open(&c, &options) == HD_OK, "%s", hd_error(c));
            const long long opened = l.calls;
            if (k >= 0) l.fail_at = opened + k;
            const hd_status status = call(c, way);
            if (k < 0) points = l.calls - opened;
            CHECK(status == (k < 0 ? HD_OK : HD_ERROR_MEMORY), "way %d, allocation %lld: %s: %s",
                  way, k, hd_status_name(status), hd_error(c));
            l.fail_at = -1;
            CHECK_OK(c, call(c, way));
            hd_close(c);
            CHECK(l.alive == 0, "way %d, allocation %lld: %lld blocks lost", way, k, l.alive);
        }
    }
}

int main(void)
{
    const check_target *targets;
    const int count = check_targets(&targets);
    memset(guard, 0x5a, sizeof guard);
    memcpy(out, guard, sizeof out);
    for (int t = 0; t < count; t++) {
        ctx = targets[t].ctx;
        where = targets[t].name;
        test_views();
        test_even();
        test_edges();
        test_integers_and_letters();
        test_functions();
        test_weights_and_second();
    }
    CHECK(hd_histogram(NULL, in(), bins(4), NULL) == HD_ERROR_ARGUMENT, "no context");
    uint64_t state = check_seed();
    for (int i = 0; i < MAX; i++)
        values[i] = (uint32_t)check_below(&state, 1000), weights[i] = (float)(i % 7);
    for (int i = 0; i < 300; i++) cuts[i] = (float)i;
    test_memory(HD_SERIAL, 0);
    test_memory(HD_CPU, 1);
    test_memory(HD_CPU, 3);
    return check_finish();
}
