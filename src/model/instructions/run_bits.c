// SPDX-License-Identifier: Apache-2.0
//
// Bits: logic, shifts, fields, counting, bytes; and sums with carry.
#include "model/exec/lanes.h"
#include "run.h"

#define LOGIC(name, expr32)                                                                        \
    static void name##_32(machine *m, const operation *o)                                          \
    {                                                                                              \
        EACH(uint32_t, uint32_t, expr32);                                                          \
    }                                                                                              \
    static void name##_64(machine *m, const operation *o)                                          \
    {                                                                                              \
        EACH(uint64_t, uint64_t, expr32);                                                          \
    }
LOGIC(and, A &B)
LOGIC(or, A | B)
LOGIC(xor, A ^ B)
LOGIC(cnot, A == 0)

static void not_16(machine *m, const operation *o)
{
    EACH(uint32_t, uint32_t, (uint16_t)~A);
}

static void not_32(machine *m, const operation *o)
{
    EACH(uint32_t, uint32_t, ~A);
}

static void not_64(machine *m, const operation *o)
{
    EACH(uint64_t, uint64_t, ~A);
}

// Predicates are masks.
static uint32_t sources(const machine *m, uint32_t slot, bool negated)
{
    const uint32_t bits = *(const uint32_t *)SLOT(m, slot);
    return negated ? ~bits : bits;
}

static void set_predicate(machine *m, uint32_t slot, uint32_t bits)
{
    uint32_t *d = SLOT(m, slot);
    *d = (*d & ~m->mask) | (bits & m->mask);
}

static void and_predicate(machine *m, const operation *o)
{
    set_predicate(m, o->d, sources(m, o->a, o->negate_a) & sources(m, o->b, o->negate_b));
}

static void or_predicate(machine *m, const operation *o)
{
    set_predicate(m, o->d, sources(m, o->a, o->negate_a) | sources(m, o->b, o->negate_b));
}

static void xor_predicate(machine *m, const operation *o)
{
    set_predicate(m, o->d, sources(m, o->a, o->negate_a) ^ sources(m, o->b, o->negate_b));
}

static void not_predicate(machine *m, const operation *o)
{
    set_predicate(m, o->d, ~sources(m, o->a, o->negate_a));
}

static void shl_16(machine *m, const operation *o)
{
    EACH(uint32_t, uint32_t, B < 16 ? (uint16_t)(A << B) : 0);
}

static void shl_32(machine *m, const operation *o)
{
    EACH(uint32_t, uint32_t, B < 32 ? A << B : 0);
}

static void shl_64(machine *m, const operation *o)
{
    EACH_OF(uint64_t, uint64_t, uint64_t, uint32_t, uint32_t, uint64_t, uint64_t,
            B < 64 ? A << B : 0);
}

// mode is the table of the function of three bits.
static void lop3(machine *m, const operation *o)
{
    const uint32_t t = o->mode;
    const uint32_t k0 = 0u - (t & 1), k1 = 0u - (t >> 1 & 1), k2 = 0u - (t >> 2 & 1);
    const uint32_t k3 = 0u - (t >> 3 & 1), k4 = 0u - (t >> 4 & 1), k5 = 0u - (t >> 5 & 1);
    const uint32_t k6 = 0u - (t >> 6 & 1), k7 = 0u - (t >> 7 & 1);
    EACH(uint32_t, uint32_t,
         (~A & ~B & ~C & k0) | (~A & ~B & C & k1) | (~A & B & ~C & k2) | (~A & B & C & k3) |
             (A & ~B & ~C & k4) | (A & ~B & C & k5) | (A & B & ~C & k6) | (A & B & C & k7));
}

// lop3.or d|p, a, b, c, table, q: p tells whether the result has any bit, joined with q.
static void lop3_with(machine *m, const operation *o)
{
    lop3(m, o);
    const uint32_t *d = SLOT(m, o->d), q = *(const uint32_t *)SLOT(m, o->e);
    uint32_t any = 0;
    for (int l = 0; l < WARP; l++) any |= (uint32_t)(d[l] != 0) << l;
    const uint32_t joined = o->negate_c ? ~q : q;
    set_predicate(m, o->d2, o->bytes == PTX_MOD_OR ? any | joined : any & joined);
}

