// SPDX-License-Identifier: Apache-2.0
// Built-in monoids over f32 and f64. Minimum and maximum propagate NaN and order -0 below +0;
// both are then exactly associative. The identity of addition is -0: x + -0 is x, bit for bit.
#include "builtin.h"

#include <math.h>

#define ROUNDING (HD_ASSOCIATIVE | HD_COMMUTATIVE)
#define EXACT    (ROUNDING | HD_EXACT)

// Equal operands differ in sign only if they are zeros: then a + b is +0, and -(-a - b) is -0.
#define FLOATS(t, T)                                                                               \
    HD_MONOID(sum_##t, T, HD_NO_SOURCE, ROUNDING, -0.0f, { return a + b; })                        \
    HD_MONOID(product_##t, T, HD_NO_SOURCE, ROUNDING, 1.0f, { return a * b; })                     \
    HD_MONOID(min_##t, T, HD_NO_SOURCE, EXACT, INFINITY, {                                         \
        if (a < b || a != a) return a;                                                             \
        if (b < a || b != b) return b;                                                             \
        return a == 0 ? -(-a - b) : a;                                                             \
    })                                                                                             \
    HD_MONOID(max_##t, T, HD_NO_SOURCE, EXACT, -INFINITY, {                                        \
        if (a > b || a != a) return a;                                                             \
        if (b > a || b != b) return b;                                                             \
        return a == 0 ? a + b : a;                                                                 \
    })

FLOATS(f32, float)
FLOATS(f64, double)

#define COLUMN(op) [HD_F32] = op##_f32, [HD_F64] = op##_f64

#define NO_COLUMN [HD_NONE] = NULL

// What a rule needs of this file.
#define MONOIDS_ARITHMETIC(op)  COLUMN(op)
#define MONOIDS_PRODUCTS(op)    NO_COLUMN
#define MONOIDS_EXTREME(op)     COLUMN(op)
#define MONOIDS_BITS(op)        NO_COLUMN
#define MONOIDS_UNSIGNED(op)    NO_COLUMN
#define MONOIDS_TEST(op)        NO_COLUMN
#define MONOIDS_INDEX(op)       NO_COLUMN
#define MONOIDS_MEAN(op)        NO_COLUMN
#define MONOIDS_VARIANCE(op)    NO_COLUMN
#define MONOIDS_NORM(op)        NO_COLUMN
#define MONOIDS_COMPENSATED(op) NO_COLUMN
#define MONOIDS_EXACT(op)       NO_COLUMN

static const hd_operator *const table[HD__OP_COUNT][HD_TYPE_KINDS] = {
#define X(op, id, rule, folds, empty) [id] = {MONOIDS_##rule(op)},
#include "operators.def"
#undef X
};

const hd_operator *hd__builtin_float(hd__op op, hd_type type)
{
    return table[op][type];
}
