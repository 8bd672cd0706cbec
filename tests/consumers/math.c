// SPDX-License-Identifier: Apache-2.0
// The functions of heddle/math.h in a program, of whatever flags: prints the hashes of their
// results where they are not those of tests/numerics/math.def, and fails then. Compiled as C and as
// C++; the library is not needed.
#include <heddle.h>

#include <inttypes.h>
#include <stdio.h>

#include "tests/support/math_arguments.h"

static int failed = 0;

static void compare(const char *name, uint64_t got, uint64_t want, uint64_t got_f, uint64_t want_f)
{
    if (got == want && got_f == want_f) return;
    failed = 1;
    printf("hd_%s: 0x%016" PRIx64 "u, 0x%016" PRIx64 "u\n", name, got, got_f);
}

static double x[MATH_ARGUMENTS], y[MATH_ARGUMENTS];
static float xf[MATH_ARGUMENTS], yf[MATH_ARGUMENTS];

static void fill(void)
{
    for (int k = 0; k < MATH_ARGUMENTS; k++) {
        x[k] = math_argument(k, 1);
        y[k] = math_argument(k, 2);
        xf[k] = math_float_argument(k, 1);
        yf[k] = math_float_argument(k, 2);
    }
}

// A function each, which compilers take half as long for as for one of all.
#define CHECK(name, bits, bits_f, of_double, of_float)                                             \
    __attribute__((noinline)) static void check_##name(void)                                       \
    {                                                                                              \
        uint64_t d = 0, f = 0;                                                                     \
        for (int k = 0; k < MATH_ARGUMENTS; k++) {                                                 \
            d = math_hash(d, of_double);                                                           \
            f = math_hash(f, (double)of_float);                                                    \
        }                                                                                          \
        compare(#name, d, bits, f, bits_f);                                                        \
    }
#define ONE(name, bound, bits, bits_f)                                                             \
    CHECK(name, bits, bits_f, hd_##name(x[k]), hd_##name##f(xf[k]))
#define TWO(name, bound, bits, bits_f)                                                             \
    CHECK(name, bits, bits_f, hd_##name(x[k], y[k]), hd_##name##f(xf[k], yf[k]))
#include "tests/numerics/math.def"
#undef ONE
#undef TWO

int main(void)
{
    fill();
#define ONE(name, bound, bits, bits_f) check_##name();
#define TWO                            ONE
#include "tests/numerics/math.def"
    return failed;
}
