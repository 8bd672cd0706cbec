// SPDX-License-Identifier: Apache-2.0
//
// HD_DOT: the one tree over products that are made here, for every pair of types, in every slice;
// what it refuses. HD_NORM2: results known on paper, where squares overflow and underflow; the
// walks over all operators (test_reduce.c, test_scan.c, test_scatter.c) hold it against the
// reference.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/reference.h"

static const check_target *targets;
static int target_count;

// ---- Dot --------------------------------------------------------------------------------------

// The type of the tree: what elements are converted to and multiplied in.
static hd_type tree_of(hd_type type, hd_type out)
{
    if (!check_is_float(out)) return out;
    return type == HD_F64 || out == HD_F64 ? HD_F64 : HD_F32;
}

static void multiply(hd_type type, const void *a, const void *b, hd_type tree, void *out)
{
    if (!check_is_float(tree)) { // integers wrap
        const uint64_t product = ref_to_whole(type, a) * ref_to_whole(type, b);
        memcpy(out, &product, hd_type_size(tree)); // little end first
        return;
    }
    const bool real = check_is_float(type), minus = check_is_signed(type);
    const uint64_t u = real ? 0 : ref_to_whole(type, a), v = real ? 0 : ref_to_whole(type, b);
    if (tree == HD_F64) {
        const double x = real ? ref_to_double(type, a) : minus ? (double)(int64_t)u : (double)u;
        const double y = real ? ref_to_double(type, b) : minus ? (double)(int64_t)v : (double)v;
        const double product = x * y;
        memcpy(out, &product, sizeof product);
    } else {
        const float x = real ? (float)ref_to_double(type, a) : minus ? (float)(int64_t)u : (float)u;
        const float y = real ? (float)ref_to_double(type, b) : minus ? (float)(int64_t)v : (float)v;
        const float product = x * y;
        memcpy(out, &product, sizeof product);
    }
}

typedef struct operands {
    hd_type type, out, tree;
    int64_t n;
    char *a, *b, *products;
} operands;

static operands make(hd_type type, hd_type out, int64_t n, uint64_t seed)
{
    operands o = {type, out, tree_of(type, out), n, NULL, NULL, NULL};
    const size_t size = hd_type_size(type);
    o.a = check_memory((size_t)n * size), o.b = check_memory((size_t)n * size);
    o.products = check_memory((size_t)n * hd_type_size(o.tree));
    check_fill(type, o.a, n, CHECK_ORDINARY, seed);
    check_fill(type, o.b, n, seed % 5 ? CHECK_ORDINARY : CHECK_SPECIAL, seed + 1);
    for (int64_t i = 0; i < n; i++)
        multiply(type, o.a + (size_t)i * size, o.b + (size_t)i * size, o.tree,
                 o.products + (size_t)i * hd_type_size(o.tree));
    return o;
}

static void drop(operands *o)
{
    free(o->a), free(o->b), free(o->products);
}

// The tree's number becomes the output: a 16-bit float is rounded from f32.
static void sum(const operands *o, int64_t begin, int64_t end, void *out)
{
    const char *from = o->products + (size_t)begin * hd_type_size(o->tree);
    _Alignas(8) unsigned char wide[8];
    ref_reduce(HD_SUM, o->tree, from, end - begin, o->tree, wide, NULL, NULL);
    if (o->tree == o->out) {
        memcpy(out, wide, hd_type_size(o->out));
    } else {
        const uint16_t h = ref_narrow(o->out, ref_to_double(HD_F32, wide));
        memcpy(out, &h, sizeof h);
    }
}

static void test_dot(hd_type type, hd_type out, int64_t n, uint64_t seed)
{
    operands o = make(type, out, n, seed);
    char *want = check_memory((size_t)n * 8 + 8), *got = check_memory((size_t)n * 8 + 8);
    int64_t offsets[40];
    const int64_t m = check_offsets(n, 40, &seed, offsets) - 1;
    const hd_view a = HD_VIEW_OF(type, o.a, n), b = HD_VIEW_OF(type, o.b, n);
    const hd_views with = HD_VIEWS(b);
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        sum(&o, 0, n, want);
        CHECK_OK(ctx, hd_reduce(ctx, a, HD_DOT, HD_VIEW_OF(out, got, 1),
                                &(hd_reduce_options){.with = with}));
        CHECK_SAME(out, got, want, 1, "%s: dot of %lld %s as %s", targets[t].name, (long long)n,
                   hd_type_name(type), hd_type_name(out));
        for (int64_t j = 0; j < m; j++)
            sum(&o, offsets[j], offsets[j + 1], want + (size_t)j * hd_type_size(out));
        CHECK_OK(ctx, hd_reduce(ctx, a, HD_DOT, HD_VIEW_OF(out, got, m),
                                &(hd_reduce_options){.with = with,
                                                     .segments = HD_REF(HD_VIEW(offsets, m + 1))}));
        CHECK_SAME(out, got, want, m, "%s: segments of %s as %s", targets[t].name,
                   hd_type_name(type), hd_type_name(out));
        for (int64_t i = 0; i < n && n < 300; i++)
            sum(&o, 0, i + 1, want + (size_t)i * hd_type_size(out));
        if (n >= 300) continue;
        CHECK_OK(ctx, hd_scan(ctx, a, HD_DOT, HD_VIEW_OF(out, got, n),
                              &(hd_scan_options){.with = with}));
        CHECK_SAME(out, got, want, n, "%s: scan of %s as %s", targets[t].name, hd_type_name(type),
                   hd_type_name(out));
    }
    free(want), free(got);
    drop(&o);
}

