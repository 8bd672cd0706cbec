// SPDX-License-Identifier: Apache-2.0
//
// What kernels that fold need: the operator over nodes, elements loaded as nodes, and results of
// nodes.
#include "emit_convert.h"
#include "emit_kernel.h"
#include "kernel_sources.h"

#include <string.h>

// The type of 32 bits in which some elements may be added up before they are nodes: sums of small
// integers.
const char *hd__gpu_short_sum(const hd__fold *f)
{
    const hd_type to = f->number;
    if (f->op != HD__SUM || f->form != HD__PLAIN) return NULL;
    if ((f->element == HD_I8 || f->element == HD_I16) && (to == HD_I32 || to == HD_I64))
        return "int32_t";
    const bool integers = to == HD_I32 || to == HD_I64 || to == HD_U32 || to == HD_U64;
    return (f->element == HD_U8 || f->element == HD_U16) && integers ? "uint32_t" : NULL;
}

// The number of limbs of an exact sum: of many the compiler does not know it, so that it leaves
// loops as they are, and nodes in local memory.
static const char *limbs_of(const hd__fold *f)
{
    return f->number == HD_F64 ? "(int)hk_opaque(34)" : "6";
}

static void emit_combine_limbs(hd__gpu_text *t, const hd__fold *f)
{
    hd__gpu_emit(t,
                 "{\n    const int words = %s;\n    uint64_t carry = 0;\n"
                 "    for (int k = 0; k < words; k++) {\n"
                 "        const uint64_t x = a.limb[k] + b.limb[k], y = x + carry;\n"
                 "        carry = (x < a.limb[k]) | (y < x);\n        a.limb[k] = y;\n    }\n"
                 "    a.flags |= b.flags;\n    return a;\n}\n",
                 limbs_of(f));
}

// Sides may be changed only where not a bit depends on them: not the moments', nor those of pairs,
// whose two-sum may overflow on one side alone, nor those of users who promise it up to rounding.
bool hd__gpu_commutes(const hd__fold *f)
{
    const uint32_t flags = f->node->flags;
    const bool plain = f->op != HD__USER_OP && (f->form == HD__PLAIN || f->form == HD__SUM_SIZED);
    return (flags & HD_COMMUTATIVE) != 0 && ((flags & HD_EXACT) != 0 || plain);
}

// Nodes of float sums have -0, and +0 beside it, whose sum with a node is that node, bit for bit.
bool hd__gpu_has_identity(const hd__fold *f)
{
    return f->op != HD__USER_OP && (f->form == HD__PLAIN || hd__is_float_sum(f)) &&
           f->node->identity != NULL;
}

static void emit_identity(hd__gpu_text *t, const hd__fold *f)
{
    hd__gpu_emit(t, "HK_FN hk_base hk_base_identity(void)\n{\n");
    if (!hd__gpu_has_identity(f)) {
        hd__gpu_emit(t, "    hk_base none;\n    return none;\n}\n");
        return;
    }
    uint64_t words[3] = {0};
    memcpy(words, f->node->identity, f->node_size);
    hd__gpu_emit(t, "    union {\n        uint64_t u[%d];\n        hk_base n;\n    } x;\n",
                 (int)(f->node_size + 7) / 8);
    for (size_t k = 0; k < (f->node_size + 7) / 8; k++)
        hd__gpu_emit(t, "    x.u[%d] = 0x%llxull;\n", (int)k, (unsigned long long)words[k]);
    hd__gpu_emit(t, "    return x.n;\n}\n");
}

// The body of builtin_sums.c, which asks by one instruction less whether lo is finite.
static void emit_combine_pairs(hd__gpu_text *t, const hd__fold *f)
{
    const char *number = hd__gpu_type_text(f->number);
    hd__gpu_emit(t,
                 "{\n    hk_base r;\n    const %s s = a.hi + b.hi;\n    const %s y = s - a.hi;\n"
                 "    const %s e = (a.hi - (s - y)) + (b.hi - y);\n"
                 "    const %s lo = (a.lo + b.lo) + e;\n    r.hi = s;\n"
                 "    r.lo = %s ? lo : 0;\n%s    return r;\n}\n",
                 number, number, number, number,
                 f->number == HD_F32 ? "fabsf(lo) <= 0x1.fffffep127f"
                                     : "fabs(lo) <= 0x1.fffffffffffffp1023",
                 f->form == HD__SUM_SIZED_PAIR ? "    r.size = a.size + b.size;\n" : "");
}

