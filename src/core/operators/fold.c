// SPDX-License-Identifier: Apache-2.0
// Which nodes an operator folds for given element and output types. The table in heddle.h says
// what fits; this is that table.
#include "fold.h"
#include "core/system/float_state.h"
#include "probe.h"

#include <stdio.h>

static hd_status refuse_element(hd_context *ctx, const char *call, const hd_operator *op,
                                hd_type element, const char *expected)
{
    return hd__fail(ctx, HD_ERROR_TYPE,
                    "%s: operator %s does not take elements of type %s; expected %s", call,
                    op->name, hd_type_name(element), expected);
}

static hd_status refuse_output(hd_context *ctx, const char *call, const hd__fold *fold,
                               const char *expected)
{
    char element[48];
    const char *name = hd_type_name(fold->element);
    size_t k = 0;
    for (; k + 1 < sizeof element && name[k] != 0; k++) element[k] = name[k];
    element[k] = 0;
    return hd__fail(ctx, HD_ERROR_TYPE,
                    "%s: operator %s over %s cannot give an output of type %s; expected %s", call,
                    fold->asked->name, element, hd_type_name(fold->out), expected);
}

// Accumulation in a float: 16-bit floats in f32, everything in the output's type if that is wider.
static hd_type float_number(hd_type element, hd_type out)
{
    if (out == HD_F64 || element == HD_F64) return HD_F64;
    return HD_F32;
}

static bool widens(hd_type from, hd_type to)
{
    return hd__kind_of(from) == hd__kind_of(to) && hd__size_of(to) >= hd__size_of(from) &&
           (from == to || hd__size_of(to) > hd__size_of(from));
}

static hd_status resolve_arithmetic(hd_context *ctx, const char *call, hd__fold *f)
{
    if (hd__is_float(f->element)) {
        if (!widens(f->element, f->out))
            return refuse_output(ctx, call, f, "the same or a wider float");
        f->number = float_number(f->element, f->out);
        return HD_OK;
    }
    if (!hd__is_number(f->element))
        return refuse_element(ctx, call, f->asked, f->element, "numbers");
    const bool wide = hd__is_integer(f->out) && hd__size_of(f->out) >= hd__size_of(f->element);
    if (!wide && f->out != HD_F32 && f->out != HD_F64)
        return refuse_output(ctx, call, f, "an integer at least as wide, f32 or f64");
    f->number = f->out;
    return HD_OK;
}

static hd_status resolve_compensated(hd_context *ctx, const char *call, hd__fold *f)
{
    if (!hd__is_number(f->element))
        return refuse_element(ctx, call, f->asked, f->element, "numbers");
    const bool real = hd__is_float(f->element);
    if (real ? !widens(f->element, f->out) : f->out != HD_F32 && f->out != HD_F64)
        return refuse_output(ctx, call, f, real ? "the same or a wider float" : "f32 or f64");
    f->number = real ? float_number(f->element, f->out) : f->out;
    f->form = HD__SUM_PAIR;
    return HD_OK;
}

static hd_status resolve_same(hd_context *ctx, const char *call, hd__fold *f, bool takes,
                              const char *expected)
{
    if (!takes) return refuse_element(ctx, call, f->asked, f->element, expected);
    if (!widens(f->element, f->out))
        return refuse_output(ctx, call, f, "the same type, or a wider one of its kind");
    f->number = hd__is_float(f->element) ? float_number(f->element, f->out) : f->out;
    return HD_OK;
}

static hd_status resolve_test(hd_context *ctx, const char *call, hd__fold *f)
{
    if (!hd__is_number(f->element))
        return refuse_element(ctx, call, f->asked, f->element, "numbers");
    if (f->out != HD_BOOL) return refuse_output(ctx, call, f, "bool");
    f->number = HD_BOOL;
    return HD_OK;
}

static hd_status resolve_arg(hd_context *ctx, const char *call, hd__fold *f)
{
    if (!hd__is_number(f->element))
        return refuse_element(ctx, call, f->asked, f->element, "numbers");
    if (f->out != HD_I64) return refuse_output(ctx, call, f, "i64: the index");
    f->form = HD__ARG;
    f->number = hd__is_float(f->element)                ? HD_F64
                : hd__kind_of(f->element) == HD__SIGNED ? HD_I64
                                                        : HD_U64;
    f->node_size = sizeof(hd__arg_signed);
    return HD_OK;
}

