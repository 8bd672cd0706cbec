// SPDX-License-Identifier: Apache-2.0
// The built-in operators made concrete: one monoid for each operation and type of its nodes,
// written with the same macros as a user's. fold.c chooses among them.
#ifndef HD__BUILTIN_H
#define HD__BUILTIN_H

#include "core/types.h"

typedef enum hd__op {
    HD__USER_OP = 0,
#define X(name, id) id,
#include "core/operators.def"
#undef X
    HD__OP_COUNT
} hd__op;

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

// The monoid of an operation over nodes of a type, or NULL. `type` is an integer or f32, f64; for
// HD__ARGMIN and HD__ARGMAX it is HD_I64, HD_U64 or HD_F64 (the widened value), for HD__VARIANCE
// it is not looked at.
const hd_operator *hd__builtin(hd__op op, hd_type type);
const hd_operator *hd__builtin_integer(hd__op op, hd_type type);
const hd_operator *hd__builtin_float(hd__op op, hd_type type);

#endif
