// SPDX-License-Identifier: Apache-2.0
// compile: $<$<CONFIG:Release>:-O3>
//
// Functions on the way in: one to eight inputs, of different types and layouts, into reductions and
// scans; dot product, norm, count-if. The reference applies the function first, then folds.
#define _GNU_SOURCE
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/reference.h"

HD_FUNCTION(square, float, HD_NO_SOURCE, (float, x), { return x * x; })
HD_FUNCTION(times, float, HD_NO_SOURCE, (float, x, float, y), { return x * y; })
HD_FUNCTION(is_negative, bool, HD_NO_SOURCE, (float, x), { return x < 0; })
HD_FUNCTION(choose, double, HD_NO_SOURCE, (int8_t, c, float, x, double, y),
            { return c > 0 ? (double)x : y; })
HD_FUNCTION(
    eight, int64_t, HD_NO_SOURCE,
    (int8_t, a, uint8_t, b, int16_t, c, uint16_t, d, int32_t, e, uint32_t, f, int64_t, g, bool, h),
    { return a + 2 * b + 3 * c + 4 * d + 5 * (int64_t)e + 6 * (int64_t)f + 7 * (g >> 8) + h; })
HD_SOURCE(
    pairs, typedef struct { float x, y; } pair;
    static inline float length2(pair p) { return p.x * p.x + p.y * p.y; })
HD_FUNCTION(length, float, pairs, (pair, p), { return length2(p); })

static const check_target *targets;
static int target_count;

static float *floats(int64_t n, uint64_t seed)
{
    float *x = check_memory(4 * (size_t)n);
    check_fill(HD_F32, x, n, CHECK_ORDINARY, seed);
    return x;
}

// ---- Against the reference ------------------------------------------------------------------

// mapped[] is what the function gives; the call must give what folding mapped[] gives.
static void expect(const hd_function *map, hd_view in, hd_views with, hd_type type,
                   const void *mapped, int64_t n, const hd_operator *op)
{
    const hd_type out_type = hd_default_output(op, type);
    _Alignas(8) unsigned char want[8], got[8];
    char *wants = check_memory(8 * (size_t)n), *gots = check_memory(8 * (size_t)n);
    ref_reduce(op, type, mapped, n, out_type, want, NULL, NULL);
    ref_scan(op, type, mapped, n, out_type, wants, NULL, &(ref_how){.exclusive = n & 1});
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        CHECK_OK(ctx, hd_reduce(ctx, in, op, HD_VIEW_OF(out_type, got, 1),
                                &(hd_reduce_options){.map = map, .with = with}));
        CHECK_SAME(out_type, got, want, 1, "%s of %s of %" PRId64 " on %s", hd_operator_name(op),
                   map->name, n, targets[t].name);
        CHECK_OK(ctx, hd_scan(ctx, in, op, HD_VIEW_OF(out_type, gots, n),
                              &(hd_scan_options){.map = map, .with = with, .exclusive = n & 1}));
        CHECK_SAME(out_type, gots, wants, n, "scan, %s of %s of %" PRId64 " on %s",
                   hd_operator_name(op), map->name, n, targets[t].name);
    }
    free(wants);
    free(gots);
}

static void test_one_and_two(int64_t n)
{
    float *x = floats(n, 1), *y = floats(n, 2), *z = check_memory(4 * (size_t)n);
    bool *b = check_memory((size_t)n);
    for (int64_t i = 0; i < n; i++) z[i] = x[i] * x[i];
    expect(square, HD_VIEW(x, n), (hd_views){0}, HD_F32, z, n, HD_SUM);
    expect(square, HD_VIEW(x, n), (hd_views){0}, HD_F32, z, n, HD_ARGMAX);
    for (int64_t i = 0; i < n; i++) z[i] = x[i] * y[i], b[i] = x[i] < 0;
    expect(times, HD_VIEW(x, n), HD_VIEWS(HD_VIEW(y, n)), HD_F32, z, n, HD_SUM);
    expect(times, HD_VIEW(x, n), HD_VIEWS(HD_VIEW(y, n)), HD_F32, z, n, HD_MEAN);
    expect(is_negative, HD_VIEW(x, n), (hd_views){0}, HD_BOOL, b, n, HD_SUM);
    expect(is_negative, HD_VIEW(x, n), (hd_views){0}, HD_BOOL, b, n, HD_ANY);
    check_array strided = check_new(HD_F32, n, CHECK_STRIDED, false);
    check_array reversed = check_new(HD_F32, n, CHECK_REVERSED, true);
    check_put(&strided, x), check_put(&reversed, y);
    expect(times, strided.view, HD_VIEWS(reversed.view), HD_F32, z, n, HD_SUM);
    for (int64_t i = 0; i < n; i++) z[i] = x[i] * 0.75f;
    expect(times, strided.view, HD_VIEWS(hd_constant(0.75f, n)), HD_F32, z, n, HD_SUM);
    check_drop(&strided), check_drop(&reversed);
    free(x), free(y), free(z), free(b);
}

