// SPDX-License-Identifier: Apache-2.0
//
// Accuracy as a choice: .accumulate, HD_SUM_COMPENSATED and its residual, in every pattern that
// sums, against the reference, bit for bit, on every backend of the host. Bounds are in
// test_sum_bounds.c.
#define _GNU_SOURCE
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/reference.h"

static const check_target *targets;
static int target_count;

typedef struct question {
    const hd_operator *op;
    hd_type type, out, accumulate;
    int64_t n;
    check_pattern pattern;
    const void *init;
} question;

static const char *text_of(const question *q)
{
    static char text[160];
    snprintf(text, sizeof text, "%s of %" PRId64 " %s (%s) into %s%s%s", hd_operator_name(q->op),
             q->n, hd_type_name(q->type), check_pattern_name(q->pattern), hd_type_name(q->out),
             q->accumulate ? ", accumulated in f64" : "", q->init ? ", init" : "");
    return text;
}

static bool has_residual(const question *q)
{
    return q->op == HD_SUM_COMPENSATED;
}

// ---- Reductions ---------------------------------------------------------------------------------

static void ask_reduce(const question *q, const void *x)
{
    _Alignas(8) unsigned char want[8], rest[8], got[8], got_rest[8];
    const ref_how how = {.init = q->init, .accumulate = q->accumulate};
    ref_reduce(q->op, q->type, x, q->n, q->out, want, has_residual(q) ? rest : NULL, &how);
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        hd_reduce_options o = {.init = q->init, .accumulate = q->accumulate};
        const hd_view in = HD_VIEW_OF(q->type, x, q->n), out = HD_VIEW_OF(q->out, got, 1);
        CHECK_OK(ctx, hd_reduce(ctx, in, q->op, out, &o));
        CHECK_SAME(q->out, got, want, 1, "%s on %s", text_of(q), targets[t].name);
        if (!has_residual(q)) continue;
        memset(got, 1, sizeof got);
        o.residual = HD_REF(HD_VIEW_OF(q->out, got_rest, 1));
        CHECK_OK(ctx, hd_reduce(ctx, in, q->op, out, &o));
        CHECK_SAME(q->out, got, want, 1, "%s with residual on %s", text_of(q), targets[t].name);
        CHECK_SAME(q->out, got_rest, rest, 1, "residual of %s on %s", text_of(q), targets[t].name);
    }
}

// Segments of all lengths, then the same as runs of keys and as rows of a matrix.
static void ask_slices(const question *q, const char *x, uint64_t seed)
{
    enum { MAX = 400 };
    int64_t offsets[MAX];
    const size_t size = hd_type_size(q->type), out_size = hd_type_size(q->out);
    const int64_t m = check_offsets(q->n, MAX, &seed, offsets) - 1, rows = 7;
    char *want = check_memory(8 * MAX), *got = check_memory(8 * MAX);
    const ref_how how = {.accumulate = q->accumulate};
    for (int64_t j = 0; j < m; j++)
        ref_reduce(q->op, q->type, x + size * (size_t)offsets[j], offsets[j + 1] - offsets[j],
                   q->out, want + out_size * (size_t)j, NULL, &how);
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        hd_reduce_options o = {.accumulate = q->accumulate,
                               .segments = HD_REF(HD_VIEW(offsets, m + 1))};
        const hd_view in = HD_VIEW_OF(q->type, x, q->n), out = HD_VIEW_OF(q->out, got, m);
        CHECK_OK(ctx, hd_reduce(ctx, in, q->op, out, &o));
        CHECK_SAME(q->out, got, want, m, "segments, %s on %s", text_of(q), targets[t].name);
    }
    const int64_t length = q->n / rows, shape[2] = {rows, length};
    for (int64_t r = 0; r < rows; r++)
        ref_reduce(q->op, q->type, x + size * (size_t)(r * length), length, q->out,
                   want + out_size * (size_t)r, NULL, &how);
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        const hd_reduce_options o = {.accumulate = q->accumulate, .axis = HD_AXIS(1)};
        CHECK_OK(ctx, hd_reduce(ctx, hd_view_nd(q->type, x, 2, shape, NULL), q->op,
                                HD_VIEW_OF(q->out, got, rows), &o));
        CHECK_SAME(q->out, got, want, rows, "rows, %s on %s", text_of(q), targets[t].name);
    }
    free(want), free(got);
}

