// SPDX-License-Identifier: Apache-2.0
//
// Tridiagonal systems: against elimination with pivoting in long double within the bound of
// tridiagonal.h, the same bits on every backend; singular blocks and matrices, layouts, errors.
#define _GNU_SOURCE
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include <heddle_algorithms.h>

#include "on_backends.h"

typedef long double wide;

typedef enum kind { DOMINANT, RANDOM, ZERO_DIAGONAL, POISSON, WEAK, KINDS } kind;
static const char *const kind_names[] = {"dominant", "random", "zero diagonal", "Poisson", "weak"};

typedef struct arrays {
    int64_t n;
    double *a, *b, *c, *d, *x, *y;
} arrays;

// ---- The definition -------------------------------------------------------------------------

// Solves in long double, rows exchanged where the lower one's first coefficient is larger.
static bool define(const arrays *s, const double *right, wide *x)
{
    const int64_t n = s->n;
    wide *k = check_memory((size_t)(n + 2) * 4 * sizeof *k);
    memset(k, 0, (size_t)(n + 2) * 4 * sizeof *k);
    bool regular = true;
    k[0] = s->b[0], k[1] = n > 1 ? s->c[0] : 0, k[3] = right[0];
    for (int64_t i = 0; i + 1 < n; i++) {
        wide *p = k + 4 * i, *q = p + 4;
        const wide next[4] = {s->a[i + 1], s->b[i + 1], i + 2 < n ? s->c[i + 1] : 0, right[i + 1]};
        wide row[4];
        memcpy(row, next, sizeof row);
        if (fabsl(row[0]) > fabsl(p[0]))
            for (int j = 0; j < 4; j++) {
                const wide t = p[j];
                p[j] = row[j], row[j] = t;
            }
        if (p[0] == 0) regular = false;
        const wide f = p[0] == 0 ? 0 : row[0] / p[0];
        q[0] = row[1] - f * p[1], q[1] = row[2] - f * p[2], q[2] = 0, q[3] = row[3] - f * p[3];
    }
    if (k[4 * (n - 1)] == 0) regular = false;
    for (int64_t i = n - 1; i >= 0; i--) {
        const wide *p = k + 4 * i;
        x[i] =
            (p[3] - (i + 1 < n ? p[1] * x[i + 1] : 0) - (i + 2 < n ? p[2] * x[i + 2] : 0)) / p[0];
    }
    free(k);
    return regular;
}

static wide norm(const arrays *s)
{
    wide most = 0;
    for (int64_t i = 0; i < s->n; i++) {
        const wide sum =
            (i ? fabs(s->a[i]) : 0) + fabs(s->b[i]) + (i + 1 < s->n ? fabs(s->c[i]) : 0);
        if (sum > most) most = sum;
    }
    return most;
}

// The norm of the inverse: by its columns where there are few, else where a diagonal dominates.
static wide inverse_norm(const arrays *s)
{
    const int64_t n = s->n;
    wide *sum = check_memory((size_t)n * sizeof *sum), *x = check_memory((size_t)n * sizeof *x);
    double *e = check_memory((size_t)n * sizeof *e);
    wide most = 0;
    memset(sum, 0, (size_t)n * sizeof *sum);
    for (int64_t j = 0; j < n; j++) {
        for (int64_t i = 0; i < n; i++) e[i] = i == j;
        define(s, e, x);
        for (int64_t i = 0; i < n; i++) sum[i] += fabsl(x[i]);
    }
    for (int64_t i = 0; i < n; i++) most = sum[i] > most ? sum[i] : most;
    free(sum), free(x), free(e);
    return most;
}

// ---- Making systems -------------------------------------------------------------------------

static double random_one(uint64_t *r)
{
    return (double)(check_below(r, 2000001) - 1000000) / 1000000;
}

