// SPDX-License-Identifier: Apache-2.0
//
// Comparisons and choices: setp, set, selp, slct, testp.
#include "model/exec/lanes.h"
#include "numbers.h"
#include "run.h"

// What a comparison says of lanes that are less, equal or unordered.
static uint32_t answer(int mode, uint32_t less, uint32_t equal, uint32_t unordered)
{
    const uint32_t greater = ~(less | equal | unordered);
    switch (mode) {
    case PTX_MOD_EQ: return equal;
    case PTX_MOD_NE: return less | greater;
    case PTX_MOD_LT: return less;
    case PTX_MOD_LE:
    case PTX_MOD_LS: return less | equal;
    case PTX_MOD_GT: return greater;
    case PTX_MOD_GE:
    case PTX_MOD_HS: return greater | equal;
    case PTX_MOD_EQU: return equal | unordered;
    case PTX_MOD_NEU: return less | greater | unordered;
    case PTX_MOD_LTU: return less | unordered;
    case PTX_MOD_LEU: return less | equal | unordered;
    case PTX_MOD_GTU: return greater | unordered;
    case PTX_MOD_GEU: return greater | equal | unordered;
    case PTX_MOD_NUM: return ~unordered;
    case PTX_MOD_ISNAN: return unordered;
    case PTX_MOD_LO: return less; // of unsigned: lo, hi
    default: return greater;
    }
}

#define T           uint32_t
#define S           uint32_t
#define NAME(op)    op##_u16
#define VALUE(bits) (uint16_t)(bits)
#define IS_FLOAT    0
#include "run_comparisons.inc"
#define T           int32_t
#define S           uint32_t
#define NAME(op)    op##_s16
#define VALUE(bits) (int16_t)(bits)
#define IS_FLOAT    0
#include "run_comparisons.inc"
#define T           uint32_t
#define S           uint32_t
#define NAME(op)    op##_u32
#define VALUE(bits) (bits)
#define IS_FLOAT    0
#include "run_comparisons.inc"
#define T           int32_t
#define S           uint32_t
#define NAME(op)    op##_s32
#define VALUE(bits) (int32_t)(bits)
#define IS_FLOAT    0
#include "run_comparisons.inc"
#define T           uint64_t
#define S           uint64_t
#define NAME(op)    op##_u64
#define VALUE(bits) (bits)
#define IS_FLOAT    0
#include "run_comparisons.inc"
#define T           int64_t
#define S           uint64_t
#define NAME(op)    op##_s64
#define VALUE(bits) (int64_t)(bits)
#define IS_FLOAT    0
#include "run_comparisons.inc"
#define T           float
#define S           uint32_t
#define NAME(op)    op##_f32
#define VALUE(bits) f32_of(bits)
#define IS_FLOAT    1
#include "run_comparisons.inc"
#define T           float
#define S           uint32_t
#define NAME(op)    op##_f32_flushed
#define VALUE(bits) f32_of((bits)&0x7f800000u ? (bits) : (bits)&0x80000000u)
#define IS_FLOAT    1
#include "run_comparisons.inc"
#define T           double
#define S           uint64_t
#define NAME(op)    op##_f64
#define VALUE(bits) f64_of(bits)
#define IS_FLOAT    1
#include "run_comparisons.inc"
#define T           float
#define S           uint32_t
#define NAME(op)    op##_f16
#define VALUE(bits) hd__f16_to_f32((uint16_t)(bits))
#define IS_FLOAT    1
#include "run_comparisons.inc"
#define T           float
#define S           uint32_t
#define NAME(op)    op##_bf16
#define VALUE(bits) hd__bf16_to_f32((uint16_t)(bits))
#define IS_FLOAT    1
#include "run_comparisons.inc"

typedef uint32_t compare_lanes(const machine *m, const operation *o);

static compare_lanes *comparison_of(ptx_type type, bool flush)
{
    switch (type) {
    case PTX_B16:
    case PTX_U16: return compare_u16;
    case PTX_S16: return compare_s16;
    case PTX_B32:
    case PTX_U32: return compare_u32;
    case PTX_S32: return compare_s32;
    case PTX_B64:
    case PTX_U64: return compare_u64;
    case PTX_S64: return compare_s64;
    case PTX_F32: return flush ? compare_f32_flushed : compare_f32;
    case PTX_F64: return compare_f64;
    case PTX_F16: return compare_f16;
    case PTX_BF16: return compare_bf16;
    default: return NULL;
    }
}

static uint32_t compare(const machine *m, const operation *o)
{
    return comparison_of((ptx_type)o->type, o->flush)(m, o);
}

static void put(machine *m, uint32_t slot, uint32_t bits)
{
    uint32_t *d = SLOT(m, slot);
    *d = (*d & ~m->mask) | (bits & m->mask);
}

