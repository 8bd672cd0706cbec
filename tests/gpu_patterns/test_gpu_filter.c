// SPDX-License-Identifier: Apache-2.0
//
// Reductions with a filter on the model machine, and on a card where there is one, against the
// serial backend: operators, flags and predicates of one and of two inputs, maps, products of two
// views, all and none let in, chunks with a carry; host and device memory, views with gaps.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

static hd_context *ctx, *serial;
static const char *backend;

HD_FUNCTION(is_positive, bool, HD_NO_SOURCE, (float, x), { return x > 0; })
HD_FUNCTION(is_above, int32_t, HD_NO_SOURCE, (float, x, float, y), { return x > y; })
HD_FUNCTION(difference, float, HD_NO_SOURCE, (float, x, float, y), { return x - y; })
HD_OPERATOR(leftmost, float, HD_NO_SOURCE, HD_ASSOCIATIVE, { return a; })

enum { MOST = 3000 };
static float x[2 * MOST], y[MOST];
static uint8_t flags[MOST];

static hd_view there_of(hd_view in)
{
    hd_view v;
    CHECK_OK(ctx, hd_alloc_device(ctx, in.type, 1, in.shape, &v));
    CHECK_OK(ctx, hd_map(ctx, in, NULL, v, NULL));
    return v;
}

// A reduction on both backends, from host and from device memory.
static void compare(hd_view in, const hd_operator *op, hd_reduce_options o, const char *what)
{
    const hd_type to = op == leftmost ? HD_F32 : hd_default_output(op, in.type);
    _Alignas(16) unsigned char want[16] = {0}, got[16] = {0};
    CHECK_OK(serial, hd_reduce(serial, in, op, HD_VIEW_OF(to, want, 1), &o));
    CHECK_OK(ctx, hd_reduce(ctx, in, op, HD_VIEW_OF(to, got, 1), &o));
    CHECK_SAME(to, got, want, 1, "%s of %" PRId64 " on %s", what, hd_count(in), backend);
    hd_view there = there_of(in), by, with, out;
    memset(got, 0, sizeof got);
    if (o.flags != NULL) by = there_of(*o.flags);
    if (o.flags != NULL) o.flags = &by;
    if (o.with.count > 0) with = there_of(o.with.view[0]);
    const hd_views one = {.view = &with, .count = 1};
    if (o.with.count > 0) o.with = one;
    CHECK_OK(ctx, hd_alloc_device(ctx, to, 1, (int64_t[]){1}, &out));
    CHECK_OK(ctx, hd_reduce(ctx, there, op, out, &o));
    CHECK_OK(ctx, hd_map(ctx, out, NULL, HD_VIEW_OF(to, got, 1), NULL));
    CHECK_SAME(to, got, want, 1, "%s of %" PRId64 " on %s's memory", what, hd_count(in), backend);
    CHECK_OK(ctx, hd_free(ctx, &there));
    CHECK_OK(ctx, hd_free(ctx, &out));
    if (o.flags != NULL) CHECK_OK(ctx, hd_free(ctx, &by));
    if (o.with.count > 0) CHECK_OK(ctx, hd_free(ctx, &with));
}

static void test_operators(int64_t n)
{
    const hd_view by = HD_VIEW_OF(HD_BOOL, flags, n);
    hd_view in = HD_VIEW(x, n), gaps = in;
    gaps.stride[0] = 2;
    compare(in, HD_SUM, (hd_reduce_options){.flags = &by}, "sum");
    compare(gaps, HD_SUM, (hd_reduce_options){.flags = &by, .invert = true}, "sum of the others");
    compare(in, HD_ARGMAX, (hd_reduce_options){.flags = &by}, "argmax");
    compare(in, HD_MEAN, (hd_reduce_options){.keep = is_positive}, "mean");
    if (n == 0) return;
    compare(in, HD_DOT, (hd_reduce_options){.flags = &by, .with = HD_VIEWS(HD_VIEW(y, n))}, "dot");
    compare(in, HD_MIN, (hd_reduce_options){.keep = is_above, .with = HD_VIEWS(HD_VIEW(y, n))},
            "least");
    compare(
        in, HD_SUM,
        (hd_reduce_options){.keep = is_above, .map = difference, .with = HD_VIEWS(HD_VIEW(y, n))},
        "sum of differences");
    if (n > 9) compare(in, leftmost, (hd_reduce_options){.flags = &by}, "leftmost");
}

static void test_carry(void)
{
    float want = 0, got = 0;
    for (int k = 0; k < 2; k++) {
        hd_context *c = k ? ctx : serial;
        hd_reduce_options o = {.keep = is_positive};
        CHECK_OK(c, hd_carry_open(c, &o.carry));
        for (int piece = 0; piece < 3; piece++)
            CHECK_OK(c, hd_reduce(c, HD_VIEW(x + 700 * piece, 700), HD_SUM,
                                  HD_VIEW(k ? &got : &want, 1), &o));
        hd_carry_close(c, o.carry);
    }
    CHECK_SAME(HD_F32, &got, &want, 1, "in chunks on %s", backend);
}

static void test_nothing(void)
{
    float out;
    memset(flags, 0, sizeof flags);
    const hd_view by = HD_VIEW_OF(HD_BOOL, flags, 100);
    compare(HD_VIEW(x, 100), HD_SUM, (hd_reduce_options){.flags = &by}, "none");
    compare(HD_VIEW(x, 100), HD_ARGMIN, (hd_reduce_options){.flags = &by}, "none");
    compare(HD_VIEW(x, 100), HD_SUM, (hd_reduce_options){.flags = &by, .invert = true}, "all");
    CHECK(hd_reduce(ctx, HD_VIEW(x, 100), leftmost, HD_VIEW(&out, 1),
                    &(hd_reduce_options){.flags = &by}) == HD_ERROR_VALUE,
          "no identity on %s: %s", backend, hd_error(ctx));
}

static void test_backend(hd_backend which)
{
    static const int64_t sizes[] = {0, 1, 33, 1025, MOST};
    backend = hd_backend_name(which);
    ctx = check_open(which, 1, NULL);
    check_fill(HD_F32, x, 2 * MOST, CHECK_ORDINARY, 1);
    check_fill(HD_F32, y, MOST, CHECK_ORDINARY, 2);
    for (int k = 0; k < MOST; k++) flags[k] = k % 7 < 3;
    for (int s = 0; s < 5; s++) test_operators(sizes[s]);
    test_carry();
    test_nothing();
    hd_close(ctx);
}

int main(void)
{
    serial = check_open(HD_SERIAL, 0, NULL);
    const int code = check_on_gpus(test_backend);
    hd_close(serial);
    return code;
}