static void ask_keys(const question *q, const char *x, uint64_t seed)
{
    const size_t size = hd_type_size(q->type), out_size = hd_type_size(q->out);
    int32_t *keys = check_memory(4 * (size_t)q->n + 4);
    char *want = check_memory(8 * (size_t)q->n + 8), *got = check_memory(8 * (size_t)q->n + 8);
    int64_t runs = 0, counted;
    const ref_how how = {.accumulate = q->accumulate};
    check_keys(HD_I32, keys, q->n, &seed);
    for (int64_t begin = 0, end; begin < q->n; begin = end, runs++) {
        for (end = begin + 1; end < q->n && keys[end] == keys[begin];) end++;
        ref_reduce(q->op, q->type, x + size * (size_t)begin, end - begin, q->out,
                   want + out_size * (size_t)runs, NULL, &how);
    }
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        const hd_reduce_options o = {.accumulate = q->accumulate,
                                     .keys = HD_REF(HD_VIEW(keys, q->n)),
                                     .runs = HD_REF(HD_VIEW(&counted, 1))};
        CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW_OF(q->type, x, q->n), q->op,
                                HD_VIEW_OF(q->out, got, q->n), &o));
        CHECK(counted == runs, "%" PRId64 " runs", counted);
        CHECK_SAME(q->out, got, want, runs, "keys, %s on %s", text_of(q), targets[t].name);
    }
    free(keys), free(want), free(got);
}

// ---- Scans --------------------------------------------------------------------------------------

static void ask_scan(const question *q, const void *x, bool exclusive, bool backward,
                     const int32_t *keys)
{
    const size_t bytes = 8 * (size_t)q->n + 8;
    char *want = check_memory(bytes), *rest = check_memory(bytes), *got = check_memory(bytes),
         *got_rest = check_memory(bytes);
    unsigned char *heads = check_memory((size_t)q->n + 1);
    if (keys) ref_heads_of_keys(HD_I32, keys, heads, q->n);
    const ref_how how = {exclusive, backward, 0, q->init, keys ? heads : NULL, q->accumulate};
    ref_scan(q->op, q->type, x, q->n, q->out, want, has_residual(q) ? rest : NULL, &how);
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        hd_scan_options o = {.exclusive = exclusive,
                             .backward = backward,
                             .init = q->init,
                             .accumulate = q->accumulate};
        o.keys = keys ? HD_REF(HD_VIEW(keys, q->n)) : NULL;
        o.residual =
            has_residual(q) && t % 2 == 0 ? HD_REF(HD_VIEW_OF(q->out, got_rest, q->n)) : NULL;
        CHECK_OK(ctx, hd_scan(ctx, HD_VIEW_OF(q->type, x, q->n), q->op,
                              HD_VIEW_OF(q->out, got, q->n), &o));
        CHECK_SAME(q->out, got, want, q->n, "scan%s%s%s, %s on %s", exclusive ? ", exclusive" : "",
                   backward ? ", backward" : "", keys ? ", keys" : "", text_of(q), targets[t].name);
        if (o.residual != NULL)
            CHECK_SAME(q->out, got_rest, rest, q->n, "residuals, %s on %s", text_of(q),
                       targets[t].name);
    }
    free(want), free(rest), free(got), free(got_rest), free(heads);
}

