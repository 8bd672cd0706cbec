// SPDX-License-Identifier: Apache-2.0
//
// Filters: against a loop in long double within the bound of filter.h, the same bits on every
// backend; orders, layouts, axes, states that join chunks, sections, both ways, errors, memory.
#define _GNU_SOURCE
#include <inttypes.h>
#include <math.h>

#include <heddle_algorithms.h>

#include "on_backends.h"

typedef long double wide;

static const check_target *targets;
static int target_count;

// ---- The definition -------------------------------------------------------------------------

typedef struct coefficients {
    int order;
    double b[9], a[9];
} coefficients;

// Random poles within a radius, so that nothing grows, and random zeros.
static coefficients make(int order, double radius, uint64_t *r)
{
    coefficients c = {.order = order};
    double a[9] = {1};
    int at = 0;
    while (at < order) {
        const double size = radius * (0.5 + 0.5 * (double)check_below(r, 1000) / 1000);
        const double turn = cos(3.1 * (double)check_below(r, 1000) / 1000);
        const int step = order - at >= 2 ? 2 : 1;
        const double f[3] = {1, step == 2 ? -2 * size * turn : size, step == 2 ? size * size : 0};
        double product[9] = {0};
        for (int i = 0; i <= at; i++)
            for (int j = 0; j <= step; j++) product[i + j] += a[i] * f[j];
        memcpy(a, product, sizeof a);
        at += step;
    }
    for (int j = 0; j <= order; j++) {
        c.a[j] = 2 * a[j]; // a[0] is not 1
        c.b[j] = 0.01 * (double)(check_below(r, 200) - 100);
    }
    return c;
}

static double rounded(hd_type real, double x)
{
    return real == HD_F32 ? (double)(float)x : x;
}

// y = the filter of x, in place; d is the state. Returns the greatest |b| |x| + |a| |y| + |d|.
static wide loop(const coefficients *c, hd_type real, const double *x, int64_t n, wide *d, wide *y)
{
    wide most = 0;
    for (int64_t i = 0; i < n; i++) {
        const wide b0 = rounded(real, c->b[0] / c->a[0]);
        y[i] = b0 * x[i] + (c->order ? d[0] : 0);
        for (int j = 0; j < c->order; j++) {
            const wide b = rounded(real, c->b[j + 1] / c->a[0]),
                       a = rounded(real, c->a[j + 1] / c->a[0]);
            const wide next = j + 1 < c->order ? d[j + 1] : 0;
            d[j] = b * x[i] - a * y[i] + next;
            const wide sum = fabsl(b * x[i]) + fabsl(a * y[i]) + fabsl(next) + fabsl(b0 * x[i]);
            if (sum > most) most = sum;
        }
        if (fabsl(b0 * x[i]) > most) most = fabsl(b0 * x[i]);
        if (fabsl(y[i]) > most) most = fabsl(y[i]);
    }
    return most;
}

// The greatest norm of a power of the matrix, up to n; beyond 400 they have decayed.
static wide greatest_power(const coefficients *c, hd_type real, int64_t n)
{
    wide m[64] = {0}, p[64] = {0}, most = 1;
    const int k = c->order;
    for (int j = 0; j < k; j++) {
        m[j * k] = -(wide)rounded(real, c->a[j + 1] / c->a[0]);
        if (j + 1 < k) m[j * k + j + 1] = 1;
        p[j * k + j] = 1;
    }
    for (int64_t t = 0; t < n && t < 400; t++) {
        wide next[64] = {0}, norm = 0;
        for (int i = 0; i < k; i++) {
            wide row = 0;
            for (int j = 0; j < k; j++) {
                for (int l = 0; l < k; l++) next[i * k + j] += m[i * k + l] * p[l * k + j];
                row += fabsl(next[i * k + j]);
            }
            if (row > norm) norm = row;
        }
        memcpy(p, next, sizeof p);
        if (norm > most) most = norm;
    }
    return most;
}