static arrays make(int64_t n, kind how, bool narrow, uint64_t *r)
{
    arrays s = {.n = n};
    double **const all[] = {&s.a, &s.b, &s.c, &s.d, &s.x, &s.y};
    for (int k = 0; k < 6; k++) *all[k] = check_memory((size_t)n * 8 + 8);
    for (int64_t i = 0; i < n; i++) {
        s.a[i] = random_one(r), s.c[i] = random_one(r), s.b[i] = random_one(r);
        s.d[i] = random_one(r);
        if (how == DOMINANT) s.b[i] += s.b[i] < 0 ? -2.5 : 2.5;
        if (how == ZERO_DIAGONAL) s.b[i] = 0, s.a[i] = 1 + fabs(s.a[i]), s.c[i] = 1 + fabs(s.c[i]);
        if (how == POISSON) s.a[i] = s.c[i] = -1, s.b[i] = 2;
        if (how == WEAK) s.a[i] *= 1e-30, s.c[i] *= 1e-30, s.b[i] = 1;
        if (narrow)
            for (int k = 0; k < 4; k++) (*all[k])[i] = (float)(*all[k])[i];
    }
    return s;
}

static void drop(arrays *s)
{
    free(s->a), free(s->b), free(s->c), free(s->d), free(s->x), free(s->y);
}

static hd_status call(hd_context *ctx, const arrays *s, hd_type type, double *out, bool in_place,
                      const hd_tridiagonal_options *o)
{
    if (type == HD_F64 && in_place) memcpy(out, s->d, (size_t)s->n * 8);
    if (type == HD_F64)
        return hd_tridiagonal(ctx, HD_VIEW(s->a, s->n), HD_VIEW(s->b, s->n), HD_VIEW(s->c, s->n),
                              HD_VIEW(in_place ? out : s->d, s->n), HD_VIEW(out, s->n), o);
    float *const f = check_memory((size_t)s->n * 20 + 4);
    const double *const from[] = {s->a, s->b, s->c, s->d};
    for (int k = 0; k < 4; k++)
        for (int64_t i = 0; i < s->n; i++) f[k * s->n + i] = (float)from[k][i];
    float *x = f + 4 * s->n;
    const hd_status status =
        hd_tridiagonal(ctx, HD_VIEW(f, s->n), HD_VIEW(f + s->n, s->n), HD_VIEW(f + 2 * s->n, s->n),
                       HD_VIEW(f + 3 * s->n, s->n), HD_VIEW(in_place ? f + 3 * s->n : x, s->n), o);
    for (int64_t i = 0; i < s->n; i++) out[i] = (in_place ? f + 3 * s->n : x)[i];
    free(f);
    return status;
}

// ---- Questions ------------------------------------------------------------------------------

static void check_error(const arrays *s, const wide *want, const double *got, wide u, wide inverse,
                        const char *what)
{
    wide largest = 0, log = 0;
    for (int64_t k = s->n; k > 1; k /= 2) log++;
    for (int64_t i = 0; i < s->n; i++)
        largest = fabsl(want[i]) > largest ? fabsl(want[i]) : largest;
    const wide bound = 64 * (log + 8) * u * norm(s) * inverse * largest;
    for (int64_t i = 0; i < s->n; i++)
        CHECK(fabsl(got[i] - want[i]) <= bound,
              "%s, element %" PRId64 " of %" PRId64 ": %g, expected %Lg within %Lg", what, i, s->n,
              got[i], want[i], bound);
}