// Along axis 0 of a matrix: rows lie across memory.
static void ask_columns(const question *q, const char *x)
{
    enum { WIDE = 13 };
    const size_t size = hd_type_size(q->type), out_size = hd_type_size(q->out);
    const int64_t length = q->n / WIDE, shape[2] = {length, WIDE};
    char *column = check_memory(8 * (size_t)length + 8), *got = check_memory(8 * (size_t)q->n + 8),
         *want = check_memory(8 * (size_t)q->n + 8), *one = check_memory(8 * (size_t)length + 8);
    const ref_how how = {.accumulate = q->accumulate};
    for (size_t c = 0; c < WIDE; c++) {
        for (size_t i = 0; i < (size_t)length; i++)
            memcpy(column + i * size, x + (i * WIDE + c) * size, size);
        ref_scan(q->op, q->type, column, length, q->out, one, NULL, &how);
        for (size_t i = 0; i < (size_t)length; i++)
            memcpy(want + (i * WIDE + c) * out_size, one + i * out_size, out_size);
    }
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        const hd_scan_options o = {.accumulate = q->accumulate, .axis = HD_AXIS(0)};
        CHECK_OK(ctx, hd_scan(ctx, hd_view_nd(q->type, x, 2, shape, NULL), q->op,
                              hd_view_nd(q->out, got, 2, shape, NULL), &o));
        CHECK_SAME(q->out, got, want, length * WIDE, "columns, %s on %s", text_of(q),
                   targets[t].name);
    }
    free(column), free(got), free(want), free(one);
}

// ---- Into places --------------------------------------------------------------------------------

// Scatter, and a histogram of weights that adds to what is there: both are reductions of the
// elements of a place with what was there as init. A histogram with `add` leaves a place that
// nothing reaches.
static void ask_places(const question *q, const char *x, int64_t places, uint64_t seed)
{
    const size_t size = hd_type_size(q->type), out_size = hd_type_size(q->out);
    int32_t *index = check_memory(4 * (size_t)q->n + 4);
    char *old = check_memory(out_size * (size_t)places),
         *want = check_memory(out_size * (size_t)places),
         *got = check_memory(out_size * (size_t)places),
         *mine = check_memory(size * (size_t)q->n + 8);
    for (int64_t i = 0; i < q->n; i++) index[i] = (int32_t)check_below(&seed, places);
    check_fill(q->out, old, places, CHECK_ORDINARY, seed);
    memcpy(want, old, out_size * (size_t)places);
    for (int64_t d = 0; d < places; d++) {
        int64_t m = 0;
        for (int64_t i = 0; i < q->n; i++)
            if (index[i] == d) memcpy(mine + size * (size_t)m++, x + size * (size_t)i, size);
        const ref_how how = {.init = old + out_size * (size_t)d, .accumulate = q->accumulate};
        if (m > 0)
            ref_reduce(q->op, q->type, mine, m, q->out, want + out_size * (size_t)d, NULL, &how);
    }
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        const hd_view in = HD_VIEW_OF(q->type, x, q->n), out = HD_VIEW_OF(q->out, got, places);
        memcpy(got, old, out_size * (size_t)places);
        const hd_scatter_options o = {.combine = q->op, .accumulate = q->accumulate};
        CHECK_OK(ctx, hd_scatter(ctx, in, HD_VIEW(index, q->n), out, &o));
        CHECK_SAME(q->out, got, want, places, "scatter, %s on %s", text_of(q), targets[t].name);
        if (q->op == HD_PRODUCT) continue;
        memcpy(got, old, out_size * (size_t)places);
        const hd_histogram_options h = {
            .weights = HD_REF(in), .sum = q->op, .accumulate = q->accumulate, .add = true};
        CHECK_OK(ctx, hd_histogram(ctx, HD_VIEW(index, q->n), out, &h));
        CHECK_SAME(q->out, got, want, places, "histogram, %s on %s", text_of(q), targets[t].name);
    }
    free(index), free(old), free(want), free(got), free(mine);
}

// ---- All of it ----------------------------------------------------------------------------------