static wide bound_of(const coefficients *c, hd_type real, int64_t n, wide t)
{
    const wide g = greatest_power(c, real, n), u = real == HD_F32 ? 0x1p-24L : 0x1p-53L;
    return 8 * (c->order + 1) * (wide)(n + 1) * u * g * g * g * t + 1e-300L;
}

// ---- One row --------------------------------------------------------------------------------

static void fill(hd_type type, void *x, double *plain, int64_t n, uint64_t *r)
{
    check_fill(type, x, n, CHECK_ORDINARY, check_next(r));
    for (int64_t i = 0; i < n; i++)
        plain[i] = type == HD_F32 ? (double)((float *)x)[i] : ((double *)x)[i];
}

static wide value(hd_type type, const void *x, int64_t i)
{
    return type == HD_F32 ? (wide)((const float *)x)[i] : (wide)((const double *)x)[i];
}

typedef struct question {
    coefficients c;
    hd_type in, out, accumulate;
    int64_t n;
    bool backward, states, in_place;
} question;

static hd_type real_of(const question *q)
{
    return q->in == HD_F32 && q->out == HD_F32 && q->accumulate == HD_NONE ? HD_F32 : HD_F64;
}

static void reversed(void *x, size_t size, int64_t n)
{
    char t[8], *p = x;
    for (int64_t i = 0; i < n / 2; i++) {
        memcpy(t, p + (size_t)i * size, size);
        memcpy(p + (size_t)i * size, p + (size_t)(n - 1 - i) * size, size);
        memcpy(p + (size_t)(n - 1 - i) * size, t, size);
    }
}

static void ask(const question *q, hd_context *first, hd_context *const *others,
                const char *const *names, int count, uint64_t *r)
{
    const size_t size_in = hd_type_size(q->in), size = hd_type_size(q->out);
    const size_t room = (size_t)q->n + 1;
    char *x = check_memory(room * 8), *want = check_memory(room * 8), *got = check_memory(room * 8);
    double *plain = check_memory(room * 8), zi[8] = {0}, zf[8] = {0}, zg[8] = {0};
    wide *y = check_memory(room * sizeof *y), d[8] = {0};
    fill(q->in, x, plain, q->n, r);
    for (int j = 0; q->states && j < q->c.order; j++)
        d[j] = zi[j] = 0.01 * (double)(check_below(r, 100) - 50);
    if (real_of(q) == HD_F32)
        for (int j = 0; j < 8; j++) d[j] = zi[j] = (double)(float)zi[j];
    const int used = q->c.order;
    const hd_filter_options o = {.accumulate = q->accumulate,
                                 .backward = q->backward,
                                 .state_in = q->states ? HD_REF(HD_VIEW(zi, used)) : NULL,
                                 .state_out = q->states ? HD_REF(HD_VIEW(zf, used)) : NULL};
    hd_filter_options later = o;
    later.state_out = q->states ? HD_REF(HD_VIEW(zg, used)) : NULL;
    const hd_view b = HD_VIEW(q->c.b, used + 1), a = HD_VIEW(q->c.a, used + 1);
    CHECK_OK(first, hd_filter(first, HD_VIEW_OF(q->in, x, q->n), b, a,
                              HD_VIEW_OF(q->out, want, q->n), &o));
    const int64_t some = check_below(r, 5);
    for (int k = 0; k < count; k++) {
        if (q->n > 33 && count > 5 && k % 5 != some) continue;
        memcpy(got, x, (size_t)q->n * size_in);
        const hd_view in = HD_VIEW_OF(q->in, q->in_place ? got : x, q->n);
        CHECK_OK(others[k], hd_filter(others[k], in, b, a, HD_VIEW_OF(q->out, got, q->n), &later));
        CHECK(memcmp(got, want, (size_t)q->n * size) == 0 && memcmp(zf, zg, sizeof zf) == 0,
              "order %d of %" PRId64 " on %s", used, q->n, names[k]);
    }
    if (q->backward) {
        reversed(want, size, q->n);
        for (int64_t i = 0; i < q->n / 2; i++) {
            const double t = plain[i];
            plain[i] = plain[q->n - 1 - i], plain[q->n - 1 - i] = t;
        }
    }
    const hd_type real = real_of(q);
    wide t = loop(&q->c, real, plain, q->n, d, y);
    for (int j = 0; j < used; j++) t = fabs(zi[j]) > t ? (wide)fabs(zi[j]) : t;
    const wide bound = bound_of(&q->c, real, q->n, t);
    const wide store = q->out == HD_F32 ? 0x1p-24L * t : 0;
    for (int64_t i = 0; i < q->n; i++)
        CHECK(fabsl(value(q->out, want, i) - y[i]) <= bound + store,
              "order %d, element %" PRId64 " of %" PRId64 ": %Lg, expected %Lg within %Lg", used, i,
              q->n, value(q->out, want, i), y[i], bound);
    for (int j = 0; q->states && j < used; j++)
        CHECK(fabsl(zf[j] - d[j]) <= bound + 0x1p-24L * t * (real == HD_F32), "state %d: %g", j,
              zf[j]);
    free(x), free(want), free(got), free(plain), free(y);
}