// An f64 mean has 29 bits more than an f32: far from 0 the variance keeps that many, more than it
// is rounded to. Integers of 32 bits have 21, and their variance is an f64; f64 has none.
static bool has_wide_moments(hd_type element)
{
    return element == HD_F64 || (hd__is_integer(element) && hd__size_of(element) >= 4);
}

static hd_status resolve_average(hd_context *ctx, const char *call, hd__fold *f)
{
    if (!hd__is_number(f->element))
        return refuse_element(ctx, call, f->asked, f->element, "numbers");
    const bool half = hd__is_float(f->element) && f->out == f->element;
    if (f->out != HD_F32 && f->out != HD_F64 && !half)
        return refuse_output(ctx, call, f, "f32 or f64 (f16 and bf16 also give themselves)");
    f->number = hd__is_float(f->element) ? float_number(f->element, f->out) : HD_F64;
    return HD_OK;
}

static hd_status resolve_mean(hd_context *ctx, const char *call, hd__fold *f)
{
    HD_TRY(resolve_average(ctx, call, f));
    f->divides = f->counted = true;
    return HD_OK;
}

static hd_status resolve_variance(hd_context *ctx, const char *call, hd__fold *f)
{
    HD_TRY(resolve_average(ctx, call, f));
    const bool wide = has_wide_moments(f->element);
    f->form = wide ? HD__WIDE_MOMENTS : HD__MOMENTS;
    f->number = f->element == HD_I64 || f->element == HD_U64 ? f->element : HD_F64;
    f->node_size = wide ? sizeof(hd__wide_moments) : sizeof(hd__moments);
    return HD_OK;
}

static hd_status resolve_exact(hd_context *ctx, const char *call, hd__fold *f)
{
    if (hd__is_integer(f->out) || f->out == HD_BOOL)
        return refuse_output(ctx, call, f, "a float that is not narrower; f32 or f64 for integers");
    HD_TRY(resolve_arithmetic(ctx, call, f));
    f->form = HD__LIMBS;
    f->node_size = f->number == HD_F64 ? sizeof(hd__limbs_wide) : sizeof(hd__limbs_narrow);
    return HD_OK;
}

// Squares of all types but f64 are far from the ends of f64.
static hd_status resolve_norm(hd_context *ctx, const char *call, hd__fold *f)
{
    HD_TRY(resolve_average(ctx, call, f));
    f->number = HD_F64;
    if (f->element == HD_F64 || f->out == HD_F64) {
        f->op = HD__NORM2;
        f->form = HD__NORM;
        f->node_size = sizeof(hd__norm);
    } else {
        f->squares = true;
    }
    return HD_OK;
}

// The type of a user's operator, with the name that its text gives it.
static const char *declared(const hd_operator *op, char text[160])
{
    snprintf(text, 160, "%s, as it was declared with (%.80s)", hd_type_name(op->type),
             op->type_text != NULL ? op->type_text : "no text");
    return text;
}

static hd_status resolve_user(hd_context *ctx, const char *call, hd__fold *f)
{
    char text[160];
    if (f->asked->combine == NULL || hd__size_of(f->asked->type) == 0)
        return hd__fail(ctx, HD_ERROR_OPERATOR,
                        "%s: operator %s has no combine function or no type", call,
                        f->asked->name != NULL ? f->asked->name : "(no name)");
    if (!hd__same_type(f->element, f->asked->type))
        return refuse_element(ctx, call, f->asked, f->element, declared(f->asked, text));
    if (!hd__same_type(f->out, f->element) || !hd__same_type(f->out, f->asked->type))
        return refuse_output(ctx, call, f, declared(f->asked, text));
    HD_TRY(hd__check_state(ctx, call, "operator", f->asked->name, &f->asked->state));
    HD_TRY(hd__check_probe(ctx, call, "operator", f->asked->name, f->asked->probe));
    f->node = f->asked;
    f->number = f->element = f->out = f->asked->type; // whatever tags the views had
    f->direct_in = f->direct_out = true;
    return HD_OK;
}

// ---- What a call asks beside its types ----------------------------------------------------------

static hd_status resolve_accumulate(hd_context *ctx, const char *call, hd_type requested,
                                    hd__fold *f)
{
    if (requested == HD_NONE) return HD_OK;
    if (requested != HD_F64)
        return hd__fail(ctx, HD_ERROR_TYPE, "%s: accumulate is %s; expected f64, or 0 for none",
                        call, hd_type_name(requested));
    const uint32_t op = f->asked->builtin;
    if (op != HD__SUM && op != HD__PRODUCT && op != HD__MEAN && op != HD__SUM_COMPENSATED &&
        op != HD__DOT)
        return hd__fail(ctx, HD_ERROR_ARGUMENT,
                        "%s: operator %s takes no accumulate; sum, product, mean, dot and "
                        "sum_compensated do",
                        call, f->asked->name);
    if (!hd__is_float(f->out))
        return hd__fail(ctx, HD_ERROR_TYPE,
                        "%s: accumulate is f64 and out is %s; expected a float output", call,
                        hd_type_name(f->out));
    f->number = HD_F64;
    return HD_OK;
}

