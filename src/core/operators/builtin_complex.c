// SPDX-License-Identifier: Apache-2.0
// Built-in monoids over complex numbers. They have a text, as a user's operators of a structure
// have, and run wherever those do.
#include "builtin.h"

// The structures of heddle.h.
static const hd_source complex_numbers[1] = {
    {"complex_numbers", "typedef struct hd_c64 { float re, im; } hd_c64;\n"
                        "typedef struct hd_c128 { double re, im; } hd_c128;\n"}};

#define FLAGS (HD_ASSOCIATIVE | HD_COMMUTATIVE)

#define COMPLEX(t)                                                                                 \
    HD_MONOID(sum_##t, hd_##t, complex_numbers, FLAGS, HD_BRACES(0, 0), {                          \
        hd_##t r;                                                                                  \
        r.re = a.re + b.re;                                                                        \
        r.im = a.im + b.im;                                                                        \
        return r;                                                                                  \
    })                                                                                             \
    HD_MONOID(product_##t, hd_##t, complex_numbers, FLAGS, HD_BRACES(1, 0), {                      \
        hd_##t r;                                                                                  \
        r.re = a.re * b.re - a.im * b.im;                                                          \
        r.im = a.re * b.im + a.im * b.re;                                                          \
        return r;                                                                                  \
    })

COMPLEX(c64)
COMPLEX(c128)

const hd_operator *hd__builtin_complex(uint32_t op, hd_type type)
{
    if (op == HD__SUM) return type == HD_C64 ? sum_c64 : sum_c128;
    if (op == HD__PRODUCT) return type == HD_C64 ? product_c64 : product_c128;
    return NULL;
}
