// SPDX-License-Identifier: Apache-2.0
//
// Linear recurrences: against a loop in long double within the bound of recurrence.h, the same bits
// on every backend; constants and coefficients for every element, segments, layouts, errors.
#define _GNU_SOURCE
#include <inttypes.h>
#include <math.h>

#include <heddle_algorithms.h>

#include "on_backends.h"

typedef long double wide;

enum { MOST = 8 };

typedef struct question {
    int64_t n;
    int k;
    hd_type type;
    bool varying, backward, initial, in_place, segments, strided;
} question;

// ---- The definition -------------------------------------------------------------------------

static wide number(hd_type type, const void *x, int64_t i)
{
    return type == HD_F32 ? (wide)((const float *)x)[i] : (wide)((const double *)x)[i];
}

static void set(hd_type type, void *x, int64_t i, double v)
{
    if (type == HD_F32)
        ((float *)x)[i] = (float)v;
    else
        ((double *)x)[i] = v;
}

// Coefficients whose magnitudes add up to less than 1: no product of matrices has a norm above 1.
static void make(const question *q, void *x, void *c, void *first, uint64_t *r)
{
    const int64_t count = q->varying ? q->n : 1;
    check_fill(q->type, x, q->n, CHECK_ORDINARY, check_next(r));
    for (int64_t i = 0; i < count; i++) {
        const bool head = q->segments && check_below(r, 7) == 0;
        for (int j = 0; j < q->k; j++)
            set(q->type, c, i * q->k + j,
                head ? 0 : (double)(check_below(r, 2001) - 1000) / 1001 / q->k);
    }
    for (int j = 0; j < q->k; j++)
        set(q->type, first, j, q->initial ? (double)check_below(r, 100) / 100 : 0);
}

static void define(const question *q, const void *x, const void *c, const void *first, wide *y)
{
    for (int64_t t = 0; t < q->n; t++) {
        const int64_t i = q->backward ? q->n - 1 - t : t;
        y[i] = number(q->type, x, i);
        for (int j = 0; j < q->k; j++) {
            const wide old =
                t > j ? y[q->backward ? i + 1 + j : i - 1 - j] : number(q->type, first, j - t);
            y[i] += number(q->type, c, (q->varying ? i * q->k : 0) + j) * old;
        }
    }
}

// ---- Questions ------------------------------------------------------------------------------

static void ask(const question *q, hd_context *serial, hd_context *const *others,
                const char *const *names, int count, uint64_t *r)
{
    const size_t size = hd_type_size(q->type), room = (size_t)q->n * 8 + 64;
    char *x = check_memory(room), *c = check_memory(room * MOST), *want = check_memory(room);
    char *got = check_memory(room), first[64];
    wide *y = check_memory((size_t)(q->n + 1) * sizeof *y), most = 1;
    make(q, x, c, first, r);
    hd_view vc = HD_VIEW_OF(q->type, c, q->k);
    if (q->varying) vc = hd_view_nd(q->type, c, 2, (int64_t[]){q->n, q->k}, NULL);
    char *gaps = NULL;
    if (q->varying && q->strided) { // coefficients with gaps, the other way around
        gaps = check_memory(room * MOST);
        hd_view other = hd_view_nd(q->type, gaps, 2, (int64_t[]){q->n, q->k}, (int64_t[]){1, q->n});
        CHECK_OK(serial, hd_map(serial, vc, NULL, other, NULL));
        vc = other;
    }
    const hd_view initial = HD_VIEW_OF(q->type, first, q->k);
    const hd_recurrence_options o = {.backward = q->backward,
                                     .initial = q->initial ? &initial : NULL};
    const hd_view in = HD_VIEW_OF(q->type, x, q->n);
    CHECK_OK(serial, hd_recurrence(serial, in, vc, HD_VIEW_OF(q->type, want, q->n), &o));
    const int64_t some = check_below(r, 5);
    for (int t = 0; t < count; t++) {
        if (q->n > 33 && count > 5 && t % 5 != some) continue;
        memcpy(got, x, (size_t)q->n * size);
        const hd_view out = HD_VIEW_OF(q->type, got, q->n);
        CHECK_OK(others[t], hd_recurrence(others[t], q->in_place ? out : in, vc, out, &o));
        CHECK(memcmp(got, want, (size_t)q->n * size) == 0, "order %d of %" PRId64 " on %s%s", q->k,
              q->n, names[t], q->varying ? ", varying" : "");
    }
    define(q, x, c, first, y);
    for (int64_t i = 0; i < q->n; i++) most = fabsl(y[i]) > most ? fabsl(y[i]) : most;
    // No product's norm is above 1, and |c| |y| <= |y|.
    const wide u = q->type == HD_F32 ? 0x1p-24L : 0x1p-53L;
    const wide bound = 8 * (q->k + 1) * (wide)(q->n + 1) * u * (most + 2);
    for (int64_t i = 0; i < q->n; i++)
        CHECK(fabsl(number(q->type, want, i) - y[i]) <= bound,
              "order %d, element %" PRId64 " of %" PRId64 ": %Lg, expected %Lg", q->k, i, q->n,
              number(q->type, want, i), y[i]);
    free(x), free(c), free(want), free(got), free(y), free(gaps);
}

