// SPDX-License-Identifier: Apache-2.0
//
// Integer arithmetic, one table a type.
#include "model/lanes.h"
#include "model/run.h"

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
#include "model/run_integers.inc"
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
#include "model/run_integers.inc"
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
#include "model/run_integers.inc"
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
#include "model/run_integers.inc"
#define T         uint64_t
#define U         uint64_t
#define S         uint64_t
#define WS        uint64_t
#define WIDE      wide_u64
#define NAME(op)  op##_u64
#define SIGNED    0
#define BITS_OF_T 64
#include "model/run_integers.inc"
#define T         int64_t
#define U         uint64_t
#define S         uint64_t
#define WS        uint64_t
#define WIDE      wide_s64
#define NAME(op)  op##_s64
#define SIGNED    1
#define BITS_OF_T 64
#include "model/run_integers.inc"

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

static run_operation *choose_24(const ptx_instruction *i)
{
    const bool is_signed = i->type[0] == PTX_S32;
    if (!ptx_has(i, PTX_MOD_LO)) return NULL;
    if (i->op == PTX_OP_mul24) return is_signed ? mul24_lo_signed : mul24_lo;
    return is_signed ? mad24_lo_signed : mad24_lo;
}

static int part_of_product(const ptx_instruction *i, int lo, int hi, int wide)
{
    return ptx_has(i, PTX_MOD_WIDE) ? wide : ptx_has(i, PTX_MOD_HI) ? hi : lo;
}

run_operation *hd__choose_integer(const ptx_instruction *i, operation *o)
{
    run_operation *const *table = table_of((ptx_type)i->type[0]);
    const bool saturates = ptx_has(i, PTX_MOD_SAT);
    if (i->op == PTX_OP_mul24 || i->op == PTX_OP_mad24) return choose_24(i);
    if (i->op == PTX_OP_dp4a) {
        o->mode = (uint8_t)((i->type[0] == PTX_S32) | (i->type[1] == PTX_S32) << 1);
        return dp4a;
    }
    if (table == NULL) return NULL;
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