// Small integers as the type that some of them may be summed up in.
static void emit_short(hd__gpu_text *t, const hd__fold *f)
{
    const char *type = hd__gpu_short_sum(f);
    hd__gpu_emit(t,
                 "typedef %s hk_short;\n"
                 "HK_FN hk_short hk_short_of(hk_element e)\n{\n    return %s;\n}\n"
                 "HK_FN hk_base hk_node_of_short(hk_short x)\n{\n    %s;\n}\n",
                 type != NULL ? type : "int32_t", type != NULL ? "e" : "0",
                 type != NULL ? "return x" : "hk_base none;\n    return none");
}

// Wide nodes are structures of the user's, whose operators are long: a scan has some fifty places
// that combine, more instructions than the caches for these hold. There it is called.
enum { WIDE_NODE = 32 };

static void emit_operator(hd__gpu_text *t, const hd__fold *f)
{
    const hd_operator *op = f->node;
    const bool user = f->op == HD__USER_OP;
    hd__gpu_emit(t, "typedef %s hk_base;\n", op->type_text);
    emit_short(t, f);
    const bool extreme = !user && f->form == HD__PLAIN && (f->op == HD__MIN || f->op == HD__MAX);
    hd__gpu_emit_state(t, &op->state, HD__GPU_OPERATOR_STATE);
    hd__gpu_emit(t, "%s hk_base hk_base_combine(hk_base a, hk_base b",
                 user && f->node_size > WIDE_NODE ? "static __device__ __attribute__((noinline))"
                                                  : "HK_FN");
    hd__gpu_emit_state_parameter(t, &op->state, HD__GPU_OPERATOR_STATE);
    hd__gpu_emit(t, ")\n#line 1 \"operator %s\"\n", f->asked->name);
    if (extreme &&
        f->number == HD_F32) // one instruction that keeps NaN and has -0 below +0, as the body does
        hd__gpu_emit(t,
                     "{\n#if __CUDA_ARCH__ >= 800\n    float x;\n"
                     "    asm(\"%s.NaN.f32 %%0, %%1, %%2;\" : \"=f\"(x) : \"f\"(a), \"f\"(b));\n"
                     "    return x;\n#else\n    %s\n#endif\n}\n",
                     f->op == HD__MIN ? "min" : "max", op->body_text);
    else if (extreme &&
             f->number == HD_F64) // the body without branches: equal numbers differ in sign alone
        hd__gpu_emit(t,
                     "{\n    union {\n        double d;\n        uint64_t u;\n    } x, y, z;\n"
                     "    x.d = a;\n    y.d = b;\n    z.d = a %c b || a != a ? a : b;\n"
                     "    if (a == b) z.u = x.u %c y.u;\n    return z.d;\n}\n",
                     f->op == HD__MIN ? '<' : '>', f->op == HD__MIN ? '|' : '&');
    else if (f->form == HD__LIMBS)
        emit_combine_limbs(t, f);
    else if (!user && hd__is_float_sum(f) && f->form != HD__SUM_SIZED)
        emit_combine_pairs(t, f);
    else
        hd__gpu_emit(t, "%s\n", op->body_text);
    hd__gpu_emit(t, "#line 1 \"kernel_types.h\"\n");
    emit_identity(t, f);
}

// As load_wide_moments in core/operators/load_finalize.c: an integer of 64 bits in two parts.
static const char *low_part(const hd__fold *f)
{
    if (f->number == HD_F64) return ";\n    hk_base n;\n    n.mean = x;\n    n.low = 0;\n";
    return ";\n    const double upper = (double)(x >> 32) * 4294967296.0;\n"
           "    const double lower = (double)(uint32_t)x;\n    hk_base n;\n"
           "    n.mean = upper + lower;\n    n.low = lower - (n.mean - upper);\n";
}

