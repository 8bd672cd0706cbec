// SPDX-License-Identifier: Apache-2.0
//
// The functions of heddle/math.h at the ends: zeros and their signs, infinities, NaN, the edges of
// overflow and underflow as in annex F of the C standard, and results that are exact.
#include <float.h>
#include <math.h>

#include "tests/support/check.h"

static void same(const char *what, double x, double y, double got, double want)
{
    CHECK((isnan(got) && isnan(want)) || (got == want && !signbit(got) == !signbit(want)),
          "%s(%a, %a) is %a, not %a", what, x, y, got, want);
}

// Both of a name: the double's, and the float's where the numbers are floats.
#define AT(name, x, want)                                                                          \
    same("hd_" #name, x, 0, hd_##name(x), want);                                                   \
    same("hd_" #name "f", x, 0, (double)hd_##name##f((float)(x)), (double)(float)(want));
#define AT2(name, x, y, want)                                                                      \
    same("hd_" #name, x, y, hd_##name(x, y), want);                                                \
    same("hd_" #name "f", x, y, (double)hd_##name##f((float)(x), (float)(y)),                      \
         (double)(float)(want));

// Odd functions of which 0 is 0.
#define ODD(name)                                                                                  \
    AT(name, 0.0, 0.0)                                                                             \
    AT(name, -0.0, -0.0)                                                                           \
    AT(name, NAN, NAN)                                                                             \
    same("hd_" #name, DBL_TRUE_MIN, 0, hd_##name(DBL_TRUE_MIN), DBL_TRUE_MIN);                     \
    same("hd_" #name, -DBL_MIN, 0, hd_##name(-DBL_MIN), -DBL_MIN);                                 \
    same("hd_" #name "f", -FLT_TRUE_MIN, 0, (double)hd_##name##f(-FLT_TRUE_MIN), -FLT_TRUE_MIN);

static void test_ends(void)
{
    ODD(sin)
    ODD(tan)
    ODD(atan)
    ODD(tanh)
    ODD(expm1)
    ODD(log1p)
#include "math_special.def"
    same("hd_pow", -1, 0x1.fffffffffffffp+52, hd_pow(-1, 0x1.fffffffffffffp+52), -1);
    same("hd_pow", -1, 0x1p53, hd_pow(-1, 0x1p53), 1);
}

// ---- Exact results ------------------------------------------------------------------------------

static void test_powers_of_two(void)
{
    for (int k = -1074; k < 1024; k++) {
        const double x = ldexp(1, k);
        same("hd_exp2", k, 0, hd_exp2(k), x);
        same("hd_log2", x, 0, hd_log2(x), k);
        same("hd_pow", 2, k, hd_pow(2, k), x);
        same("hd_pow", 0.5, k, hd_pow(0.5, -k), x);
        if (k % 2 == 0) same("hd_sqrt", x, 0, hd_sqrt(x), ldexp(1, k / 2));
        if (k % 3 == 0) same("hd_cbrt", -x, 0, hd_cbrt(-x), -ldexp(1, k / 3));
        if (k < -149 || k > 127) continue;
        same("hd_exp2f", k, 0, (double)hd_exp2f((float)k), x);
        same("hd_log2f", x, 0, (double)hd_log2f((float)x), k);
        same("hd_powf", 2, k, (double)hd_powf(2, (float)k), x);
    }
}

static void test_whole(void)
{
    for (int n = 2; n < 2000; n++) {
        double power = 1;
        for (int k = 1; power * n < 0x1p53; k++) {
            power *= n;
            same("hd_pow", n, k, hd_pow(n, k), power);
            same("hd_pow", -n, k, hd_pow(-n, k), k % 2 == 0 ? power : -power);
            if (power < 0x1p24) same("hd_powf", n, k, (double)hd_powf((float)n, (float)k), power);
        }
        same("hd_cbrt", n, 0, hd_cbrt((double)n * n * n), n);
        same("hd_sqrt", n, 0, hd_sqrt((double)n * n), n);
        same("hd_hypot", n, 0, hd_hypot(20.0 * n, 21.0 * n), 29.0 * n);
    }
    double ten = 1;
    for (int k = 0; k <= 22; k++, ten *= 10) {
        same("hd_log10", ten, 0, hd_log10(ten), k);
        same("hd_pow", 10, k, hd_pow(10, k), ten);
        if (k <= 10) same("hd_log10f", ten, 0, (double)hd_log10f((float)ten), k);
    }
}

int main(void)
{
    test_ends();
    test_powers_of_two();
    test_whole();
    return check_finish();
}
