// SPDX-License-Identifier: Apache-2.0
//
// Conversions: cvt between all number types with its rounding modes, and cvta between address
// spaces. A value goes through one of three carriers: a signed or unsigned 64-bit integer, or a
// double, each of which holds every source exactly.
#include <fenv.h>

#include "model/exec/lanes.h"
#include "numbers.h"
#include "run.h"

typedef struct conversion_number {
    ptx_kind kind;
    int64_t i;
    uint64_t u;
    double f;
} conversion_number;

// Bits of mode of the conversions to few bits.
enum { RELU = 2, SATFINITE = 4, AWAY = 8 };

static conversion_number read_number(ptx_type type, uint64_t bits)
{
    conversion_number n = {.kind = hd__model_ptx_type_kind(type)};
    const int shift = 64 - 8 * hd__model_ptx_type_bytes(type);
    if (n.kind == PTX_SIGNED) {
        n.i = (int64_t)(bits << shift) >> shift;
    } else if (n.kind != PTX_FLOAT) {
        n.kind = PTX_UNSIGNED;
        n.u = bits << shift >> shift;
    } else if (type == PTX_F64) {
        n.f = f64_of(bits);
    } else if (type == PTX_F32) {
        n.f = (double)f32_of((uint32_t)bits);
    } else {
        n.f = (double)(type == PTX_F16 ? hd__f16_to_f32((uint16_t)bits)
                                       : hd__bf16_to_f32((uint16_t)bits));
    }
    return n;
}

// ---- To integers --------------------------------------------------------------------------------

static double to_whole(double x, rounding_mode mode)
{
    switch (mode) {
    case ROUND_ZERO: return trunc(x);
    case ROUND_DOWN: return floor(x);
    case ROUND_UP: return ceil(x);
    default: return nearbyint(x);
    }
}

// Floats are held within the type's range; NaN is 0, or the upper bit alone where the source or the
// result has 64 bits. Integers wrap unless .sat.
static uint64_t float_to_integer(double x, ptx_type from, ptx_type to, rounding_mode mode)
{
    const int bits = 8 * hd__model_ptx_type_bytes(to);
    const bool is_signed = hd__model_ptx_type_kind(to) == PTX_SIGNED;
    if (x != x) return from == PTX_F64 || bits == 64 ? (uint64_t)1 << (bits - 1) : 0;
    x = to_whole(x, mode);
    const double limit = ldexp(1, is_signed ? bits - 1 : bits);
    if (is_signed) {
        if (x >= limit) return ((uint64_t)1 << (bits - 1)) - 1;
        if (x < -limit) return (uint64_t)1 << (bits - 1);
        return (uint64_t)(int64_t)x;
    }
    if (x <= 0) return 0;
    return x >= limit ? ~(uint64_t)0 : (uint64_t)x;
}

static uint64_t saturated(const conversion_number *n, ptx_type to)
{
    const int bits = 8 * hd__model_ptx_type_bytes(to);
    const bool to_signed = hd__model_ptx_type_kind(to) == PTX_SIGNED;
    const uint64_t top = to_signed ? ((uint64_t)1 << (bits - 1)) - 1 : ~(uint64_t)0 >> (64 - bits);
    if (n->kind == PTX_UNSIGNED) return n->u > top ? top : n->u;
    if (n->i < 0) {
        const int64_t bottom = to_signed ? -(int64_t)(top)-1 : 0;
        return (uint64_t)(n->i < bottom ? bottom : n->i);
    }
    return (uint64_t)n->i > top ? top : (uint64_t)n->i;
}

// ---- To floats ----------------------------------------------------------------------------------

static const int host_modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};

static float to_f32(const conversion_number *n, rounding_mode mode)
{
    volatile float r;
    volatile int64_t i = n->i;
    volatile uint64_t u = n->u;
    volatile double f = n->f;
    if (mode != ROUND_NEAREST) fesetround(host_modes[mode]);
    r = n->kind == PTX_SIGNED ? (float)i : n->kind == PTX_UNSIGNED ? (float)u : (float)f;
    if (mode != ROUND_NEAREST) fesetround(FE_TONEAREST);
    return r;
}