static void test_three(int64_t n)
{
    float *x = floats(n, 3);
    int8_t *c = check_memory((size_t)n);
    double *y = check_memory(8 * (size_t)n), *z = check_memory(8 * (size_t)n);
    check_fill(HD_I8, c, n, CHECK_ORDINARY, 4);
    check_fill(HD_F64, y, n, CHECK_ORDINARY, 5);
    for (int64_t i = 0; i < n; i++) z[i] = c[i] > 0 ? (double)x[i] : y[i];
    expect(choose, HD_VIEW(c, n), HD_VIEWS(HD_VIEW(x, n), HD_VIEW(y, n)), HD_F64, z, n, HD_SUM);
    expect(choose, HD_VIEW(c, n), HD_VIEWS(HD_VIEW(x, n), HD_VIEW(y, n)), HD_F64, z, n,
           HD_VARIANCE);
    free(x), free(c), free(y), free(z);
}

static void test_eight(int64_t n)
{
    static const hd_type types[] = {HD_I8, HD_U8, HD_I16, HD_U16, HD_I32, HD_U32, HD_I64, HD_BOOL};
    check_array in[8];
    hd_view with[7];
    int64_t *z = check_memory(8 * (size_t)n);
    char *x = check_memory(8 * (size_t)n);
    for (int k = 0; k < 8; k++) {
        in[k] = check_new(types[k], n, (check_layout)(k % 3), k & 1);
        check_fill(types[k], x, n, CHECK_ORDINARY, (uint64_t)k);
        check_put(&in[k], x);
        if (k > 0) with[k - 1] = in[k].view;
    }
#define AT(k, T) (*(T *)check_element(in[k].view, i))
    for (int64_t i = 0; i < n; i++)
        z[i] = AT(0, int8_t) + 2 * AT(1, uint8_t) + 3 * AT(2, int16_t) + 4 * AT(3, uint16_t) +
               5 * (int64_t)AT(4, int32_t) + 6 * (int64_t)AT(5, uint32_t) +
               7 * (AT(6, int64_t) >> 8) + AT(7, bool);
    expect(eight, in[0].view, (hd_views){with, 7}, HD_I64, z, n, HD_SUM);
    expect(eight, in[0].view, (hd_views){with, 7}, HD_I64, z, n, HD_MAX);
    for (int k = 0; k < 8; k++) check_drop(&in[k]);
    free(z), free(x);
}

static void test_structures(int64_t n)
{
    float *x = floats(2 * n, 6), *z = check_memory(4 * (size_t)n);
    for (int64_t i = 0; i < n; i++) {
        volatile float a = x[2 * i] * x[2 * i], b = x[2 * i + 1] * x[2 * i + 1];
        z[i] = a + b;
    }
    const hd_view v = HD_VIEW_OF(HD_TYPE(pair), x, n);
    expect(length, v, (hd_views){0}, HD_F32, z, n, HD_SUM);
    expect(length, v, (hd_views){0}, HD_F32, z, n, HD_ARGMIN);
    free(x), free(z);
}

// ---- One element for all ----------------------------------------------------------------------

HD_SOURCE(
    lines, typedef struct { double at, slope, unused; } line;
    static inline double on_line(line l, float x) { return l.at + l.slope * (double)x; })
HD_FUNCTION(along, double, lines, (float, x, line, l), { return on_line(l, x); })
HD_FUNCTION(number_of, int64_t, HD_NO_SOURCE, (float, x, int64_t, i), { return x < 0 ? -i : i; })