static void ask_everything(question q, uint64_t seed)
{
    char *x = check_memory(8 * (size_t)q.n + 8);
    int32_t *keys = check_memory(4 * (size_t)q.n + 4);
    _Alignas(8) unsigned char init[8];
    check_fill(q.type, x, q.n, q.pattern, seed);
    check_keys(HD_I32, keys, q.n, &(uint64_t){seed});
    check_fill(q.out, init, 1, CHECK_ORDINARY, seed + 1);
    ask_reduce(&q, x);
    ask_scan(&q, x, seed % 2, seed % 3 == 0, seed % 4 == 1 ? keys : NULL);
    if (seed % 5 == 0) {
        ask_slices(&q, x, seed);
        ask_keys(&q, x, seed);
        ask_columns(&q, x);
    }
    if (q.op != HD_MEAN) {
        if (seed % 5 == 1) ask_places(&q, x, seed % 2 ? 5 : 301, seed);
        q.init = init;
        ask_reduce(&q, x);
        ask_scan(&q, x, seed % 2, false, NULL);
    }
    free(x), free(keys);
}

static void test_all(void)
{
    static const hd_operator *const ops[] = {HD_SUM, HD_PRODUCT, HD_MEAN, HD_SUM_COMPENSATED};
    static const int64_t sizes[] = {0, 1, 2, 31, 33, 63, 64, 65, 129, 257, 1000, 4099};
    uint64_t seed = check_seed();
    for (int o = 0; o < 4; o++)
        for (int t = 0; check_type(t); t++)
            for (int u = 0; check_type(u); u++)
                for (int wide = 0; wide < 2; wide++) {
                    const hd_operator *op = ops[o];
                    if (!check_is_float(check_type(u)) || (!wide && o < 3)) continue;
                    if (!ref_accepts(op, check_type(t), check_type(u))) continue;
                    question q = {op, check_type(t),  check_type(u), wide ? HD_F64 : HD_NONE,
                                  0,  CHECK_ORDINARY, NULL};
                    for (int k = 0; k < 3; k++, seed++) {
                        q.n = sizes[seed % 12];
                        q.pattern = op == HD_PRODUCT ? CHECK_UNITS
                                    : k == 2         ? (check_pattern)(seed / 3 % CHECK_PATTERNS)
                                                     : CHECK_ORDINARY;
                        ask_everything(q, seed);
                    }
                }
    for (int k = 0; k < 4; k++, seed++) { // enough for threads
        static const hd_type types[] = {HD_F32, HD_F64, HD_F32, HD_BF16};
        question q = {
            HD_SUM_COMPENSATED, types[k], types[k], k == 2 ? HD_F64 : HD_NONE, 0, 0, NULL};
        q.n = check_small() ? 70001 : 300007 + k;
        char *x = check_memory(8 * (size_t)q.n);
        check_fill(q.type, x, q.n, CHECK_ORDINARY, seed);
        ask_reduce(&q, x);
        ask_scan(&q, x, k % 2, false, NULL);
        ask_slices(&q, x, seed);
        ask_keys(&q, x, seed);
        q.n = 20000; // into more bins than have trees of their own
        ask_places(&q, x, 5000, seed);
        q.op = HD_SUM, q.accumulate = HD_F64;
        ask_places(&q, x, 5000, seed);
        ask_reduce(&q, x);
        ask_scan(&q, x, k % 2, false, NULL);
        free(x);
    }
}

// ---- What users come for ------------------------------------------------------------------------

static void expect(const char *what, const double *x, int64_t n, double want, double want_rest)
{
    for (int t = 0; t < target_count; t++) {
        double got, rest;
        hd_context *ctx = targets[t].ctx;
        const hd_reduce_options o = {.residual = HD_REF(HD_VIEW(&rest, 1))};
        CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW(x, n), HD_SUM_COMPENSATED, HD_VIEW(&got, 1), &o));
        CHECK_SAME(HD_F64, &got, &want, 1, "%s on %s", what, targets[t].name);
        CHECK_SAME(HD_F64, &rest, &want_rest, 1, "rest, %s on %s", what, targets[t].name);
    }
}

#define EXPECT(what, want, rest, ...)                                                              \
    expect(what, (const double[]){__VA_ARGS__},                                                    \
           (int64_t)(sizeof(const double[]){__VA_ARGS__} / sizeof(double)), want, rest)