static double to_f64(const conversion_number *n, rounding_mode mode)
{
    volatile double r;
    volatile int64_t i = n->i;
    volatile uint64_t u = n->u;
    if (mode != ROUND_NEAREST) fesetround(host_modes[mode]);
    r = n->kind == PTX_SIGNED ? (double)i : n->kind == PTX_UNSIGNED ? (double)u : n->f;
    if (mode != ROUND_NEAREST) fesetround(FE_TONEAREST);
    return r;
}

// 16 bits, rounded once. Towards zero: the nearest, taken back a place if it went too far.
static uint16_t to_half(const conversion_number *n, ptx_type to, rounding_mode mode)
{
    const double x = to_f64(n, ROUND_NEAREST); // exact for all that cvt allows here but 64 bits
    const float odd = hd__round_to_odd(x);
    uint16_t h = to == PTX_F16 ? hd__f32_to_f16(odd) : hd__f32_to_bf16(odd);
    if (mode == ROUND_NEAREST || x != x) return h;
    const double back = (double)(to == PTX_F16 ? hd__f16_to_f32(h) : hd__bf16_to_f32(h));
    const bool beyond = mode == ROUND_ZERO   ? fabs(back) > fabs(x)
                        : mode == ROUND_DOWN ? back > x
                                             : back < x;
    if (!beyond) return h;
    const bool shrink = mode == ROUND_ZERO || (mode == ROUND_DOWN) == !signbit(back);
    return (uint16_t)(shrink ? h - 1 : h + 1);
}

static double flushed(double x)
{
    return x != 0 && fabs(x) < 0x1p-126 ? (x < 0 ? -0.0 : 0.0) : x;
}

static uint64_t to_float(const operation *o, conversion_number *n)
{
    const ptx_type to = (ptx_type)o->type;
    const rounding_mode mode = (rounding_mode)o->rounding;
    if (o->mode && n->kind == PTX_FLOAT) n->f = to_whole(n->f, mode); // .rni and its kind
    if (o->flush && o->type2 == PTX_F32) n->f = flushed(n->f);
    if (o->saturate && n->kind == PTX_FLOAT) n->f = n->f > 0 ? (n->f < 1 ? n->f : 1) : 0;
    if (to == PTX_F64) return bits_of_f64(to_f64(n, mode));
    if (to == PTX_F32) {
        const float r = to_f32(n, mode);
        return bits_of_f32(o->flush ? (float)flushed((double)r) : r);
    }
    return to_half(n, to, mode);
}

// ---- The instruction ----------------------------------------------------------------------------

static uint64_t converted(const operation *o, uint64_t bits)
{
    const ptx_type to = (ptx_type)o->type;
    conversion_number n = read_number((ptx_type)o->type2, bits);
    if (hd__model_ptx_type_kind(to) == PTX_FLOAT) return to_float(o, &n);
    if (n.kind == PTX_FLOAT) {
        if (o->flush) n.f = flushed(n.f);
        return float_to_integer(n.f, (ptx_type)o->type2, to, (rounding_mode)o->rounding);
    }
    if (o->saturate) return saturated(&n, to);
    return n.kind == PTX_SIGNED ? (uint64_t)n.i : n.u;
}

// The result fills its slot: the value as its type has it, extended by its sign, within the
// register's width (offset has the register's bytes).
static uint64_t fitted(const operation *o, uint64_t bits)
{
    const int type_shift = 64 - 8 * hd__model_ptx_type_bytes((ptx_type)o->type);
    const int slot_shift = 64 - 8 * (int)o->offset;
    bits = hd__model_ptx_type_kind((ptx_type)o->type) == PTX_SIGNED
               ? (uint64_t)((int64_t)(bits << type_shift) >> type_shift)
               : bits << type_shift >> type_shift;
    return bits << slot_shift >> slot_shift;
}

