// SPDX-License-Identifier: Apache-2.0
#include "products.h"
#include "core/convert.h"

#include <stdio.h>

// What kernels call the conversions of core/convert.h.
#define hk_f16_to_f32  hd__f16_to_f32
#define hk_bf16_to_f32 hd__bf16_to_f32

// One function: elements of C type T and type id, into numbers of C type R and type rid.
#define PRODUCT(name, T, id, R, rid, ...)                                                          \
    HD__EXACT_BEGIN                                                                                \
    static inline R name##_one(T a, T b)                                                           \
    {                                                                                              \
        return __VA_ARGS__;                                                                        \
    }                                                                                              \
    static void name##_apply(void *out, const void *const *in, int64_t n, HD__GIVEN)               \
    {                                                                                              \
        R *o = out;                                                                                \
        const T *x = in[0], *y = in[1];                                                            \
        for (int64_t i = 0; i < n; i++) o[i] = name##_one(x[i], y[i]);                             \
    }                                                                                              \
    HD__EXACT_END                                                                                  \
    static const hd_function name = {HD__ABI,                                                      \
                                     2,                                                            \
                                     rid,                                                          \
                                     {id, id},                                                     \
                                     #name,                                                        \
                                     name##_apply,                                                 \
                                     #R,                                                           \
                                     "(" #T ", a, " #T ", b)",                                     \
                                     "{ return " #__VA_ARGS__ "; }",                               \
                                     HD_NO_SOURCE,                                                 \
                                     NULL,                                                         \
                                     HD__NO_STATE,                                                 \
                                     NULL,                                                         \
                                     {0, 0}};

