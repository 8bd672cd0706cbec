// SPDX-License-Identifier: Apache-2.0
//
// hd_matmul in both orders, with strides, in batches, added and subtracted, bit for bit against
// loops of fma and rows reduced one by one; hd_triangular_inverse and hd_inverse by both methods:
// residuals, the same bits on every target, steps; singular matrices; errors; failing memory.
#define _GNU_SOURCE
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <heddle_algorithms.h>

#include "failing_memory.h"

enum { MOST = 300 * 300 };
static float af[MOST], bf[MOST], cf[MOST], want_f[MOST], got_f[MOST];
static double ad[MOST], bd[MOST], want_d[MOST], got_d[MOST];

static hd_view matrix(hd_type type, const void *data, int64_t m, int64_t n)
{
    const int64_t shape[2] = {m, n};
    return hd_view_nd(type, data, 2, shape, NULL);
}

static hd_view turned(hd_view v)
{
    const int64_t shape = v.shape[0], stride = v.stride[0];
    v.shape[0] = v.shape[1], v.stride[0] = v.stride[1];
    v.shape[1] = shape, v.stride[1] = stride;
    return v;
}

// ---- Products -----------------------------------------------------------------------------------

static void define_f(int64_t m, int64_t k, int64_t n, const float *begin, float sign)
{
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) {
            float sum = begin != NULL ? begin[i * n + j] : 0;
            for (int64_t t = 0; t < k; t++) sum = fmaf(sign * af[i * k + t], bf[t * n + j], sum);
            want_f[i * n + j] = sum;
        }
}

static void define_d(int64_t m, int64_t k, int64_t n)
{
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) {
            double sum = 0;
            for (int64_t t = 0; t < k; t++) sum = fma(ad[i * k + t], bd[t * n + j], sum);
            want_d[i * n + j] = sum;
        }
}

static void define_tree(hd_context *serial, int64_t m, int64_t k, int64_t n)
{
    static float terms[MOST];
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) {
            for (int64_t t = 0; t < k; t++) terms[t] = af[i * k + t] * bf[t * n + j];
            CHECK_OK(serial, hd_reduce(serial, HD_VIEW(terms, k), HD_SUM,
                                       HD_VIEW(&want_f[i * n + j], 1), NULL));
        }
}

static void test_product(hd_context *serial, const check_target *t, int64_t m, int64_t k, int64_t n)
{
    hd_context *ctx = t->ctx;
    const hd_view a = matrix(HD_F32, af, m, k), b = matrix(HD_F32, bf, k, n);
    const hd_view out = matrix(HD_F32, got_f, m, n);
    check_fill(HD_F32, af, m * k, CHECK_ORDINARY, check_seed());
    check_fill(HD_F32, bf, k * n, CHECK_ORDINARY, check_seed() + 1);
    check_fill(HD_F32, cf, m * n, CHECK_ORDINARY, check_seed() + 2);
    define_f(m, k, n, NULL, 1);
    CHECK_OK(ctx, hd_matmul(ctx, a, b, out, NULL));
    CHECK_SAME(HD_F32, got_f, want_f, m * n, "%dx%dx%d on %s", (int)m, (int)k, (int)n, t->name);
    // Transposed operands and result.
    static float back[MOST];
    for (int64_t i = 0; i < k; i++)
        for (int64_t j = 0; j < m; j++) back[i * m + j] = af[j * k + i];
    CHECK_OK(ctx, hd_matmul(ctx, turned(matrix(HD_F32, back, k, m)), b,
                            turned(matrix(HD_F32, got_f, n, m)), NULL));
    for (int64_t i = 0; i < m * n; i++)
        CHECK(got_f[i % n * m + i / n] == want_f[i], "transposed %dx%dx%d on %s", (int)m, (int)k,
              (int)n, t->name);
    for (int sign = 1; sign >= -1; sign -= 2) {
        define_f(m, k, n, cf, (float)sign);
        memcpy(got_f, cf, sizeof cf);
        CHECK_OK(ctx,
                 hd_matmul(ctx, a, b, out, &(hd_matmul_options){.add = true, .negate = sign < 0}));
        CHECK_SAME(HD_F32, got_f, want_f, m * n, "added to, %dx%dx%d on %s", (int)m, (int)k, (int)n,
                   t->name);
    }
    if (m * k * n < 20000) {
        define_tree(serial, m, k, n);
        CHECK_OK(ctx, hd_matmul(ctx, a, b, out, &(hd_matmul_options){.method = HD_MATMUL_TREE}));
        CHECK_SAME(HD_F32, got_f, want_f, m * n, "tree %dx%dx%d on %s", (int)m, (int)k, (int)n,
                   t->name);
    }
    check_fill(HD_F64, ad, m * k, CHECK_WIDE, check_seed());
    check_fill(HD_F64, bd, k * n, CHECK_ORDINARY, check_seed() + 1);
    define_d(m, k, n);
    CHECK_OK(ctx, hd_matmul(ctx, matrix(HD_F64, ad, m, k), matrix(HD_F64, bd, k, n),
                            matrix(HD_F64, got_d, m, n), NULL));
    CHECK_SAME(HD_F64, got_d, want_d, m * n, "f64 %dx%dx%d on %s", (int)m, (int)k, (int)n, t->name);
}