static void test_one_for_all(int64_t n)
{
    float *x = floats(n, 9), *z = check_memory(4 * (size_t)n), factor = 0.75f;
    double *on = check_memory(8 * (size_t)n);
    const line l = {0.5, 3, 0};
    check_array strided = check_new(HD_F32, n, CHECK_STRIDED, false);
    check_put(&strided, x);
    for (int64_t i = 0; i < n; i++) {
        const volatile double product = 3 * (double)x[i];
        z[i] = x[i] * 0.75f, on[i] = 0.5 + product;
    }
    const hd_view ways[] = {hd_constant(0.75f, 1), hd_constant(0.75f, n), HD_VIEW(&factor, 1),
                            hd_view_nd(HD_F32, &factor, 3, (int64_t[]){1, 1, 1}, NULL)};
    for (int k = 0; k < 4; k++) {
        expect(times, HD_VIEW(x, n), (hd_views){&ways[k], 1}, HD_F32, z, n, HD_SUM);
        expect(times, strided.view, (hd_views){&ways[k], 1}, HD_F32, z, n, HD_MAX);
    }
    expect(along, strided.view, HD_VIEWS(HD_VIEW_OF(HD_TYPE(line), &l, 1)), HD_F64, on, n, HD_SUM);
    check_drop(&strided);
    free(x), free(z), free(on);
}

// Of several dimensions, by rows, by columns, backward and as they lie.
static void test_one_for_a_matrix(void)
{
    enum { N = 5, M = 301 };
    float *x = floats(N * M, 10), *z = check_memory(4 * N * M), *got = check_memory(4 * N * M);
    float *column = check_memory(4 * N), factor = 0.75f, want[M];
    int64_t *index = check_memory(8 * N * M), *scan = check_memory(8 * N * M), sums[2];
    for (int i = 0; i < N * M; i++) z[i] = x[i] * 0.75f, index[i] = x[i] < 0 ? -i : i;
    const hd_view in = hd_view_nd(HD_F32, x, 2, (int64_t[]){N, M}, NULL);
    const hd_view out = hd_view_nd(HD_F32, got, 2, (int64_t[]){N, M}, NULL);
    const hd_view ways[] = {hd_constant(0.75f, 1), hd_constant(0.75f, N * M), HD_VIEW(&factor, 1)};
    for (int t = 0; t < 3 * target_count; t++) {
        hd_context *ctx = targets[t / 3].ctx;
        const hd_views with = {&ways[t % 3], 1};
        CHECK_OK(ctx, hd_map(ctx, in, times, out, &(hd_map_options){.with = with}));
        CHECK_SAME(HD_F32, got, z, N * M, "way %d on %s", t % 3, targets[t / 3].name);
        CHECK_OK(ctx,
                 hd_reduce(ctx, in, HD_SUM, HD_VIEW(got, M),
                           &(hd_reduce_options){.map = times, .with = with, .axis = HD_AXIS(0)}));
        for (int j = 0; j < M; j++) {
            for (int i = 0; i < N; i++) column[i] = z[M * i + j];
            ref_reduce(HD_SUM, HD_F32, column, N, HD_F32, &want[j], NULL, NULL);
        }
        CHECK_SAME(HD_F32, got, want, M, "columns, way %d on %s", t % 3, targets[t / 3].name);
        CHECK_OK(ctx,
                 hd_scan(ctx, in, HD_MAX, out,
                         &(hd_scan_options){
                             .map = times, .with = with, .axis = HD_AXIS(1), .backward = true}));
        for (int i = 0; i < N; i++) {
            ref_scan(HD_MAX, HD_F32, z + M * i, M, HD_F32, want, NULL,
                     &(ref_how){.backward = true});
            CHECK_SAME(HD_F32, got + M * i, want, M, "row %d, way %d on %s", i, t % 3,
                       targets[t / 3].name);
        }
        ref_reduce(HD_SUM, HD_I64, index, N * M, HD_I64, &sums[0], NULL, NULL);
        CHECK_OK(ctx, hd_reduce(ctx, in, HD_SUM, HD_VIEW(&sums[1], 1),
                                &(hd_reduce_options){.map = number_of,
                                                     .with = HD_VIEWS(hd_iota(N * M))}));
        CHECK(sums[0] == sums[1], "numbers on %s", targets[t / 3].name);
        CHECK_OK(ctx, hd_scan(ctx, in, HD_SUM, hd_view_nd(HD_I64, scan, 2, in.shape, NULL),
                              &(hd_scan_options){.map = number_of,
                                                 .with = HD_VIEWS(hd_iota(N * M)),
                                                 .backward = true}));
        CHECK(scan[0] == sums[0] && scan[N * M - 1] == index[N * M - 1], "backward on %s",
              targets[t / 3].name);
        CHECK(hd_reduce(ctx, in, HD_SUM, HD_VIEW(index, N),
                        &(hd_reduce_options){.map = number_of,
                                             .with = HD_VIEWS(hd_iota(N * M)),
                                             .axis = HD_AXIS(1)}) == HD_ERROR_SHAPE,
              "numbers along an axis on %s", targets[t / 3].name);
    }
    free(x), free(z), free(got), free(column), free(index), free(scan);
}

