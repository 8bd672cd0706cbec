// SPDX-License-Identifier: Apache-2.0
//
// Sums that are accumulated wider, compensated, with residuals and with bounds, on a GPU and on the
// model machine against the serial backend, bit for bit: everything, rows, segments, keys, pieces,
// scatter, arrays off by an element. HEDDLE_TEST_BACKEND names one backend.
#define _GNU_SOURCE
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

static hd_context *ctx, *serial;
static const char *backend;

typedef enum second { NOTHING, RESIDUAL, BOUND } second;
typedef enum slices { EVERYTHING, ROWS, SEGMENTS, KEYS, SLICES } slices;

typedef struct form {
    const hd_operator *op;
    hd_type type, out, accumulate;
    second second;
    hd_type value;
    bool init, exclusive;
} form;

enum { FORMS = 10, MOST = 20000, WIDE = 11 };
static form forms[FORMS];

static _Alignas(16) char x[8 * MOST], got[8 * MOST], want[8 * MOST], got_second[8 * MOST],
    want_second[8 * MOST], init[8];
static int32_t keys[MOST];
static int64_t offsets[MOST];

static const char *text_of(const form *f, slices s, int64_t n)
{
    static const char *const names[] = {"", " by rows", " by segments", " by keys"};
    static char text[200];
    snprintf(text, sizeof text, "%s of %" PRId64 " %s into %s%s%s%s%s on %s",
             hd_operator_name(f->op), n, hd_type_name(f->type), hd_type_name(f->out), names[s],
             f->accumulate ? " in f64" : "", f->second == RESIDUAL ? " with residual" : "",
             f->second == BOUND ? " with bound" : "", backend);
    return text;
}

static hd_view matrix(hd_type type, const void *data, int64_t n)
{
    return hd_view_nd(type, data, 2, (const int64_t[]){n / WIDE, WIDE}, NULL);
}

// Gives how many results there are.
static int64_t reduce(hd_context *c, const form *f, slices s, int64_t n, int64_t segments,
                      void *out, void *value)
{
    int64_t runs, m = s == EVERYTHING ? 1 : s == ROWS ? n / WIDE : s == SEGMENTS ? segments : n;
    hd_reduce_options o = {.accumulate = f->accumulate, .init = f->init ? init : NULL};
    if (s == ROWS) o.axis = HD_AXIS(1);
    o.segments = s == SEGMENTS ? HD_REF(HD_VIEW(offsets, segments + 1)) : NULL;
    o.keys = s == KEYS ? HD_REF(HD_VIEW(keys, n)) : NULL;
    o.runs = s == KEYS ? HD_REF(HD_VIEW(&runs, 1)) : NULL;
    o.residual = f->second == RESIDUAL ? HD_REF(HD_VIEW_OF(f->value, value, m)) : NULL;
    o.bound = f->second == BOUND ? HD_REF(HD_VIEW_OF(f->value, value, m)) : NULL;
    const hd_view in = s == ROWS ? matrix(f->type, x, n) : HD_VIEW_OF(f->type, x, n);
    CHECK_OK(c, hd_reduce(c, in, f->op, HD_VIEW_OF(f->out, out, m), &o));
    return s == KEYS ? runs : m;
}

static void ask_reduce(const form *f, slices s, int64_t n, uint64_t *r)
{
    const int64_t segments = check_offsets(n, MOST, r, offsets) - 1;
    const int64_t m = reduce(serial, f, s, n, segments, want, want_second);
    const int64_t k = reduce(ctx, f, s, n, segments, got, got_second);
    CHECK(m == k, "%" PRId64 " results, not %" PRId64, k, m);
    CHECK_SAME(f->out, got, want, m, "reduction: %s", text_of(f, s, n));
    if (f->second != NOTHING)
        CHECK_SAME(f->value, got_second, want_second, m, "second of: %s", text_of(f, s, n));
}

static void scan(hd_context *c, const form *f, slices s, int64_t n, int64_t segments, void *out,
                 void *value)
{
    hd_scan_options o = {
        .accumulate = f->accumulate, .init = f->init ? init : NULL, .exclusive = f->exclusive};
    const bool rows = s == ROWS;
    if (rows) o.axis = HD_AXIS(0);
    o.segments = s == SEGMENTS ? HD_REF(HD_VIEW(offsets, segments + 1)) : NULL;
    o.keys = s == KEYS ? HD_REF(HD_VIEW(keys, n)) : NULL;
    const hd_view second = rows ? matrix(f->value, value, n) : HD_VIEW_OF(f->value, value, n);
    o.residual = f->second == RESIDUAL ? HD_REF(second) : NULL;
    o.bound = f->second == BOUND ? HD_REF(second) : NULL;
    CHECK_OK(c, hd_scan(c, rows ? matrix(f->type, x, n) : HD_VIEW_OF(f->type, x, n), f->op,
                        rows ? matrix(f->out, out, n) : HD_VIEW_OF(f->out, out, n), &o));
}