// Integers wrap: the product modulo 2^64, cut to the type.
#define INTO(t, T, id, r, R, rid)                                                                  \
    PRODUCT(dot_##t##_##r, T, id, R, rid, (R)((uint64_t)a * (uint64_t)b))
#define INTO_FLOATS(t, T, id)                                                                      \
    PRODUCT(dot_##t##_f32, T, id, float, HD_F32, (float)a *(float)b)                               \
    PRODUCT(dot_##t##_f64, T, id, double, HD_F64, (double)a *(double)b)
#define INTO_64(t, T, id) INTO(t, T, id, u64, uint64_t, HD_U64) INTO_FLOATS(t, T, id)
#define INTO_32(t, T, id) INTO(t, T, id, u32, uint32_t, HD_U32) INTO_64(t, T, id)
#define INTO_16(t, T, id) INTO(t, T, id, u16, uint16_t, HD_U16) INTO_32(t, T, id)
#define INTO_8(t, T, id)  INTO(t, T, id, u8, uint8_t, HD_U8) INTO_16(t, T, id)

INTO_8(i8, int8_t, HD_I8)
INTO_8(u8, uint8_t, HD_U8)
INTO_16(i16, int16_t, HD_I16)
INTO_16(u16, uint16_t, HD_U16)
INTO_32(i32, int32_t, HD_I32)
INTO_32(u32, uint32_t, HD_U32)
INTO_64(i64, int64_t, HD_I64)
INTO_64(u64, uint64_t, HD_U64)
PRODUCT(dot_truth_u8, uint8_t, HD_BOOL, uint8_t, HD_U8, (uint8_t)(a != 0 && b != 0))
PRODUCT(dot_truth_u16, uint8_t, HD_BOOL, uint16_t, HD_U16, (uint16_t)(a != 0 && b != 0))
PRODUCT(dot_truth_u32, uint8_t, HD_BOOL, uint32_t, HD_U32, (uint32_t)(a != 0 && b != 0))
PRODUCT(dot_truth_u64, uint8_t, HD_BOOL, uint64_t, HD_U64, (uint64_t)(a != 0 && b != 0))
PRODUCT(dot_truth_f32, uint8_t, HD_BOOL, float, HD_F32, (float)(a != 0 && b != 0))
PRODUCT(dot_truth_f64, uint8_t, HD_BOOL, double, HD_F64, (double)(a != 0 && b != 0))
PRODUCT(dot_f16_f32, uint16_t, HD_F16, float, HD_F32, hk_f16_to_f32(a) * hk_f16_to_f32(b))
PRODUCT(dot_f16_f64, uint16_t, HD_F16, double, HD_F64,
        (double)hk_f16_to_f32(a) * (double)hk_f16_to_f32(b))
PRODUCT(dot_bf16_f32, uint16_t, HD_BF16, float, HD_F32, hk_bf16_to_f32(a) * hk_bf16_to_f32(b))
PRODUCT(dot_bf16_f64, uint16_t, HD_BF16, double, HD_F64,
        (double)hk_bf16_to_f32(a) * (double)hk_bf16_to_f32(b))
PRODUCT(dot_f32_f32, float, HD_F32, float, HD_F32, a *b)
PRODUCT(dot_f32_f64, float, HD_F32, double, HD_F64, (double)a *(double)b)
PRODUCT(dot_f64_f64, double, HD_F64, double, HD_F64, a *b)

#define FLOATS(t)   [HD_F32] = &dot_##t##_f32, [HD_F64] = &dot_##t##_f64
#define WHOLE_64(t) [HD_U64] = &dot_##t##_u64, [HD_I64] = &dot_##t##_u64, FLOATS(t)
#define WHOLE_32(t) [HD_U32] = &dot_##t##_u32, [HD_I32] = &dot_##t##_u32, WHOLE_64(t)
#define WHOLE_16(t) [HD_U16] = &dot_##t##_u16, [HD_I16] = &dot_##t##_u16, WHOLE_32(t)
#define WHOLE_8(t)  [HD_U8] = &dot_##t##_u8, [HD_I8] = &dot_##t##_u8, WHOLE_16(t)

// By the type of elements and the type of the tree.
static const hd_function *const products[HD_TYPE_KINDS][HD_TYPE_KINDS] = {
    [HD_I8] = {WHOLE_8(i8)},
    [HD_U8] = {WHOLE_8(u8)},
    [HD_I16] = {WHOLE_16(i16)},
    [HD_U16] = {WHOLE_16(u16)},
    [HD_I32] = {WHOLE_32(i32)},
    [HD_U32] = {WHOLE_32(u32)},
    [HD_I64] = {WHOLE_64(i64)},
    [HD_U64] = {WHOLE_64(u64)},
    [HD_BOOL] = {WHOLE_8(truth)},
    [HD_F16] = {FLOATS(f16)},
    [HD_BF16] = {FLOATS(bf16)},
    [HD_F32] = {FLOATS(f32)},
    [HD_F64] = {[HD_F64] = &dot_f64_f64},
};

hd_status hd__choose_map(hd_context *ctx, const char *call, const hd_operator *op,
                         const hd_view *in, hd_type out, const hd__fold_options *requested,
                         const hd_function *map, const hd_views *with, const hd_function **chosen)
{
    *chosen = map;
    if (op != HD_DOT) return HD_OK;
    if (map != NULL)
        return hd__fail(ctx, HD_ERROR_ARGUMENT,
                        "%s: operator dot takes no map (%s): it multiplies in by with[0]", call,
                        map->name != NULL ? map->name : "no name");
    if (with->count != 1 || with->view == NULL)
        return hd__fail(
            ctx, HD_ERROR_ARGUMENT,
            "%s: operator dot multiplies in by with[0]; with has %lld views, expected 1", call,
            (long long)with->count);
    if (with->view[0].type != in->type) {
        char expected[48];
        snprintf(expected, sizeof expected, "%s", hd_type_name(in->type));
        return hd__fail(ctx, HD_ERROR_TYPE,
                        "%s: operator dot: with[0] is %s; expected %s, as in is", call,
                        hd_type_name(with->view[0].type), expected);
    }
    hd__fold fold;
    HD_TRY(hd__resolve(ctx, call, op, in->type, out,
                       &(hd__fold_options){.accumulate = requested->accumulate}, &fold));
    *chosen = products[in->type][fold.number];
    return HD_OK;
}

void hd__take_products(hd__fold *f)
{
    if (f->asked->builtin != HD__DOT) return;
    f->element = f->number;
    f->element_size = f->node_size;
    f->direct_in = true;
}