static void test_values(void)
{
    const double inf = (double)INFINITY, most = 0x1.fffffffffffffp1023;
    EXPECT("a sum that cancels", 2.0, 0.0, 1, 1e100, 1, -1e100);
    EXPECT("what has no room", 0x1p60, 1.0, 0x1p60, 1);
    EXPECT("more lo than hi", 3.0, 0.0, 1, 0x1p60, 2, -0x1p60);
    EXPECT("all -0", -0.0, 0.0, -0.0, -0.0, -0.0);
    EXPECT("both zeros", 0.0, 0.0, -0.0, 0.0, -0.0);
    EXPECT("infinity", inf, 0.0, 1, inf, 2);
    EXPECT("less infinity", -inf, 0.0, 1, 2, 3, -inf);
    EXPECT("infinities", (double)NAN, 0.0, inf, 1, -inf);
    EXPECT("NaN", (double)NAN, 0.0, 1, (double)NAN, 3);
    EXPECT("overflow stays", inf, 0.0, most, most, 1, 2);
    EXPECT("overflow as the plain sum's", (double)NAN, 0.0, most, most, -most, -most);
    EXPECT("the greatest", most, 0.0, most, 0);
    EXPECT("the greatest and less", most, 0x1p900, most, 0x1p900);
    EXPECT("least numbers", 0x3p-1074, 0.0, 0x1p-1074, 0x2p-1074);
}

// A million times 0.1f: the exact sum of the elements is 100000.00149011612; the nearest f32 is it.
static void test_million(void)
{
    enum { N = 1000000 };
    float *x = check_memory(sizeof *x * N), plain, pair, wide;
    for (int i = 0; i < N; i++) x[i] = 0.1f;
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        const hd_view in = HD_VIEW(x, N);
        const hd_reduce_options o = {.accumulate = HD_F64};
        CHECK_OK(ctx, hd_reduce(ctx, in, HD_SUM, HD_VIEW(&plain, 1), NULL));
        CHECK_OK(ctx, hd_reduce(ctx, in, HD_SUM_COMPENSATED, HD_VIEW(&pair, 1), NULL));
        CHECK_OK(ctx, hd_reduce(ctx, in, HD_SUM, HD_VIEW(&wide, 1), &o));
        CHECK(plain != 100000.0f && pair == 100000.0f && wide == 100000.0f, "%.9g %.9g %.9g on %s",
              (double)plain, (double)pair, (double)wide, targets[t].name);
    }
    free(x);
}

// Next to the greatest number a two-sum may overflow though its sum does not: that lo is 0, and the
// errors beside it stay, wherever the pair stands. The serial backend, which combines by the
// definition, says what.
static void test_near_overflow(void)
{
    enum { N = 1000 };
    static float x[N];
    for (int64_t at = 0; at < N; at += 67)
        for (int t = 1; t < target_count; t++) {
            float want[2], got[2];
            check_fill(HD_F32, x, N, CHECK_ORDINARY, check_seed());
            x[at & ~1] = -0x1.9138p+116f, x[(at & ~1) + 1] = 0x1.fffffep+127f;
            x[(at + N / 2) % N & ~1] = -0x1.fffffep+126f;
            hd_context *const both[] = {targets[0].ctx, targets[t].ctx};
            for (int k = 0; k < 2; k++) {
                float *to = k ? got : want;
                const hd_reduce_options o = {.residual = HD_REF(HD_VIEW(to + 1, 1))};
                CHECK_OK(both[k],
                         hd_reduce(both[k], HD_VIEW(x, N), HD_SUM_COMPENSATED, HD_VIEW(to, 1), &o));
            }
            CHECK(isfinite(want[0]), "%g", (double)want[0]);
            CHECK_SAME(HD_F32, got, want, 2, "near overflow at %" PRId64 " on %s", at,
                       targets[t].name);
        }
}

// ---- Carries ------------------------------------------------------------------------------------