static void ask_scan(const form *f, slices s, int64_t n, uint64_t *r)
{
    const int64_t segments = check_offsets(n, MOST, r, offsets) - 1;
    const int64_t m = s == ROWS ? n / WIDE * WIDE : n;
    scan(serial, f, s, n, segments, want, want_second);
    scan(ctx, f, s, n, segments, got, got_second);
    CHECK_SAME(f->out, got, want, m, "scan: %s", text_of(f, s, n));
    if (f->second != NOTHING)
        CHECK_SAME(f->value, got_second, want_second, m, "second of scan: %s", text_of(f, s, n));
}

static void ask_pieces(const form *f, int64_t n)
{
    hd_carry *carry;
    scan(serial, f, EVERYTHING, n, 0, want, want_second);
    CHECK_OK(ctx, hd_carry_open(ctx, &carry));
    hd_scan_options o = {.accumulate = f->accumulate,
                         .init = f->init ? init : NULL,
                         .exclusive = f->exclusive,
                         .carry = carry};
    const size_t in = hd_type_size(f->type), out = hd_type_size(f->out),
                 value = hd_type_size(f->value);
    for (int64_t at = 0, m = 100; at < n; at += m, m = 3 * m + 1) {
        if (m > n - at) m = n - at;
        const hd_view second = HD_VIEW_OF(f->value, got_second + value * (size_t)at, m);
        o.residual = f->second == RESIDUAL ? &second : NULL;
        o.bound = f->second == BOUND ? &second : NULL;
        CHECK_OK(ctx, hd_scan(ctx, HD_VIEW_OF(f->type, x + in * (size_t)at, m), f->op,
                              HD_VIEW_OF(f->out, got + out * (size_t)at, m), &o));
    }
    hd_carry_close(ctx, carry);
    CHECK_SAME(f->out, got, want, n, "pieces: %s", text_of(f, EVERYTHING, n));
    if (f->second != NOTHING)
        CHECK_SAME(f->value, got_second, want_second, n, "second of pieces: %s",
                   text_of(f, EVERYTHING, n));
}

static hd_view on_device(hd_type type, int64_t n)
{
    hd_view v;
    CHECK_OK(ctx, hd_alloc_device(ctx, type, 1, &n, &v));
    return v;
}

// Arrays of the device that begin one and two elements into their memory.
static void ask_shifted(const form *f, int64_t n)
{
    hd_view in = on_device(f->type, n + 1), out = on_device(f->out, n + 2);
    const hd_view from = hd_slice(in, 0, 1, n, 1), to = hd_slice(out, 0, 2, n, 1);
    const hd_view one = hd_slice(out, 0, 1, 1, 1), host = HD_VIEW_OF(f->out, got, n);
    const hd_scan_options scans = {
        .accumulate = f->accumulate, .init = f->init ? init : NULL, .exclusive = f->exclusive};
    const hd_reduce_options sums = {.accumulate = f->accumulate, .init = f->init ? init : NULL};
    CHECK_OK(ctx, hd_map(ctx, HD_VIEW_OF(f->type, x, n), NULL, from, NULL));
    scan(serial, f, EVERYTHING, n, 0, want, want_second);
    CHECK_OK(ctx, hd_scan(ctx, from, f->op, to, &scans));
    CHECK_OK(ctx, hd_map(ctx, to, NULL, host, NULL));
    CHECK_SAME(f->out, got, want, n, "shifted scan: %s", text_of(f, EVERYTHING, n));
    reduce(serial, f, EVERYTHING, n, 0, want, want_second);
    CHECK_OK(ctx, hd_reduce(ctx, from, f->op, one, &sums));
    CHECK_OK(ctx, hd_map(ctx, one, NULL, hd_slice(host, 0, 0, 1, 1), NULL));
    CHECK_SAME(f->out, got, want, 1, "shifted sum: %s", text_of(f, EVERYTHING, n));
    CHECK_OK(ctx, hd_free(ctx, &in));
    CHECK_OK(ctx, hd_free(ctx, &out));
}

