// SPDX-License-Identifier: Apache-2.0
// Conversions of numbers, written for kernels. numbers.cuh has what C does not know.
#include "emit_convert.h"

#include <stdio.h>

const char *hd__gpu_type_text(hd_type type)
{
    switch (type) {
#define X(name, id, ctype, kind)                                                                   \
    case id:                                                                                       \
        return #ctype;
#include "core/types.def"
#undef X
    default: return "void";
    }
}

static void emit_from_integer(hd__gpu_text *t, hd_type to, hd_type from, const char *x)
{
    const bool negative = hd__kind_of(from) == HD__SIGNED;
    switch (to) {
    case HD_F16: hd__gpu_emit(t, "hk_f32_to_f16((float)%s)", x); break;
    case HD_BF16:
        hd__gpu_emit(t, "hk_%s_to_bf16(%s%s)", negative ? "i64" : "u64", x,
                     negative ? "" : ", false");
        break;
    case HD_BOOL: hd__gpu_emit(t, "(uint8_t)(%s != 0)", x); break;
    default: hd__gpu_emit(t, "(%s)%s", hd__gpu_type_text(to), x);
    }
}

// Towards zero, within the type. x is a float or a double.
static void emit_float_to_integer(hd__gpu_text *t, hd_type to, const char *x)
{
    const int bits = 8 * (int)hd__size_of(to);
    const char *type = hd__gpu_type_text(to);
    if (hd__kind_of(to) == HD__SIGNED) {
        const unsigned long long most = ~0ull >> (65 - bits);
        hd__gpu_emit(t, "(%s)hk_f64_to_signed((double)%s, -%llull - 1, %llull, %.1f)", type, x,
                     most, most, (double)most + 1.0);
    } else {
        const unsigned long long most = ~0ull >> (64 - bits);
        hd__gpu_emit(t, "(%s)hk_f64_to_unsigned((double)%s, %lluull, %.1f)", type, x, most,
                     (double)most + (bits < 64 ? 1.0 : 0.0));
    }
}

static void emit_from_float(hd__gpu_text *t, hd_type to, hd_type from, const char *x)
{
    // An f64 is rounded to 16 bits once; an f32 is exact as a double, so the same holds for it.
    const bool narrow = from != HD_F64;
    switch (to) {
    case HD_F16:
        hd__gpu_emit(t, narrow ? "hk_f32_to_f16(%s)" : "hk_f32_to_f16(hk_round_to_odd(%s))", x);
        break;
    case HD_BF16:
        hd__gpu_emit(t, narrow ? "hk_f32_to_bf16(%s)" : "hk_f32_to_bf16(hk_round_to_odd(%s))", x);
        break;
    case HD_F32:
    case HD_F64: hd__gpu_emit(t, "(%s)%s", hd__gpu_type_text(to), x); break;
    case HD_BOOL: hd__gpu_emit(t, "(uint8_t)(%s != 0)", x); break;
    default: emit_float_to_integer(t, to, x);
    }
}

void hd__gpu_emit_conversion(hd__gpu_text *t, hd_type to, hd_type from, const char *x)
{
    char wide[64];
    if (to == from && to != HD_BOOL) {
        hd__gpu_emit(t, "%s", x);
    } else if (from == HD_BOOL) {
        snprintf(wide, sizeof wide, "(%s != 0)", x);
        emit_from_integer(t, to, HD_U8, wide);
    } else if (from == HD_F16 || from == HD_BF16) {
        snprintf(wide, sizeof wide, "hk_%s_to_f32(%s)", from == HD_F16 ? "f16" : "bf16", x);
        emit_from_float(t, to, HD_F32, wide);
    } else if (hd__is_float(from)) {
        emit_from_float(t, to, from, x);
    } else {
        emit_from_integer(t, to, from, x);
    }
}
