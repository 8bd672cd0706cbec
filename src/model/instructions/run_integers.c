// SPDX-License-Identifier: Apache-2.0
//
// Integer arithmetic, one table a type.
#include "model/exec/lanes.h"
#include "run.h"

__extension__ typedef unsigned __int128 wide_u64;
__extension__ typedef __int128 wide_s64;

enum {
    I_ADD,
    I_SUB,
    I_MUL_LO,
    I_MUL_HI,
    I_MUL_WIDE,
    I_MAD_LO,
    I_MAD_HI,
    I_MAD_WIDE,
    I_DIV,
    I_REM,
    I_MIN,
    I_MAX,
    I_ABS,
    I_NEG,
    I_SAD,
    I_SHR,
    I_ADD_SAT,
    I_SUB_SAT,
    INTEGER_OPS
};

#define T         uint16_t
#define U         uint16_t
#define S         uint32_t
#define W         uint32_t
#define WU        uint32_t
#define WS        uint32_t
#define WSLOT     uint32_t
#define WIDE      int64_t
#define NAME(op)  op##_u16
#define SIGNED    0
#define BITS_OF_T 16
#include "run_integers.inc"
#define T         int16_t
#define U         uint16_t
#define S         uint32_t
#define W         int32_t
#define WU        uint32_t
#define WS        uint32_t
#define WSLOT     uint32_t
#define WIDE      int64_t
#define NAME(op)  op##_s16
#define SIGNED    1
#define BITS_OF_T 16
#include "run_integers.inc"
#define T         uint32_t
#define U         uint32_t
#define S         uint32_t
#define W         uint64_t
#define WU        uint64_t
#define WS        uint32_t
#define WSLOT     uint64_t
#define WIDE      uint64_t
#define NAME(op)  op##_u32
#define SIGNED    0
#define BITS_OF_T 32
#include "run_integers.inc"
#define T         int32_t
#define U         uint32_t
#define S         uint32_t
#define W         int64_t
#define WU        uint64_t
#define WS        uint32_t
#define WSLOT     uint64_t
#define WIDE      int64_t
#define NAME(op)  op##_s32
#define SIGNED    1
#define BITS_OF_T 32
#include "run_integers.inc"
#define T         uint64_t
#define U         uint64_t
#define S         uint64_t
#define WS        uint64_t
#define WIDE      wide_u64
#define NAME(op)  op##_u64
#define SIGNED    0
#define BITS_OF_T 64
#include "run_integers.inc"
#define T         int64_t
#define U         uint64_t
#define S         uint64_t
#define WS        uint64_t
#define WIDE      wide_s64
#define NAME(op)  op##_s64
#define SIGNED    1
#define BITS_OF_T 64
#include "run_integers.inc"

static run_operation *const *table_of(ptx_type type)
{
    switch (type) {
    case PTX_B16:
    case PTX_U16: return table_u16;
    case PTX_S16: return table_s16;
    case PTX_B32:
    case PTX_U32: return table_u32;
    case PTX_S32: return table_s32;
    case PTX_B64:
    case PTX_U64: return table_u64;
    case PTX_S64: return table_s64;
    default: return NULL;
    }
}

// 24-bit multiplication: of the low 24 bits of both.
static void mul24_lo(machine *m, const operation *o)
{
    EACH(uint32_t, uint32_t, ((A & 0xffffffu) * (B & 0xffffffu)));
}

static void mul24_lo_signed(machine *m, const operation *o)
{
    EACH(uint32_t, uint32_t,
         (uint32_t)((int32_t)(A << 8) >> 8) * (uint32_t)((int32_t)(B << 8) >> 8));
}

static void mad24_lo(machine *m, const operation *o)
{
    EACH(uint32_t, uint32_t, ((A & 0xffffffu) * (B & 0xffffffu) + C));
}

static void mad24_lo_signed(machine *m, const operation *o)
{
    EACH(uint32_t, uint32_t,
         (uint32_t)((int32_t)(A << 8) >> 8) * (uint32_t)((int32_t)(B << 8) >> 8) + C);
}

// Dot products of four bytes. a and b may be signed by themselves: mode has a bit for each.
static int32_t byte_of(uint32_t word, int k, bool is_signed)
{
    return is_signed ? (int8_t)(word >> (8 * k)) : (uint8_t)(word >> (8 * k));
}

static uint32_t dot4(uint32_t a, uint32_t b, uint32_t c, int mode)
{
    for (int k = 0; k < 4; k++) c += (uint32_t)(byte_of(a, k, mode & 1) * byte_of(b, k, mode & 2));
    return c;
}

static void dp4a(machine *m, const operation *o)
{
    EACH(uint32_t, uint32_t, dot4(A, B, C, o->mode));
}

// Two products of 16 bits of a with bytes of b: the lower two, or the upper two (bit 2 of mode).
static uint32_t dot2(uint32_t a, uint32_t b, uint32_t c, int mode)
{
    for (int k = 0; k < 2; k++) {
        const uint32_t half = a >> (16 * k) & 0xffff;
        const int32_t x = mode & 1 ? (int16_t)half : (int32_t)half;
        c += (uint32_t)(x * byte_of(b, k + (mode & 4 ? 2 : 0), mode & 2));
    }
    return c;
}

static void dp2a(machine *m, const operation *o)
{
    EACH(uint32_t, uint32_t, dot2(A, B, C, o->mode));
}