static hd_status resolve_residual(hd_context *ctx, const char *call, hd_type requested, hd__fold *f)
{
    if (requested == HD_NONE) return HD_OK;
    if (f->form != HD__SUM_PAIR)
        return hd__fail(ctx, HD_ERROR_ARGUMENT,
                        "%s: operator %s has no residual; sum_compensated has", call,
                        f->asked->name);
    f->value = f->out;
    return HD_OK;
}

static hd_status resolve_bound(hd_context *ctx, const char *call, hd_type requested, hd__fold *f)
{
    if (requested == HD_NONE) return HD_OK;
    if (f->form != HD__SUM_PAIR && (f->asked->builtin != HD__SUM || !hd__is_float(f->number)))
        return hd__fail(ctx, HD_ERROR_ARGUMENT,
                        "%s: operator %s into %s has no bound; sum and sum_compensated into "
                        "floats have",
                        call, f->asked->name, hd_type_name(f->out));
    f->value = requested == HD_F64 ? HD_F64 : f->out;
    f->form = f->form == HD__SUM_PAIR ? HD__SUM_SIZED_PAIR : HD__SUM_SIZED;
    f->counted = true;
    return HD_OK;
}

static hd_status resolve_requests(hd_context *ctx, const char *call, const hd__fold_options *w,
                                  hd__fold *f)
{
    if (f->form == HD__ARG) f->value = f->element;
    HD_TRY(resolve_accumulate(ctx, call, w->accumulate, f));
    HD_TRY(resolve_residual(ctx, call, w->residual, f));
    return resolve_bound(ctx, call, w->bound, f);
}

static const hd_operator *monoid_of(hd__fold *f)
{
    const bool pairs = f->form == HD__SUM_PAIR || f->form == HD__SUM_SIZED_PAIR;
    const bool sizes = f->form == HD__SUM_SIZED || f->form == HD__SUM_SIZED_PAIR;
    if (f->op == HD__VARIANCE) return hd__builtin_moments(f->form == HD__WIDE_MOMENTS);
    if (!pairs && !sizes) return hd__builtin(f->op, f->number == HD_BOOL ? HD_U8 : f->number);
    f->node_size = (size_t)(1 + pairs + sizes) * hd__size_of(f->number);
    return hd__builtin_sum(pairs, sizes, f->number);
}

static hd_status resolve_types(hd_context *ctx, const char *call, hd__rule rule, hd__fold *f)
{
    const bool number = hd__is_number(f->element);
    switch (rule) {
    case HD__RULE_ARITHMETIC:
    case HD__RULE_PRODUCTS: return resolve_arithmetic(ctx, call, f);
    case HD__RULE_EXTREME: return resolve_same(ctx, call, f, number, "numbers");
    case HD__RULE_BITS:
        return resolve_same(ctx, call, f, number && !hd__is_float(f->element), "integers or bool");
    case HD__RULE_UNSIGNED:
        return resolve_same(ctx, call, f, hd__kind_of(f->element) == HD__UNSIGNED,
                            "unsigned integers");
    case HD__RULE_TEST: return resolve_test(ctx, call, f);
    case HD__RULE_INDEX: return resolve_arg(ctx, call, f);
    case HD__RULE_MEAN: return resolve_mean(ctx, call, f);
    case HD__RULE_VARIANCE: return resolve_variance(ctx, call, f);
    case HD__RULE_NORM: return resolve_norm(ctx, call, f);
    case HD__RULE_COMPENSATED: return resolve_compensated(ctx, call, f);
    case HD__RULE_EXACT: return resolve_exact(ctx, call, f);
    }
    return hd__fail(ctx, HD_ERROR_OPERATOR, "%s: operator %s has no rule", call, f->asked->name);
}