// Funnel shifts of the 64 bits of b (high) and a (low).
static void shf_left(machine *m, const operation *o)
{
    const bool wraps = o->mode;
    EACH(uint32_t, uint32_t,
         (uint32_t)(((uint64_t)B << 32 | A) << (wraps    ? C & 31
                                                : C < 32 ? C
                                                         : 32) >>
                    32));
}

static void shf_right(machine *m, const operation *o)
{
    const bool wraps = o->mode;
    EACH(uint32_t, uint32_t,
         (uint32_t)(((uint64_t)B << 32 | A) >> (wraps    ? C & 31
                                                : C < 32 ? C
                                                         : 32)));
}

// A field of c bits from bit b on; beyond the word's end it is zeros, or the sign.
static uint64_t field(uint64_t a, uint32_t position, uint32_t length, int bits, bool is_signed)
{
    position &= 0xff, length &= 0xff;
    const uint32_t last = position + length < (uint32_t)bits ? position + length : (uint32_t)bits;
    const bool sign = is_signed && length > 0 && (a >> (last > 0 ? last - 1 : 0) & 1);
    const uint64_t sign_bit = length == 0 ? 0 : sign;
    uint64_t value = position < (uint32_t)bits ? a >> position : 0;
    const uint32_t kept = position < last ? last - position : 0;
    if (kept < 64) value &= ((uint64_t)1 << kept) - 1;
    if (sign_bit && kept < 64) value |= ~(uint64_t)0 << kept;
    return value;
}

static void bfe_32(machine *m, const operation *o)
{
    EACH(uint32_t, uint32_t, field(A, B, C, 32, o->mode));
}

static void bfe_64(machine *m, const operation *o)
{
    EACH_OF(uint64_t, uint64_t, uint64_t, uint32_t, uint32_t, uint32_t, uint32_t,
            field(A, B, C, 64, o->mode));
}

static uint64_t insert(uint64_t from, uint64_t into, uint32_t position, uint32_t length, int bits)
{
    position &= 0xff, length &= 0xff;
    if (position >= (uint32_t)bits || length == 0) return into;
    const uint64_t ones = length < 64 ? ((uint64_t)1 << length) - 1 : ~(uint64_t)0;
    return (into & ~(ones << position)) | (from & ones) << position;
}

static void bfi_32(machine *m, const operation *o)
{
    const uint32_t *length = SLOT(m, o->e);
    EACH(uint32_t, uint32_t, insert(A, B, C, length[l], 32));
}

static void bfi_64(machine *m, const operation *o)
{
    const uint32_t *length = SLOT(m, o->e);
    EACH_OF(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint32_t, uint32_t,
            insert(A, B, C, length[l], 64));
}

static uint32_t highest(uint64_t x, bool shift_amount, int bits)
{
    if (x == 0) return ~0u;
    const uint32_t at = 63u - (uint32_t)__builtin_clzll(x);
    return shift_amount ? (uint32_t)bits - 1 - at : at;
}

static void bfind_u32(machine *m, const operation *o)
{
    EACH(uint32_t, uint32_t, highest(A, o->mode, 32));
}

static void bfind_s32(machine *m, const operation *o)
{
    EACH(uint32_t, uint32_t, highest((int32_t)A < 0 ? ~A : A, o->mode, 32));
}

static void bfind_u64(machine *m, const operation *o)
{
    EACH_OF(uint32_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
            highest(A, o->mode, 64));
}

static void bfind_s64(machine *m, const operation *o)
{
    EACH_OF(uint32_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
            highest((int64_t)A < 0 ? ~A : A, o->mode, 64));
}

static void popc_32(machine *m, const operation *o)
{
    EACH(uint32_t, uint32_t, (uint32_t)__builtin_popcount(A));
}

static void popc_64(machine *m, const operation *o)
{
    EACH_OF(uint32_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
            (uint32_t)__builtin_popcountll(A));
}

static void clz_32(machine *m, const operation *o)
{
    EACH(uint32_t, uint32_t, A == 0 ? 32 : (uint32_t)__builtin_clz(A));
}

static void clz_64(machine *m, const operation *o)
{
    EACH_OF(uint32_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
            A == 0 ? 64 : (uint32_t)__builtin_clzll(A));
}