static void test_carry(void)
{
    enum { N = 50000 };
    float *x = check_memory(sizeof *x * N), *got = check_memory(sizeof *x * N),
          *want = check_memory(sizeof *x * N), *rest = check_memory(sizeof *x * N),
          *want_rest = check_memory(sizeof *x * N);
    check_fill(HD_F32, x, N, CHECK_ORDINARY, check_seed());
    for (int t = 0; t < target_count; t++)
        for (int wide = 0; wide < 2; wide++) {
            hd_context *ctx = targets[t].ctx;
            hd_carry *carry;
            hd_scan_options o = {.accumulate = wide ? HD_F64 : HD_NONE};
            o.residual = HD_REF(HD_VIEW(want_rest, N));
            CHECK_OK(ctx, hd_scan(ctx, HD_VIEW(x, N), HD_SUM_COMPENSATED, HD_VIEW(want, N), &o));
            CHECK_OK(ctx, hd_carry_open(ctx, &carry));
            o.carry = carry;
            for (int64_t at = 0, m = 1; at < N; at += m, m = 2 * m + 7) {
                if (m > N - at) m = N - at;
                o.residual = HD_REF(HD_VIEW(rest + at, m));
                CHECK_OK(ctx, hd_scan(ctx, HD_VIEW(x + at, m), HD_SUM_COMPENSATED,
                                      HD_VIEW(got + at, m), &o));
            }
            CHECK_SAME(HD_F32, got, want, N, "in pieces on %s", targets[t].name);
            CHECK_SAME(HD_F32, rest, want_rest, N, "rests in pieces on %s", targets[t].name);
            o.accumulate = wide ? HD_NONE : HD_F64;
            o.residual = NULL;
            const hd_status status =
                hd_scan(ctx, HD_VIEW(x, 1), HD_SUM_COMPENSATED, HD_VIEW(got, 1), &o);
            CHECK(status == HD_ERROR_ARGUMENT && strstr(hd_error(ctx), "accumulate"), "%d %s",
                  (int)status, hd_error(ctx));
            hd_carry_close(ctx, carry);
        }
    free(x), free(got), free(want), free(rest), free(want_rest);
}

// ---- Errors -------------------------------------------------------------------------------------

#define REFUSED(status, word, call)                                                                \
    do {                                                                                           \
        const hd_status s = (call);                                                                \
        CHECK(s == (status) && strstr(hd_error(ctx), word) != NULL, "%s: %d %s", #call, (int)s,    \
              hd_error(ctx));                                                                      \
    } while (0)
#define REDUCE(status, word, in, op, out, ...)                                                     \
    REFUSED(status, word, hd_reduce(ctx, in, op, out, &(hd_reduce_options){__VA_ARGS__}))
#define SCAN(status, word, in, op, out, ...)                                                       \
    REFUSED(status, word, hd_scan(ctx, in, op, out, &(hd_scan_options){__VA_ARGS__}))

HD_OPERATOR(first, float, HD_NO_SOURCE, HD_ASSOCIATIVE, { return a; })

