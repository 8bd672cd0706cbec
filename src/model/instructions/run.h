// SPDX-License-Identifier: Apache-2.0
//
// Which function runs an instruction: one chooser a kind. A chooser returns NULL for a form it does
// not know; decode.c then names the instruction and its line. It may set mode, flush, saturate and
// rounding of the operation.
#ifndef HEDDLE_MODEL_INSTRUCTIONS_RUN_H
#define HEDDLE_MODEL_INSTRUCTIONS_RUN_H

#include "model/exec/machine.h"

typedef run_operation *choose_operation(const ptx_instruction *i, operation *o);

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
choose_operation hd__choose_async; // cp.async and its bulk form
choose_operation hd__choose_mbarrier; // mbarrier
choose_operation hd__choose_matrix;   // mma ldmatrix stmatrix
choose_operation hd__choose_wmma;     // wmma
choose_operation hd__choose_window;   // isspacep, mapa, getctarank

// Registers that operand 0 .. 3 of an mma has; 0: a shape or a type that is not known.
int hd__matrix_registers(const ptx_instruction *i, int operand);
// The same of a wmma.mma; of a load or a store, of its one fragment.
int hd__wmma_registers(const ptx_instruction *i, int operand);

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
bool hd__reads_clock(const ptx_instruction *i);

// Arrives at an mbarrier (slot and offset are operand k of o) for the lanes of the mask, once each.
void hd__mbarrier_arrive(machine *m, const operation *o, int k);
// Bytes of a copy have come: told to the mbarrier at a shared address, by one lane.
void hd__mbarrier_complete(machine *m, const operation *o, uint64_t address, int lane,
                           int64_t bytes);

// Functions that the machine itself has: vprintf, __assertfail. NULL: no such one with so many
// parameters.
run_operation *hd__builtin_named(const char *name, int32_t parameters);
// The same of mathematics: __nv_sinf and its kind. o->count is its number.
run_operation *hd__math_named(const ptx_module *m, const ptx_function *f, operation *o);

#endif