// An operand whose elements are one in memory.
static void test_one_number(const check_target *t)
{
    enum { M = 41, K = 45, N = 50 };
    const int64_t tall[2] = {M, K}, still[2] = {0, 0};
    const float half = 0.5F;
    check_fill(HD_F32, bf, K * N, CHECK_ORDINARY, check_seed());
    for (int64_t i = 0; i < M * N; i++) {
        want_f[i] = 0;
        for (int64_t k = 0; k < K; k++) want_f[i] = fmaf(half, bf[k * N + i % N], want_f[i]);
    }
    CHECK_OK(t->ctx, hd_matmul(t->ctx, hd_view_nd(HD_F32, &half, 2, tall, still),
                               matrix(HD_F32, bf, K, N), matrix(HD_F32, got_f, M, N), NULL));
    CHECK_SAME(HD_F32, got_f, want_f, M * N, "strides of 0 on %s", t->name);
}

// Several at once, small and large ones: as one by one.
static void test_batch(const check_target *t, int64_t n)
{
    const int64_t count = 5, shape[3] = {5, n, n};
    check_fill(HD_F32, af, count * n * n, CHECK_ORDINARY, check_seed());
    check_fill(HD_F32, bf, count * n * n, CHECK_ORDINARY, check_seed() + 1);
    for (int64_t i = 0; i < count; i++)
        CHECK_OK(t->ctx, hd_matmul(t->ctx, matrix(HD_F32, af + i * n * n, n, n),
                                   matrix(HD_F32, bf + i * n * n, n, n),
                                   matrix(HD_F32, want_f + i * n * n, n, n), NULL));
    CHECK_OK(t->ctx, hd_matmul(t->ctx, hd_view_nd(HD_F32, af, 3, shape, NULL),
                               hd_view_nd(HD_F32, bf, 3, shape, NULL),
                               hd_view_nd(HD_F32, got_f, 3, shape, NULL), NULL));
    CHECK_SAME(HD_F32, got_f, want_f, count * n * n, "batch of %d on %s", (int)n, t->name);
}

// ---- Inverses -----------------------------------------------------------------------------------

static double greatest(const double *x, int64_t n)
{
    double most = 0;
    for (int64_t i = 0; i < n; i++) most = fabs(x[i]) > most ? fabs(x[i]) : most;
    return most;
}

// The greatest |element| of identity - a b, in long double.
static double residual_of(const double *a, const double *b, int64_t n)
{
    double most = 0;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            long double sum = i == j;
            for (int64_t k = 0; k < n; k++) sum -= (long double)a[i * n + k] * b[k * n + j];
            most = fabs((double)sum) > most ? fabs((double)sum) : most;
        }
    return most;
}