static uint64_t slot_bits(const machine *m, uint32_t slot, int bytes, int l)
{
    return bytes == 8 ? ((const uint64_t *)SLOT(m, slot))[l] : ((const uint32_t *)SLOT(m, slot))[l];
}

static void convert(machine *m, const operation *o)
{
    for (int l = 0; l < WARP; l++) {
        if (!(m->mask >> l & 1)) continue;
        const uint64_t r = fitted(o, converted(o, slot_bits(m, o->a, o->bytes, l)));
        if (o->offset == 8)
            ((uint64_t *)SLOT(m, o->d))[l] = r;
        else
            ((uint32_t *)SLOT(m, o->d))[l] = (uint32_t)r;
    }
}

// The frequent ones.
static void extend_s32(machine *m, const operation *o)
{
    EACH_OF(uint64_t, uint32_t, int32_t, uint32_t, uint32_t, uint32_t, uint32_t,
            (uint64_t)(int64_t)A);
}

static void extend_u32(machine *m, const operation *o)
{
    EACH_OF(uint64_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, A);
}

static void cut_64(machine *m, const operation *o)
{
    EACH_OF(uint32_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, (uint32_t)A);
}

static void s32_to_f32(machine *m, const operation *o)
{
    EACH_OF(uint32_t, uint32_t, int32_t, uint32_t, uint32_t, uint32_t, uint32_t,
            bits_of_f32((float)A));
}

static void u32_to_f32(machine *m, const operation *o)
{
    EACH_OF(uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t,
            bits_of_f32((float)A));
}

// What .relu and .satfinite make of a source: 0 for what is less, the greatest number for what is
// more than it.
static conversion_number limited(const operation *o, uint32_t bits, ptx_type to)
{
    conversion_number n = read_number(PTX_F32, bits);
    const double most = to == PTX_F16 ? 65504 : 0x1.fep127;
    if (o->mode & RELU && n.f < 0) n.f = 0;
    if (o->mode & SATFINITE && n.f > most) n.f = most;
    if (o->mode & SATFINITE && n.f < -most) n.f = -most;
    return n;
}

// Two floats into a pair of 16 bits: a is the upper half.
static void pack_halves(machine *m, const operation *o)
{
    const uint32_t *a = SLOT(m, o->a), *b = SLOT(m, o->b);
    uint32_t *d = SLOT(m, o->d);
    const ptx_type to = o->type == PTX_F16X2 ? PTX_F16 : PTX_BF16;
    for (int l = 0; l < WARP; l++) {
        if (!(m->mask >> l & 1)) continue;
        const conversion_number high = limited(o, a[l], to), low = limited(o, b[l], to);
        d[l] = (uint32_t)to_half(&high, to, (rounding_mode)o->rounding) << 16 |
               to_half(&low, to, (rounding_mode)o->rounding);
    }
}

static void to_one_half(machine *m, const operation *o)
{
    const uint32_t *a = SLOT(m, o->a);
    uint32_t *d = SLOT(m, o->d);
    for (int l = 0; l < WARP; l++) {
        const conversion_number n = limited(o, a[l], (ptx_type)o->type);
        if (m->mask >> l & 1) d[l] = to_half(&n, (ptx_type)o->type, (rounding_mode)o->rounding);
    }
}

// tf32: 10 bits of fraction. .rna: ties away from zero.
static uint32_t to_tf32(const operation *o, uint32_t bits)
{
    const uint32_t magnitude = bits & 0x7fffffffu, rest = bits & 0x1fff;
    if (o->mode & RELU && bits >> 31 && magnitude <= 0x7f800000u) return 0;
    if (magnitude >= 0x7f800000u) return bits & ~0x1fffu;
    const bool up = o->mode & AWAY                 ? rest >= 0x1000
                    : o->rounding == ROUND_NEAREST ? rest + (bits >> 13 & 1) > 0x1000
                                                   : false;
    return (bits & ~0x1fffu) + (up ? 0x2000u : 0);
}

static void convert_tf32(machine *m, const operation *o)
{
    EACH(uint32_t, uint32_t, to_tf32(o, A));
}

