// SPDX-License-Identifier: Apache-2.0
//
// hd_slide: every window has the bits of hd_reduce over it, for every built-in operator and type,
// users' operators that do not commute, functions, layouts, axes and widths.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

static const check_target *targets;
static int target_count;

// Affine maps: the right one after the left one. It does not commute.
typedef struct affine {
    uint32_t scale, shift;
} affine;
HD_OPERATOR(then, affine, HD_NO_SOURCE, HD_EXACT, {
    return (affine){a.scale * b.scale, a.shift * b.scale + b.shift};
})
HD_FUNCTION(weighed, float, HD_NO_SOURCE, (float, a, float, b), { return a * b; })

// out[i] of every window, by reductions; indices count along the row.
static void expected(const hd_view in, const hd_operator *op, int64_t width, hd_type type,
                     char *out, const hd_function *map, const hd_view *with)
{
    hd_context *ctx = targets[0].ctx;
    const size_t size = hd_type_size(type);
    for (int64_t i = 0; i + width <= in.shape[0]; i++) {
        hd_reduce_options o = {.map = map};
        const hd_view also = with != NULL ? hd_slice(*with, 0, i, width, 1) : HD_EMPTY;
        const hd_views list = HD_VIEWS(also);
        if (with != NULL) o.with = list;
        CHECK_OK(ctx, hd_reduce(ctx, hd_slice(in, 0, i, width, 1), op,
                                hd_view_of(type, out + (size_t)i * size, 1), &o));
        if (op == HD_ARGMIN || op == HD_ARGMAX) {
            int64_t at;
            memcpy(&at, out + (size_t)i * size, sizeof at);
            at += i;
            memcpy(out + (size_t)i * size, &at, sizeof at);
        }
    }
}

static void test_row(const hd_view in, const hd_operator *op, int64_t width, hd_type type,
                     check_layout layout)
{
    const int64_t n = in.shape[0], count = n >= width ? n - width + 1 : 0;
    char *want = check_memory((size_t)count * hd_type_size(type) + 1),
         *got = check_memory((size_t)count * hd_type_size(type) + 1);
    expected(in, op, width, type, want, NULL, NULL);
    for (int t = 0; t < target_count; t++) {
        check_array out = check_new(type, count, layout, count & 1);
        CHECK_OK(targets[t].ctx, hd_slide(targets[t].ctx, in, op, width, out.view, NULL));
        check_get(&out, got);
        const hd_type as = type & 0xff ? type : HD_U8;
        const int64_t m = type & 0xff ? count : count * (int64_t)hd_type_size(type);
        CHECK_SAME(as, got, want, m, "%s of %s, width %" PRId64 " of %" PRId64 " on %s",
                   hd_operator_name(op), hd_type_name(in.type), width, n, targets[t].name);
        check_drop(&out);
    }
    free(want), free(got);
}

static const int64_t widths[] = {1, 2, 3, 7, 8, 21, 64, 100, 127};

static void test_operator(const hd_operator *op, uint64_t seed)
{
    for (int k = 0; check_type(k) != HD_NONE; k++, seed++) {
        const hd_type type = check_type(k), out = hd_default_output(op, type);
        if (out == HD_NONE || op == HD_DOT) continue;
        const int64_t n = 150 + (int64_t)(seed % 50);
        check_array in = check_new(type, n, seed % 3 == 0 ? CHECK_REVERSED : CHECK_DENSE, seed & 1);
        char *x = check_memory((size_t)n * hd_type_size(type));
        check_fill(type, x, n, (check_pattern)(seed % CHECK_PATTERNS), seed);
        check_put(&in, x);
        const int64_t width = widths[seed % (sizeof widths / sizeof *widths)];
        test_row(in.view, op, width, out, seed % 4 == 0 ? CHECK_STRIDED : CHECK_DENSE);
        check_drop(&in);
        free(x);
    }
}

static void test_users(void)
{
    enum { N = 700 };
    affine x[N];
    float f[N], g[N], want[N], got[N];
    uint64_t state = 7;
    for (int i = 0; i < N; i++)
        x[i] = (affine){(uint32_t)check_next(&state) | 1, (uint32_t)check_next(&state)};
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
        test_row(HD_VIEW_OF(HD_TYPE(affine), x, N), then, widths[w], HD_TYPE(affine), CHECK_DENSE);
    check_fill(HD_F32, f, N, CHECK_ORDINARY, 1);
    check_fill(HD_F32, g, N, CHECK_ORDINARY, 2);
    const hd_view also = HD_VIEW(g, N);
    for (int dot = 0; dot < 2; dot++) {
        const hd_operator *op = dot ? HD_DOT : HD_SUM;
        const hd_function *map = dot ? NULL : weighed;
        expected(HD_VIEW(f, N), op, 37, HD_F32, (char *)want, map, &also);
        for (int t = 0; t < target_count; t++) {
            CHECK_OK(targets[t].ctx,
                     hd_slide(targets[t].ctx, HD_VIEW(f, N), op, 37, HD_VIEW(got, N - 36),
                              &(hd_slide_options){.map = map, .with = HD_VIEWS(also)}));
            CHECK_SAME(HD_F32, got, want, N - 36, "a function on %s", targets[t].name);
        }
    }
}