static void test_triangle(const check_target *t, int64_t n, hd_inverse_method method, bool upper)
{
    int64_t steps = -1, levels = 0;
    double residual = -1;
    for (int64_t k = 1; k < n; k *= 2) levels++;
    check_fill(HD_F64, ad, n * n, CHECK_ORDINARY, check_seed() + (uint64_t)n);
    memcpy(bd, ad, sizeof bd);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            if (i == j) ad[i * n + j] = bd[i * n + j] = 2 + fabs(ad[i * n + j]);
            if (upper ? i > j : i < j) ad[i * n + j] = (double)NAN, bd[i * n + j] = 0;
            if (i != j) ad[i * n + j] /= 8, bd[i * n + j] /= 8;
        }
    const hd_view in = matrix(HD_F64, ad, n, n), out = matrix(HD_F64, got_d, n, n);
    CHECK_OK(t->ctx, hd_triangular_inverse(t->ctx, in, out,
                                           &(hd_triangular_inverse_options){
                                               .method = method,
                                               .upper_triangle = upper,
                                               .steps = HD_REF(HD_VIEW(&steps, 1)),
                                               .residual = HD_REF(HD_VIEW(&residual, 1))}));
    const double real = residual_of(bd, got_d, n);
    CHECK(real <= 1e-13 * (1 + greatest(got_d, n * n)) && fabs(residual - real) <= 1e-13,
          "triangle of %d, method %d on %s: residual %g, said %g", (int)n, method, t->name, real,
          residual);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            CHECK(!(upper ? i > j : i < j) || (got_d[i * n + j] == 0 && !signbit(got_d[i * n + j])),
                  "the other triangle of %d", (int)n);
    const int64_t most = (1 + levels) * (1 + levels);
    const bool is_power = (n & (n - 1)) == 0;
    CHECK(method != HD_INVERSE_LOG || (is_power ? steps == most : steps <= most), "%d steps for %d",
          (int)steps, (int)n);
    CHECK_OK(t->ctx, hd_triangular_inverse(t->ctx, in, in,
                                           &(hd_triangular_inverse_options){
                                               .method = method, .upper_triangle = upper}));
    CHECK_SAME(HD_F64, ad, got_d, n * n, "in place on %s", t->name);
}

static void test_inverse(const check_target *t, int64_t n, bool first)
{
    static double kept[MOST];
    double residual = -1;
    check_fill(HD_F64, ad, n * n, CHECK_ORDINARY, check_seed() + (uint64_t)n);
    if (n > 2) ad[0] = 0; // a pivot that is not on the diagonal
    for (int64_t i = 0; i < n * n; i++) af[i] = (float)ad[i] + (i % (n + 1) == 0 ? 4 : 0);
    const hd_view in = matrix(HD_F64, ad, n, n), out = matrix(HD_F64, got_d, n, n);
    CHECK_OK(t->ctx, hd_inverse(t->ctx, in, out,
                                &(hd_inverse_options){.residual = HD_REF(HD_VIEW(&residual, 1))}));
    const double real = residual_of(ad, got_d, n);
    CHECK(real <= 1e-10 * (1 + greatest(got_d, n * n)) && fabs(residual - real) <= real + 1e-10,
          "inverse of %d on %s: residual %g, said %g", (int)n, t->name, real, residual);
    if (first) memcpy(kept, got_d, sizeof kept);
    CHECK_SAME(HD_F64, got_d, kept, n * n, "inverse of %d on %s", (int)n, t->name);
    CHECK_OK(t->ctx, hd_inverse(t->ctx, in, turned(in), NULL)); // over itself, transposed
    for (int64_t i = 0; i < n * n; i++)
        CHECK(ad[i % n * n + i / n] == got_d[i], "over itself on %s", t->name);
    CHECK_OK(t->ctx, hd_inverse(t->ctx, matrix(HD_F32, af, n, n), matrix(HD_F32, got_f, n, n),
                                &(hd_inverse_options){.residual = HD_REF(HD_VIEW(&residual, 1))}));
    CHECK(residual < 1e-2, "f32 of %d on %s: %g", (int)n, t->name, residual);
}

// What the cores do by loops has the bits and the steps of the serial backend's patterns.
static void test_same_bits(hd_context *serial, const check_target *t, int64_t n, hd_type type)
{
    static double x[MOST], want[MOST], got[MOST];
    const hd_view in = matrix(type, x, n, n), from = matrix(type, want, n, n);
    const hd_view to = matrix(type, got, n, n);
    int64_t steps[2] = {-1, -2};
    check_fill(type, x, n * n, CHECK_ORDINARY, check_seed() + (uint64_t)n);
    CHECK_OK(serial, hd_inverse(serial, in, from, NULL));
    CHECK_OK(t->ctx, hd_inverse(t->ctx, in, to, NULL));
    CHECK_SAME(type, got, want, n * n, "inverse of %d, %s on %s", (int)n, hd_type_name(type),
               t->name);
    CHECK_OK(serial,
             hd_triangular_inverse(serial, in, from,
                                   &(hd_triangular_inverse_options){
                                       .unit = true, .steps = HD_REF(HD_VIEW(&steps[0], 1))}));
    CHECK_OK(t->ctx,
             hd_triangular_inverse(t->ctx, in, to,
                                   &(hd_triangular_inverse_options){
                                       .unit = true, .steps = HD_REF(HD_VIEW(&steps[1], 1))}));
    CHECK_SAME(type, got, want, n * n, "triangle of %d, %s on %s", (int)n, hd_type_name(type),
               t->name);
    CHECK(steps[0] == steps[1], "triangle of %d: %d steps, serial %d", (int)n, (int)steps[1],
          (int)steps[0]);
}