// An exact sum's node n of x, a number of a type.
static void emit_limbs(hd__gpu_text *t, const hd__fold *f, hd_type from, const char *x)
{
    const int base = f->number == HD_F64 ? -1074 : -149;
    const char *words = limbs_of(f);
    hd__gpu_emit(t, "    hk_base n;\n");
    if (hd__is_float(from)) {
        hd__gpu_emit(t, "    n.flags = hd__limbs_set_float(n.limb, %s, %d, ", words, base);
        hd__gpu_emit_conversion(t, HD_F64, from, x);
        hd__gpu_emit(t, ");\n");
    } else {
        const char *type = hd__kind_of(from) == HD__SIGNED ? "int64_t" : "uint64_t";
        hd__gpu_emit(t, "    const %s y = ", type);
        hd__gpu_emit_conversion(t, hd__kind_of(from) == HD__SIGNED ? HD_I64 : HD_U64, from, x);
        hd__gpu_emit(
            t,
            ";\n    n.flags = hd__limbs_set_whole(n.limb, %s, %d, y < 0 ? 0 - (uint64_t)y : "
            "(uint64_t)y, y < 0);\n",
            words, base);
    }
    hd__gpu_emit(t, "    return n;\n}\n");
}

// What exact.cuh needs: elements as numbers that are summed up in registers, two or three of them.
static void emit_exact(hd__gpu_text *t, const hd__fold *f)
{
    const bool real = hd__is_float(f->element), wide = f->element == HD_F64;
    const bool minus = hd__kind_of(f->element) == HD__SIGNED;
    const char *type = !real ? (minus ? "int64_t" : "uint64_t") : wide ? "double" : "float";
    const char *name = real ? "real" : "whole";
    if (real) hd__gpu_emit(t, "typedef %s hk_real_bits;\n", wide ? "uint64_t" : "uint32_t");
    hd__gpu_emit(t, "typedef %s hk_%s;\nHK_FN hk_%s hk_%s_of(hk_element e)\n{\n    return ", type,
                 name, name, name);
    hd__gpu_emit_conversion(t,
                            !real  ? (minus ? HD_I64 : HD_U64)
                            : wide ? HD_F64
                                   : HD_F32,
                            f->element, "e");
    hd__gpu_emit(t, ";\n}\n");
}

// The node of x, a number of a type, returned.
void hd__gpu_emit_node_of(hd__gpu_text *t, const hd__fold *f, hd_type from, const char *x)
{
    if (f->form == HD__LIMBS) {
        emit_limbs(t, f, from, x);
        return;
    }
    hd__gpu_emit(t, "    const %s y = ", hd__gpu_type_text(f->number));
    hd__gpu_emit_conversion(t, f->number, from, x);
    if (hd__is_float_sum(f))
        hd__gpu_emit(t, ";\n    hk_base n;\n%s%s    n.hi = y;\n    return n;\n}\n",
                     f->form != HD__SUM_SIZED ? "    n.lo = 0;\n" : "",
                     f->form != HD__SUM_PAIR ? "    n.size = y > 0 ? y : 0 - y;\n" : "");
    else
        hd__gpu_emit(t, f->form == HD__NORM ? ";\n    return hd__norm_of(y);\n}\n"
                        : f->squares        ? ";\n    return y * y;\n}\n"
                                            : ";\n    return (hk_base)y;\n}\n");
}