static uint64_t reversed(uint64_t x, int bits)
{
    uint64_t r = 0;
    for (int k = 0; k < bits; k++) r |= (x >> k & 1) << (bits - 1 - k);
    return r;
}

static void brev_32(machine *m, const operation *o)
{
    EACH(uint32_t, uint32_t, reversed(A, 32));
}

static void brev_64(machine *m, const operation *o)
{
    EACH(uint64_t, uint64_t, reversed(A, 64));
}

// Four bytes of the eight of a and b, each by a nibble of c; its highest bit spreads the sign.
static uint32_t permuted(uint32_t a, uint32_t b, uint32_t selector)
{
    const uint64_t bytes = (uint64_t)b << 32 | a;
    uint32_t r = 0;
    for (int k = 0; k < 4; k++) {
        const uint32_t s = selector >> (4 * k) & 15;
        uint32_t byte = (uint32_t)(bytes >> (8 * (s & 7))) & 0xff;
        if (s & 8) byte = byte & 0x80 ? 0xff : 0;
        r |= byte << (8 * k);
    }
    return r;
}

static void prmt(machine *m, const operation *o)
{
    EACH(uint32_t, uint32_t, permuted(A, B, C));
}

// The selector of prmt's named modes, by the low bits of c.
static uint32_t selector_of(int mode, uint32_t c)
{
    static const uint16_t f4e[] = {0x3210, 0x4321, 0x5432, 0x6543};
    static const uint16_t b4e[] = {0x5670, 0x6701, 0x7012, 0x0123};
    static const uint16_t rc8[] = {0x0000, 0x1111, 0x2222, 0x3333};
    static const uint16_t ecl[] = {0x3210, 0x3211, 0x3222, 0x3333};
    static const uint16_t ecr[] = {0x0000, 0x1110, 0x2210, 0x3210};
    static const uint16_t rc16[] = {0x1010, 0x3232, 0x1010, 0x3232};
    switch (mode) {
    case PTX_MOD_F4E: return f4e[c & 3];
    case PTX_MOD_B4E: return b4e[c & 3];
    case PTX_MOD_RC8: return rc8[c & 3];
    case PTX_MOD_ECL: return ecl[c & 3];
    case PTX_MOD_ECR: return ecr[c & 3];
    default: return rc16[c & 3];
    }
}

static void prmt_mode(machine *m, const operation *o)
{
    EACH(uint32_t, uint32_t, permuted(A, B, selector_of(o->mode, C)));
}

// fns: the place of the n-th set bit of a mask, counted from a place up or down.
static uint32_t nth_set(uint32_t mask, uint32_t base, int32_t offset)
{
    if (base > 31) return ~0u;
    if (offset == 0) return mask >> base & 1 ? base : ~0u;
    const int step = offset > 0 ? 1 : -1;
    int32_t left = offset > 0 ? offset : -(int64_t)offset > 32 ? 33 : -offset;
    for (int32_t at = (int32_t)base; at >= 0 && at < 32; at += step)
        if ((mask >> at & 1) && --left == 0) return (uint32_t)at;
    return ~0u;
}

static void fns(machine *m, const operation *o)
{
    EACH(uint32_t, uint32_t, nth_set(A, B, (int32_t)C));
}

static void bmsk(machine *m, const operation *o)
{
    const bool wraps = o->mode;
    EACH(uint32_t, uint32_t,
         insert(~0u, 0,
                wraps    ? A & 31
                : A < 32 ? A
                         : 32,
                wraps    ? B & 31
                : B < 32 ? B
                         : 32,
                32));
}

static void szext(machine *m, const operation *o)
{
    EACH(uint32_t, uint32_t, field(A, 0, B < 32 ? B : 32, 32, o->mode));
}

static void szext_wrap(machine *m, const operation *o)
{
    EACH(uint32_t, uint32_t, field(A, 0, B & 31, 32, o->mode));
}

// ---- Sums with carry: the carry is a mask of the frame, in slot e ------------------------------