static void test_csanky(const check_target *t, int64_t n)
{
    int64_t steps = -1, levels = 0;
    double residual = -1;
    for (int64_t k = 1; k < n; k *= 2) levels++;
    check_fill(HD_F64, ad, n * n, CHECK_ORDINARY, check_seed() + (uint64_t)n);
    for (int64_t i = 0; i < n; i++) ad[i * n + i] += 2 + (double)i / 4;
    CHECK_OK(t->ctx, hd_inverse(t->ctx, matrix(HD_F64, ad, n, n), matrix(HD_F64, got_d, n, n),
                                &(hd_inverse_options){.method = HD_INVERSE_LOG,
                                                      .steps = HD_REF(HD_VIEW(&steps, 1)),
                                                      .residual = HD_REF(HD_VIEW(&residual, 1))}));
    const double real = residual_of(ad, got_d, n);
    CHECK(real <= (n <= 8 ? 1e-9 : 1e-3) && fabs(residual - real) <= 1e-3,
          "Csanky's of %d on %s: %g", (int)n, t->name, real);
    CHECK(steps <= 2 * levels * levels + 6 * levels + 5, "%d steps for %d", (int)steps, (int)n);
}

// ---- Errors -------------------------------------------------------------------------------------

#define FAILS(ctx, status, text, call)                                                             \
    do {                                                                                           \
        const hd_status got = (call);                                                              \
        CHECK(got == (status) && strstr(hd_error(ctx), text) != NULL, "%s, \"%s\"",                \
              hd_status_name(got), hd_error(ctx));                                                 \
    } while (0)

