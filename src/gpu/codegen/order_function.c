// SPDX-License-Identifier: Apache-2.0
// The texts of orders: those of number_orders.c, and a user's own.
#include "order_function.h"
#include "emit_convert.h"

#include <stdio.h>

// A static program without the orders of numbers has no comparison that is one of them.
extern HD__WEAK __typeof__(hd__number_order) hd__number_order;

static bool is_numbers_own(const hd_comparison *c, hd_type type)
{
    return hd__is_number(type) && hd__number_order != NULL &&
           (c == hd__number_order(type, false) || c == hd__number_order(type, true));
}

// Floats as integers of their order: number_orders.c.
static void float_body(hd__gpu_order *o, hd_type type, char sign)
{
    const size_t size = hd__size_of(type);
    const char *const mask = size == 2   ? "0x7fff"
                             : size == 4 ? "0x7fffffff"
                                         : "0x7fffffffffffffffll";
    const char *const infinity = type == HD_F16    ? "0x7c00"
                                 : type == HD_BF16 ? "0x7f80"
                                 : type == HD_F32  ? "0x7f800000"
                                                   : "0x7ff0000000000000ll";
    snprintf(o->body, sizeof o->body,
             "{ const %s m = %s, nan = %s, x = (a & m) > %s ? nan : a ^ (a < 0 ? m : 0),"
             " y = (b & m) > %s ? nan : b ^ (b < 0 ? m : 0); return x %c y; }",
             size == 8 ? "int64_t" : "int32_t", mask, sign == '<' ? "m" : "-m - 1", infinity,
             infinity, sign);
    snprintf(o->keys_text, sizeof o->keys_text,
             "#define HK_FLOAT_MASK     %s\n#define HK_FLOAT_INFINITY %s\n"
             "#define HK_FLOAT_NAN      %s\n#define HK_FLOAT_BEFORE   %c\n",
             mask, infinity, sign == '<' ? "HK_FLOAT_MASK" : "(-HK_FLOAT_MASK - 1)", sign);
    o->keys = (hd_source){"keys of floats", o->keys_text};
}

static void number_body(hd__gpu_order *o, hd_type type, char sign)
{
    snprintf(o->body, sizeof o->body,
             type == HD_BOOL ? "{ return (a != 0) %c (b != 0); }" : "{ return a %c b; }", sign);
}

static hd_type read_as(hd_type type)
{
    static const hd_type of_size[] = {[2] = HD_I16, [4] = HD_I32, [8] = HD_I64};
    if (type == HD_BOOL) return HD_U8;
    return hd__is_float(type) ? of_size[hd__size_of(type)] : type;
}

hd_status hd__gpu_order_of(hd__gpu_order *o, const hd_comparison *c, hd_type type, const char **why)
{
    const bool own = is_numbers_own(c, type);
    o->type = own ? read_as(type) : type;
    const char *const name = own ? hd__gpu_type_text(o->type) : c->type_text;
    const int length = snprintf(o->inputs, sizeof o->inputs, "(%s, a, %s, b)", name, name);
    if (length < 0 || (size_t)length >= sizeof o->inputs) {
        *why = "the name of the elements' type is too long";
        return HD__DECLINED;
    }
    o->precedes = (hd_function){.abi = c->abi,
                                .inputs = 2,
                                .result = HD_BOOL,
                                .input = {o->type, o->type},
                                .name = own ? "precedes" : c->name,
                                .result_text = "bool",
                                .inputs_text = o->inputs,
                                .body_text = c->body_text,
                                .source = c->source,
                                .state = c->state};
    if (!own) return HD_OK;
    const bool is_float = hd__is_float(type);
    (is_float ? float_body : number_body)(o, type, c == hd__number_order(type, false) ? '<' : '>');
    o->precedes.body_text = o->body;
    o->precedes.source = is_float ? &o->keys : NULL;
    return HD_OK;
}
