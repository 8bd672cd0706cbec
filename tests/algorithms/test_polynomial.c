// SPDX-License-Identifier: Apache-2.0
//
// Polynomials: Horner's rule in the same type has the same bits; the tree and Horner are within the
// bound of polynomial.h of long double; every backend alike; layouts, types, errors, memory.
#define _GNU_SOURCE
#include <inttypes.h>
#include <math.h>

#include <heddle_algorithms.h>

#include "on_backends.h"

typedef long double wide;

typedef struct question {
    int64_t terms, count;
    int32_t method;
    hd_type type; // of x and out
    bool highest_first, in_place;
} question;

static double number(hd_type type, const void *x, int64_t i)
{
    return type == HD_F32 ? (double)((const float *)x)[i] : ((const double *)x)[i];
}

// The same operations one after another.
static double horner(const question *q, const double *c, double x)
{
    float narrow = q->terms > 0 ? (float)c[q->terms - 1] : 0;
    double r = q->terms > 0 ? c[q->terms - 1] : 0;
    for (int64_t j = q->terms - 2; j >= 0; j--) {
        const float product = narrow * (float)x;
        narrow = product + (float)c[j];
        const double other = r * x;
        r = other + c[j];
    }
    return q->type == HD_F32 ? (double)narrow : r;
}

static void check_point(const question *q, const double *c, double x, double got)
{
    wide sum = 0, size = 0, power = 1;
    const wide u = q->type == HD_F32 ? 0x1p-24L : 0x1p-53L, e = 2 * (wide)(q->terms + 2) * u;
    for (int64_t j = 0; j < q->terms; j++) {
        const wide one = q->type == HD_F32 ? (wide)(float)c[j] : (wide)c[j];
        sum += one * power, size += fabsl(one * power), power *= x;
    }
    CHECK(fabsl(got - sum) <= e / (1 - e) * size + 1e-300L,
          "%" PRId64 " terms at %g: %g, expected %Lg", q->terms, x, got, sum);
}

static void ask(const question *q, hd_context *serial, hd_context *const *others,
                const char *const *names, int count, uint64_t *r)
{
    const size_t size = hd_type_size(q->type);
    double *c = check_memory((size_t)q->terms * 8 + 8),
           *given = check_memory((size_t)q->terms * 8 + 8);
    char *x = check_memory((size_t)q->count * 8 + 8),
         *want = check_memory((size_t)q->count * 8 + 8);
    char *got = check_memory((size_t)q->count * 8 + 8);
    check_fill(HD_F64, c, q->terms, CHECK_ORDINARY, check_next(r));
    for (int64_t j = 0; j < q->terms; j++) given[j] = c[q->highest_first ? q->terms - 1 - j : j];
    check_fill(q->type, x, q->count, CHECK_ORDINARY, check_next(r));
    const hd_polynomial_options o = {.method = q->method, .highest_first = q->highest_first};
    const hd_view vc = HD_VIEW(given, q->terms), vx = HD_VIEW_OF(q->type, x, q->count);
    CHECK_OK(serial, hd_polynomial(serial, vc, vx, HD_VIEW_OF(q->type, want, q->count), &o));
    for (int k = 0; k < count; k++) {
        memcpy(got, x, (size_t)q->count * size);
        const hd_view out = HD_VIEW_OF(q->type, got, q->count);
        CHECK_OK(others[k], hd_polynomial(others[k], vc, q->in_place ? out : vx, out, &o));
        CHECK(memcmp(got, want, (size_t)q->count * size) == 0,
              "%" PRId64 " terms at %" PRId64 " points, method %d, on %s", q->terms, q->count,
              q->method, names[k]);
    }
    for (int64_t i = 0; i < q->count; i++) {
        const double at = number(q->type, x, i), one = number(q->type, want, i);
        check_point(q, c, at, one);
        if (q->method == HD_POLYNOMIAL_HORNER)
            CHECK(one == horner(q, c, at), "%" PRId64 " terms, point %" PRId64, q->terms, i);
    }
    free(c), free(given), free(x), free(want), free(got);
}

