// SPDX-License-Identifier: Apache-2.0
//
// How far the functions of heddle/math.h are from the true values: doubles against the C library's
// long double, where that has more bits, and against values of 1400 bits at hard arguments
// (math_hard.def); floats against the C library's double. No more than the header says.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/math_arguments.h"

// ---- Units of the last place --------------------------------------------------------------------

// Of a double or, with 24 bits, a float near x.
static double ulp_of(double x, int bits)
{
    int e;
    const int least = bits == 53 ? -1021 : -125;
    frexp(x, &e);
    return ldexp(1, (x == 0 || e < least ? least : e) - bits);
}

static bool is_subnormal(double x)
{
    return fabs(x) < 2 * DBL_MIN;
}

// Results that round twice on their way to a subnormal number.
#define SUBNORMAL_BOUND 0.76
static double bound_of(double bound, double x)
{
    return is_subnormal(x) ? SUBNORMAL_BOUND : bound;
}

// ---- Doubles at random --------------------------------------------------------------------------

// How far from a long double, whose own error is a few of its last places.
static double distance(double got, long double want)
{
    if (isnan(want) || isnan(got)) return isnan(want) && isnan(got) ? 0 : INFINITY;
    const double near = (double)want;
    if (isinf(near) || isinf(got)) return near == got ? 0 : INFINITY;
    return (double)(fabsl((long double)got - want) / (long double)ulp_of(near, 53));
}

static void within(const char *name, double x, double y, double got, long double want, double bound,
                   double *most)
{
    const double slack = 0.002, off = distance(got, want);
    if (!is_subnormal(got) && off > *most) *most = off;
    CHECK(off <= bound_of(bound, got) + slack, "hd_%s(%a, %a) is %a, %.4f ulp from %La; at most %g",
          name, x, y, got, off, want, bound);
}

static void test_random(void)
{
    const int n = check_small() ? 4000 : 60000;
    const uint64_t row = check_seed() + 10;
    if (LDBL_MANT_DIG < 64) return;
#define ONE(name, bound, bits, bits_f)                                                             \
    {                                                                                              \
        double most = 0;                                                                           \
        for (int k = 0; k < n; k++) {                                                              \
            const double x = math_argument(k, row);                                                \
            within(#name, x, 0, hd_##name(x), name##l((long double)x), bound, &most);              \
        }                                                                                          \
        printf("hd_%-6s %.4f\n", #name, most);                                                     \
    }
#define TWO(name, bound, bits, bits_f)                                                             \
    {                                                                                              \
        double most = 0;                                                                           \
        for (int k = 0; k < n; k++) {                                                              \
            const double x = math_argument(k, row), y = math_argument(k, row + 1);                 \
            within(#name, x, y, hd_##name(x, y), name##l((long double)x, (long double)y), bound,   \
                   &most);                                                                         \
        }                                                                                          \
        printf("hd_%-6s %.4f\n", #name, most);                                                     \
    }
#include "math.def"
#undef ONE
#undef TWO
}

// ---- Doubles at hard arguments ------------------------------------------------------------------

typedef struct limit {
    const char *name;
    double bound;
} limit;

static double limit_of(const char *name)
{
    static const limit limits[] = {
#define ONE(name, bound, bits, bits_f) {#name, bound},
#define TWO                            ONE
#include "math.def"
#undef ONE
#undef TWO
    };
    for (size_t k = 0; k < sizeof limits / sizeof *limits; k++)
        if (strcmp(limits[k].name, name) == 0) return limits[k].bound;
    return 0;
}

static void at_hard(const char *name, double x, double y, double got, double hi, double lo)
{
    const double off = fabs((got - hi) - lo) / ulp_of(hi, 53);
    CHECK(off <= bound_of(limit_of(name), hi), "hd_%s(%a, %a) is %a, %.4f ulp from %a", name, x, y,
          got, off, hi);
}

static void test_hard(void)
{
#define HARD_ONE(name, x, hi, lo)    at_hard(#name, x, 0, hd_##name(x), hi, lo);
#define HARD_TWO(name, x, y, hi, lo) at_hard(#name, x, y, hd_##name(x, y), hi, lo);
#include "math_hard.def"
}

// ---- Floats -------------------------------------------------------------------------------------

static void float_within(const char *name, float x, float y, float got, double want)
{
    const float near = (float)want;
    if (isnan(want) || isnan(got) || isinf(near) || isinf(got)) {
        CHECK((isnan(want) && isnan(got)) || near == got, "hd_%sf(%a, %a) is %a, not %a", name,
              (double)x, (double)y, (double)got, want);
        return;
    }
    const double off = fabs((double)got - want) / ulp_of(want, 24);
    CHECK(off <= 0.5001, "hd_%sf(%a, %a) is %a, %.6f ulp from %a", name, (double)x, (double)y,
          (double)got, off, want);
}

// Steps through all floats, and at random.
static float float_at(int k, int n, uint64_t row)
{
    union {
        uint32_t u;
        float f;
    } both;
    both.u = (uint32_t)((uint64_t)k * 0x100000000u / (uint64_t)n) + (uint32_t)(row & 0xff);
    return k % 2 == 0 ? both.f : math_float_argument(k, row);
}

static void test_floats(void)
{
    const int n = check_small() ? 4000 : 200000;
    const uint64_t row = check_seed() + 20;
    for (int k = 0; k < n; k++) {
        const float x = float_at(k, n, row), y = math_float_argument(k, row + 1);
#define ONE(name, bound, bits, bits_f) float_within(#name, x, 0, hd_##name##f(x), name((double)x));
#define TWO(name, bound, bits, bits_f)                                                             \
    float_within(#name, x, y, hd_##name##f(x, y), name((double)x, (double)y));
#include "math.def"
#undef ONE
#undef TWO
    }
}

// From one float to the next, whose bits are one more.
static void test_monotone(void)
{
    const int n = check_small() ? 4000 : 100000;
    const uint64_t row = check_seed() + 30;
    for (int k = 0; k < n; k++) {
        const float x = fabsf(float_at(k, n, row)), next = nextafterf(x, INFINITY);
        if (!(x < INFINITY)) continue;
#define RISES(name)                                                                                \
    CHECK(hd_##name(x) <= hd_##name(next), "hd_" #name " falls at %a", (double)x);                 \
    CHECK(!(hd_##name(-x) < hd_##name(-next)), "hd_" #name " falls at %a", (double)-next);
        RISES(expf)
        RISES(exp2f)
        RISES(expm1f)
        RISES(tanhf)
        RISES(logf)
        RISES(log2f)
        RISES(log10f)
        RISES(log1pf)
        RISES(atanf)
        RISES(sqrtf)
        RISES(cbrtf)
    }
}

int main(void)
{
    test_random();
    test_hard();
    test_floats();
    test_monotone();
    return check_finish();
}