static void ask_scatter(const form *f, int64_t n, uint64_t *r)
{
    enum { PLACES = 300 };
    for (int64_t i = 0; i < n; i++) keys[i] = (int32_t)check_below(r, i % 3 ? PLACES : 2);
    check_fill(f->out, want, PLACES, CHECK_ORDINARY, check_next(r));
    memcpy(got, want, hd_type_size(f->out) * PLACES);
    const hd_scatter_options o = {.combine = f->op, .accumulate = f->accumulate};
    const hd_view in = HD_VIEW_OF(f->type, x, n), index = HD_VIEW(keys, n);
    CHECK_OK(serial, hd_scatter(serial, in, index, HD_VIEW_OF(f->out, want, PLACES), &o));
    CHECK_OK(ctx, hd_scatter(ctx, in, index, HD_VIEW_OF(f->out, got, PLACES), &o));
    CHECK_SAME(f->out, got, want, PLACES, "scatter: %s", text_of(f, EVERYTHING, n));
}

// Nothing but -0, whose sum is -0; and numbers among which are the largest ones and an infinity,
// whose sum is that infinity, not NaN.
static void ask_extremes(const form *f, int64_t n, uint64_t *r)
{
    const size_t size = hd_type_size(f->type);
    memset(x, 0, size * (size_t)n);
    for (int64_t i = 0; i < n; i++) x[size * (size_t)(i + 1) - 1] = (char)0x80;
    ask_reduce(f, EVERYTHING, n, r);
    ask_scan(f, EVERYTHING, n, r);
    check_fill(f->type, x, n, CHECK_ORDINARY, check_next(r));
    const double largest = f->type == HD_F32 ? FLT_MAX : DBL_MAX;
    const double some[] = {largest, -largest, (double)INFINITY};
    for (int k = 0; k < 3; k++) {
        const int64_t at = n / 3 + k * (n / 6);
        if (f->type == HD_F32)
            ((float *)x)[at] = (float)some[k];
        else
            ((double *)x)[at] = some[k];
    }
    ask_reduce(f, EVERYTHING, n, r);
    ask_scan(f, EVERYTHING, n, r);
}

static void test_backend(hd_backend which)
{
    uint64_t r = check_seed();
    backend = hd_backend_name(which);
    ctx = check_open(which, 2, NULL);
    const int64_t rounds = which == HD_CUDA ? 20 : 1;
    for (int64_t round = 0; round < rounds; round++)
        for (int k = 0; k < FORMS; k++) {
            if (check_small() && which == HD_MODEL && k % 2 != 0) continue;
            const form *f = &forms[k];
            const int64_t n = 1 + check_below(&r, which == HD_CUDA ? MOST : 6000);
            check_fill(f->type, x, n, round % 5 == 4 ? CHECK_SPECIAL : CHECK_ORDINARY,
                       check_next(&r));
            check_fill(f->out, init, 1, CHECK_ORDINARY, check_next(&r));
            for (int s = 0; s < SLICES; s++) {
                if (which == HD_MODEL && s != EVERYTHING && (s + k) % 3 != 0) continue;
                check_keys(HD_I32, keys, n, &r);
                ask_reduce(f, (slices)s, n, &r);
                ask_scan(f, (slices)s, n, &r);
            }
            if (k % 3 == 0 || which == HD_CUDA) ask_pieces(f, n);
            if (f->second == NOTHING) ask_shifted(f, n);
            if (f->second == NOTHING && f->op != HD_MEAN) ask_scatter(f, n, &r);
            if (f->type == HD_F32 || f->type == HD_F64) ask_extremes(f, n, &r);
        }
    hd_close(ctx);
}

int main(void)
{
    const hd_operator *pair = HD_SUM_COMPENSATED;
    const form all[FORMS] = {
        {HD_SUM, HD_F32, HD_F32, HD_F64, NOTHING, 0, false, false},
        {HD_SUM, HD_F16, HD_F16, HD_F64, NOTHING, 0, true, true},
        {HD_MEAN, HD_F32, HD_F32, HD_F64, NOTHING, 0, false, false},
        {pair, HD_F32, HD_F32, 0, NOTHING, 0, false, false},
        {pair, HD_F64, HD_F64, 0, NOTHING, 0, true, false},
        {pair, HD_F32, HD_F32, 0, RESIDUAL, HD_F32, false, true},
        {pair, HD_BF16, HD_BF16, HD_F64, RESIDUAL, HD_BF16, true, false},
        {HD_SUM, HD_F32, HD_F32, 0, BOUND, HD_F64, false, true},
        {HD_SUM, HD_I64, HD_F32, HD_F64, BOUND, HD_F32, true, false},
        {pair, HD_F16, HD_F32, 0, BOUND, HD_F32, false, false},
    };
    memcpy(forms, all, sizeof all);
    serial = check_open(HD_SERIAL, 0, NULL);
    const int code = check_on_gpus(test_backend);
    hd_close(serial);
    return code;
}