static void emit_load_transform(hd__gpu_text *t, const hd__fold *f)
{
    hd__gpu_emit(t, "HK_FN hk_base hk_base_transform(hk_element e, int64_t index)\n{\n");
    if (f->op == HD__USER_OP) {
        hd__gpu_emit(t, "    return e;\n}\n");
        return;
    }
    if (f->form != HD__ARG && !hd__has_moments(f)) {
        hd__gpu_emit_node_of(t, f, f->element, "e");
        return;
    }
    hd__gpu_emit(t, "    const %s x = ", hd__gpu_type_text(f->number));
    hd__gpu_emit_conversion(t, f->number, f->element, "e");
    if (f->form == HD__ARG)
        hd__gpu_emit(
            t, ";\n    hk_base n;\n    n.value = x;\n    n.index = index;\n    return n;\n}\n");
    else if (f->form == HD__WIDE_MOMENTS)
        hd__gpu_emit(t, "%s    n.count = 1;\n    n.m2 = 0;\n    return n;\n}\n", low_part(f));
    else
        hd__gpu_emit(t, ";\n    hk_base n;\n    n.count = 1;\n    n.mean = x;\n    n.m2 = 0;\n"
                        "    return n;\n}\n");
}

static void emit_finalize_limbs(hd__gpu_text *t, const hd__fold *f)
{
    const bool wide = f->number == HD_F64;
    hd__gpu_emit(t,
                 "    const double x = hd__limbs_round(n.limb, %s, %d, n.flags, %s);\n    return ",
                 limbs_of(f), wide ? -1074 : -149, wide ? "false" : "true");
    hd__gpu_emit_conversion(t, f->out, HD_F64, "x");
    hd__gpu_emit(t, ";\n}\n");
}

static void emit_finalize(hd__gpu_text *t, const hd__fold *f)
{
    if (f->op == HD__USER_OP)
        hd__gpu_emit(t, "typedef hk_base hk_out;\n");
    else
        hd__gpu_emit(t, "typedef %s hk_out;\n", hd__gpu_type_text(f->out));
    hd__gpu_emit(t, "HK_FN hk_out hk_finalize(hk_base n, int64_t count)\n{\n");
    if (f->op == HD__USER_OP) {
        hd__gpu_emit(t, "    return n;\n}\n");
    } else if (f->form == HD__LIMBS) {
        emit_finalize_limbs(t, f);
    } else if (f->form == HD__NORM || f->squares) {
        hd__gpu_emit(t, "    const double x = %s(n);\n    return ",
                     f->squares ? "sqrt" : "hd__norm_root");
        hd__gpu_emit_conversion(t, f->out, HD_F64, "x");
        hd__gpu_emit(t, ";\n}\n");
    } else if (f->form == HD__ARG) {
        hd__gpu_emit(t, "    return n.index;\n}\n");
    } else if (hd__has_moments(f)) {
        hd__gpu_emit(t,
                     "    const double rest = n.count - %d;\n"
                     "    const double x = rest > 0 && n.mean - n.mean == 0\n"
                     "                         ? n.m2 / rest\n"
                     "                         : hd_double_of_bits(0x7ff8000000000000ull);\n"
                     "    return ",
                     (int)f->ddof);
        hd__gpu_emit_conversion(t, f->out, HD_F64, "x");
        hd__gpu_emit(t, ";\n}\n");
    } else if (hd__is_float_sum(f)) {
        hd__gpu_emit(t, "    const %s x = %s;\n    return ", hd__gpu_type_text(f->number),
                     f->form != HD__SUM_SIZED ? "n.lo == 0 ? n.hi : n.hi + n.lo" : "n.hi");
        hd__gpu_emit_conversion(t, f->out, f->number, "x");
        hd__gpu_emit(t, ";\n}\n");
    } else {
        const char *number = hd__gpu_type_text(f->number);
        hd__gpu_emit(t,
                     f->divides ? "    const %s x = n / (%s)count;\n    return "
                                : "    const %s x = (%s)n;\n    return ",
                     number, number);
        hd__gpu_emit_conversion(t, f->out, f->number, "x");
        hd__gpu_emit(t, ";\n}\n");
    }
}