static void ask(int64_t n, kind how, hd_type type, bool in_place, hd_context *serial,
                hd_context *const *others, const char *const *names, int count, uint64_t *r)
{
    if (how == ZERO_DIAGONAL) n += n & 1; // of odd ones the matrix is singular
    arrays s = make(n, how, type == HD_F32, r);
    wide *want = check_memory((size_t)n * sizeof *want + 16);
    const wide u = type == HD_F32 ? 0x1p-24L : 0x1p-53L;
    if (n > 0 && !define(&s, s.d, want)) CHECK(false, "a singular question");
    CHECK_OK(serial, call(serial, &s, type, s.x, false, NULL));
    for (int k = 0; k < count; k++) {
        CHECK_OK(others[k], call(others[k], &s, type, s.y, in_place, NULL));
        CHECK(memcmp(s.x, s.y, (size_t)n * 8) == 0, "%s of %" PRId64 " on %s", kind_names[how], n,
              names[k]);
    }
    if (n > 0 && n <= 66)
        check_error(&s, want, s.x, u, inverse_norm(&s), kind_names[how]);
    else if (how == DOMINANT || how == WEAK)
        check_error(&s, want, s.x, u, 2, kind_names[how]);
    drop(&s), free(want);
}

static void test_rows(const check_target *targets, int count, uint64_t *r)
{
    hd_context *others[64];
    const char *names[64];
    int turn = 0;
    for (int k = 0; check_size(k, 1025) >= 0; k++, turn++) {
        int some = 0;
        for (int t = 1 + turn % 7; t < count; t += 7)
            others[some] = targets[t].ctx, names[some++] = targets[t].name;
        for (int how = 0; how < KINDS; how++)
            ask(check_size(k, 1025), (kind)how, turn % 3 ? HD_F64 : HD_F32, turn % 2,
                targets[0].ctx, others, names, some, r);
    }
    if (check_small()) return;
    others[0] = targets[count - 1].ctx, names[0] = targets[count - 1].name;
    ask(50021, DOMINANT, HD_F64, false, targets[0].ctx, others, names, 1, r);
    ask(50021, WEAK, HD_F32, true, targets[0].ctx, others, names, 1, r);
}

// With refinement the residual is a few roundings of |A| |x| + |right|, also of a poor matrix.
static void test_refined(hd_context *ctx, uint64_t *r)
{
    for (int turn = 0; turn < 8; turn++) {
        arrays s = make(1 + 777 * turn, turn % 2 ? RANDOM : POISSON, false, r);
        double *left = check_memory((size_t)s.n * 8), most = 0;
        const hd_view residual = HD_VIEW(left, s.n);
        const hd_tridiagonal_options o = {.refinements = 2, .residual = &residual};
        CHECK_OK(ctx, call(ctx, &s, HD_F64, s.x, false, &o));
        for (int64_t i = 0; i < s.n; i++) {
            const double ax = i ? s.a[i] * s.x[i - 1] : 0,
                         cx = i + 1 < s.n ? s.c[i] * s.x[i + 1] : 0;
            const double want = s.d[i] - (i && i + 1 < s.n ? ax + s.b[i] * s.x[i] + cx
                                          : i              ? s.b[i] * s.x[i] + ax
                                                           : s.b[i] * s.x[i] + cx);
            CHECK(left[i] == want, "residual %" PRId64 " of %" PRId64 ": %g, expected %g", i, s.n,
                  left[i], want);
            const double size = fabs(ax) + fabs(s.b[i] * s.x[i]) + fabs(cx) + fabs(s.d[i]);
            most = size > most ? size : most;
        }
        for (int64_t i = 0; i < s.n; i++)
            CHECK(fabs(left[i]) <= 16 * 0x1p-53 * most, "residual %" PRId64 " of %" PRId64 ": %g",
                  i, s.n, left[i]);
        drop(&s), free(left);
    }
}

