// SPDX-License-Identifier: Apache-2.0
//
// Opcode dispatch: one dispatcher a kind of instruction gives the function that runs it, or NULL
// for a form it does not know; decode.c then names the instruction and its line. It may set mode,
// flush, saturate and rounding of the operation.
#ifndef HEDDLE_MODEL_INSTRUCTIONS_RUN_H
#define HEDDLE_MODEL_INSTRUCTIONS_RUN_H

#include "model/exec/machine.h"

typedef run_operation *dispatch_operation(const ptx_instruction *i, operation *o);

dispatch_operation
    hd__model_dispatch_integer; // add sub mul mad div rem min max abs neg sad shr, 24-bit forms
dispatch_operation
    hd__model_dispatch_float;               // the same of floats, and fma, sqrt, rcp, ex2, sin, ...
dispatch_operation hd__model_dispatch_half; // of f16, bf16 and their pairs
dispatch_operation
    hd__model_dispatch_bits; // and or xor not shl lop3 shf bfe bfi bfind popc clz brev prmt ...
dispatch_operation hd__model_dispatch_carry;      // addc, subc, madc and their .cc forms
dispatch_operation hd__model_dispatch_comparison; // setp set selp slct testp
dispatch_operation hd__model_dispatch_conversion; // cvt, cvta
dispatch_operation hd__model_dispatch_move;   // mov, pack and unpack, special registers that change
dispatch_operation hd__model_dispatch_memory; // ld ldu st prefetch, ...
dispatch_operation hd__model_dispatch_atomic; // atom red
dispatch_operation hd__model_dispatch_warp;   // shfl vote match redux activemask elect
dispatch_operation
    hd__model_dispatch_control; // bra brx call ret exit trap bar barrier membar fence nanosleep
dispatch_operation hd__model_dispatch_async;    // cp.async and its bulk form
dispatch_operation hd__model_dispatch_mbarrier; // mbarrier
dispatch_operation hd__model_dispatch_matrix;   // mma ldmatrix stmatrix
dispatch_operation hd__model_dispatch_wmma;     // wmma
dispatch_operation hd__model_dispatch_window;   // isspacep, mapa, getctarank

// Registers that operand 0 .. 3 of an mma has; 0: a shape or a type that is not known.
int hd__model_matrix_registers(const ptx_instruction *i, int operand);
// The same of a wmma.mma; of a load or a store, of its one fragment.
int hd__model_wmma_registers(const ptx_instruction *i, int operand);

// Operand k of an instruction whose operands are listed, for a lane: the register's value plus the
// offset of an address.
static inline uint64_t listed_value(const machine *m, const operation *o, int k, int lane)
{
    const uint32_t *at = m->frame->program->list + o->list + 4 * k;
    const uint64_t offset = at[2] | (uint64_t)at[3] << 32;
    if (at[1] == 0) return *(const uint32_t *)SLOT(m, at[0]) >> lane & 1; // a predicate
    if (at[1] == 8) return ((const uint64_t *)SLOT(m, at[0]))[lane] + offset;
    return ((const uint32_t *)SLOT(m, at[0]))[lane] + offset;
}

// Whether a mov reads one of the clocks.
bool hd__model_reads_clock(const ptx_instruction *i);

// Arrives at an mbarrier (slot and offset are operand k of o) for the lanes of the mask, once each.
void hd__model_mbarrier_arrive(machine *m, const operation *o, int k);
// Bytes of a copy have arrived: reported to the mbarrier at a shared address, by one lane.
void hd__model_mbarrier_complete(machine *m, const operation *o, uint64_t address, int lane,
                                 int64_t bytes);

// Functions that the machine itself has: vprintf, __assertfail. NULL: no such one with so many
// parameters.
run_operation *hd__model_builtin_named(const char *name, int32_t parameters);
// The same of mathematics: __nv_sinf and its kind. o->count is its number.
run_operation *hd__model_math_named(const ptx_module *m, const ptx_function *f, operation *o);

#endif
