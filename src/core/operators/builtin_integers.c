// SPDX-License-Identifier: Apache-2.0
// Built-in monoids over integers. Sums and products wrap: signed types use the unsigned ones,
// whose bits are the same.
#include "builtin.h"

#define ALL_FLAGS (HD_ASSOCIATIVE | HD_COMMUTATIVE | HD_EXACT)
#define WRAPPING(t, T)                                                                             \
    HD_MONOID(sum_##t, T, HD_NO_SOURCE, ALL_FLAGS, 0, { return (T)(a + b); })                      \
    HD_MONOID(product_##t, T, HD_NO_SOURCE, ALL_FLAGS, 1, { return (T)((uint64_t)a * b); })        \
    HD_MONOID(and_##t, T, HD_NO_SOURCE, ALL_FLAGS, (T) ~(T)0, { return (T)(a & b); })              \
    HD_MONOID(or_##t, T, HD_NO_SOURCE, ALL_FLAGS, 0, { return (T)(a | b); })                       \
    HD_MONOID(xor_##t, T, HD_NO_SOURCE, ALL_FLAGS, 0, { return (T)(a ^ b); })
#define ORDERED(t, T, least, greatest)                                                             \
    HD_MONOID(min_##t, T, HD_NO_SOURCE, ALL_FLAGS, greatest, { return b < a ? b : a; })            \
    HD_MONOID(max_##t, T, HD_NO_SOURCE, ALL_FLAGS, least, { return b > a ? b : a; })
// Euclid's algorithm.
#define DIVISORS(t, T)                                                                             \
    HD_MONOID(gcd_##t, T, HD_NO_SOURCE, ALL_FLAGS, 0, {                                            \
        while (b != 0) {                                                                           \
            const T rest = (T)(a % b);                                                             \
            a = b;                                                                                 \
            b = rest;                                                                              \
        }                                                                                          \
        return a;                                                                                  \
    })

WRAPPING(u8, uint8_t)
WRAPPING(u16, uint16_t)
WRAPPING(u32, uint32_t)
WRAPPING(u64, uint64_t)
DIVISORS(u8, uint8_t)
DIVISORS(u16, uint16_t)
DIVISORS(u32, uint32_t)
DIVISORS(u64, uint64_t)
ORDERED(u8, uint8_t, 0, UINT8_MAX)
ORDERED(u16, uint16_t, 0, UINT16_MAX)
ORDERED(u32, uint32_t, 0, UINT32_MAX)
ORDERED(u64, uint64_t, 0, UINT64_MAX)
ORDERED(i8, int8_t, INT8_MIN, INT8_MAX)
ORDERED(i16, int16_t, INT16_MIN, INT16_MAX)
ORDERED(i32, int32_t, INT32_MIN, INT32_MAX)
ORDERED(i64, int64_t, INT64_MIN, INT64_MAX)

#define COLUMN(op)                                                                                 \
    [HD_I8] = op##_u8, [HD_I16] = op##_u16, [HD_I32] = op##_u32, [HD_I64] = op##_u64,              \
    [HD_U8] = op##_u8, [HD_U16] = op##_u16, [HD_U32] = op##_u32, [HD_U64] = op##_u64
#define ORDERED_COLUMN(op)                                                                         \
    [HD_I8] = op##_i8, [HD_I16] = op##_i16, [HD_I32] = op##_i32, [HD_I64] = op##_i64,              \
    [HD_U8] = op##_u8, [HD_U16] = op##_u16, [HD_U32] = op##_u32, [HD_U64] = op##_u64

#define UNSIGNED_COLUMN(op)                                                                        \
    [HD_U8] = op##_u8, [HD_U16] = op##_u16, [HD_U32] = op##_u32, [HD_U64] = op##_u64
#define NO_COLUMN [HD_NONE] = NULL

// What a rule needs of this file.
#define MONOIDS_ARITHMETIC(op)  COLUMN(op)
#define MONOIDS_PRODUCTS(op)    NO_COLUMN
#define MONOIDS_EXTREME(op)     ORDERED_COLUMN(op)
#define MONOIDS_BITS(op)        COLUMN(op)
#define MONOIDS_UNSIGNED(op)    UNSIGNED_COLUMN(op)
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

const hd_operator *hd__builtin_integer(hd__op op, hd_type type)
{
    return table[op][type];
}