// Many systems, dense or not, have the bits of calls of their own.
static void test_batches(hd_context *ctx, uint64_t *r)
{
    static const int64_t shapes[][3] = {{5, 7, 3}, {2, 3, 32}, {3, 2, 40}, {4, 1, 64}, {1, 1, 33}};
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
        for (int gaps = 0; gaps < 2; gaps++) {
            const int64_t n = shapes[k][2], m = shapes[k][0] * shapes[k][1], count = m * n;
            int64_t stride[3];
            check_array v[5];
            arrays all = make(count, RANDOM, false, r);
            const double *const from[] = {all.a, all.b, all.c, all.d};
            for (int j = 0; j < 5; j++) {
                check_strides(3, shapes[k], r, stride);
                v[j] = check_new_nd(HD_F64, 3, shapes[k], gaps ? stride : NULL, j & 1);
                if (j < 4) check_put(&v[j], from[j]);
            }
            CHECK_OK(ctx, hd_tridiagonal(ctx, v[0].view, v[1].view, v[2].view, v[3].view, v[4].view,
                                         NULL));
            CHECK(check_gaps(&v[4]), "gaps");
            check_get(&v[4], all.x);
            for (int64_t i = 0; i < m; i++) {
                const arrays one = {
                    n, all.a + i * n, all.b + i * n, all.c + i * n, all.d + i * n, NULL, NULL};
                CHECK_OK(ctx, call(ctx, &one, HD_F64, all.y, false, NULL));
                CHECK(memcmp(all.y, all.x + i * n, (size_t)n * 8) == 0, "system %" PRId64, i);
            }
            for (int j = 0; j < 5; j++) check_drop(&v[j]);
            drop(&all);
        }
}

// Systems that the cores solve side by side have the bits of calls of their own: fewer and more
// than the lanes, of one block to more blocks than that takes, the right side in place or not; the
// first singular one is named.
static void test_side_by_side(hd_context *ctx, uint64_t *r)
{
    static const int64_t most = 40, lengths[] = {1, 7, 8, 9, 31, 32, 33, 96, 100, 227, 1024, 1025};
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
        const int64_t n = lengths[k], m = 2 + check_below(r, most), shape[2] = {m, n};
        const bool narrow = check_below(r, 2) != 0;
        const size_t size = narrow ? 4 : 8;
        const hd_type type = narrow ? HD_F32 : HD_F64;
        arrays all = make(m * n, RANDOM, narrow, r);
        float *f = check_memory((size_t)(5 * m * n) * sizeof *f);
        void *at[5] = {all.a, all.b, all.c, all.d, all.x};
        const double *const from[] = {all.a, all.b, all.c, all.d};
        for (int j = 0; narrow && j < 5; j++) {
            at[j] = f + j * m * n;
            for (int64_t i = 0; j < 4 && i < m * n; i++) f[j * m * n + i] = (float)from[j][i];
        }
        hd_view v[5];
        for (int j = 0; j < 5; j++) v[j] = hd_view_nd(type, at[j], 2, shape, NULL);
        if (check_below(r, 2) != 0) {
            memcpy(at[4], at[3], (size_t)(m * n) * size);
            v[3] = v[4];
        }
        CHECK_OK(ctx, hd_tridiagonal(ctx, v[0], v[1], v[2], v[3], v[4], NULL));
        for (int64_t i = 0; i < m; i++) {
            hd_view one[5];
            double y[1025];
            for (int j = 0; j < 4; j++)
                one[j] = hd_view_of(type, (char *)at[j] + (size_t)(i * n) * size, n);
            one[4] = hd_view_of(type, y, n);
            CHECK_OK(ctx, hd_tridiagonal(ctx, one[0], one[1], one[2], one[3], one[4], NULL));
            CHECK(memcmp(y, (char *)at[4] + (size_t)(i * n) * size, (size_t)n * size) == 0,
                  "system %" PRId64 " of %" PRId64 ", %" PRId64 " unknowns", i, m, n);
        }
        const int64_t singular = check_below(r, m);
        char text[80];
        for (int64_t i = singular; i < m; i += 3)
            for (int j = 0; j < 3; j++)
                memset((char *)at[j] + (size_t)(i * n + n / 2) * size, 0, size);
        snprintf(text, sizeof text, "system %" PRId64 " is singular", singular);
        FAILS(ctx, HD_ERROR_VALUE, text,
              hd_tridiagonal(ctx, v[0], v[1], v[2], hd_view_nd(type, at[3], 2, shape, NULL), v[4],
                             NULL));
        free(f), drop(&all);
    }
}