static void test_errors(const check_target *t)
{
    hd_context *ctx = t->ctx;
    const hd_view a = matrix(HD_F32, af, 3, 4), b = matrix(HD_F32, bf, 4, 5);
    const hd_view out = matrix(HD_F32, got_f, 3, 5), x = matrix(HD_F64, ad, 3, 3);
    const hd_view y = matrix(HD_F64, bd, 3, 3);
    const double singular[9] = {1, 2, 3, 2, 4, 6, 7, 8, 8};
    int32_t whole[9] = {0};
    FAILS(ctx, HD_ERROR_SHAPE, "3 x 4 times 4 x 5 into 3 x 4",
          hd_matmul(ctx, a, b, matrix(HD_F32, got_f, 3, 4), NULL));
    FAILS(ctx, HD_ERROR_SHAPE, "dimensions", hd_matmul(ctx, HD_VIEW(af, 4), b, out, NULL));
    FAILS(ctx, HD_ERROR_TYPE, "expected one type",
          hd_matmul(ctx, a, matrix(HD_F64, bd, 4, 5), out, NULL));
    FAILS(ctx, HD_ERROR_TYPE, "a is of i32",
          hd_matmul(ctx, matrix(HD_I32, whole, 3, 3), b, out, NULL));
    FAILS(ctx, HD_ERROR_ALIAS, "out overlaps a",
          hd_matmul(ctx, a, b, matrix(HD_F32, af, 3, 5), NULL));
    FAILS(ctx, HD_ERROR_ARGUMENT, "no method 5",
          hd_matmul(ctx, a, b, out, &(hd_matmul_options){.method = 5}));
    FAILS(ctx, HD_ERROR_ARGUMENT, "HD_MATMUL_CHAIN",
          hd_matmul(ctx, a, b, out, &(hd_matmul_options){.method = HD_MATMUL_TREE, .add = true}));
    memcpy(ad, singular, sizeof singular);
    FAILS(ctx, HD_ERROR_VALUE, "singular", hd_inverse(ctx, x, y, NULL));
    ad[4] = (double)INFINITY;
    FAILS(ctx, HD_ERROR_VALUE, "not finite", hd_inverse(ctx, x, y, NULL));
    ad[4] = (double)NAN;
    FAILS(ctx, HD_ERROR_VALUE, "not finite", hd_inverse(ctx, x, y, NULL));
    memset(ad, 0, sizeof singular);
    FAILS(ctx, HD_ERROR_VALUE, "column 0", hd_inverse(ctx, x, y, NULL));
    FAILS(ctx, HD_ERROR_VALUE, "determinant is 0",
          hd_inverse(ctx, x, y, &(hd_inverse_options){.method = HD_INVERSE_LOG}));
    FAILS(ctx, HD_ERROR_SHAPE, "65 rows; expected at most 64",
          hd_inverse(ctx, matrix(HD_F64, ad, 65, 65), matrix(HD_F64, bd, 65, 65),
                     &(hd_inverse_options){.method = HD_INVERSE_LOG}));
    FAILS(ctx, HD_ERROR_SHAPE, "square", hd_inverse(ctx, x, matrix(HD_F64, bd, 3, 2), NULL));
    for (int64_t i = 0; i < 70 * 70; i++) bd[i] = i % 71 == 0 && i != 66 * 71;
    FAILS(ctx, HD_ERROR_VALUE, "column 66 has no pivot but 0",
          hd_inverse(ctx, matrix(HD_F64, bd, 70, 70), matrix(HD_F64, got_d, 70, 70), NULL));
    bd[69] = (double)NAN; // comes to stand below the diagonal of no column but its own
    FAILS(ctx, HD_ERROR_VALUE, "column 66",
          hd_inverse(ctx, matrix(HD_F64, bd, 70, 70), matrix(HD_F64, got_d, 70, 70), NULL));
    ad[0] = ad[8] = 1;
    FAILS(ctx, HD_ERROR_VALUE, "element 1 of the diagonal is 0",
          hd_triangular_inverse(ctx, x, y, NULL));
    CHECK_OK(ctx, hd_triangular_inverse(ctx, x, y, &(hd_triangular_inverse_options){.unit = true}));
    for (int k = 0; k < 9; k++) CHECK(bd[k] == (k % 4 == 0), "identity of a unit triangle");
    FAILS(ctx, HD_ERROR_ALIAS, "out overlaps in", hd_triangular_inverse(ctx, x, turned(x), NULL));
    CHECK(hd_matmul(NULL, a, b, out, NULL) == HD_ERROR_ARGUMENT, "no context");
    CHECK_OK(ctx, hd_inverse(ctx, matrix(HD_F64, ad, 0, 0), matrix(HD_F64, bd, 0, 0), NULL));
    CHECK_OK(ctx,
             hd_triangular_inverse(ctx, matrix(HD_F64, ad, 0, 0), matrix(HD_F64, bd, 0, 0), NULL));
    got_f[0] = 9;
    CHECK_OK(ctx, hd_matmul(ctx, matrix(HD_F32, af, 1, 0), matrix(HD_F32, bf, 0, 1),
                            matrix(HD_F32, got_f, 1, 1), NULL));
    CHECK(got_f[0] == 0 && !signbit(got_f[0]), "a product of depth 0");
}

static hd_status call_matmul(hd_context *ctx)
{
    return hd_matmul(ctx, matrix(HD_F32, af, 50, 50), matrix(HD_F32, bf, 50, 50),
                     matrix(HD_F32, got_f, 50, 50), NULL);
}

static hd_status call_inverse(hd_context *ctx)
{
    static double residual;
    return hd_inverse(ctx, matrix(HD_F64, ad, 40, 40), matrix(HD_F64, bd, 40, 40),
                      &(hd_inverse_options){.residual = HD_REF(HD_VIEW(&residual, 1))});
}

static hd_status call_csanky(hd_context *ctx)
{
    return hd_inverse(ctx, matrix(HD_F64, ad, 6, 6), matrix(HD_F64, bd, 6, 6),
                      &(hd_inverse_options){.method = HD_INVERSE_LOG});
}

static void make_regular(int64_t n)
{
    for (int64_t i = 0; i < n * n; i++) ad[i] = i % (n + 1) == 0 ? 3 : 1.0 / (double)(i + 1);
}

// ---- A device -----------------------------------------------------------------------------------

static hd_view there_of(hd_context *ctx, hd_view in)
{
    hd_view v;
    CHECK_OK(ctx, hd_alloc_device(ctx, in.type, in.ndim, in.shape, &v));
    CHECK_OK(ctx, hd_map(ctx, in, NULL, v, NULL));
    return v;
}

