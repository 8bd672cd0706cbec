// SPDX-License-Identifier: Apache-2.0
//
// Opcode dispatch: the file that runs an instruction, by its opcode and type.
#include "decode.h"

// The dispatcher of an opcode and type.
dispatch_operation *hd__model_dispatcher_of(const ptx_instruction *i)
{
    const ptx_type type = (ptx_type)i->type[0];
    const bool of_float = hd__model_ptx_type_kind(type) == PTX_FLOAT;
    const bool of_half = of_float && type != PTX_F32 && type != PTX_F64;
    switch (i->op) {
    case PTX_OP_addc:
    case PTX_OP_subc:
    case PTX_OP_madc: return hd__model_dispatch_carry;
    case PTX_OP_add:
    case PTX_OP_sub:
    case PTX_OP_mad:
        if (ptx_has(i, PTX_MOD_CC)) return hd__model_dispatch_carry;
        return of_half    ? hd__model_dispatch_half
               : of_float ? hd__model_dispatch_float
                          : hd__model_dispatch_integer;
    case PTX_OP_mul:
    case PTX_OP_div:
    case PTX_OP_rem:
    case PTX_OP_min:
    case PTX_OP_max:
    case PTX_OP_abs:
    case PTX_OP_neg:
    case PTX_OP_sad:
    case PTX_OP_mul24:
    case PTX_OP_mad24:
    case PTX_OP_dp4a:
    case PTX_OP_dp2a:
    case PTX_OP_vabsdiff4:
    case PTX_OP_shr:
        return of_half    ? hd__model_dispatch_half
               : of_float ? hd__model_dispatch_float
                          : hd__model_dispatch_integer;
    case PTX_OP_fma:
    case PTX_OP_rcp:
    case PTX_OP_sqrt:
    case PTX_OP_rsqrt:
    case PTX_OP_ex2:
    case PTX_OP_lg2:
    case PTX_OP_sin:
    case PTX_OP_cos:
    case PTX_OP_tanh:
    case PTX_OP_copysign: return of_half ? hd__model_dispatch_half : hd__model_dispatch_float;
    case PTX_OP_setp:
    case PTX_OP_set:
    case PTX_OP_selp:
    case PTX_OP_slct:
    case PTX_OP_testp: return hd__model_dispatch_comparison;
    case PTX_OP_cvt:
    case PTX_OP_cvta: return hd__model_dispatch_conversion;
    case PTX_OP_mov: return hd__model_dispatch_move;
    case PTX_OP_ld:
    case PTX_OP_ldu:
    case PTX_OP_st:
    case PTX_OP_prefetch:
    case PTX_OP_prefetchu:
    case PTX_OP_applypriority:
    case PTX_OP_discard:
    case PTX_OP_createpolicy: return hd__model_dispatch_memory;
    case PTX_OP_atom:
    case PTX_OP_red: return hd__model_dispatch_atomic;
    case PTX_OP_shfl:
    case PTX_OP_vote:
    case PTX_OP_match:
    case PTX_OP_redux:
    case PTX_OP_activemask:
    case PTX_OP_elect: return hd__model_dispatch_warp;
    case PTX_OP_cp: return hd__model_dispatch_async;
    case PTX_OP_mbarrier: return hd__model_dispatch_mbarrier;
    case PTX_OP_mma:
    case PTX_OP_ldmatrix:
    case PTX_OP_stmatrix: return hd__model_dispatch_matrix;
    case PTX_OP_wmma: return hd__model_dispatch_wmma;
    case PTX_OP_mapa:
    case PTX_OP_getctarank:
    case PTX_OP_isspacep: return hd__model_dispatch_window;
    case PTX_OP_bra:
    case PTX_OP_brx:
    case PTX_OP_call:
    case PTX_OP_ret:
    case PTX_OP_exit:
    case PTX_OP_trap:
    case PTX_OP_brkpt:
    case PTX_OP_pmevent:
    case PTX_OP_nanosleep:
    case PTX_OP_griddepcontrol:
    case PTX_OP_setmaxnreg:
    case PTX_OP_bar:
    case PTX_OP_barrier:
    case PTX_OP_membar:
    case PTX_OP_fence: return hd__model_dispatch_control;
    default: return hd__model_dispatch_bits;
    }
}