static void test_rows(uint64_t *r)
{
    hd_context *others[64];
    const char *names[64];
    for (int t = 1; t < target_count; t++)
        others[t - 1] = targets[t].ctx, names[t - 1] = targets[t].name;
    int turn = 0;
    for (int s = 0; check_size(s, check_small() ? 300 : 1025) >= 0; s++, turn++) {
        question q = {.c = make(turn % 9, 0.9, r),
                      .in = turn % 3 ? HD_F64 : HD_F32,
                      .out = turn % 4 ? HD_F64 : HD_F32,
                      .accumulate = turn % 12 == 0 && turn % 24 ? HD_F64 : HD_NONE,
                      .n = check_size(s, 1025),
                      .backward = turn % 5 == 3,
                      .states = turn % 2 == 0};
        q.in_place = q.in == q.out && turn % 3 == 1;
        ask(&q, targets[0].ctx, others, names, target_count - 1, r);
    }
    if (check_small()) return;
    for (int order = 1; order <= 8; order += order < 3 ? 1 : 5) {
        question q = {.c = make(order, 0.99, r), .in = HD_F64, .out = HD_F64, .n = 100003};
        ask(&q, targets[0].ctx, others, names, target_count - 1, r);
    }
}

// ---- Many rows, any axis --------------------------------------------------------------------