static void test_errors(void)
{
    hd_context *ctx = targets[0].ctx;
    float x[8] = {1, 2, 3, 4, 5, 6, 7, 8}, y[8], z[8], w[8];
    int32_t i[8] = {0}, n;
    int64_t k;
    double d;
    const hd_view in = HD_VIEW(x, 8), one = HD_VIEW(y, 1), rest = HD_VIEW(z, 1);
    REDUCE(HD_ERROR_TYPE, "expected f64", in, HD_SUM, one, .accumulate = HD_F32);
    REDUCE(HD_ERROR_TYPE, "expected f64", in, HD_SUM, one, .accumulate = 77);
    REDUCE(HD_ERROR_ARGUMENT, "no accumulate", in, HD_MAX, one, .accumulate = HD_F64);
    REDUCE(HD_ERROR_ARGUMENT, "no accumulate", in, HD_VARIANCE, one, .accumulate = HD_F64);
    REDUCE(HD_ERROR_ARGUMENT, "user's own", in, first, one, .accumulate = HD_F64);
    REDUCE(HD_ERROR_TYPE, "float output", HD_VIEW(i, 8), HD_SUM, HD_VIEW(&n, 1),
           .accumulate = HD_F64);
    REDUCE(HD_ERROR_TYPE, "f32 or f64", HD_VIEW(i, 8), HD_SUM_COMPENSATED, HD_VIEW(&n, 1), 0);
    REDUCE(HD_ERROR_TYPE, "wider float", HD_VIEW(&d, 1), HD_SUM_COMPENSATED, one, 0);
    REDUCE(HD_ERROR_ARGUMENT, "no residual", in, HD_SUM, one, .residual = HD_REF(rest));
    REDUCE(HD_ERROR_ARGUMENT, "user's own", in, first, one, .residual = HD_REF(rest));
    REDUCE(HD_ERROR_TYPE, "residual", in, HD_SUM_COMPENSATED, one,
           .residual = HD_REF(HD_VIEW(&d, 1)));
    REDUCE(HD_ERROR_SHAPE, "residual", in, HD_SUM_COMPENSATED, one,
           .residual = HD_REF(HD_VIEW(z, 2)));
    REDUCE(HD_ERROR_ALIAS, "residual", in, HD_SUM_COMPENSATED, one,
           .residual = HD_REF(HD_VIEW(y, 1)));
    REDUCE(HD_ERROR_ALIAS, "residual", in, HD_SUM_COMPENSATED, one,
           .residual = HD_REF(HD_VIEW(x, 1)));
    REDUCE(HD_ERROR_ARGUMENT, "exclude each other", in, HD_SUM_COMPENSATED, one,
           .residual = HD_REF(rest), .bound = HD_REF(HD_VIEW(w, 1)));
    REDUCE(HD_ERROR_ARGUMENT, "no values", in, HD_SUM_COMPENSATED, one, .values = HD_REF(rest));
    REDUCE(HD_ERROR_ARGUMENT, "no bound", in, HD_PRODUCT, one, .bound = HD_REF(rest));
    REDUCE(HD_ERROR_ARGUMENT, "no bound", HD_VIEW(i, 8), HD_SUM, HD_VIEW(&n, 1),
           .bound = HD_REF(HD_VIEW(&d, 1)));
    REDUCE(HD_ERROR_TYPE, "bound", in, HD_SUM, one, .bound = HD_REF(HD_VIEW(&n, 1)));
    REDUCE(HD_ERROR_SHAPE, "bound", in, HD_SUM, one, .bound = HD_REF(HD_VIEW(z, 3)));
    SCAN(HD_ERROR_SHAPE, "bound", in, HD_SUM, HD_VIEW(y, 8), .bound = HD_REF(HD_VIEW(z, 3)));
    SCAN(HD_ERROR_ARGUMENT, "no residual", in, HD_SUM, HD_VIEW(y, 8),
         .residual = HD_REF(HD_VIEW(z, 8)));
    SCAN(HD_ERROR_TYPE, "expected f64", in, HD_SUM, HD_VIEW(y, 8), .accumulate = HD_I32);
    REFUSED(HD_ERROR_ARGUMENT, "accumulate",
            hd_scatter(ctx, in, HD_VIEW(i, 8), HD_VIEW(y, 8),
                       &(hd_scatter_options){.accumulate = HD_F64}));
    REFUSED(HD_ERROR_ARGUMENT, "accumulate",
            hd_histogram(ctx, HD_VIEW(i, 8), HD_VIEW(&k, 1),
                         &(hd_histogram_options){.accumulate = HD_F64}));
    REFUSED(
        HD_ERROR_ARGUMENT, "weights",
        hd_histogram(ctx, HD_VIEW(i, 8), HD_VIEW(&k, 1), &(hd_histogram_options){.sum = HD_SUM}));
    REFUSED(HD_ERROR_ARGUMENT, "sum is max",
            hd_histogram(ctx, HD_VIEW(i, 8), HD_VIEW(y, 1),
                         &(hd_histogram_options){.weights = HD_REF(in), .sum = HD_MAX}));
}

int main(void)
{
    target_count = check_targets(&targets);
    test_values();
    test_errors();
    test_million();
    test_near_overflow();
    test_carry();
    test_all();
    return check_finish();
}