// A residual or a bound, as src/core/operators/load_finalize.c makes it.
static void emit_sum_value(hd__gpu_text *t, const hd__fold *f)
{
    const char *lo = f->form != HD__SUM_SIZED ? "n.lo" : "0";
    hd__gpu_emit(t, "    const hk_out y = hk_finalize(n, count);\n    const double given = ");
    hd__gpu_emit_conversion(t, HD_F64, f->out, "y");
    if (f->form == HD__SUM_PAIR) {
        hd__gpu_emit(t, ";\n    const double x = hd_sum_rest(n.hi, n.lo, given);\n    return ");
        hd__gpu_emit_conversion(t, f->value, HD_F64, "x");
        hd__gpu_emit(t, ";\n}\n");
        return;
    }
    hd__gpu_emit(t,
                 ";\n    const double x = hd_sum_bound(n.hi, %s, n.size, given,\n"
                 "                                 hd_sum_depth(count, %d) + %d, %s, %d, %d);\n"
                 "    union {\n        hk_value v;\n        %s u;\n    } z;\n    z.v = ",
                 lo, f->heads, f->init != NULL, f->number == HD_F32 ? "0x1p-24" : "0x1p-53",
                 hd__rounds_elements(f), f->form == HD__SUM_SIZED_PAIR,
                 hd__size_of(f->value) == 2   ? "uint16_t"
                 : hd__size_of(f->value) == 4 ? "uint32_t"
                                              : "uint64_t");
    hd__gpu_emit_conversion(t, f->value, HD_F64, "x");
    hd__gpu_emit(t, ";\n    if (");
    hd__gpu_emit_conversion(t, HD_F64, f->value, "z.v");
    hd__gpu_emit(t, " < x) z.u++;\n    return z.v;\n}\n");
}

static void emit_value(hd__gpu_text *t, const hd__gpu_kernel_config *config, const hd__fold *f)
{
    hd__gpu_emit(
        t, "typedef %s hk_value;\nHK_FN hk_value hk_finalize_value(hk_base n, int64_t count)\n{\n",
        hd__gpu_type_text(f->value));
    if (hd__is_float_sum(f)) {
        emit_sum_value(t, f);
    } else {
        hd__gpu_emit(t, "    return ");
        hd__gpu_emit_conversion(t, f->element, f->number, "n.value");
        hd__gpu_emit(t, ";\n}\n");
    }
    hd__gpu_emit_writing(t, config, &config->values, "hk_value", "hk_put_value");
}

static void emit_give(hd__gpu_text *t, const hd__gpu_kernel_config *config, const hd__fold *f)
{
    hd__gpu_emit_writing(t, config, &config->out, "hk_out", "hk_put");
    if (config->has_values) emit_value(t, config, f);
    hd__gpu_emit(t, config->has_values ? "struct hk_empty {\n    union {\n        hk_out out;\n"
                                         "        uint64_t room;\n    };\n    hk_value value;\n};\n"
                                       : "struct hk_empty {\n    hk_out out;\n};\n");
    hd__gpu_emit(
        t,
        "HK_FN void hk_give(const hk_view *out, const hk_view *values, int64_t i, hk_base n,\n"
        "                   int64_t count)\n{\n"
        "    hk_put(out, i, hk_finalize(n, count));\n%s}\n",
        config->has_values ? "    hk_put_value(values, i, hk_finalize_value(n, count));\n" : "");
    // Over no elements.
    hd__gpu_emit(t,
                 "HK_FN void hk_give_empty(const hk_view *out, const hk_view *values, int64_t i,\n"
                 "                         hk_empty empty)\n{\n"
                 "    hk_put(out, i, empty.out);\n%s}\n",
                 config->has_values ? "    hk_put_value(values, i, empty.value);\n" : "");
}

// The operator over its own values, hk_base; nodes of trees are made of them (device/node.cuh,
// scan/pairs.cuh).
void hd__gpu_emit_fold(hd__gpu_text *t, const hd__gpu_kernel_config *config, const hd__fold *f)
{
    if (hd__is_float_sum(f)) hd__gpu_emit_verbatim(t, hd__gpu_kernel_sources("sum_outputs")->text);
    emit_operator(t, f);
    emit_load_transform(t, f);
    if (f->form == HD__LIMBS) emit_exact(t, f);
    if (config->writes_nodes)
        hd__gpu_emit(t,
                     "typedef hk_base hk_out;\n"
                     "HK_FN hk_out hk_finalize(hk_base n, int64_t count)\n{\n    return n;\n}\n");
    else
        emit_finalize(t, f);
    emit_give(t, config, f);
}