static void test_gpu(hd_backend which)
{
    enum { N = 9 };
    hd_context *ctx = check_open(which, 0, NULL), *serial = check_open(HD_SERIAL, 1, NULL);
    check_fill(HD_F32, af, N * N, CHECK_ORDINARY, check_seed());
    check_fill(HD_F32, bf, N * N, CHECK_ORDINARY, check_seed() + 1);
    const hd_view a = matrix(HD_F32, af, N, N), b = matrix(HD_F32, bf, N, N);
    define_f(N, N, N, NULL, 1);
    hd_view x = there_of(ctx, a), y = there_of(ctx, b), z = there_of(ctx, b);
    CHECK_OK(ctx, hd_matmul(ctx, x, y, z, NULL));
    CHECK_OK(ctx, hd_map(ctx, z, NULL, matrix(HD_F32, got_f, N, N), NULL));
    CHECK_SAME(HD_F32, got_f, want_f, N * N, "product on %s", hd_backend_name(which));
    CHECK_OK(serial, hd_inverse(serial, a, matrix(HD_F32, want_f, N, N), NULL));
    CHECK_OK(ctx, hd_inverse(ctx, x, z, NULL));
    CHECK_OK(ctx, hd_map(ctx, z, NULL, matrix(HD_F32, got_f, N, N), NULL));
    CHECK_SAME(HD_F32, got_f, want_f, N * N, "inverse on %s", hd_backend_name(which));
    CHECK_OK(serial, hd_triangular_inverse(serial, a, matrix(HD_F32, want_f, N, N), NULL));
    CHECK_OK(ctx, hd_triangular_inverse(ctx, x, z, NULL));
    CHECK_OK(ctx, hd_map(ctx, z, NULL, matrix(HD_F32, got_f, N, N), NULL));
    CHECK_SAME(HD_F32, got_f, want_f, N * N, "triangle on %s", hd_backend_name(which));
    hd_view *const all[] = {&x, &y, &z};
    for (int k = 0; k < 3; k++) CHECK_OK(ctx, hd_free(ctx, all[k]));
    hd_close(ctx), hd_close(serial);
}

int main(void)
{
    static const int64_t products[][3] = {{1, 1, 1},      {3, 4, 5},    {16, 16, 16}, {17, 33, 15},
                                          {64, 64, 64},   {1, 300, 80}, {70, 1, 300}, {130, 40, 31},
                                          {19, 200, 290}, {8, 192, 48}};
    static const int64_t sizes[] = {1, 2, 3, 7, 16, 33, 64, 100};
    static const int64_t same[] = {61, 150, 131, 75};
    const check_target *targets;
    const int count = check_targets(&targets);
    for (int t = 0; t < count; t++) {
        for (int s = 0; s < 10; s++) {
            const int64_t *p = products[s];
            if (t > 0 && t % 4 != s % 4) continue;
            test_product(targets[0].ctx, &targets[t], p[0], p[1], p[2]);
            if (s > 7) continue;
            test_triangle(&targets[t], sizes[s], s % 2 ? HD_INVERSE_LOG : HD_INVERSE_BLOCKED,
                          s % 3);
            if (s < 5) test_csanky(&targets[t], sizes[s]);
        }
        if (t < 4) test_batch(&targets[t], 5), test_batch(&targets[t], 40);
        if (t < 3) test_errors(&targets[t]);
        if (t < 3) test_one_number(&targets[t]);
    }
    for (int64_t n = 1; n <= (check_small() ? 17 : 66); n++)
        test_triangle(&targets[0], n, HD_INVERSE_LOG, n % 2);
    for (int s = 0; s < 8; s++)
        for (int t = 0; t < count; t++)
            if (t == 0 || t % 4 == s % 4) test_inverse(&targets[t], sizes[s], t == 0);
    test_inverse(&targets[count - 1], 150, true);
    for (int t = 1; t < count; t++)
        for (int s = 0; s < 4; s++)
            if (t % 4 == s || t < 2)
                test_same_bits(targets[0].ctx, &targets[t], same[s], s % 2 ? HD_F32 : HD_F64);
    make_regular(50);
    failing_memory("hd_matmul", call_matmul);
    make_regular(40);
    failing_memory("hd_inverse", call_inverse);
    make_regular(6);
    failing_memory("Csanky's", call_csanky);
    const int failed = check_finish();
    const int gpu = check_on_gpus(test_gpu);
    return failed ? failed : gpu == CHECK_SKIP ? 0 : gpu;
}