// Axes, strides, init, a carry, a combining scatter.
static void test_dot_parts(void)
{
    float a[12], b[24], want, got[4];
    for (int i = 0; i < 12; i++) a[i] = 0.1f * (float)i, b[2 * i] = 1.5f - (float)i;
    const int64_t shape[] = {4, 3}, stride[] = {6, 2};
    const hd_view x = hd_view_nd(HD_F32, a, 2, shape, NULL);
    const hd_view y = hd_view_nd(HD_F32, b, 2, shape, stride);
    const float init = 7;
    const int32_t index[] = {3, 3, 0, 3};
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        CHECK_OK(ctx, hd_reduce(ctx, x, HD_DOT, HD_VIEW(got, 4),
                                &(hd_reduce_options){
                                    .with = HD_VIEWS(y), .axis = HD_AXIS(1), .init = &init}));
        for (int r = 0; r < 4; r++) {
            volatile float p0 = a[3 * r] * b[6 * r], p1 = a[3 * r + 1] * b[6 * r + 2];
            volatile float p2 = a[3 * r + 2] * b[6 * r + 4], pair = p0 + p1, row = pair + p2;
            want = init + row;
            CHECK_SAME(HD_F32, &got[r], &want, 1, "%s: row %d", targets[t].name, r);
        }
        float places[4] = {1, 2, 3, 4};
        CHECK_OK(ctx, hd_scatter(ctx, HD_VIEW(a, 4), HD_VIEW(index, 4), HD_VIEW(places, 4),
                                 &(hd_scatter_options){.combine = HD_DOT,
                                                       .with = HD_VIEWS(HD_VIEW(b, 4))}));
        volatile float q0 = a[0] * b[0], q1 = a[1] * b[1], q3 = a[3] * b[3], q01 = q0 + q1;
        volatile float q013 = q01 + q3, q2 = a[2] * b[2];
        const float after[4] = {1 + q2, 2, 3, 4 + q013};
        CHECK_SAME(HD_F32, places, after, 4, "%s: scattered", targets[t].name);
    }
}

HD_FUNCTION(twice, float, HD_NO_SOURCE, (float, x, float, y), { return x * 2 + y; })

static void test_dot_errors(void)
{
    float a[4] = {0}, out;
    double d[4] = {0};
    const hd_view x = HD_VIEW(a, 4);
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        const hd_reduce_options none = {0}, two = {.with = HD_VIEWS(x, x)},
                                other = {.with = HD_VIEWS(HD_VIEW(d, 4))},
                                shorter = {.with = HD_VIEWS(HD_VIEW(a, 3))},
                                mapped = {.with = HD_VIEWS(x), .map = twice};
        const struct {
            const hd_reduce_options *o;
            hd_status status;
            const char *word;
        } rows[] = {
            {NULL, HD_ERROR_ARGUMENT, "expected 1"}, {&none, HD_ERROR_ARGUMENT, "expected 1"},
            {&two, HD_ERROR_ARGUMENT, "2 views"},    {&other, HD_ERROR_TYPE, "f64; expected f32"},
            {&shorter, HD_ERROR_SHAPE, "with[0]"},   {&mapped, HD_ERROR_ARGUMENT, "takes no map"}};
        for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
            const hd_status status = hd_reduce(ctx, x, HD_DOT, HD_VIEW(&out, 1), rows[k].o);
            CHECK(status == rows[k].status && strstr(hd_error(ctx), rows[k].word), "%zu: %s: '%s'",
                  k, hd_status_name(status), hd_error(ctx));
        }
        CHECK(hd_scan(ctx, x, HD_DOT, HD_VIEW(d, 4), NULL) == HD_ERROR_ARGUMENT, "scan");
        hd_reduce_options one = {.with = HD_VIEWS(HD_VIEW(d, 4))};
        CHECK(hd_reduce(ctx, HD_VIEW(d, 4), HD_DOT, HD_VIEW(&out, 1), &one) == HD_ERROR_TYPE,
              "f64 into f32");
    }
}

// ---- Norm -------------------------------------------------------------------------------------

static void expect_norm(const double *x, int64_t n, double want)
{
    double got;
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW(x, n), HD_NORM2, HD_VIEW(&got, 1), NULL));
        CHECK_SAME(HD_F64, &got, &want, 1, "%s: %lld elements", targets[t].name, (long long)n);
    }
}

