// SPDX-License-Identifier: Apache-2.0
//
// Which function runs an instruction: one chooser a kind. A chooser returns NULL for a form it does
// not know; decode.c then names the instruction and its line. It may set mode, flush, saturate and
// rounding of the operation.
#ifndef HD_MODEL_RUN_H
#define HD_MODEL_RUN_H

#include "model/machine.h"

typedef run_operation *choose_operation(const ptx_instruction *i, operation *o);

// The chooser of an instruction.
choose_operation *hd__chooser_of(const ptx_instruction *i);

choose_operation
    hd__choose_integer;            // add sub mul mad div rem min max abs neg sad shr, 24-bit forms
choose_operation hd__choose_float; // the same of floats, and fma, sqrt, rcp, ex2, sin, ...
choose_operation hd__choose_half;  // of f16, bf16 and their pairs
choose_operation
    hd__choose_bits; // and or xor not shl lop3 shf bfe bfi bfind popc clz brev prmt ...
choose_operation hd__choose_carry;      // addc, subc, madc and their .cc forms
choose_operation hd__choose_comparison; // setp set selp slct testp
choose_operation hd__choose_conversion; // cvt, cvta
choose_operation hd__choose_move;       // mov, pack and unpack, special registers that change
choose_operation hd__choose_memory;     // ld ldu st prefetch, ...
choose_operation hd__choose_atomic;     // atom red
choose_operation hd__choose_warp;       // shfl vote match redux activemask elect
choose_operation
    hd__choose_control;            // bra brx call ret exit trap bar barrier membar fence nanosleep
choose_operation hd__choose_async; // cp.async, mbarrier, clusters

// Whether a mov reads one of the clocks.
bool hd__reads_clock(const ptx_instruction *i);

#endif
