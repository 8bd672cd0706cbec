// SPDX-License-Identifier: Apache-2.0
// The built-in operators made concrete: one monoid for each operation and type of its nodes,
// written with the same macros as a user's. fold.c chooses among them.
#ifndef HEDDLE_CORE_OPERATORS_BUILTIN_H
#define HEDDLE_CORE_OPERATORS_BUILTIN_H

#include "state.h"

typedef enum hd__op {
    HD__USER_OP = 0,
#define X(name, id, rule, folds, empty) id,
#include "operators.def"
#undef X
    HD__OP_COUNT
} hd__op;

// Which elements an operator takes, and which outputs it gives from them. fold.c has the checks.
typedef enum hd__rule {
    HD__RULE_ARITHMETIC,  // numbers into a type at least as wide, integers also into f32 and f64
    HD__RULE_PRODUCTS,    // as ARITHMETIC, of products of two views (products.h)
    HD__RULE_EXTREME,     // numbers into the same type or a wider one of its kind
    HD__RULE_BITS,        // integers and bool, likewise
    HD__RULE_UNSIGNED,    // unsigned integers, likewise
    HD__RULE_TEST,        // numbers into bool
    HD__RULE_INDEX,       // numbers into i64
    HD__RULE_MEAN,        // numbers into f32 or f64, 16-bit floats also into themselves
    HD__RULE_VARIANCE,    // likewise
    HD__RULE_NORM,        // likewise
    HD__RULE_COMPENSATED, // floats into a float at least as wide, integers and bool into f32 or f64
    HD__RULE_EXACT        // likewise
} hd__rule;

typedef enum hd__empty {
    HD__EMPTY_ZERO,     // +0
    HD__EMPTY_IDENTITY, // that of its nodes
    HD__EMPTY_NOT_A_NUMBER,
    HD__EMPTY_NO_INDEX // -1, and the value 0
} hd__empty;

// A row of operators.def.
typedef struct hd__operator_row {
    hd__rule rule;
    hd__op folds;
    hd__empty empty;
} hd__operator_row;

extern const hd__operator_row hd__operator_rows[HD__OP_COUNT]; // HD__USER_OP has none

extern const hd_operator hd__built_in[HD__OP_COUNT]; // likewise

// The operator that a caller named, which is one of its own or the number of a built-in one. NULL
// for NULL and for a number that no operator has: nothing lies on the first page of memory.
static inline const hd_operator *hd__operator_of(const hd_operator *given)
{
    const uintptr_t number = (uintptr_t)given;
    if (number - 1 < HD__OP_COUNT - 1) return &hd__built_in[number];
    return number < 4096 ? NULL : given;
}

// The node of an argmin or argmax: the value, widened without loss, and where it stood.
typedef struct hd__arg_signed {
    int64_t value, index;
} hd__arg_signed;
typedef struct hd__arg_unsigned {
    uint64_t value;
    int64_t index;
} hd__arg_unsigned;
typedef struct hd__arg_float {
    double value;
    int64_t index;
} hd__arg_float;

// The node of a variance: how many, their mean, and the sum of squares of their distances to it.
typedef struct hd__moments {
    double count, mean, m2;
} hd__moments;

// The same where an element may have more bits than the distances between elements leave an f64
// room for: the mean is mean + low, of which low is what the roundings of mean lost.
typedef struct hd__wide_moments {
    double count, mean, low, m2;
} hd__wide_moments;

// The nodes of float sums that know more than their sum: a pair has what the additions that made hi
// rounded off (lo); size is the sum of magnitudes.
typedef struct hd__pair_f32 {
    float hi, lo;
} hd__pair_f32;
typedef struct hd__pair_f64 {
    double hi, lo;
} hd__pair_f64;
typedef struct hd__sized_f32 {
    float hi, size;
} hd__sized_f32;
typedef struct hd__sized_f64 {
    double hi, size;
} hd__sized_f64;
typedef struct hd__sized_pair_f32 {
    float hi, lo, size;
} hd__sized_pair_f32;
typedef struct hd__sized_pair_f64 {
    double hi, lo, size;
} hd__sized_pair_f64;

// The node of an exact sum: a fixed-point number in two's complement, least limb first, whose last
// bit stands for the least float there is (2^-149, 2^-1074) and whose first ones hold the carries
// of 2^62 elements; and what fixed point cannot hold. Added modulo its width it has one form for
// one sum.
#define HD__NARROW_LIMBS 6
#define HD__WIDE_LIMBS   34
#define HD__LIMBS_NAN    1 // some element was
#define HD__LIMBS_ABOVE  2 // infinity
#define HD__LIMBS_BELOW  4 // -infinity
#define HD__LIMBS_SOME   8 // anything but -0
typedef struct hd__limbs_narrow {
    uint64_t limb[HD__NARROW_LIMBS], flags;
} hd__limbs_narrow;
typedef struct hd__limbs_wide {
    uint64_t limb[HD__WIDE_LIMBS], flags;
} hd__limbs_wide;

// The node of a norm of f64: sums of squares of small elements times 2^537, of ordinary ones, and
// of large ones times 2^-538.
typedef struct hd__norm {
    double small, middle, large;
} hd__norm;

// The monoid of an operation over nodes of a type, or NULL. `type` is an integer or f32, f64; for
// HD__ARGMIN and HD__ARGMAX it is HD_I64, HD_U64 or HD_F64 (the widened value), for HD__SUM_EXACT
// HD_F32 (narrow) or HD_F64 (wide), for HD__NORM2 it is not looked at. HD__VARIANCE has
// hd__builtin_moments instead.
const hd_operator *hd__builtin(hd__op op, hd_type type);
const hd_operator *hd__builtin_moments(bool wide);
const hd_operator *hd__builtin_integer(hd__op op, hd_type type);
const hd_operator *hd__builtin_float(hd__op op, hd_type type);
const hd_operator *hd__builtin_limbs(hd_type number);
const hd_operator *hd__builtin_norm(void);

// The monoid of a built-in operator over elements of HD_C64 or HD_C128, or NULL.
const hd_operator *hd__builtin_complex(uint32_t op, hd_type type);

// Elements into nodes of an exact sum (number: HD_F32 or HD_F64), and nodes into outputs of a float
// type.
void hd__limbs_load(hd_type number, hd_type element, const void *elements, int64_t n, void *nodes);
void hd__limbs_finalize(hd_type number, const void *nodes, int64_t n, hd_type out, void *results);

// The same of a norm of f64.
void hd__norm_load(const double *elements, int64_t n, hd__norm *nodes);
double hd__norm_finalize(hd__norm node);

// The monoid over pairs, sizes or both (at least one of them) of f32 or f64.
const hd_operator *hd__builtin_sum(bool pairs, bool sizes, hd_type type);

#endif
