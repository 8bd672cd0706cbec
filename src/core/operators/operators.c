// SPDX-License-Identifier: Apache-2.0
// The built-in operators as callers name them, and the output types they give by default.
#include "builtin.h"

#include <string.h>

// Their flags are what hd_check_operator holds them to; their work is in the concrete monoids.
#define FLAGS     (HD_ASSOCIATIVE | HD_COMMUTATIVE)
#define X(op, id) const hd_operator hd_op_##op = {.name = #op, .builtin = id, .flags = FLAGS};
#include "operators.def"
#undef X

static const hd_operator *const list[] = {
#define X(op, id) &hd_op_##op,
#include "operators.def"
#undef X
};

#define LIST_SIZE ((int32_t)(sizeof list / sizeof *list))

const char *hd_operator_name(const hd_operator *op)
{
    return op != NULL && op->name != NULL ? op->name : "none";
}

const hd_operator *hd_operator_at(int32_t k)
{
    return k >= 0 && k < LIST_SIZE ? list[k] : NULL;
}

const hd_operator *hd_operator_named(const char *name)
{
    for (int32_t k = 0; name != NULL && k < LIST_SIZE; k++)
        if (strcmp(list[k]->name, name) == 0) return list[k];
    return NULL;
}

hd_type hd_default_output(const hd_operator *op, hd_type element)
{
    if (op == NULL || op->builtin >= HD__OP_COUNT) return HD_NONE;
    if (op->builtin == HD__USER_OP) return op->type == element ? element : HD_NONE;
    if (!hd__is_number(element)) return HD_NONE;
    const bool real = hd__is_float(element);
    switch ((hd__op)op->builtin) {
    case HD__SUM:
    case HD__DOT:
    case HD__PRODUCT:
        if (real) return element;
        return hd__kind_of(element) == HD__UNSIGNED ? HD_U64 : HD_I64;
    case HD__AND:
    case HD__OR:
    case HD__XOR: return real ? HD_NONE : element;
    case HD__ALL:
    case HD__ANY: return HD_BOOL;
    case HD__ARGMIN:
    case HD__ARGMAX: return HD_I64;
    case HD__MEAN:
    case HD__SUM_COMPENSATED:
    case HD__SUM_EXACT:
    case HD__NORM2:
    case HD__VARIANCE: return real ? element : HD_F64;
    default: return element;
    }
}
