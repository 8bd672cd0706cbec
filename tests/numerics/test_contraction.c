// SPDX-License-Identifier: Apache-2.0
// compile: -O2 -std=gnu11 -ffp-contract=$<IF:$<C_COMPILER_ID:GNU>,fast,on>
//
// Users' operators and functions in a file whose flags ask for contraction of a * b + c into fma
// (gcc's default for gnu11 where the machine has one): their bits must be those without it. A
// control shows that the flags are in force: the same expression outside of the macros contracts.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/reference.h"

// Above the macros, since with clang contraction stays off after the first of them. Differs from
// the exact sum where the compiler contracts.
__attribute__((noinline)) static double control(double x, double y, double z)
{
    return x * y + z;
}

HD_SOURCE(
    complexes, typedef struct { float re, im; } complex_number;
    static inline complex_number product(complex_number a, complex_number b) {
        complex_number c;
        c.re = a.re * b.re - a.im * b.im;
        c.im = a.re * b.im + a.im * b.re;
        return c;
    })
HD_MONOID(times, complex_number, complexes, HD_ASSOCIATIVE | HD_COMMUTATIVE, HD_BRACES(1.0f, 0.0f),
          { return product(a, b); })

HD_SOURCE(
    affines, typedef struct { double scale, shift; } affine;)
HD_MONOID(then, affine, affines, HD_ASSOCIATIVE, HD_BRACES(1.0, 0.0), {
    affine c;
    c.scale = a.scale * b.scale;
    c.shift = a.shift * b.scale + b.shift;
    return c;
})
HD_FUNCTION(multiply_add, double, HD_NO_SOURCE, (double, x, double, y, double, z),
            { return x * y + z; })

// ---- The same without contraction: volatile keeps every rounding ----------------------------

static void product_exactly(const void *self, void *out, const void *a, const void *b)
{
    (void)self;
    complex_number x, y, z;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    volatile float p = x.re * y.re, q = x.im * y.im, r = x.re * y.im, s = x.im * y.re;
    z.re = p - q;
    z.im = r + s;
    memcpy(out, &z, sizeof z);
}

static void then_exactly(const void *self, void *out, const void *a, const void *b)
{
    (void)self;
    affine x, y, z;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    volatile double moved = x.shift * y.scale;
    z.scale = x.scale * y.scale;
    z.shift = moved + y.shift;
    memcpy(out, &z, sizeof z);
}

static void test_control(const double *x, int64_t n)
{
    int64_t contracted = 0;
    for (int64_t i = 0; i + 2 < n; i++) {
        volatile double product = x[i] * x[i + 1], sum = product + x[i + 2];
        contracted += control(x[i], x[i + 1], x[i + 2]) != sum;
    }
#if defined(__ARM_FEATURE_FMA) || defined(__FMA__)
    CHECK(contracted > 0, "the flags of this test are not in force");
#else
    (void)contracted;
#endif
}

// ---- Operators and functions ----------------------------------------------------------------

static void expect(const hd_operator *op, hd_type field, size_t fields, const ref_monoid *monoid,
                   const void *x, int64_t n)
{
    const check_target *targets;
    const int count = check_targets(&targets);
    const size_t size = monoid->size;
    const hd_type type = op->type;
    char *want = check_memory(size * (size_t)n), *got = check_memory(size * (size_t)n);
    ref_tree_scan(monoid, x, n, NULL, want);
    for (int t = 0; t < count; t++) {
        hd_context *ctx = targets[t].ctx;
        _Alignas(8) char last[64];
        CHECK_OK(ctx, hd_scan(ctx, HD_VIEW_OF(type, x, n), op, HD_VIEW_OF(type, got, n), NULL));
        CHECK_SAME(field, got, want, n * (int64_t)fields, "scan, %s of %" PRId64 " on %s",
                   hd_operator_name(op), n, targets[t].name);
        CHECK_OK(ctx, hd_reduce(ctx, HD_VIEW_OF(type, x, n), op, HD_VIEW_OF(type, last, 1), NULL));
        CHECK_SAME(field, last, want + size * (size_t)(n - 1), (int64_t)fields,
                   "%s of %" PRId64 " on %s", hd_operator_name(op), n, targets[t].name);
    }
    free(want);
    free(got);
}

static void expect_function(const double *x, int64_t n)
{
    const check_target *targets;
    const int count = check_targets(&targets);
    double *mapped = check_memory(8 * (size_t)n), *got = check_memory(8 * (size_t)n);
    for (int64_t i = 0; i < n; i++) {
        volatile double product = x[i] * x[i + 1];
        mapped[i] = product + x[i + 2];
    }
    ref_scan(HD_SUM, HD_F64, mapped, n, HD_F64, mapped, NULL, NULL);
    for (int t = 0; t < count; t++) {
        const hd_scan_options options = {.map = multiply_add,
                                         .with = HD_VIEWS(HD_VIEW(x + 1, n), HD_VIEW(x + 2, n))};
        CHECK_OK(targets[t].ctx,
                 hd_scan(targets[t].ctx, HD_VIEW(x, n), HD_SUM, HD_VIEW(got, n), &options));
        CHECK_SAME(HD_F64, got, mapped, n, "a mapped scan of %" PRId64 " on %s", n,
                   targets[t].name);
    }
    free(mapped);
    free(got);
}

int main(void)
{
    static const ref_monoid complex_monoid = {sizeof(complex_number), product_exactly, NULL};
    static const ref_monoid affine_monoid = {sizeof(affine), then_exactly, NULL};
    static const int64_t sizes[] = {1, 2, 7, 8, 9, 64, 255, 1000, 4099, 70001};
    enum { MAX = 70001 };
    float *c = check_memory(8 * MAX);
    double *a = check_memory(16 * MAX);
    check_fill(HD_F32, c, 2 * MAX, CHECK_ORDINARY, check_seed());
    check_fill(HD_F64, a, 2 * MAX, CHECK_UNITS, check_seed());
    test_control(a, MAX);
    for (int k = 0; k < (check_small() ? 8 : 10); k++) {
        expect(times, HD_F32, 2, &complex_monoid, c, sizes[k]);
        expect(then, HD_F64, 2, &affine_monoid, a, sizes[k]);
        expect_function(a, sizes[k]);
    }
    free(c);
    free(a);
    return check_finish();
}