static question make_question(int turn, int64_t n)
{
    return (question){.n = n,
                      .k = 1 + turn % MOST,
                      .type = turn % 3 ? HD_F64 : HD_F32,
                      .varying = turn % 2 == 0 || turn % 7 == 1,
                      .backward = turn % 4 == 2,
                      .initial = turn % 3 != 1,
                      .in_place = turn % 5 < 2,
                      .segments = turn % 6 == 0,
                      .strided = turn % 4 == 0};
}

static void test_rows(uint64_t *r)
{
    const check_target *targets;
    const int count = check_targets(&targets);
    hd_context *others[64];
    const char *names[64];
    for (int t = 1; t < count; t++) others[t - 1] = targets[t].ctx, names[t - 1] = targets[t].name;
    int turn = 0;
    for (int s = 0; check_size(s, check_small() ? 300 : 1025) >= 0; s++, turn++) {
        const question q = make_question(turn, check_size(s, 1025));
        ask(&q, targets[0].ctx, others, names, count - 1, r);
    }
    if (check_small()) return;
    for (int k = 0; k < 2; k++) {
        const question q = {.n = 70001, .k = 1 + k, .type = HD_F64, .varying = true};
        ask(&q, targets[0].ctx, others, names, count - 1, r);
    }
}

// Fibonacci's numbers, which are exact.
static void test_fibonacci(hd_context *ctx)
{
    double x[60] = {1}, y[60], c[2] = {1, 1}, a = 1, b = 0;
    CHECK_OK(ctx, hd_recurrence(ctx, HD_VIEW(x, 60), HD_VIEW(c, 2), HD_VIEW(y, 60), NULL));
    for (int i = 0; i < 60; i++) {
        CHECK(y[i] == a, "Fibonacci %d: %g", i, y[i]);
        const double next = a + b;
        b = a, a = next;
    }
}

// Rows of a middle axis, in both types, have the bits of calls of their own.
static void try_axis(hd_context *ctx, bool varying, bool backward, uint64_t *r)
{
    enum { A = 3, N = 45, B = 2, K = 2 };
    float x[A][N][B], y[A][N][B], c[A][N][B][K], row[N], want[N], rc[N][K];
    check_fill(HD_F32, x, A * N * B, CHECK_ORDINARY, check_next(r));
    check_fill(HD_F32, c, A * N * B * K, CHECK_ORDINARY, check_next(r));
    for (int i = 0; i < A * N * B * K; i++) (&c[0][0][0][0])[i] *= 0.4f;
    const int64_t shape[] = {A, N, B, K};
    const hd_view in = hd_view_nd(HD_F32, x, 3, shape, NULL);
    const hd_view vc = varying ? hd_view_nd(HD_F32, c, 4, shape, NULL) : HD_VIEW(&c[0][0][0][0], K);
    CHECK_OK(ctx,
             hd_recurrence(ctx, in, vc, hd_view_nd(HD_F32, y, 3, shape, NULL),
                           &(hd_recurrence_options){.axis = HD_AXIS(-2), .backward = backward}));
    for (int a = 0; a < A; a++)
        for (int b = 0; b < B; b++) {
            for (int i = 0; i < N; i++)
                row[i] = x[a][i][b], memcpy(rc[i], c[a][i][b], sizeof rc[i]);
            const hd_view one = varying ? hd_view_nd(HD_F32, rc, 2, (int64_t[]){N, K}, NULL) : vc;
            CHECK_OK(ctx, hd_recurrence(ctx, HD_VIEW(row, N), one, HD_VIEW(want, N),
                                        &(hd_recurrence_options){.backward = backward}));
            for (int i = 0; i < N; i++)
                CHECK(y[a][i][b] == want[i], "row %d %d, element %d", a, b, i);
        }
}