// ---- With the other options -----------------------------------------------------------------

// Two dimensions: rows of a mapped matrix; an output that is one of the inputs.
static void test_axis_and_aliases(void)
{
    enum { N = 7, M = 300 };
    const int64_t shape[] = {N, M};
    for (int t = 0; t < target_count; t++) {
        float *x = floats(N * M, 7), *y = floats(N * M, 8), *z = floats(N * M, 8), got[N], want[N];
        for (int i = 0; i < N * M; i++) z[i] = x[i] * y[i];
        const hd_view vx = hd_view_nd(HD_F32, x, 2, shape, NULL),
                      vy = hd_view_nd(HD_F32, y, 2, shape, NULL);
        const hd_views with = {&vy, 1};
        CHECK_OK(targets[t].ctx,
                 hd_reduce(targets[t].ctx, vx, HD_SUM, HD_VIEW(got, N),
                           &(hd_reduce_options){.map = times, .with = with, .axis = HD_AXIS(1)}));
        for (int i = 0; i < N; i++)
            ref_reduce(HD_SUM, HD_F32, z + M * i, M, HD_F32, &want[i], NULL, NULL);
        CHECK_SAME(HD_F32, got, want, N, "rows of products on %s", targets[t].name);
        ref_scan(HD_SUM, HD_F32, z, N * M, HD_F32, z, NULL, &(ref_how){.backward = true});
        CHECK_OK(targets[t].ctx,
                 hd_scan(targets[t].ctx, vx, HD_SUM, vy, // onto the second input
                         &(hd_scan_options){.map = times, .with = with, .backward = true}));
        CHECK_SAME(HD_F32, y, z, N * M, "a scan onto its second input on %s", targets[t].name);
        free(x), free(y), free(z);
    }
}

// dot product, norm and count-if by numbers one can check by hand
static void test_examples(void)
{
    const float a[] = {1, 2, 3, 4}, b[] = {10, -20, 30, -40};
    for (int t = 0; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        float dot = 0, norm2 = 0;
        int64_t below = 0;
        CHECK_OK(ctx,
                 hd_reduce(ctx, HD_VIEW(a, 4), HD_SUM, HD_VIEW(&dot, 1),
                           &(hd_reduce_options){.map = times, .with = HD_VIEWS(HD_VIEW(b, 4))}));
        CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW(a, 4), HD_SUM, HD_VIEW(&norm2, 1),
                                &(hd_reduce_options){.map = square}));
        CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW(b, 4), HD_SUM, HD_VIEW(&below, 1),
                                &(hd_reduce_options){.map = is_negative}));
        CHECK(dot == -100 && norm2 == 30 && below == 2, "%g %g %" PRId64 " on %s", (double)dot,
              (double)norm2, below, targets[t].name);
    }
}

int main(void)
{
    static const int64_t sizes[] = {0, 1, 8, 63, 255, 256, 257, 1000, 4097, 65537, 300007};
    target_count = check_targets(&targets);
    for (int k = 0; k < (check_small() ? 8 : 11); k++) {
        test_one_and_two(sizes[k]);
        test_three(sizes[k]);
        test_eight(sizes[k]);
        test_structures(sizes[k]);
        test_one_for_all(sizes[k]);
    }
    test_one_for_a_matrix();
    test_axis_and_aliases();
    test_examples();
    return check_finish();
}
