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

#define LOOP(statement)                                                                            \
    for (int64_t i = 0; i < n; i++) statement

// A number of each kind into the widest of that kind; a bool of any byte but 0 is 1.
#define WIDEN_HD__SIGNED(name, x)   w->i[i] = (x)
#define WIDEN_HD__UNSIGNED(name, x) w->u[i] = (x)
#define WIDEN_HD__FLOAT(name, x)    w->f[i] = (double)HD__VALUE_##name(x)
#define WIDEN_HD__BOOL(name, x)     w->u[i] = (x) != 0

// Widens n <= BLOCK numbers and says which member of the union holds them.
static hd__kind widen(wide *w, hd_type type, const void *from, int64_t n)
{
    switch (type) {
#define X(name, id, ctype, kind)                                                                   \
    case id:                                                                                       \
        LOOP(WIDEN_##kind(name, ((const ctype *)from)[i]));                                        \
        break;
#include "types.def"
#undef X
    }
    return type == HD_BOOL ? HD__UNSIGNED : hd__kind_of(type);
}

// The magnitude as a double that rounds to 8 bits as the integer itself does: what does not fit in
// 53 bits leaves its trace in the last of them.
static uint16_t nearest_bf16(uint64_t magnitude, bool negative)
{
    if (magnitude >> 53 != 0)
        magnitude = (magnitude & ~UINT64_C(0xfff)) | (magnitude & 0xfff ? 0x800 : 0);
    const double value = (double)magnitude;
    return hd__f64_to_bf16(negative ? -value : value);
}

// Integers into every type: those of C wrap or round by themselves.
#define NARROW_HD__SIGNED(name, ctype, x)   (ctype)(x)
#define NARROW_HD__UNSIGNED(name, ctype, x) (ctype)(x)
#define NARROW_HD__BOOL(name, ctype, x)     (x) != 0
#define NARROW_HD__FLOAT(name, ctype, x)    NEAREST_##name(x)
#define NEAREST_f16(x)                      hd__f32_to_f16((float)(x))
#define NEAREST_f32(x)                      (float)(x)
#define NEAREST_f64(x)                      (double)(x)

#define NEAREST_bf16(x) nearest_bf16((x) < 0 ? 0 - (uint64_t)(x) : (uint64_t)(x), (x) < 0)
static void narrow_signed(hd_type type, void *to, const wide *w, int64_t n)
{
    switch (type) {
#define X(name, id, ctype, kind)                                                                   \
    case id:                                                                                       \
        LOOP(((ctype *)to)[i] = NARROW_##kind(name, ctype, w->i[i]));                              \
        break;
#include "types.def"
#undef X
    }
}

#undef NEAREST_bf16
#define NEAREST_bf16(x) nearest_bf16(x, false)
static void narrow_unsigned(hd_type type, void *to, const wide *w, int64_t n)
{
    switch (type) {
#define X(name, id, ctype, kind)                                                                   \
    case id:                                                                                       \
        LOOP(((ctype *)to)[i] = NARROW_##kind(name, ctype, w->u[i]));                              \
        break;
#include "types.def"
#undef X
    }
}

// Floats into every type: integers towards zero; beyond the ends of the type its nearest end; NaN
// is
// 0. Both ends are exact doubles but for the upper one of 64 bits, which is taken from the first
//    that
// is too large.
#define WITHIN(T, x, least, most, above)                                                           \
    ((x) != (x) ? (T)0 : (x) <= (double)(least) ? (T)(least) : (x) >= (above) ? (T)(most) : (T)(x))
#define HALF_RANGE(T) ((uint64_t)1 << (8 * sizeof(T) - 1))
#define ROUND_HD__SIGNED(name, ctype, x)                                                           \
    WITHIN(ctype, x, -(double)HALF_RANGE(ctype), HALF_RANGE(ctype) - 1, (double)HALF_RANGE(ctype))
#define ROUND_HD__UNSIGNED(name, ctype, x)                                                         \
    WITHIN(ctype, x, 0, UINT64_MAX, 2 * (double)HALF_RANGE(ctype))
#define ROUND_HD__BOOL(name, ctype, x)  (x) != 0
#define ROUND_HD__FLOAT(name, ctype, x) ROUND_##name(x)
#define ROUND_f16(x)                    hd__f64_to_f16(x)
#define ROUND_bf16(x)                   hd__f64_to_bf16(x)
#define ROUND_f32(x)                    (float)(x)
#define ROUND_f64(x)                    (x)
static void narrow_float(hd_type type, void *to, const wide *w, int64_t n)
{
    switch (type) {
#define X(name, id, ctype, kind)                                                                   \
    case id:                                                                                       \
        LOOP(((ctype *)to)[i] = ROUND_##kind(name, ctype, w->f[i]));                               \
        break;
#include "types.def"
#undef X
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
    if (hd__same_type(to_type, from_type) && to_type != HD_BOOL) {
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