// Large rows, where threads work: some of the windows.
static void test_large(int64_t n, int64_t width)
{
    float *x = check_memory((size_t)n * sizeof *x), *out = check_memory((size_t)n * sizeof *out),
          *least = check_memory((size_t)n * sizeof *least);
    const int64_t count = n - width + 1;
    check_fill(HD_F32, x, n, CHECK_ORDINARY, (uint64_t)width);
    for (int t = 1; t < target_count; t++) {
        hd_context *ctx = targets[t].ctx;
        CHECK_OK(ctx, hd_slide(ctx, HD_VIEW(x, n), HD_SUM, width, HD_VIEW(out, count), NULL));
        CHECK_OK(ctx, hd_slide(ctx, HD_VIEW(x, n), HD_MIN, width, HD_VIEW(least, count), NULL));
        for (int64_t k = 0; k <= 40; k++) {
            const int64_t i = k < 40 ? count / 40 * k : count - 1;
            float sum, min;
            const hd_view window = HD_VIEW(x + i, width);
            CHECK_OK(ctx, hd_reduce(ctx, window, HD_SUM, HD_VIEW(&sum, 1), NULL));
            CHECK_OK(ctx, hd_reduce(ctx, window, HD_MIN, HD_VIEW(&min, 1), NULL));
            CHECK(sum == out[i] && min == least[i], "window %" PRId64 " of %" PRId64 " on %s", i,
                  width, targets[t].name);
        }
    }
    free(x), free(out), free(least);
}

static void test_axes(void)
{
    enum { A = 5, B = 40, C = 7, W = 9 };
    int32_t x[A][B][C], got[A][B - W + 1][C];
    const int64_t shape[3] = {A, B, C}, out_shape[3] = {A, B - W + 1, C};
    check_fill(HD_I32, x, A * B * C, CHECK_ORDINARY, 3);
    for (int t = 0; t < target_count; t++) {
        CHECK_OK(targets[t].ctx, hd_slide(targets[t].ctx, hd_view_nd(HD_I32, x, 3, shape, NULL),
                                          HD_MAX, W, hd_view_nd(HD_I32, got, 3, out_shape, NULL),
                                          &(hd_slide_options){.axis = HD_AXIS(1)}));
        for (int a = 0; a < A; a++)
            for (int b = 0; b + W <= B; b++)
                for (int c = 0; c < C; c++) {
                    int32_t most = x[a][b][c];
                    for (int k = 1; k < W; k++)
                        if (x[a][b + k][c] > most) most = x[a][b + k][c];
                    CHECK(got[a][b][c] == most, "(%d, %d, %d) on %s", a, b, c, targets[t].name);
                }
    }
}

static void test_errors(void)
{
    hd_context *ctx = targets[target_count - 1].ctx;
    float x[4] = {1, 2, 3, 4}, y[4];
    const int64_t shape[2] = {2, 2};
    const hd_view in = HD_VIEW(x, 4);
#define REFUSED(status, call) CHECK((call) == (status), "%s: %s", #call, hd_error(ctx))
    REFUSED(HD_ERROR_ARGUMENT, hd_slide(ctx, in, HD_SUM, 0, HD_VIEW(y, 4), NULL));
    REFUSED(HD_ERROR_SHAPE, hd_slide(ctx, in, HD_SUM, 2, HD_VIEW(y, 4), NULL));
    REFUSED(HD_ERROR_ALIAS, hd_slide(ctx, in, HD_SUM, 2, HD_VIEW(x, 3), NULL));
    REFUSED(HD_ERROR_ARGUMENT,
            hd_slide(ctx, hd_view_nd(HD_F32, x, 2, shape, NULL), HD_SUM, 2, HD_VIEW(y, 3), NULL));
    REFUSED(HD_OK, hd_slide(ctx, in, HD_SUM, 5, HD_VIEW(y, 0), NULL));
#undef REFUSED
}

int main(void)
{
    uint64_t seed = check_seed();
    setenv("HEDDLE_TUNE", "cpu.slide_two_scans=64", 1); // so that small rows take them, too
    target_count = check_targets(&targets);
    for (int32_t k = 0; hd_operator_at(k) != NULL; k++)
        for (int times = 0; times < 2; times++, seed += 17) test_operator(hd_operator_at(k), seed);
    test_users();
    test_large(200003, 31);
    test_large(200003, 5000);
    test_axes();
    test_errors();
    return check_finish();
}
