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

int main(void)
{
    uint64_t d, f;
#define ONE(name, bound, bits, bits_f)                                                             \
    d = f = 0;                                                                                     \
    for (int k = 0; k < MATH_ARGUMENTS; k++) {                                                     \
        d = math_hash(d, hd_##name(math_argument(k, 1)));                                          \
        f = math_hash(f, (double)hd_##name##f(math_float_argument(k, 1)));                         \
    }                                                                                              \
    compare(#name, d, bits, f, bits_f);
#define TWO(name, bound, bits, bits_f)                                                             \
    d = f = 0;                                                                                     \
    for (int k = 0; k < MATH_ARGUMENTS; k++) {                                                     \
        d = math_hash(d, hd_##name(math_argument(k, 1), math_argument(k, 2)));                     \
        f = math_hash(f,                                                                           \
                      (double)hd_##name##f(math_float_argument(k, 1), math_float_argument(k, 2))); \
    }                                                                                              \
    compare(#name, d, bits, f, bits_f);
#include "tests/numerics/math.def"
    return failed;
}