// Every row has the bits of a call of its own: rows are cut alike.
static void try_axis(hd_context *ctx, const int64_t *shape, int32_t axis, bool dense, uint64_t *r)
{
    int64_t stride[3];
    const coefficients c = make(1 + (int)check_below(r, 4), 0.8, r);
    check_strides(3, shape, r, stride);
    check_array in = check_new_nd(HD_F64, 3, shape, dense ? NULL : stride, true);
    check_array out = check_new_nd(HD_F64, 3, shape, NULL, false);
    const int64_t count = hd_count(in.view), n = shape[axis];
    const int64_t m = shape[axis == 0] * shape[axis == 2 ? 1 : 2];
    double *x = check_memory((size_t)count * 8 + 8), *zi = check_memory((size_t)m * 64 + 8);
    double *zf = check_memory((size_t)m * 64 + 8);
    check_fill(HD_F64, x, count, CHECK_ORDINARY, check_next(r));
    check_fill(HD_F64, zi, m * c.order, CHECK_ORDINARY, check_next(r));
    check_put(&in, x);
    int64_t states[3] = {shape[axis == 0], shape[axis == 2 ? 1 : 2], c.order};
    const hd_view b = HD_VIEW(c.b, c.order + 1), a = HD_VIEW(c.a, c.order + 1);
    const hd_view first = hd_view_nd(HD_F64, zi, 3, states, NULL),
                  last = hd_view_nd(HD_F64, zf, 3, states, NULL);
    CHECK_OK(ctx, hd_filter(ctx, in.view, b, a, out.view,
                            &(hd_filter_options){
                                .axis = HD_AXIS(axis), .state_in = &first, .state_out = &last}));
    CHECK(check_gaps(&out), "gaps");
    for (int64_t k = 0; k < m; k++) {
        const int64_t at[2] = {k / states[1], k % states[1]};
        hd_view row = in.view, got = out.view;
        for (int32_t d = 0, other = 0; d < 3; d++)
            if (d != axis) {
                row = hd_slice(row, d, at[other], 1, 1);
                got = hd_slice(got, d, at[other++], 1, 1);
            }
        double *y = check_memory((size_t)n * 8 + 8), *z = check_memory((size_t)n * 8 + 8);
        double end[8];
        CHECK_OK(ctx, hd_map(ctx, row, NULL, hd_view_nd(HD_F64, z, 3, row.shape, NULL), NULL));
        CHECK_OK(ctx, hd_filter(ctx, HD_VIEW(z, n), b, a, HD_VIEW(y, n),
                                &(hd_filter_options){.state_in =
                                                         HD_REF(HD_VIEW(zi + k * c.order, c.order)),
                                                     .state_out = HD_REF(HD_VIEW(end, c.order))}));
        CHECK_OK(ctx, hd_map(ctx, got, NULL, hd_view_nd(HD_F64, z, 3, got.shape, NULL), NULL));
        CHECK(memcmp(y, z, (size_t)n * 8) == 0, "row %" PRId64 ", axis %d", k, axis);
        CHECK(memcmp(end, zf + k * c.order, (size_t)c.order * 8) == 0, "state of row %" PRId64, k);
        free(y), free(z);
    }
    check_drop(&in), check_drop(&out);
    free(x), free(zi), free(zf);
}

static void test_axes(uint64_t *r)
{
    static const int64_t shapes[][3] = {{2, 3, 130}, {3, 128, 2}, {257, 2, 3}, {1, 1, 300},
                                        {2, 2, 256}, {0, 3, 5},   {3, 4, 1},   {4, 1, 0}};
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
        for (int32_t axis = 0; axis < 3; axis++)
            for (int dense = 0; dense < 2; dense++)
                try_axis(targets[(k + (size_t)axis) % (size_t)target_count].ctx, shapes[k], axis,
                         dense, r);
}

// ---- Chunks, sections, both ways ------------------------------------------------------------

// What one chunk leaves goes into the next: within the bound of one call.
static void test_chunks(uint64_t *r)
{
    enum { N = 3001 };
    static double x[N], y[N], plain[N];
    static wide want[N];
    for (int turn = 0; turn < 6; turn++) {
        hd_context *ctx = targets[turn % target_count].ctx;
        const coefficients c = make(1 + turn, 0.95, r);
        double state[8] = {0};
        wide d[8] = {0};
        fill(HD_F64, x, plain, N, r);
        for (int64_t at = 0, m; at < N; at += m) {
            m = 1 + check_below(r, 700);
            if (m > N - at) m = N - at;
            double next[8];
            CHECK_OK(ctx,
                     hd_filter(ctx, HD_VIEW(x + at, m), HD_VIEW(c.b, c.order + 1),
                               HD_VIEW(c.a, c.order + 1), HD_VIEW(y + at, m),
                               &(hd_filter_options){.state_in = HD_REF(HD_VIEW(state, c.order)),
                                                    .state_out = HD_REF(HD_VIEW(next, c.order))}));
            memcpy(state, next, sizeof state);
        }
        const wide t = loop(&c, HD_F64, plain, N, d, want);
        for (int64_t i = 0; i < N; i++)
            CHECK(fabsl(y[i] - want[i]) <= bound_of(&c, HD_F64, N, t), "element %" PRId64, i);
        for (int j = 0; j < c.order; j++)
            CHECK(fabsl(state[j] - d[j]) <= bound_of(&c, HD_F64, N, t), "state %d", j);
    }
}