#define NORM(want, ...)                                                                            \
    expect_norm((const double[]){__VA_ARGS__},                                                     \
                sizeof((const double[]){__VA_ARGS__}) / sizeof(double), want)

static void test_norm_on_paper(void)
{
    const double inf = (double)INFINITY, nan = (double)NAN;
    NORM(5, 3, -4);
    NORM(0.0, -0.0);
    NORM(5 * 0x1p1000, 3 * 0x1p1000, 4 * 0x1p1000);
    NORM(5 * 0x1p-1074, 3 * 0x1p-1074, -4 * 0x1p-1074);
    NORM(5 * 0x1p-600, 4 * 0x1p-600, 3 * 0x1p-600);
    NORM(5 * 0x1p-511, 3 * 0x1p-511, 4 * 0x1p-511); // at the ends of the ranges
    NORM(5 * 0x1p-513, 3 * 0x1p-513, 4 * 0x1p-513); // one is small, one is not
    NORM(5 * 0x1p485, 3 * 0x1p485, 4 * 0x1p485);
    NORM(0x1p1000, 0x1p1000, 1, 0x1p-1000);
    NORM(1, 1, 0x1p-600);
    NORM(1.7976931348623157e308, 1.7976931348623157e308, 1);
    NORM(inf, 1.7976931348623157e308, 1.7976931348623157e308);
    NORM(inf, 1, -inf, 0x1p-1074);
    NORM(nan, inf, nan);
    NORM(nan, nan, 0x1p-1074);
    expect_norm(NULL, 0, 0.0);
}

// Of f32 nothing overflows on the way; an init is one more element, of f64 too.
static void test_norm_of_others(void)
{
    const float great[] = {0.6f * FLT_MAX, -0.6f * FLT_MAX},
                least[] = {3 * 0x1p-149f, 4 * 0x1p-149f};
    const int8_t whole[] = {-3, 4, 0, 12};
    const double large = 4 * 0x1p700;
    const uint16_t halves[] = {0x7bff, 0x7bff}; // 65504: the norm is above every f16
    const float three[] = {3};
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        float f;
        double d;
        uint16_t h;
        CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW(great, 2), HD_NORM2, HD_VIEW(&f, 1), NULL));
        const float want = (float)sqrt(2 * ((double)great[0] * (double)great[0]));
        CHECK_SAME(HD_F32, &f, &want, 1, "%s: great", targets[t].name);
        CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW(least, 2), HD_NORM2, HD_VIEW(&f, 1), NULL));
        CHECK(f == 5 * 0x1p-149f, "%s: %a", targets[t].name, (double)f);
        CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW(whole, 4), HD_NORM2, HD_VIEW(&d, 1), NULL));
        CHECK(d == 13, "%s: %g", targets[t].name, d);
        CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW_OF(HD_F16, halves, 2), HD_NORM2,
                                HD_VIEW_OF(HD_F16, &h, 1), NULL));
        CHECK(h == 0x7c00, "%s: %x", targets[t].name, h);
        CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW(three, 1), HD_NORM2, HD_VIEW(&d, 1),
                                &(hd_reduce_options){.init = &large}));
        CHECK(d == large, "%s: init, %a", targets[t].name, d);
    }
}

// Sizes around blocks, with the three ranges mixed and apart, against the reference.
static void test_norm_sizes(uint64_t *state)
{
    enum { MAX = 70001 };
    static double x[MAX];
    static const int64_t sizes[] = {31, 32, 33, 1000, 4095, 4096, 8193, 32768, MAX};
    double want, got;
    for (int kind = 0; kind < 4; kind++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            const int64_t n = sizes[s];
            check_fill(HD_F64, x, n, kind == 1 ? CHECK_WIDE : CHECK_ORDINARY, check_next(state));
            if (kind == 2) x[check_below(state, n)] = 0x1p600;
            if (kind == 3) x[check_below(state, n)] = 0x1p-600;
            ref_reduce(HD_NORM2, HD_F64, x, n, HD_F64, &want, NULL, NULL);
            for (int t = 0; t < target_count; t++) {
                hd_context *ctx = targets[t].ctx;
                CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW(x, n), HD_NORM2, HD_VIEW(&got, 1), NULL));
                CHECK_SAME(HD_F64, &got, &want, 1, "%s: kind %d, %lld", targets[t].name, kind,
                           (long long)n);
            }
        }
}

int main(void)
{
    uint64_t state = check_seed();
    target_count = check_targets(&targets);
    for (int t = 0; check_type(t); t++)
        for (int u = 0; check_type(u); u++) {
            if (!ref_accepts(HD_SUM, check_type(t), check_type(u))) continue;
            test_dot(check_type(t), check_type(u), 130 + t, check_next(&state));
            test_dot(check_type(t), check_type(u), 5003, check_next(&state));
        }
    test_dot(HD_F32, HD_F32, 100003, 1);
    test_dot_parts();
    test_dot_errors();
    test_norm_on_paper();
    test_norm_of_others();
    test_norm_sizes(&state);
    return check_finish();
}