#define CARRY_32(expr, carry)                                                                      \
    do {                                                                                           \
        uint32_t *cc = SLOT(m, o->e), out = 0;                                                     \
        const uint32_t in = *cc;                                                                   \
        uint32_t *d = SLOT(m, o->d);                                                               \
        const uint32_t *a = SLOT(m, o->a), *b = SLOT(m, o->b), *c = SLOT(m, o->c);                 \
        for (int l = 0; l < WARP; l++) {                                                           \
            if (!(m->mask >> l & 1)) continue;                                                     \
            const uint64_t k = o->mode & 1 ? in >> l & 1 : 0;                                      \
            const uint64_t r = (expr);                                                             \
            (void)c;                                                                               \
            d[l] = (uint32_t)r;                                                                    \
            out |= (uint32_t)(carry) << l;                                                         \
        }                                                                                          \
        if (o->mode & 2) *cc = (in & ~m->mask) | out;                                              \
    } while (0)

static void add_carry_32(machine *m, const operation *o)
{
    CARRY_32((uint64_t)a[l] + b[l] + k, r >> 32 & 1);
}

// The flag is a borrow.
static void sub_carry_32(machine *m, const operation *o)
{
    CARRY_32((uint64_t)a[l] - b[l] - k, r >> 32 & 1);
}

static void mad_lo_carry_32(machine *m, const operation *o)
{
    CARRY_32((uint64_t)(a[l] * b[l]) + c[l] + k, r >> 32 & 1);
}

static void mad_hi_carry_u32(machine *m, const operation *o)
{
    CARRY_32(((uint64_t)a[l] * b[l] >> 32) + c[l] + k, r >> 32 & 1);
}

static void mad_hi_carry_s32(machine *m, const operation *o)
{
    CARRY_32((uint64_t)(uint32_t)((int64_t)(int32_t)a[l] * (int32_t)b[l] >> 32) + c[l] + k,
             r >> 32 & 1);
}

__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 s128;

// bytes has the part of the product: 0 the lower one, 1 the upper one, 2 that of signed numbers.
static void mad_carry_64(machine *m, const operation *o)
{
    uint32_t *cc = SLOT(m, o->e), out = 0;
    uint64_t *d = SLOT(m, o->d);
    const uint64_t *a = SLOT(m, o->a), *b = SLOT(m, o->b), *c = SLOT(m, o->c);
    for (int l = 0; l < WARP; l++) {
        if (!(m->mask >> l & 1)) continue;
        const uint64_t k = o->mode & 1 ? *cc >> l & 1 : 0;
        const uint64_t part = o->bytes == 0 ? a[l] * b[l]
                              : o->bytes == 1
                                  ? (uint64_t)((u128)a[l] * b[l] >> 64)
                                  : (uint64_t)((s128)(int64_t)a[l] * (int64_t)b[l] >> 64);
        const u128 r = (u128)part + c[l] + k;
        d[l] = (uint64_t)r;
        out |= (uint32_t)(r >> 64 & 1) << l;
    }
    if (o->mode & 2) *cc = (*cc & ~m->mask) | out;
}

static void add_carry_64(machine *m, const operation *o)
{
    uint32_t *cc = SLOT(m, o->e), out = 0;
    uint64_t *d = SLOT(m, o->d);
    const uint64_t *a = SLOT(m, o->a), *b = SLOT(m, o->b);
    const bool subtracts = o->op == PTX_OP_sub || o->op == PTX_OP_subc;
    for (int l = 0; l < WARP; l++) {
        if (!(m->mask >> l & 1)) continue;
        const uint64_t k = o->mode & 1 ? *cc >> l & 1 : 0, x = a[l], y = b[l];
        const uint64_t r = subtracts ? x - y - k : x + y + k;
        const bool carry = subtracts ? x < y || (x == y && k) : k ? r <= x : r < x;
        d[l] = r;
        out |= (uint32_t)carry << l;
    }
    if (o->mode & 2) *cc = (*cc & ~m->mask) | out;
}