// Butterworth, order 4, a tenth of the band, as scipy.signal.butter(4, 0.1, output="sos") has it.
static const double low[2][6] = {{0.00041659920440659937, 0.00083319840881319875,
                                  0.00041659920440659937, 1.0, -1.4796742169311934,
                                  0.55582154328248878},
                                 {1.0, 2.0, 1.0, 1.0, -1.7009643319435257, 0.78849973981529797}};

static void definition_of_sections(const double *x, int64_t n, wide *y, bool steady, bool backward)
{
    for (int64_t i = 0; i < n; i++) y[i] = x[backward ? n - 1 - i : i];
    for (int k = 0; k < 2; k++) {
        wide d[2] = {0};
        const double *c = low[k];
        if (steady) {
            const wide gain = ((wide)c[0] + c[1] + c[2]) / ((wide)c[3] + c[4] + c[5]);
            d[1] = (c[2] - c[5] * gain) * y[0];
            d[0] = (c[1] - c[4] * gain) * y[0] + d[1];
        }
        for (int64_t i = 0; i < n; i++) {
            const wide in = y[i];
            y[i] = c[0] * in + d[0];
            d[0] = c[1] * in - c[4] * y[i] + d[1];
            d[1] = c[2] * in - c[5] * y[i];
        }
    }
}

static void test_sections(uint64_t *r)
{
    enum { N = 1000, PAD = 15 };
    static double x[N], y[N], padded[N + 2 * PAD], between[N + 2 * PAD];
    static wide want[N + 2 * PAD];
    const int64_t shape[] = {2, 6};
    const hd_view sections = hd_view_nd(HD_F64, low, 2, shape, NULL);
    check_fill(HD_F64, x, N, CHECK_ORDINARY, check_next(r));
    for (int t = 0; t < target_count; t += 3) {
        hd_context *ctx = targets[t].ctx;
        CHECK_OK(ctx, hd_filter_sections(ctx, HD_VIEW(x, N), sections, HD_VIEW(y, N), NULL));
        definition_of_sections(x, N, want, false, false);
        for (int i = 0; i < N; i++)
            CHECK(fabsl(y[i] - want[i]) < 1e-14L, "section, element %d: %g", i, y[i]);
        // Halves joined by states.
        double state[4], z[N];
        const hd_view kept = hd_view_nd(HD_F64, state, 2, (int64_t[]){2, 2}, NULL);
        CHECK_OK(ctx, hd_filter_sections(ctx, HD_VIEW(x, 384), sections, HD_VIEW(z, 384),
                                         &(hd_filter_options){.state_out = &kept}));
        CHECK_OK(ctx, hd_filter_sections(ctx, HD_VIEW(x + 384, N - 384), sections,
                                         HD_VIEW(z + 384, N - 384),
                                         &(hd_filter_options){.state_in = &kept}));
        for (int i = 0; i < N; i++) CHECK(fabs(z[i] - y[i]) < 1e-14, "halves, element %d", i);
        // Both ways, steady, padded: scipy.signal.sosfiltfilt.
        for (int i = 0; i < PAD; i++) {
            padded[i] = 2 * x[0] - x[PAD - i];
            padded[N + PAD + i] = 2 * x[N - 1] - x[N - 2 - i];
        }
        memcpy(padded + PAD, x, sizeof x);
        definition_of_sections(padded, N + 2 * PAD, want, true, false);
        for (int i = 0; i < N + 2 * PAD; i++) between[i] = (double)want[i];
        definition_of_sections(between, N + 2 * PAD, want, true, true);
        CHECK_OK(ctx, hd_filter_sections(
                          ctx, HD_VIEW(x, N), sections, HD_VIEW(y, N),
                          &(hd_filter_options){.both = true, .steady = true, .pad = PAD}));
        for (int i = 0; i < N; i++)
            CHECK(fabsl(y[i] - want[N + PAD - 1 - i]) < 1e-13L, "both ways, %d: %.17g, %.17Lg", i,
                  y[i], want[N + PAD - 1 - i]);
    }
}