static void test_questions(const check_target *targets, int count, uint64_t *r)
{
    static const int64_t terms[] = {0, 1, 2, 3, 17, 119, 120, 121, 240, 300, 1000};
    hd_context *others[64];
    const char *names[64];
    int turn = 0;
    for (int k = 0; k < 11; k++)
        for (int s = 0; s < 9; s++, turn++) {
            static const int64_t counts[] = {0, 1, 2, 15, 16, 17, 33, 130, 513};
            int few = 0;
            for (int t = 1 + turn % 3; t < count; t += 5)
                others[few] = targets[t].ctx, names[few++] = targets[t].name;
            const question q = {.terms = terms[k],
                                .count = counts[s],
                                .method = turn % 4 ? HD_POLYNOMIAL_HORNER : HD_POLYNOMIAL_TREE,
                                .type = turn % 3 ? HD_F64 : HD_F32,
                                .highest_first = turn % 5 == 1,
                                .in_place = turn % 2};
            ask(&q, targets[0].ctx, others, names, few, r);
        }
    others[0] = targets[count - 1].ctx, names[0] = targets[count - 1].name;
    for (int32_t method = 0; method < 3; method++) {
        question q = {.terms = 100003, .count = 3, .method = method, .type = HD_F64};
        ask(&q, targets[0].ctx, others, names, 1, r);
        q = (question){.terms = 9, .count = 50021, .method = HD_POLYNOMIAL_HORNER, .type = HD_F32};
        if (method == 0) ask(&q, targets[0].ctx, others, names, 1, r);
    }
}

// Points of any layout, coefficients of any numbers, both types; powers that overflow.
static void test_layouts(hd_context *ctx, uint64_t *r)
{
    const int64_t shape[] = {3, 4, 5};
    int64_t stride[3];
    const int8_t small[] = {3, -2, 0, 1};
    float x[60], got[60];
    double wanted[60];
    check_fill(HD_F32, x, 60, CHECK_ORDINARY, check_next(r));
    check_strides(3, shape, r, stride);
    check_array in = check_new_nd(HD_F32, 3, shape, stride, true);
    check_strides(3, shape, r, stride);
    check_array out = check_new_nd(HD_F64, 3, shape, stride, false);
    check_put(&in, x);
    CHECK_OK(ctx, hd_polynomial(ctx, HD_VIEW(small, 4), in.view, out.view, NULL));
    CHECK(check_gaps(&out), "gaps");
    check_get(&out, wanted);
    for (int i = 0; i < 60; i++) {
        const double t = x[i];
        CHECK(wanted[i] == ((t + 0) * t - 2) * t + 3, "point %d: %g", i, wanted[i]);
    }
    CHECK_OK(ctx, hd_polynomial(ctx, HD_VIEW(small, 4), HD_VIEW(x, 60), HD_VIEW(got, 60),
                                &(hd_polynomial_options){.accumulate = HD_F64}));
    for (int i = 0; i < 60; i++) CHECK(got[i] == (float)wanted[i], "f64 inside, point %d", i);
    static double c[5000];
    double two = 2, y = 0;
    c[0] = 1, c[3] = 4;
    CHECK_OK(ctx, hd_polynomial(ctx, HD_VIEW(c, 5000), HD_VIEW(&two, 1), HD_VIEW(&y, 1), NULL));
    CHECK(y == 33, "%g, zeros above", y);
    check_drop(&in), check_drop(&out);
}