// ---- Numbers of 8 bits --------------------------------------------------------------------------

// e4m3 has no infinity and one NaN, e5m2 is the upper half of an f16. Both are held within their
// range (.satfinite).
static uint8_t to_eight(double x, bool five)
{
    const int fraction = five ? 2 : 3, bias = five ? 15 : 7, least = 1 - bias;
    const double most = five ? 57344 : 448, v = fabs(x);
    const uint8_t sign = signbit(x) ? 0x80 : 0;
    if (x != x) return 0x7f;
    if (v >= most) return sign | (five ? 0x7b : 0x7e);
    int exponent = v > 0 ? ilogb(v) : least;
    if (exponent < least) exponent = least;
    const int units = (int)nearbyint(ldexp(v, fraction - exponent));
    return (uint8_t)(sign | (((exponent - least) << fraction) + units));
}

static float from_eight(uint8_t e, bool five)
{
    const int fraction = five ? 2 : 3, bias = five ? 15 : 7;
    const int exponent = (e & 0x7f) >> fraction, part = e & ((1 << fraction) - 1);
    if (five && exponent == 31) return part != 0 ? NAN : e >> 7 ? -INFINITY : INFINITY;
    if (!five && (e & 0x7f) == 0x7f) return NAN;
    const double v = exponent == 0 ? ldexp(part, 1 - bias - fraction)
                                   : ldexp(part + (1 << fraction), exponent - bias - fraction);
    return (float)(e >> 7 ? -v : v);
}

// Of two floats (a is the upper byte) or a pair of halves.
static void pack_eights(machine *m, const operation *o)
{
    const uint32_t *a = SLOT(m, o->a), *b = SLOT(m, o->b);
    uint32_t *d = SLOT(m, o->d);
    const bool five = o->type == PTX_E5M2X2, halves = o->type2 == PTX_F16X2;
    for (int l = 0; l < WARP; l++) {
        if (!(m->mask >> l & 1)) continue;
        double high = (double)(halves ? hd__f16_to_f32((uint16_t)(a[l] >> 16)) : f32_of(a[l]));
        double low = (double)(halves ? hd__f16_to_f32((uint16_t)a[l]) : f32_of(b[l]));
        if (o->mode & RELU) high = high < 0 ? 0 : high, low = low < 0 ? 0 : low;
        d[l] = (uint32_t)to_eight(high, five) << 8 | to_eight(low, five);
    }
}

static void unpack_eights(machine *m, const operation *o)
{
    const bool five = o->type2 == PTX_E5M2X2;
    EACH(uint32_t, uint32_t,
         (uint32_t)hd__f32_to_f16(from_eight((uint8_t)(A >> 8), five)) << 16 |
             hd__f32_to_f16(from_eight((uint8_t)A, five)));
}

// cvta: windows of generic addresses. offset is what is added.
static void convert_address(machine *m, const operation *o)
{
    EACH_OF(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
            A + (uint64_t)o->offset);
}

static uint64_t window_of(const ptx_instruction *i)
{
    if (ptx_has(i, PTX_MOD_SHARED) || ptx_has(i, PTX_MOD_SHARED_CTA) ||
        ptx_has(i, PTX_MOD_SHARED_CLUSTER))
        return SHARED_WINDOW;
    if (ptx_has(i, PTX_MOD_LOCAL)) return LOCAL_WINDOW;
    if (ptx_has(i, PTX_MOD_PARAM) || ptx_has(i, PTX_MOD_PARAM_ENTRY)) return PARAM_WINDOW;
    return 0; // global and constant addresses are generic ones
}