static void setp_u32(machine *m, const operation *o)
{
    put(m, o->d, compare_u32(m, o));
}

static void setp_s32(machine *m, const operation *o)
{
    put(m, o->d, compare_s32(m, o));
}

static void setp(machine *m, const operation *o)
{
    put(m, o->d, compare(m, o));
}

// setp.lt.and p|q, a, b, c: the comparison with c, and its opposite with c. rounding tells which.
static void setp_with(machine *m, const operation *o)
{
    const uint32_t holds = compare(m, o);
    uint32_t c = *(const uint32_t *)SLOT(m, o->c), p, q;
    if (o->negate_c) c = ~c;
    switch (o->bytes) {
    case PTX_MOD_AND: p = holds & c, q = ~holds & c; break;
    case PTX_MOD_OR: p = holds | c, q = ~holds | c; break;
    case PTX_MOD_XOR: p = holds ^ c, q = ~holds ^ c; break;
    default: p = holds, q = ~holds; break;
    }
    put(m, o->d, p);
    if (o->text->second.kind == PTX_REGISTER) put(m, o->d2, q);
}

static uint32_t joined(const machine *m, const operation *o, uint32_t holds)
{
    uint32_t c = *(const uint32_t *)SLOT(m, o->c);
    if (o->negate_c) c = ~c;
    switch (o->bytes) {
    case PTX_MOD_AND: return holds & c;
    case PTX_MOD_OR: return holds | c;
    case PTX_MOD_XOR: return holds ^ c;
    default: return holds;
    }
}

// What set gives where it holds: all ones, or one as the type has it.
static uint32_t yes_of(int type)
{
    switch (type) {
    case PTX_F32: return 0x3f800000u;
    case PTX_F16: return 0x3c00;
    case PTX_BF16: return 0x3f80;
    case PTX_U16:
    case PTX_S16:
    case PTX_B16: return 0xffff;
    default: return ~0u;
    }
}

static void set(machine *m, const operation *o)
{
    const uint32_t holds = joined(m, o, compare(m, o)), yes = yes_of(o->type2);
    uint32_t *d = SLOT(m, o->d);
    for (int l = 0; l < WARP; l++)
        if (m->mask >> l & 1) d[l] = holds >> l & 1 ? yes : 0;
}

// Of pairs of 16 bits, each by itself: ones of their type, or all bits of the half.
static void set_pair(machine *m, const operation *o)
{
    const uint32_t *a = SLOT(m, o->a), *b = SLOT(m, o->b);
    const bool brain = o->type == PTX_BF16X2;
    const uint32_t yes = o->type2 == PTX_F16X2 ? 0x3c00 : o->type2 == PTX_BF16X2 ? 0x3f80 : 0xffff;
    uint32_t *d = SLOT(m, o->d), less[2] = {0}, equal[2] = {0}, unordered[2] = {0};
    for (int l = 0; l < WARP; l++)
        for (int k = 0; k < 2; k++) {
            const uint16_t p = (uint16_t)(a[l] >> (16 * k)), q = (uint16_t)(b[l] >> (16 * k));
            const float x = brain ? hd__bf16_to_f32(p) : hd__f16_to_f32(p);
            const float y = brain ? hd__bf16_to_f32(q) : hd__f16_to_f32(q);
            less[k] |= (uint32_t)(x < y) << l, equal[k] |= (uint32_t)(x == y) << l;
            unordered[k] |= (uint32_t)(x != x || y != y) << l;
        }
    const uint32_t low = answer(o->mode, less[0], equal[0], unordered[0]);
    const uint32_t high = answer(o->mode, less[1], equal[1], unordered[1]);
    for (int l = 0; l < WARP; l++)
        if (m->mask >> l & 1) d[l] = (low >> l & 1 ? yes : 0) | (high >> l & 1 ? yes << 16 : 0);
}

static void selp_32(machine *m, const operation *o)
{
    uint32_t *d = SLOT(m, o->d), c = *(const uint32_t *)SLOT(m, o->c);
    const uint32_t *a = SLOT(m, o->a), *b = SLOT(m, o->b);
    if (o->negate_c) c = ~c;
    for (int l = 0; l < WARP; l++) {
        const uint32_t r = c >> l & 1 ? a[l] : b[l];
        d[l] = m->mask >> l & 1 ? r : d[l];
    }
}

static void selp_64(machine *m, const operation *o)
{
    uint64_t *d = SLOT(m, o->d);
    uint32_t c = *(const uint32_t *)SLOT(m, o->c);
    const uint64_t *a = SLOT(m, o->a), *b = SLOT(m, o->b);
    if (o->negate_c) c = ~c;
    for (int l = 0; l < WARP; l++) {
        const uint64_t r = c >> l & 1 ? a[l] : b[l];
        d[l] = m->mask >> l & 1 ? r : d[l];
    }
}

