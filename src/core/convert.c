// SPDX-License-Identifier: Apache-2.0
// Conversion between any two number types, in two steps through the widest of the source's kind,
// and in one step for the pairs that patterns meet most.
#include "convert.h"

#define BLOCK 256 // wide numbers in flight: 2 KiB, well inside the first cache

typedef union wide {
    int64_t i[BLOCK];
    uint64_t u[BLOCK];
    double f[BLOCK];
} wide;

#define VALUE_f16(x)  ((double)hd__f16_to_f32(x))
#define VALUE_bf16(x) ((double)hd__bf16_to_f32(x))
#define VALUE_f32(x)  ((double)(x))
#define VALUE_f64(x)  (x)

// Widens n <= BLOCK numbers and says which member of the union holds them.
static hd__kind widen(wide *w, hd_type type, const void *from, int64_t n)
{
    switch (type) {
#define INTEGER(id, ctype, member)                                                                 \
    case id:                                                                                       \
        for (int64_t i = 0; i < n; i++) w->member[i] = ((const ctype *)from)[i];                   \
        break;
#define REAL(name, id, ctype)                                                                      \
    case id:                                                                                       \
        for (int64_t i = 0; i < n; i++) w->f[i] = VALUE_##name(((const ctype *)from)[i]);          \
        break;
        INTEGER(HD_I8, int8_t, i)
        INTEGER(HD_I16, int16_t, i)
        INTEGER(HD_I32, int32_t, i)
        INTEGER(HD_I64, int64_t, i)
        INTEGER(HD_U8, uint8_t, u)
        INTEGER(HD_U16, uint16_t, u)
        INTEGER(HD_U32, uint32_t, u)
        INTEGER(HD_U64, uint64_t, u)
        REAL(f16, HD_F16, uint16_t)
        REAL(bf16, HD_BF16, uint16_t)
        REAL(f32, HD_F32, float)
        REAL(f64, HD_F64, double)
    default: // bool: any byte but 0 reads as 1
        for (int64_t i = 0; i < n; i++) w->u[i] = ((const uint8_t *)from)[i] != 0;
        return HD__UNSIGNED;
    }
    return hd__kind_of(type);
}

#define NARROW(member)                                                                             \
    switch (type) {                                                                                \
        STORE(HD_I8, int8_t, (int8_t)w->member[i])                                                 \
        STORE(HD_I16, int16_t, (int16_t)w->member[i])                                              \
        STORE(HD_I32, int32_t, (int32_t)w->member[i])                                              \
        STORE(HD_I64, int64_t, (int64_t)w->member[i])                                              \
        STORE(HD_U8, uint8_t, (uint8_t)w->member[i])                                               \
        STORE(HD_U16, uint16_t, (uint16_t)w->member[i])                                            \
        STORE(HD_U32, uint32_t, (uint32_t)w->member[i])                                            \
        STORE(HD_U64, uint64_t, (uint64_t)w->member[i])                                            \
        STORE(HD_F16, uint16_t, hd__f32_to_f16((float)w->member[i]))                               \
        STORE(HD_BF16, uint16_t, NEAREST_BF16(w->member[i]))                                       \
        STORE(HD_F32, float, (float)w->member[i])                                                  \
        STORE(HD_F64, double, (double)w->member[i])                                                \
        STORE(HD_BOOL, uint8_t, w->member[i] != 0)                                                 \
    default: break;                                                                                \
    }
#define STORE(id, ctype, value)                                                                    \
    case id:                                                                                       \
        for (int64_t i = 0; i < n; i++) ((ctype *)to)[i] = value;                                  \
        break;

// The magnitude as a double that rounds to 8 bits as the integer itself does: what does not fit in
// 53 bits leaves its trace in the last of them.
static uint16_t nearest_bf16(uint64_t magnitude, bool negative)
{
    if (magnitude >> 53 != 0)
        magnitude = (magnitude & ~UINT64_C(0xfff)) | (magnitude & 0xfff ? 0x800 : 0);
    const double value = (double)magnitude;
    return hd__f64_to_bf16(negative ? -value : value);
}

#define NEAREST_BF16(x) nearest_bf16((x) < 0 ? 0 - (uint64_t)(x) : (uint64_t)(x), (x) < 0)
static void narrow_signed(hd_type type, void *to, const wide *w, int64_t n)
{
    NARROW(i)
}

#undef NEAREST_BF16
#define NEAREST_BF16(x) nearest_bf16(x, false)
static void narrow_unsigned(hd_type type, void *to, const wide *w, int64_t n)
{
    NARROW(u)
}

// Towards zero; beyond the ends of the type its nearest end; NaN is 0. Both ends are exact doubles
// but for the upper one of 64 bits, which is taken from the first that is too large.
#define WITHIN(T, x, least, most, above)                                                           \
    ((x) != (x) ? (T)0 : (x) <= (double)(least) ? (T)(least) : (x) >= (above) ? (T)(most) : (T)(x))