// Differences of four bytes, as bytes, or added to c (bit 2 of mode).
static uint32_t differences(uint32_t a, uint32_t b, uint32_t c, int mode)
{
    uint32_t bytes = 0;
    for (int k = 0; k < 4; k++) {
        const int32_t off = byte_of(a, k, mode & 1) - byte_of(b, k, mode & 2);
        const uint32_t size = (uint32_t)(off < 0 ? -off : off);
        bytes |= size << (8 * k), c += size;
    }
    return mode & 4 ? c : bytes;
}

static void vabsdiff4(machine *m, const operation *o)
{
    EACH(uint32_t, uint32_t, differences(A, B, C, o->mode));
}

// The upper 32 of the product's 48 bits.
static void mul24_hi(machine *m, const operation *o)
{
    EACH(uint32_t, uint32_t, (uint64_t)(A & 0xffffffu) * (B & 0xffffffu) >> 16);
}

static void mul24_hi_signed(machine *m, const operation *o)
{
    EACH(uint32_t, uint32_t, (int64_t)((int32_t)(A << 8) >> 8) * ((int32_t)(B << 8) >> 8) >> 16);
}

static run_operation *dispatch_24(const ptx_instruction *i)
{
    const bool is_signed = i->type[0] == PTX_S32;
    if (ptx_has(i, PTX_MOD_HI) && i->op == PTX_OP_mul24)
        return is_signed ? mul24_hi_signed : mul24_hi;
    if (!ptx_has(i, PTX_MOD_LO) || ptx_has(i, PTX_MOD_SAT)) return NULL;
    if (i->op == PTX_OP_mul24) return is_signed ? mul24_lo_signed : mul24_lo;
    return is_signed ? mad24_lo_signed : mad24_lo;
}

static int part_of_product(const ptx_instruction *i, int lo, int hi, int wide)
{
    return ptx_has(i, PTX_MOD_WIDE) ? wide : ptx_has(i, PTX_MOD_HI) ? hi : lo;
}

// ---- Two numbers of 16 bits ---------------------------------------------------------------------

static uint16_t one_of_pair(const operation *o, uint16_t a, uint16_t b)
{
    const bool less = o->type == PTX_S16X2 ? (int16_t)a < (int16_t)b : a < b;
    uint16_t r = o->op == PTX_OP_add   ? (uint16_t)(a + b)
                 : o->op == PTX_OP_min ? (less ? a : b)
                                       : (less ? b : a);
    if (o->mode && (int16_t)r < 0) r = 0; // .relu
    return r;
}

static void pair(machine *m, const operation *o)
{
    EACH(uint32_t, uint32_t,
         (uint32_t)one_of_pair(o, (uint16_t)(A >> 16), (uint16_t)(B >> 16)) << 16 |
             one_of_pair(o, (uint16_t)A, (uint16_t)B));
}

static run_operation *dispatch_pair(const ptx_instruction *i, operation *o)
{
    o->mode = ptx_has(i, PTX_MOD_RELU);
    if (o->mode && i->type[0] != PTX_S16X2) return NULL;
    return i->op == PTX_OP_add || i->op == PTX_OP_min || i->op == PTX_OP_max ? pair : NULL;
}

static void relu_s32(machine *m, const operation *o)
{
    const bool least = o->op == PTX_OP_min;
    EACH(int32_t, uint32_t, (A < B) == least ? (A > 0 ? A : 0) : (B > 0 ? B : 0));
}

run_operation *hd__model_dispatch_integer(const ptx_instruction *i, operation *o)
{
    run_operation *const *table = table_of((ptx_type)i->type[0]);
    const bool saturates = ptx_has(i, PTX_MOD_SAT);
    if (i->op == PTX_OP_mul24 || i->op == PTX_OP_mad24) return dispatch_24(i);
    if (i->op == PTX_OP_dp4a || i->op == PTX_OP_dp2a) {
        o->mode = (uint8_t)((i->type[0] == PTX_S32) | (i->type[1] == PTX_S32) << 1 |
                            ptx_has(i, PTX_MOD_HI) << 2);
        return i->op == PTX_OP_dp4a ? dp4a : dp2a;
    }
    if (i->op == PTX_OP_vabsdiff4) {
        o->mode = (uint8_t)((i->type[1] == PTX_S32) | (i->type[2] == PTX_S32) << 1 |
                            ptx_has(i, PTX_MOD_ADD) << 2);
        return i->types == 3 && !saturates ? vabsdiff4 : NULL;
    }
    if (ptx_has(i, PTX_MOD_ADD)) return NULL;
    if (i->type[0] == PTX_U16X2 || i->type[0] == PTX_S16X2) return dispatch_pair(i, o);
    if (table == NULL) return NULL;
    if (ptx_has(i, PTX_MOD_RELU)) return i->type[0] == PTX_S32 ? relu_s32 : NULL;
    switch (i->op) {
    case PTX_OP_add: return table[saturates ? I_ADD_SAT : I_ADD];
    case PTX_OP_sub: return table[saturates ? I_SUB_SAT : I_SUB];
    case PTX_OP_mul: return table[part_of_product(i, I_MUL_LO, I_MUL_HI, I_MUL_WIDE)];
    case PTX_OP_mad:
        return saturates ? NULL : table[part_of_product(i, I_MAD_LO, I_MAD_HI, I_MAD_WIDE)];
    case PTX_OP_div: return table[I_DIV];
    case PTX_OP_rem: return table[I_REM];
    case PTX_OP_min: return table[I_MIN];
    case PTX_OP_max: return table[I_MAX];
    case PTX_OP_abs: return table[I_ABS];
    case PTX_OP_neg: return table[I_NEG];
    case PTX_OP_sad: return table[I_SAD];
    case PTX_OP_shr: return table[I_SHR];
    default: return NULL;
    }
}