static void slct_32(machine *m, const operation *o)
{
    const bool of_float = o->type2 == PTX_F32;
    EACH(uint32_t, uint32_t, (of_float ? f32_of(C) >= 0 : (int32_t)C >= 0) ? A : B);
}

static void slct_64(machine *m, const operation *o)
{
    const bool of_float = o->type2 == PTX_F32;
    EACH_OF(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint32_t, uint32_t,
            (of_float ? f32_of(C) >= 0 : (int32_t)C >= 0) ? A : B);
}

static bool is_of(int what, double x, double min_normal)
{
    const bool number = x == x, finite = number && x - x == 0;
    const bool normal = finite && (x < 0 ? -x : x) >= min_normal;
    switch (what) {
    case PTX_MOD_FINITE: return finite;
    case PTX_MOD_INFINITE: return number && !finite;
    case PTX_MOD_NUMBER: return number;
    case PTX_MOD_NOTANUMBER: return !number;
    case PTX_MOD_NORMAL: return normal;
    default: return finite && x != 0 && !normal;
    }
}

static void testp(machine *m, const operation *o)
{
    const uint32_t *narrow = SLOT(m, o->a);
    const uint64_t *wide = SLOT(m, o->a);
    uint32_t holds = 0;
    for (int l = 0; l < WARP; l++) {
        const bool is = o->type == PTX_F64 ? is_of(o->mode, f64_of(wide[l]), 0x1p-1022)
                                           : is_of(o->mode, f32_of(narrow[l]), 0x1p-126);
        holds |= (uint32_t)is << l;
    }
    put(m, o->d, holds);
}

// The first modifier that is a comparison; lo and hi are ones of unsigned numbers.
static int comparison_mode(const ptx_instruction *i)
{
    for (int k = 0; k < i->mods; k++) {
        const int mod = i->mod[k];
        if ((mod >= PTX_MOD_EQ && mod <= PTX_MOD_ISNAN) || mod == PTX_MOD_LO || mod == PTX_MOD_HI)
            return mod;
    }
    return 0;
}

static int joining_mode(const ptx_instruction *i)
{
    return ptx_has(i, PTX_MOD_AND)   ? PTX_MOD_AND
           : ptx_has(i, PTX_MOD_OR)  ? PTX_MOD_OR
           : ptx_has(i, PTX_MOD_XOR) ? PTX_MOD_XOR
                                     : 0;
}

static run_operation *dispatch_setp(const ptx_instruction *i, operation *o)
{
    o->mode = (uint8_t)comparison_mode(i);
    o->flush = ptx_has(i, PTX_MOD_FTZ);
    o->bytes = (uint8_t)joining_mode(i);
    if (o->mode == 0 || comparison_of((ptx_type)i->type[0], o->flush) == NULL) return NULL;
    if (o->bytes != 0 || i->second.kind != PTX_NOTHING) return setp_with;
    return i->type[0] == PTX_S32                            ? setp_s32
           : i->type[0] == PTX_U32 || i->type[0] == PTX_B32 ? setp_u32
                                                            : setp;
}

// set.lt.u32.f32 d, a, b: the second type is that of the sources.
static run_operation *dispatch_set(const ptx_instruction *i, operation *o)
{
    o->mode = (uint8_t)comparison_mode(i);
    o->flush = ptx_has(i, PTX_MOD_FTZ);
    o->type2 = i->type[0], o->type = i->type[1];
    o->bytes = (uint8_t)joining_mode(i);
    const int bytes = hd__model_ptx_type_bytes((ptx_type)i->type[0]);
    if (i->types != 2 || bytes > 4 || bytes < 2 || o->mode == 0) return NULL;
    if (o->type == PTX_F16X2 || o->type == PTX_BF16X2)
        return bytes == 4 && o->bytes == 0 && !o->flush && i->operands == 3 ? set_pair : NULL;
    return comparison_of((ptx_type)o->type, o->flush) != NULL ? set : NULL;
}

run_operation *hd__model_dispatch_comparison(const ptx_instruction *i, operation *o)
{
    const bool wide = hd__model_ptx_type_bytes((ptx_type)i->type[0]) == 8;
    switch (i->op) {
    case PTX_OP_setp: return dispatch_setp(i, o);
    case PTX_OP_set: return dispatch_set(i, o);
    case PTX_OP_selp: return wide ? selp_64 : selp_32;
    case PTX_OP_slct: return wide ? slct_64 : slct_32;
    case PTX_OP_testp: o->mode = i->mods > 0 ? i->mod[0] : 0; return testp;
    default: return NULL;
    }
}