static void test_singular(hd_context *ctx, uint64_t *r)
{
    for (int64_t n = 1; n < 140; n += n < 70 ? 2 : 6) {
        arrays s = make(n, ZERO_DIAGONAL, false, r);
        FAILS(ctx, HD_ERROR_VALUE, "singular", call(ctx, &s, HD_F64, s.x, false, NULL));
        drop(&s);
        s = make(n, DOMINANT, false, r); // two rows that are one unknown's
        s.a[n / 2] = s.b[n / 2] = s.c[n / 2] = 0;
        FAILS(ctx, HD_ERROR_VALUE, "singular", call(ctx, &s, HD_F64, s.x, false, NULL));
        drop(&s);
    }
    double a[6] = {0}, b[6] = {1, 1, 1, 0, 1, 1}, x[6];
    const hd_view zeros = hd_view_nd(HD_F64, a, 2, (int64_t[]){3, 2}, NULL);
    hd_view d = zeros, out = zeros;
    d.data = b, out.data = x;
    FAILS(ctx, HD_ERROR_VALUE, "system 1 is singular",
          hd_tridiagonal(ctx, zeros, d, zeros, d, out, NULL));
}

// What is not used may be anything; NaN in what is used stays NaN.
static void test_unused(hd_context *ctx, uint64_t *r)
{
    for (int64_t n = 1; n < 100; n += 7) {
        arrays s = make(n, DOMINANT, false, r);
        CHECK_OK(ctx, call(ctx, &s, HD_F64, s.x, false, NULL));
        s.a[0] = NAN, s.c[n - 1] = INFINITY;
        CHECK_OK(ctx, call(ctx, &s, HD_F64, s.y, false, NULL));
        CHECK(memcmp(s.x, s.y, (size_t)n * 8) == 0, "%" PRId64 " with what is not used", n);
        s.d[n / 2] = NAN;
        CHECK_OK(ctx, call(ctx, &s, HD_F64, s.y, false, NULL));
        CHECK(isnan(s.y[n / 2]), "a NaN that is gone");
        drop(&s);
    }
}

static void test_errors(hd_context *ctx)
{
    static double x[8][40];
    static int32_t i32[40];
    for (int i = 0; i < 40; i++) x[1][i] = 1;
    const hd_view a = HD_VIEW(x[0], 40), b = HD_VIEW(x[1], 40), c = HD_VIEW(x[2], 40),
                  d = HD_VIEW(x[3], 40), out = HD_VIEW(x[4], 40), few = HD_VIEW(x[5], 39);
#define SOLVE(a, b, c, d, out, ...)                                                                \
    hd_tridiagonal(ctx, a, b, c, d, out, &(hd_tridiagonal_options){__VA_ARGS__})
    FAILS(ctx, HD_ERROR_SHAPE, "lower has not", SOLVE(few, b, c, d, out, 0));
    FAILS(ctx, HD_ERROR_SHAPE, "out has not", SOLVE(a, b, c, d, few, 0));
    FAILS(ctx, HD_ERROR_TYPE, "upper: expected f32 or f64",
          SOLVE(a, b, HD_VIEW(i32, 40), d, out, 0));
    FAILS(ctx, HD_ERROR_ALIAS, "out overlaps lower", SOLVE(a, b, c, d, a, 0));
    FAILS(ctx, HD_ERROR_ALIAS, "out overlaps right", SOLVE(a, b, c, d, d, .refinements = 1));
    FAILS(ctx, HD_ERROR_ALIAS, "residual overlaps out", SOLVE(a, b, c, d, out, .residual = &out));
    FAILS(ctx, HD_ERROR_SHAPE, "residual", SOLVE(a, b, c, d, out, .residual = &few));
    FAILS(ctx, HD_ERROR_ARGUMENT, "refinements is 17", SOLVE(a, b, c, d, out, .refinements = 17));
    FAILS(ctx, HD_ERROR_ARGUMENT, "reserved", SOLVE(a, b, c, d, out, .reserved_32 = 1));
    // As many systems as no memory holds: one element again and again.
    hd_view huge = hd_view_nd(HD_F64, x[1], 2, (int64_t[]){INT64_C(1) << 50, 1}, (int64_t[]){0, 0});
    hd_view far = huge;
    far.stride[0] = 1;
    CHECK(SOLVE(huge, huge, huge, huge, far, 0) != HD_OK, "2^50 systems");
    CHECK(hd_tridiagonal(NULL, a, b, c, d, out, NULL) == HD_ERROR_ARGUMENT, "no context");
    CHECK_OK(ctx, SOLVE(HD_VIEW(x[0], 0), HD_VIEW(x[1], 0), HD_VIEW(x[2], 0), HD_VIEW(x[3], 0),
                        HD_VIEW(x[4], 0), 0));
}