static void narrow_float(hd_type type, void *to, const wide *w, int64_t n)
{
    switch (type) {
        STORE(HD_I8, int8_t, WITHIN(int8_t, w->f[i], INT8_MIN, INT8_MAX, 0x1p7))
        STORE(HD_I16, int16_t, WITHIN(int16_t, w->f[i], INT16_MIN, INT16_MAX, 0x1p15))
        STORE(HD_I32, int32_t, WITHIN(int32_t, w->f[i], INT32_MIN, INT32_MAX, 0x1p31))
        STORE(HD_I64, int64_t, WITHIN(int64_t, w->f[i], INT64_MIN, INT64_MAX, 0x1p63))
        STORE(HD_U8, uint8_t, WITHIN(uint8_t, w->f[i], 0, UINT8_MAX, 0x1p8))
        STORE(HD_U16, uint16_t, WITHIN(uint16_t, w->f[i], 0, UINT16_MAX, 0x1p16))
        STORE(HD_U32, uint32_t, WITHIN(uint32_t, w->f[i], 0, UINT32_MAX, 0x1p32))
        STORE(HD_U64, uint64_t, WITHIN(uint64_t, w->f[i], 0, UINT64_MAX, 0x1p64))
        STORE(HD_F16, uint16_t, hd__f64_to_f16(w->f[i]))
        STORE(HD_BF16, uint16_t, hd__f64_to_bf16(w->f[i]))
        STORE(HD_F32, float, (float)w->f[i])
        STORE(HD_F64, double, w->f[i])
        STORE(HD_BOOL, uint8_t, w->f[i] != 0)
    default: break;
    }
}

// The pairs that patterns meet most. Returns false for any other.
static bool convert_at_once(hd_type to_type, void *to, hd_type from_type, const void *from,
                            int64_t n)
{
#define PAIR(to_id, to_c, from_id, from_c, expression)                                             \
    if (to_type == to_id && from_type == from_id) {                                                \
        const from_c *x = from;                                                                    \
        to_c *y = to;                                                                              \
        for (int64_t i = 0; i < n; i++) y[i] = expression;                                         \
        return true;                                                                               \
    }
    PAIR(HD_F32, float, HD_F16, uint16_t, hd__f16_to_f32(x[i]))
    PAIR(HD_F16, uint16_t, HD_F32, float, hd__f32_to_f16(x[i]))
    PAIR(HD_F32, float, HD_BF16, uint16_t, hd__bf16_to_f32(x[i]))
    PAIR(HD_BF16, uint16_t, HD_F32, float, hd__f32_to_bf16(x[i]))
    PAIR(HD_F64, double, HD_F32, float, x[i])
    PAIR(HD_F64, double, HD_I32, int32_t, x[i])
    PAIR(HD_F32, float, HD_F64, double, (float)x[i])
    PAIR(HD_F32, float, HD_I32, int32_t, (float)x[i])
    PAIR(HD_F32, float, HD_U16, uint16_t, x[i])
    PAIR(HD_F32, float, HD_U8, uint8_t, x[i])
    PAIR(HD_I32, int32_t, HD_U8, uint8_t, x[i])
    PAIR(HD_F64, double, HD_U8, uint8_t, x[i])
    PAIR(HD_U8, uint8_t, HD_BOOL, uint8_t, x[i] != 0)
    PAIR(HD_BOOL, uint8_t, HD_U8, uint8_t, x[i] != 0)
    PAIR(HD_U64, uint64_t, HD_U8, uint8_t, x[i])
    PAIR(HD_U64, uint64_t, HD_U32, uint32_t, x[i])
    PAIR(HD_I64, int64_t, HD_I32, int32_t, x[i])
    PAIR(HD_I64, int64_t, HD_U32, uint32_t, x[i])
#undef PAIR
    return false;
}

void hd__convert(hd_type to_type, void *to, hd_type from_type, const void *from, int64_t n)
{
    if (to_type == from_type && to_type != HD_BOOL) {
        if (to != from) memmove(to, from, (size_t)n * hd__size_of(to_type));
        return;
    }
    if (convert_at_once(to_type, to, from_type, from, n)) return;
    const size_t to_size = hd__size_of(to_type), from_size = hd__size_of(from_type);
    wide w;
    for (int64_t at = 0; at < n; at += BLOCK) {
        const int64_t m = n - at < BLOCK ? n - at : BLOCK;
        const hd__kind kind = widen(&w, from_type, (const char *)from + (size_t)at * from_size, m);
        void *target = (char *)to + (size_t)at * to_size;
        if (kind == HD__SIGNED)
            narrow_signed(to_type, target, &w, m);
        else if (kind == HD__UNSIGNED)
            narrow_unsigned(to_type, target, &w, m);
        else
            narrow_float(to_type, target, &w, m);
    }
}