static hd_status resolve_builtin(hd_context *ctx, const char *call,
                                 const hd__fold_options *requested, hd__fold *f)
{
    const hd__operator_row *row = &hd__operator_rows[f->op];
    f->op = row->folds;
    HD_TRY(resolve_types(ctx, call, row->rule, f));
    HD_TRY(resolve_requests(ctx, call, requested, f));
    f->node = monoid_of(f);
    f->direct_in = f->form == HD__PLAIN && f->number == f->element && f->number != HD_BOOL;
    f->direct_out = f->form == HD__PLAIN && f->number == f->out && !f->divides && !f->squares;
    return HD_OK;
}

static hd_status resolve_init(hd_context *ctx, const char *call, const void *init, hd__fold *f)
{
    f->init = NULL;
    if (init == NULL) return HD_OK;
    if (!hd__loads_outputs(f))
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: operator %s takes no init", call,
                        f->asked->name);
    f->init = init;
    if (!f->direct_out || f->out == HD_BOOL) {
        HD__FLOAT_STATE; // the call has no backend yet that would set it
        hd__load_output(f, init, f->init_number.bytes);
        f->init = f->init_number.bytes;
    }
    return HD_OK;
}

// A user's operator is what it is.
static hd_status refuse_requests(hd_context *ctx, const char *call, const hd__fold_options *w,
                                 const hd__fold *f)
{
    const char *name = w->accumulate != 0 ? "accumulate"
                       : w->residual != 0 ? "residual"
                       : w->bound != 0    ? "bound"
                                          : NULL;
    if (name == NULL) return HD_OK;
    return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: operator %s takes no %s; it is the user's own",
                    call, f->asked->name != NULL ? f->asked->name : "(no name)", name);
}

// Built-in ones come as numbers alone: a structure that says it is one was not made by HD_OPERATOR.
static hd_status find_operator(hd_context *ctx, const char *call, const hd_operator *given,
                               const hd_operator **op)
{
    if (given == NULL) return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: the operator is NULL", call);
    *op = hd__operator_of(given);
    if (*op == NULL)
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: no operator has the number %d", call,
                        (int)(uintptr_t)given);
    if (*op >= hd__built_in && *op < hd__built_in + HD__OP_COUNT) return HD_OK;
    HD_TRY(HD__CHECK_ABI(ctx, call, "operator", *op));
    if ((*op)->builtin != 0)
        return hd__fail(ctx, HD_ERROR_OPERATOR, "%s: not an operator: expected one of HD_OPERATOR",
                        call);
    return HD_OK;
}

// Built-in ones of complex numbers are run as a user's operators of a structure are.
static hd_status find_complex(hd_context *ctx, const char *call, hd_type element,
                              const hd_operator **op)
{
    if ((*op)->builtin == HD__USER_OP || !hd__is_complex(element)) return HD_OK;
    const hd_operator *own = hd__builtin_complex((*op)->builtin, element);
    if (own == NULL)
        return refuse_element(ctx, call, *op, element,
                              "numbers that are not complex; sum and product take complex ones");
    *op = own;
    return HD_OK;
}

hd_status hd__resolve(hd_context *ctx, const char *call, const hd_operator *given, hd_type element,
                      hd_type out, const hd__fold_options *requested, hd__fold *f)
{
    const hd_operator *op = NULL;
    HD_TRY(find_operator(ctx, call, given, &op));
    HD_TRY(find_complex(ctx, call, element, &op));
    f->asked = op;
    f->op = (hd__op)op->builtin;
    if (requested->ddof != 0 && f->op != HD__VARIANCE)
        return hd__fail(ctx, HD_ERROR_ARGUMENT,
                        "%s: ddof is %d and the operator %s; it is for variance", call,
                        (int)requested->ddof, op->name);
    f->form = HD__PLAIN;
    f->element = element;
    f->out = out;
    f->divides = f->counted = f->squares = false;
    f->heads = requested->heads;
    f->ddof = requested->ddof;
    f->value = HD_NONE;
    f->node_size = 0;
    if (f->op == HD__USER_OP) HD_TRY(refuse_requests(ctx, call, requested, f));
    HD_TRY(f->op == HD__USER_OP ? resolve_user(ctx, call, f)
                                : resolve_builtin(ctx, call, requested, f));
    f->element_size = hd__size_of(element);
    f->out_size = hd__size_of(out);
    if (f->node_size == 0) f->node_size = hd__size_of(f->number);
    return resolve_init(ctx, call, requested->init, f);
}

void hd__apply_init(const hd__fold *f, void *nodes, int64_t n)
{
    if (f->init == NULL) return;
    for (int64_t i = 0; i < n; i++) {
        char *node = (char *)nodes + (size_t)i * f->node_size;
        hd__combine(f->node, node, f->init, node, 1);
    }
}