run_operation *hd__model_dispatch_carry(const ptx_instruction *i, operation *o)
{
    const int bytes = hd__model_ptx_type_bytes((ptx_type)i->type[0]);
    const bool takes = i->op == PTX_OP_addc || i->op == PTX_OP_subc || i->op == PTX_OP_madc;
    o->mode = (uint8_t)(takes | ptx_has(i, PTX_MOD_CC) << 1);
    const bool is_mad = i->op == PTX_OP_mad || i->op == PTX_OP_madc;
    const bool is_signed = hd__model_ptx_type_kind((ptx_type)i->type[0]) == PTX_SIGNED;
    o->bytes = ptx_has(i, PTX_MOD_HI) ? 1 + is_signed : 0;
    if (bytes == 8) return is_mad ? mad_carry_64 : add_carry_64;
    if (bytes != 4) return NULL;
    switch (i->op) {
    case PTX_OP_add:
    case PTX_OP_addc: return add_carry_32;
    case PTX_OP_sub:
    case PTX_OP_subc: return sub_carry_32;
    default:
        if (ptx_has(i, PTX_MOD_LO)) return mad_lo_carry_32;
        return is_signed ? mad_hi_carry_s32 : mad_hi_carry_u32;
    }
}

// ---- Dispatch -----------------------------------------------------------------------------------

static run_operation *dispatch_predicate(const ptx_instruction *i)
{
    switch (i->op) {
    case PTX_OP_and: return and_predicate;
    case PTX_OP_or: return or_predicate;
    case PTX_OP_xor: return xor_predicate;
    case PTX_OP_not: return not_predicate;
    default: return NULL;
    }
}

static run_operation *dispatch_funnel(const ptx_instruction *i, operation *o)
{
    o->mode = ptx_has(i, PTX_MOD_WRAP);
    return ptx_has(i, PTX_MOD_LEFT) ? shf_left : shf_right;
}

static run_operation *dispatch_bfind(const ptx_instruction *i, operation *o)
{
    o->mode = ptx_has(i, PTX_MOD_SHIFTAMT);
    switch (i->type[0]) {
    case PTX_U32: return bfind_u32;
    case PTX_S32: return bfind_s32;
    case PTX_U64: return bfind_u64;
    case PTX_S64: return bfind_s64;
    default: return NULL;
    }
}

run_operation *hd__model_dispatch_bits(const ptx_instruction *i, operation *o)
{
    const ptx_type type = (ptx_type)i->type[0];
    const int bytes = hd__model_ptx_type_bytes(type);
    const bool wide = bytes == 8;
    if (type == PTX_PRED) return dispatch_predicate(i);
    switch (i->op) {
    case PTX_OP_and: return wide ? and_64 : and_32;
    case PTX_OP_or: return wide ? or_64 : or_32;
    case PTX_OP_xor: return wide ? xor_64 : xor_32;
    case PTX_OP_not: return wide ? not_64 : bytes == 2 ? not_16 : not_32;
    case PTX_OP_cnot: return wide ? cnot_64 : cnot_32;
    case PTX_OP_shl: return wide ? shl_64 : bytes == 2 ? shl_16 : shl_32;
    case PTX_OP_lop3:
        if (i->mods == 0) return i->operands == 5 && i->second.kind == PTX_NOTHING ? lop3 : NULL;
        o->bytes = i->mod[0];
        return i->operands == 6 && (o->bytes == PTX_MOD_OR || o->bytes == PTX_MOD_AND) ? lop3_with
                                                                                       : NULL;
    case PTX_OP_shf: return dispatch_funnel(i, o);
    case PTX_OP_bfe:
        o->mode = hd__model_ptx_type_kind(type) == PTX_SIGNED;
        return wide ? bfe_64 : bfe_32;
    case PTX_OP_bfi: return wide ? bfi_64 : bfi_32;
    case PTX_OP_bfind: return dispatch_bfind(i, o);
    case PTX_OP_popc: return wide ? popc_64 : popc_32;
    case PTX_OP_clz: return wide ? clz_64 : clz_32;
    case PTX_OP_brev: return wide ? brev_64 : brev_32;
    case PTX_OP_prmt: o->mode = i->mods > 0 ? i->mod[0] : 0; return o->mode ? prmt_mode : prmt;
    case PTX_OP_fns: return fns;
    case PTX_OP_bmsk: o->mode = ptx_has(i, PTX_MOD_WRAP); return bmsk;
    case PTX_OP_szext:
        o->mode = hd__model_ptx_type_kind(type) == PTX_SIGNED;
        return ptx_has(i, PTX_MOD_WRAP) ? szext_wrap : szext;
    default: return NULL;
    }
}