// ---- Errors, memory, the model machine ------------------------------------------------------

static void test_errors(void)
{
    hd_context *ctx = targets[0].ctx;
    static double x[300], y[300], state[3];
    static float z[300];
    static int32_t i32[300];
    const double b[] = {1, 2}, a[] = {1, 0.5}, zero[] = {0, 1}, bad[] = {1, NAN},
                 growing[] = {1, -1};
    const hd_view in = HD_VIEW(x, 300), out = HD_VIEW(y, 300), vb = HD_VIEW(b, 2),
                  va = HD_VIEW(a, 2);
    const hd_view one = HD_VIEW(state, 1), three = HD_VIEW(state, 3);
#define FILTER(in, b, a, out, ...) hd_filter(ctx, in, b, a, out, &(hd_filter_options){__VA_ARGS__})
    FAILS(ctx, HD_ERROR_VALUE, "a[0] is 0", FILTER(in, vb, HD_VIEW(zero, 2), out, 0));
    FAILS(ctx, HD_ERROR_VALUE, "a: number 1 is nan", FILTER(in, vb, HD_VIEW(bad, 2), out, 0));
    FAILS(ctx, HD_ERROR_SHAPE, "1 to 9", FILTER(in, HD_VIEW(x, 10), va, out, 0));
    FAILS(ctx, HD_ERROR_SHAPE, "1 to 9", FILTER(in, vb, HD_VIEW(x, 0), out, 0));
    FAILS(ctx, HD_ERROR_SHAPE, "shape of in", FILTER(in, vb, va, HD_VIEW(y, 299), 0));
    FAILS(ctx, HD_ERROR_TYPE, "f32 or f64", FILTER(HD_VIEW(i32, 300), vb, va, out, 0));
    FAILS(ctx, HD_ERROR_TYPE, "HD_F64", FILTER(in, vb, va, out, .accumulate = HD_F32));
    FAILS(ctx, HD_ERROR_ALIAS, "out overlaps in",
          FILTER(in, vb, va, HD_VIEW(x + 1, 299), 0) == HD_ERROR_SHAPE
              ? FILTER(HD_VIEW(x, 299), vb, va, HD_VIEW(x + 1, 299), 0)
              : HD_OK);
    FAILS(ctx, HD_ERROR_ARGUMENT, "read", FILTER(in, vb, va, hd_read_only(out), 0));
    FAILS(ctx, HD_ERROR_ARGUMENT, "axis", FILTER(in, vb, va, out, .axis = HD_AXIS(1)));
    FAILS(ctx, HD_ERROR_ARGUMENT, "axis", FILTER(in, vb, va, out, .axis = 1));
    FAILS(ctx, HD_ERROR_ARGUMENT, "pad is 300", FILTER(in, vb, va, out, .pad = 300));
    FAILS(ctx, HD_ERROR_ARGUMENT, "pad is -1", FILTER(in, vb, va, out, .pad = -1));
    FAILS(ctx, HD_ERROR_ARGUMENT, "reserved", FILTER(in, vb, va, out, .reserved_flags = {true}));
    FAILS(ctx, HD_ERROR_SHAPE, "state_in", FILTER(in, vb, va, out, .state_in = &three));
    FAILS(ctx, HD_ERROR_ARGUMENT, "state_in",
          FILTER(in, vb, va, out, .state_in = &one, .steady = true));
    FAILS(ctx, HD_ERROR_ARGUMENT, "state_out",
          FILTER(in, vb, va, out, .state_out = &one, .both = true));
    FAILS(ctx, HD_ERROR_ALIAS, "state_out overlaps state_in",
          FILTER(in, vb, va, out, .state_out = &one, .state_in = &one));
    FAILS(ctx, HD_ERROR_VALUE, "no end", FILTER(in, vb, HD_VIEW(growing, 2), out, .steady = true));
    FAILS(ctx, HD_ERROR_SHAPE, "sections", hd_filter_sections(ctx, in, HD_VIEW(b, 2), out, NULL));
    CHECK(hd_filter(NULL, in, vb, va, out, NULL) == HD_ERROR_ARGUMENT, "no context");
    // Nothing to do, and a single number.
    CHECK_OK(ctx, FILTER(HD_VIEW(x, 0), vb, va, HD_VIEW(y, 0), .state_out = &one));
    hd_view point = HD_VIEW(z, 1), to = HD_VIEW(y, 1);
    point.ndim = to.ndim = 0;
    z[0] = 3;
    CHECK_OK(ctx, FILTER(point, vb, va, to, 0));
    CHECK(y[0] == 3, "%g", y[0]);
}

