// SPDX-License-Identifier: Apache-2.0
//
// Operand checks: how many operands and which modifiers an instruction may have. Anything else is
// refused, so that a form that came later is never taken for one that is known.
#include "decode.h"

#define MODS(...)                                                                                  \
    (const uint8_t[])                                                                              \
    {                                                                                              \
        __VA_ARGS__, 0                                                                             \
    }

typedef struct operand_form {
    dispatch_operation *dispatcher;
    const uint8_t *mods; // ended by 0
} operand_form;

static const operand_form forms[] = {
    {hd__model_dispatch_integer,
     MODS(PTX_MOD_LO, PTX_MOD_HI, PTX_MOD_WIDE, PTX_MOD_SAT, PTX_MOD_RELU, PTX_MOD_ADD)},
    {hd__model_dispatch_carry, MODS(PTX_MOD_CC, PTX_MOD_LO, PTX_MOD_HI)},
    {hd__model_dispatch_float,
     MODS(PTX_MOD_RN, PTX_MOD_RZ, PTX_MOD_RM, PTX_MOD_RP, PTX_MOD_FTZ, PTX_MOD_SAT, PTX_MOD_APPROX,
          PTX_MOD_FULL, PTX_MOD_NAN, PTX_MOD_ABS, PTX_MOD_XORSIGN)},
    {hd__model_dispatch_half, MODS(PTX_MOD_RN, PTX_MOD_FTZ, PTX_MOD_SAT, PTX_MOD_APPROX,
                                   PTX_MOD_NAN, PTX_MOD_ABS, PTX_MOD_XORSIGN, PTX_MOD_RELU)},
    {hd__model_dispatch_bits, MODS(PTX_MOD_SHIFTAMT, PTX_MOD_LEFT, PTX_MOD_RIGHT, PTX_MOD_CLAMP,
                                   PTX_MOD_WRAP, PTX_MOD_F4E, PTX_MOD_B4E, PTX_MOD_RC8, PTX_MOD_ECL,
                                   PTX_MOD_ECR, PTX_MOD_RC16, PTX_MOD_AND, PTX_MOD_OR)},
    {hd__model_dispatch_move, (const uint8_t[]){0}},
    {hd__model_dispatch_memory,
     MODS(PTX_MOD_GLOBAL, PTX_MOD_SHARED, PTX_MOD_SHARED_CTA, PTX_MOD_SHARED_CLUSTER, PTX_MOD_LOCAL,
          PTX_MOD_CONST, PTX_MOD_PARAM, PTX_MOD_PARAM_ENTRY, PTX_MOD_PARAM_FUNC, PTX_MOD_V2,
          PTX_MOD_V4, PTX_MOD_V8, PTX_MOD_WEAK, PTX_MOD_VOLATILE, PTX_MOD_RELAXED, PTX_MOD_ACQUIRE,
          PTX_MOD_RELEASE, PTX_MOD_MMIO, PTX_MOD_CTA, PTX_MOD_CLUSTER, PTX_MOD_GPU, PTX_MOD_SYS,
          PTX_MOD_NC, PTX_MOD_CA, PTX_MOD_CG, PTX_MOD_CS, PTX_MOD_LU, PTX_MOD_CV, PTX_MOD_WB,
          PTX_MOD_WT, PTX_MOD_L1, PTX_MOD_L2, PTX_MOD_L1_EVICT_NORMAL, PTX_MOD_L1_EVICT_UNCHANGED,
          PTX_MOD_L1_EVICT_FIRST, PTX_MOD_L1_EVICT_LAST, PTX_MOD_L1_NO_ALLOCATE,
          PTX_MOD_L2_CACHE_HINT, PTX_MOD_L2_64B, PTX_MOD_L2_128B, PTX_MOD_L2_256B,
          PTX_MOD_L2_EVICT_FIRST, PTX_MOD_L2_EVICT_LAST, PTX_MOD_L2_EVICT_NORMAL,
          PTX_MOD_L2_EVICT_UNCHANGED, PTX_MOD_UNIFIED, PTX_MOD_TENSORMAP, PTX_MOD_FRACTIONAL)},
    {hd__model_dispatch_matrix,
     MODS(PTX_MOD_SYNC, PTX_MOD_ALIGNED, PTX_MOD_M16N8K4, PTX_MOD_M16N8K8, PTX_MOD_M16N8K16,
          PTX_MOD_M16N8K32, PTX_MOD_M8N8, PTX_MOD_M8N8K4, PTX_MOD_RN, PTX_MOD_ROW, PTX_MOD_COL,
          PTX_MOD_X1, PTX_MOD_X2, PTX_MOD_X4, PTX_MOD_TRANS, PTX_MOD_SHARED, PTX_MOD_SHARED_CTA)},
    {hd__model_dispatch_wmma,
     MODS(PTX_MOD_SYNC, PTX_MOD_ALIGNED, PTX_MOD_ROW, PTX_MOD_COL, PTX_MOD_M16N16K16,
          PTX_MOD_M32N8K16, PTX_MOD_M8N32K16, PTX_MOD_M16N16K8, PTX_MOD_LOAD, PTX_MOD_STORE,
          PTX_MOD_MMA, PTX_MOD_MATRIX_A, PTX_MOD_MATRIX_B, PTX_MOD_MATRIX_C, PTX_MOD_MATRIX_D,
          PTX_MOD_GLOBAL, PTX_MOD_SHARED, PTX_MOD_SHARED_CTA)},
    {hd__model_dispatch_atomic,
     MODS(PTX_MOD_GLOBAL, PTX_MOD_SHARED, PTX_MOD_SHARED_CTA, PTX_MOD_SHARED_CLUSTER, PTX_MOD_V2,
          PTX_MOD_V4, PTX_MOD_V8, PTX_MOD_RELAXED, PTX_MOD_ACQUIRE, PTX_MOD_RELEASE,
          PTX_MOD_ACQ_REL, PTX_MOD_CTA, PTX_MOD_CLUSTER, PTX_MOD_GPU, PTX_MOD_SYS, PTX_MOD_NOFTZ,
          PTX_MOD_L2_CACHE_HINT, PTX_MOD_ADD, PTX_MOD_MIN, PTX_MOD_MAX, PTX_MOD_INC, PTX_MOD_DEC,
          PTX_MOD_EXCH, PTX_MOD_CAS, PTX_MOD_AND, PTX_MOD_OR, PTX_MOD_XOR)},
};