static void test_errors(hd_context *ctx)
{
    static double c[8], x[8], y[8];
    static int32_t i32[8];
    const hd_view vc = HD_VIEW(c, 4), vx = HD_VIEW(x, 8), vy = HD_VIEW(y, 8);
    const hd_view square = hd_view_nd(HD_F64, c, 2, (int64_t[]){2, 2}, NULL);
#define VALUES(c, x, y, ...) hd_polynomial(ctx, c, x, y, &(hd_polynomial_options){__VA_ARGS__})
    FAILS(ctx, HD_ERROR_SHAPE, "one dimension", VALUES(square, vx, vy, 0));
    FAILS(ctx, HD_ERROR_SHAPE, "shape of x", VALUES(vc, vx, HD_VIEW(y, 7), 0));
    FAILS(ctx, HD_ERROR_TYPE, "f32 or f64", VALUES(vc, HD_VIEW(i32, 8), vy, 0));
    FAILS(ctx, HD_ERROR_TYPE, "numbers", VALUES(HD_VIEW_OF(HD_STRUCT_OF(8), c, 4), vx, vy, 0));
    FAILS(ctx, HD_ERROR_TYPE, "HD_F64", VALUES(vc, vx, vy, .accumulate = HD_F32));
    FAILS(ctx, HD_ERROR_ARGUMENT, "method is 3", VALUES(vc, vx, vy, .method = 3));
    FAILS(ctx, HD_ERROR_ARGUMENT, "reserved", VALUES(vc, vx, vy, .reserved_flags = {true}));
    FAILS(ctx, HD_ERROR_ALIAS, "coefficients", VALUES(vc, HD_VIEW(x, 4), vc, 0));
    FAILS(ctx, HD_ERROR_ALIAS, "overlaps x", VALUES(vc, HD_VIEW(x, 4), HD_VIEW(x + 1, 4), 0));
    FAILS(ctx, HD_ERROR_ARGUMENT, "read", VALUES(vc, vx, hd_read_only(vy), 0));
    CHECK(hd_polynomial(NULL, vc, vx, vy, NULL) == HD_ERROR_ARGUMENT, "no context");
}

static hd_status some_values(hd_context *ctx)
{
    static float c[300], x[300];
    return hd_polynomial(ctx, HD_VIEW(c, 300), HD_VIEW(x, 300), HD_VIEW(x, 300), NULL);
}

static void test_device(hd_backend which)
{
    hd_context *serial = check_open(HD_SERIAL, 1, NULL), *ctx = check_open(which, 1, NULL);
    const char *name = hd_backend_name(which);
    uint64_t r = check_seed() + 3;
    question q = {.terms = 130, .count = 50, .method = HD_POLYNOMIAL_HORNER, .type = HD_F64};
    ask(&q, serial, &ctx, &name, 1, &r);
    q = (question){.terms = 700, .count = 2, .method = HD_POLYNOMIAL_TREE, .type = HD_F32};
    ask(&q, serial, &ctx, &name, 1, &r);
    double c[5] = {1, 2, 3, 4, 5}, x[40], y[40], z[40];
    check_fill(HD_F64, x, 40, CHECK_ORDINARY, 1);
    hd_view dc = moved_to_device(ctx, HD_VIEW(c, 5)), dx = moved_to_device(ctx, HD_VIEW(x, 40));
    CHECK_OK(serial, hd_polynomial(serial, HD_VIEW(c, 5), HD_VIEW(x, 40), HD_VIEW(y, 40), NULL));
    CHECK_OK(ctx, hd_polynomial(ctx, dc, dx, dx, NULL));
    CHECK_OK(ctx, hd_map(ctx, dx, NULL, HD_VIEW(z, 40), NULL));
    CHECK(memcmp(y, z, sizeof y) == 0, "views of the device of %s", name);
    hd_free(ctx, &dc), hd_free(ctx, &dx);
    hd_close(ctx), hd_close(serial);
}

int main(void)
{
    uint64_t r = check_seed();
    if (!on_model_alone()) {
        const check_target *targets;
        const int count = check_targets(&targets);
        test_questions(targets, count, &r);
        test_layouts(targets[count - 1].ctx, &r);
        test_errors(targets[0].ctx);
        with_failing_memory(some_values);
    }
    return finish_on_gpus(test_device);
}