static hd_status some_systems(hd_context *ctx)
{
    static double x[5][500], left[500];
    for (int i = 0; i < 500; i++) x[1][i] = 3, x[0][i] = x[2][i] = 1;
    const hd_view residual = HD_VIEW(left, 500);
    return hd_tridiagonal(ctx, HD_VIEW(x[0], 500), HD_VIEW(x[1], 500), HD_VIEW(x[2], 500),
                          HD_VIEW(x[3], 500), HD_VIEW(x[4], 500),
                          &(hd_tridiagonal_options){.refinements = 1, .residual = &residual});
}

static void test_device(hd_backend which)
{
    hd_context *serial = check_open(HD_SERIAL, 1, NULL), *ctx = check_open(which, 1, NULL);
    const char *name = hd_backend_name(which);
    uint64_t r = check_seed() + 3;
    ask(5, RANDOM, HD_F64, false, serial, &ctx, &name, 1, &r);
    ask(300, RANDOM, HD_F64, true, serial, &ctx, &name, 1, &r);
    // Views of the device, several systems.
    arrays s = make(320, RANDOM, false, &r);
    hd_view host[5], moved[5];
    double *const of[] = {s.a, s.b, s.c, s.d, s.x};
    for (int k = 0; k < 5; k++) host[k] = hd_view_nd(HD_F64, of[k], 2, (int64_t[]){5, 64}, NULL);
    CHECK_OK(serial, hd_tridiagonal(serial, host[0], host[1], host[2], host[3], host[4], NULL));
    for (int k = 0; k < 5; k++) moved[k] = moved_to_device(ctx, host[k]);
    CHECK_OK(ctx, hd_tridiagonal(ctx, moved[0], moved[1], moved[2], moved[3], moved[3], NULL));
    host[4].data = s.y;
    CHECK_OK(ctx, hd_map(ctx, moved[3], NULL, host[4], NULL));
    CHECK(memcmp(s.x, s.y, 320 * 8) == 0, "views of the device of %s", name);
    for (int k = 0; k < 5; k++) hd_free(ctx, &moved[k]);
    drop(&s);
    hd_close(ctx), hd_close(serial);
}

int main(void)
{
    uint64_t r = check_seed();
    if (!on_model_alone()) {
        const check_target *targets;
        const int count = check_targets(&targets);
        hd_context *ctx = targets[count - 1].ctx;
        test_rows(targets, count, &r);
        test_refined(ctx, &r);
        test_side_by_side(ctx, &r);
        test_batches(ctx, &r);
        test_singular(targets[0].ctx, &r);
        test_unused(targets[0].ctx, &r);
        test_errors(ctx);
        with_failing_memory(some_systems);
    }
    return finish_on_gpus(test_device);
}
