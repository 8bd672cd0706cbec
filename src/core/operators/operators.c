// SPDX-License-Identifier: Apache-2.0
// The built-in operators as callers name them, and the output types they give by default.
#include "builtin.h"

#include <string.h>

// Their flags are what hd_check_operator holds them to; their work is in the concrete monoids.
#define FLAGS (HD_ASSOCIATIVE | HD_COMMUTATIVE)
const hd_operator hd__built_in[HD__OP_COUNT] = {
#define X(op, id, rule, folds, empty)                                                              \
    [id] = {.abi = HD__ABI, .builtin = id, .flags = FLAGS, .name = #op},
#include "operators.def"
#undef X
};

const hd__operator_row hd__operator_rows[HD__OP_COUNT] = {
#define X(op, id, rule, folds, empty) [id] = {HD__RULE_##rule, folds, HD__EMPTY_##empty},
#include "operators.def"
#undef X
};

const char *hd_operator_name(const hd_operator *op)
{
    const hd_operator *o = hd__operator_of(op);
    return o != NULL && o->name != NULL ? o->name : "none";
}

const hd_operator *hd_operator_at(int32_t k)
{
    return k >= 0 && k < HD__OP_COUNT - 1 ? HD__BUILT_IN(k + 1) : NULL;
}

const hd_operator *hd_operator_named(const char *name)
{
    for (int id = 1; name != NULL && id < HD__OP_COUNT; id++)
        if (strcmp(hd__built_in[id].name, name) == 0) return HD__BUILT_IN(id);
    return NULL;
}

hd_type hd_default_output(const hd_operator *given, hd_type element)
{
    const hd_operator *op = hd__operator_of(given);
    if (op == NULL || op->builtin >= HD__OP_COUNT) return HD_NONE;
    if (op->builtin == HD__USER_OP) return hd__same_type(op->type, element) ? element : HD_NONE;
    if (hd__is_complex(element))
        return hd__builtin_complex(op->builtin, element) != NULL ? element : HD_NONE;
    if (!hd__is_number(element)) return HD_NONE;
    const bool real = hd__is_float(element);
    switch (hd__operator_rows[op->builtin].rule) {
    case HD__RULE_ARITHMETIC:
    case HD__RULE_PRODUCTS:
        if (real) return element;
        return hd__kind_of(element) == HD__UNSIGNED ? HD_U64 : HD_I64;
    case HD__RULE_EXTREME: return element;
    case HD__RULE_BITS: return real ? HD_NONE : element;
    case HD__RULE_UNSIGNED: return hd__kind_of(element) == HD__UNSIGNED ? element : HD_NONE;
    case HD__RULE_TEST: return HD_BOOL;
    case HD__RULE_INDEX: return HD_I64;
    case HD__RULE_MEAN:
    case HD__RULE_VARIANCE:
    case HD__RULE_NORM:
    case HD__RULE_COMPENSATED:
    case HD__RULE_EXACT: return real ? element : HD_F64;
    }
    return HD_NONE;
}