static run_operation *dispatch_plain(const ptx_instruction *i, const operation *o)
{
    if (i->mods > 0 && !(i->mods == 1 && ptx_has(i, PTX_MOD_RN))) return NULL;
    const int to = i->type[0], from = i->type[1];
    // A source register may be wider than its type: then the lanes lie further apart.
    if ((o->bytes == 8) != (hd__model_ptx_type_bytes((ptx_type)from) == 8)) return NULL;
    if (o->offset == 8 && (to == PTX_S64 || to == PTX_U64) && from == PTX_S32) return extend_s32;
    if (o->offset == 8 && (to == PTX_S64 || to == PTX_U64) && from == PTX_U32) return extend_u32;
    if (o->offset == 4 && (to == PTX_S32 || to == PTX_U32) && (from == PTX_S64 || from == PTX_U64))
        return cut_64;
    if (o->offset == 4 && to == PTX_F32 && from == PTX_S32) return s32_to_f32;
    if (o->offset == 4 && to == PTX_F32 && from == PTX_U32) return u32_to_f32;
    return NULL;
}

// Pairs and other small formats, which have ways of their own.
static bool is_narrow(ptx_type type)
{
    return type == PTX_F16X2 || type == PTX_BF16X2 || type == PTX_TF32 || type == PTX_E4M3X2 ||
           type == PTX_E5M2X2;
}

static run_operation *dispatch_narrow(const ptx_instruction *i, operation *o)
{
    const ptx_type to = (ptx_type)o->type, from = (ptx_type)o->type2;
    o->mode = (uint8_t)(ptx_has(i, PTX_MOD_RELU) * RELU |
                        ptx_has(i, PTX_MOD_SATFINITE) * SATFINITE | ptx_has(i, PTX_MOD_RNA) * AWAY);
    const bool of_eight = to == PTX_E4M3X2 || to == PTX_E5M2X2;
    if (ptx_has(i, PTX_MOD_FTZ) || ptx_has(i, PTX_MOD_SAT) || o->offset != (of_eight ? 2 : 4)) {
        if (to != PTX_F16 && to != PTX_BF16) return NULL;
    }
    switch (to) {
    case PTX_F16X2:
        if (from == PTX_E4M3X2 || from == PTX_E5M2X2)
            return i->operands == 2 && o->mode == 0 ? unpack_eights : NULL;
        return from == PTX_F32 && i->operands == 3 ? pack_halves : NULL;
    case PTX_BF16X2: return from == PTX_F32 && i->operands == 3 ? pack_halves : NULL;
    case PTX_F16:
    case PTX_BF16: return from == PTX_F32 && i->operands == 2 ? to_one_half : NULL;
    case PTX_TF32: return from == PTX_F32 && i->operands == 2 ? convert_tf32 : NULL;
    case PTX_E4M3X2:
    case PTX_E5M2X2:
        if (!(o->mode & SATFINITE)) return NULL;
        if (from == PTX_F16X2) return i->operands == 2 ? pack_eights : NULL;
        return from == PTX_F32 && i->operands == 3 ? pack_eights : NULL;
    default: return NULL;
    }
}

run_operation *hd__model_dispatch_conversion(const ptx_instruction *i, operation *o)
{
    if (i->op == PTX_OP_cvta) {
        const uint64_t window = window_of(i);
        o->offset = (int64_t)(ptx_has(i, PTX_MOD_TO) ? 0 - window : window);
        return i->type[0] == PTX_U64 ? convert_address : NULL;
    }
    if (i->types != 2) return NULL;
    o->type = i->type[0], o->type2 = i->type[1];
    if (is_narrow((ptx_type)o->type) || is_narrow((ptx_type)o->type2) || ptx_has(i, PTX_MOD_RELU) ||
        ptx_has(i, PTX_MOD_SATFINITE))
        return dispatch_narrow(i, o);
    if (i->operands != 2 || ptx_has(i, PTX_MOD_RNA)) return NULL;
    o->flush = ptx_has(i, PTX_MOD_FTZ), o->saturate = ptx_has(i, PTX_MOD_SAT);
    o->mode = ptx_has(i, PTX_MOD_RNI) || ptx_has(i, PTX_MOD_RZI) || ptx_has(i, PTX_MOD_RMI) ||
              ptx_has(i, PTX_MOD_RPI);
    run_operation *plain = dispatch_plain(i, o);
    return plain != NULL ? plain : convert;
}