static bool among(const uint8_t *mods, int mod)
{
    for (; *mods != 0; mods++)
        if (*mods == mod) return true;
    return false;
}

bool hd__model_modifiers_known(const ptx_instruction *i, dispatch_operation *dispatcher)
{
    for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
        if (forms[k].dispatcher != dispatcher) continue;
        for (int j = 0; j < i->mods; j++)
            if (!among(forms[k].mods, i->mod[j])) return false;
    }
    return true;
}

// Operands by opcode: the least and the most; {0, 0}: the decoder of the instruction sees to it.
typedef struct arity {
    uint8_t least, most;
} arity;

static arity arity_of(const ptx_instruction *i)
{
    const bool of_float = hd__model_ptx_type_kind((ptx_type)i->type[0]) == PTX_FLOAT;
    switch (i->op) {
    case PTX_OP_abs:
    case PTX_OP_neg:
    case PTX_OP_not:
    case PTX_OP_cnot:
    case PTX_OP_popc:
    case PTX_OP_clz:
    case PTX_OP_brev:
    case PTX_OP_bfind:
    case PTX_OP_rcp:
    case PTX_OP_sqrt:
    case PTX_OP_rsqrt:
    case PTX_OP_ex2:
    case PTX_OP_lg2:
    case PTX_OP_sin:
    case PTX_OP_cos:
    case PTX_OP_tanh:
    case PTX_OP_mov:
    case PTX_OP_cvta:
    case PTX_OP_testp:
    case PTX_OP_getctarank:
    case PTX_OP_isspacep: return (arity){2, 2};
    case PTX_OP_add:
    case PTX_OP_addc:
    case PTX_OP_sub:
    case PTX_OP_subc:
    case PTX_OP_mul:
    case PTX_OP_mul24:
    case PTX_OP_div:
    case PTX_OP_rem:
    case PTX_OP_and:
    case PTX_OP_or:
    case PTX_OP_xor:
    case PTX_OP_shl:
    case PTX_OP_shr:
    case PTX_OP_copysign:
    case PTX_OP_szext:
    case PTX_OP_bmsk:
    case PTX_OP_mapa: return (arity){3, 3};
    case PTX_OP_min:
    case PTX_OP_max: return (arity){3, of_float ? 4 : 3};
    case PTX_OP_mad:
    case PTX_OP_madc:
    case PTX_OP_mad24:
    case PTX_OP_fma:
    case PTX_OP_sad:
    case PTX_OP_dp2a:
    case PTX_OP_dp4a:
    case PTX_OP_vabsdiff4:
    case PTX_OP_bfe:
    case PTX_OP_prmt:
    case PTX_OP_shf:
    case PTX_OP_slct:
    case PTX_OP_fns:
    case PTX_OP_selp: return (arity){4, 4};
    case PTX_OP_bfi: return (arity){5, 5};
    case PTX_OP_lop3: return (arity){5, 6};
    case PTX_OP_setp:
    case PTX_OP_set: return (arity){3, 4};
    case PTX_OP_cvt: return (arity){2, 4};
    case PTX_OP_shfl: return (arity){4, 5};
    case PTX_OP_vote: return (arity){2, 3};
    case PTX_OP_match:
    case PTX_OP_redux: return (arity){3, 3};
    case PTX_OP_mma: return (arity){4, 4};
    case PTX_OP_ldmatrix:
    case PTX_OP_stmatrix:
    case PTX_OP_elect: return (arity){2, 2};
    case PTX_OP_activemask: return (arity){1, 1};
    default: return (arity){0, 255};
    }
}

bool hd__model_operands_fit(const ptx_instruction *i)
{
    const arity a = arity_of(i);
    return i->operands >= a.least && i->operands <= a.most;
}