static hd_status some_filter(hd_context *ctx)
{
    static float x[3000], y[3000];
    double state[2];
    const hd_view kept = hd_view_nd(HD_F64, state, 2, (int64_t[]){1, 2}, NULL);
    const hd_view row = hd_view_nd(HD_F64, low, 2, (int64_t[]){1, 6}, NULL);
    return hd_filter_sections(ctx, HD_VIEW(x, 3000), row, HD_VIEW(y, 3000),
                              &(hd_filter_options){.state_out = &kept});
}

static void test_device(hd_backend which)
{
    hd_context *serial = check_open(HD_SERIAL, 1, NULL), *ctx = check_open(which, 1, NULL);
    const char *name = hd_backend_name(which);
    uint64_t r = check_seed() + 7;
    static double x[700], y[700], z[700];
    static const int64_t sizes[] = {1, 130, 515};
    for (int k = 0; k < 3; k++) {
        question q = {.c = make(k + 1, 0.9, &r),
                      .in = HD_F64,
                      .out = HD_F64,
                      .n = sizes[k],
                      .states = k == 1};
        if (k == 2) q.in = q.out = HD_F32;
        ask(&q, serial, &ctx, &name, 1, &r);
    }
    // Views of the device, one row and several.
    const coefficients c = make(2, 0.9, &r);
    const hd_view b = HD_VIEW(c.b, 3), a = HD_VIEW(c.a, 3);
    check_fill(HD_F64, x, 700, CHECK_ORDINARY, 5);
    for (int32_t rows = 1; rows <= 5; rows += 4) {
        const hd_view in = hd_view_nd(HD_F64, x, 2, (int64_t[]){rows, 700 / rows}, NULL);
        const hd_view want = hd_view_nd(HD_F64, y, 2, (int64_t[]){rows, 700 / rows}, NULL);
        hd_view moved = moved_to_device(ctx, in);
        CHECK_OK(serial, hd_filter(serial, in, b, a, want, NULL));
        CHECK_OK(ctx, hd_filter(ctx, moved, b, a, moved, NULL));
        hd_view back = want;
        back.data = z;
        CHECK_OK(ctx, hd_map(ctx, moved, NULL, back, NULL));
        CHECK(memcmp(y, z, sizeof y) == 0, "%d rows on the device of %s", rows, name);
        hd_free(ctx, &moved);
    }
    hd_close(ctx), hd_close(serial);
}

int main(void)
{
    uint64_t r = check_seed();
    if (!on_model_alone()) {
        target_count = check_targets(&targets);
        test_rows(&r);
        test_axes(&r);
        test_chunks(&r);
        test_sections(&r);
        test_errors();
        with_failing_memory(some_filter);
    }
    return finish_on_gpus(test_device);
}