static void test_errors(void)
{
    hd_context *ctx = check_open(HD_SERIAL, 1, NULL);
    static double x[40], y[40], c[400];
    const hd_view in = HD_VIEW(x, 40), out = HD_VIEW(y, 40), two = HD_VIEW(c, 2);
    const hd_view many = hd_view_nd(HD_F64, c, 2, (int64_t[]){39, 2}, NULL),
                  wide_ones = hd_view_nd(HD_F64, c, 2, (int64_t[]){40, 9}, NULL),
                  fit = hd_view_nd(HD_F64, c, 2, (int64_t[]){40, 2}, NULL),
                  three = hd_view_nd(HD_F64, c, 3, (int64_t[]){40, 2, 1}, NULL);
    FAILS(ctx, HD_ERROR_SHAPE, "1 to 8 of them, got 9",
          hd_recurrence(ctx, in, HD_VIEW(c, 9), out, NULL));
    FAILS(ctx, HD_ERROR_SHAPE, "got 0", hd_recurrence(ctx, in, HD_VIEW(c, 0), out, NULL));
    FAILS(ctx, HD_ERROR_SHAPE, "got 9", hd_recurrence(ctx, in, wide_ones, out, NULL));
    FAILS(ctx, HD_ERROR_SHAPE, "shape of in", hd_recurrence(ctx, in, many, out, NULL));
    FAILS(ctx, HD_ERROR_SHAPE, "dimension", hd_recurrence(ctx, in, three, out, NULL));
    FAILS(ctx, HD_ERROR_ALIAS, "coefficients", hd_recurrence(ctx, in, fit, HD_VIEW(c, 40), NULL));
    FAILS(ctx, HD_ERROR_SHAPE, "initial",
          hd_recurrence(ctx, in, two, out,
                        &(hd_recurrence_options){.initial = HD_REF(HD_VIEW(c, 3))}));
    c[1] = INFINITY;
    FAILS(ctx, HD_ERROR_VALUE, "number 1", hd_recurrence(ctx, in, two, out, NULL));
    CHECK_OK(ctx,
             hd_recurrence(ctx, HD_VIEW(x, 0), hd_view_nd(HD_F64, c, 2, (int64_t[]){0, 2}, NULL),
                           HD_VIEW(y, 0), NULL));
    CHECK(hd_recurrence(NULL, in, two, out, NULL) == HD_ERROR_ARGUMENT, "no context");
    hd_close(ctx);
}

static hd_status some_recurrence(hd_context *ctx)
{
    static float x[500], y[500], c[500][3];
    return hd_recurrence(ctx, HD_VIEW(x, 500), hd_view_nd(HD_F32, c, 2, (int64_t[]){500, 3}, NULL),
                         HD_VIEW(y, 500), NULL);
}

static void test_device(hd_backend which)
{
    hd_context *serial = check_open(HD_SERIAL, 1, NULL), *ctx = check_open(which, 1, NULL);
    const char *name = hd_backend_name(which);
    uint64_t r = check_seed() + 7;
    question q = {.n = 333, .k = 1, .type = HD_F32, .varying = true, .initial = true};
    ask(&q, serial, &ctx, &name, 1, &r);
    q = (question){.n = 270, .k = 2, .type = HD_F64, .varying = false, .initial = true};
    ask(&q, serial, &ctx, &name, 1, &r);
    // Views of the device.
    double x[300], c[600], y[300], z[300];
    check_fill(HD_F64, x, 300, CHECK_ORDINARY, 5);
    check_fill(HD_F64, c, 600, CHECK_ORDINARY, 6);
    for (int i = 0; i < 600; i++) c[i] *= 0.4;
    const hd_view vc = hd_view_nd(HD_F64, c, 2, (int64_t[]){300, 2}, NULL);
    hd_view in = moved_to_device(ctx, HD_VIEW(x, 300)), cs = moved_to_device(ctx, vc);
    CHECK_OK(serial, hd_recurrence(serial, HD_VIEW(x, 300), vc, HD_VIEW(y, 300), NULL));
    CHECK_OK(ctx, hd_recurrence(ctx, in, cs, in, NULL));
    CHECK_OK(ctx, hd_map(ctx, in, NULL, HD_VIEW(z, 300), NULL));
    CHECK(memcmp(y, z, sizeof y) == 0, "views of the device of %s", name);
    hd_free(ctx, &cs), hd_free(ctx, &in);
    hd_close(ctx), hd_close(serial);
}

int main(void)
{
    uint64_t r = check_seed();
    if (!on_model_alone()) {
        hd_context *ctx = check_open(HD_CPU, 2, NULL);
        test_rows(&r);
        test_fibonacci(ctx);
        for (int k = 0; k < 4; k++) try_axis(ctx, k & 1, k & 2, &r);
        test_errors();
        with_failing_memory(some_recurrence);
        hd_close(ctx);
    }
    return finish_on_gpus(test_device);
}
