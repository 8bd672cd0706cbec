// SPDX-License-Identifier: Apache-2.0
//
// Decoding from inside: what its files share. decode.c has functions and plain instructions,
// operands.c where operands are, decode_memory.c accesses, decode_control.c branches and calls.
#ifndef HEDDLE_MODEL_DECODE_DECODE_H
#define HEDDLE_MODEL_DECODE_DECODE_H

#include "model/instructions/run.h"
#include "program.h"

typedef struct decoder {
    register_map slots;
    const ptx_instruction *i;
    operation *o;
} decoder;

// Leaves "kernel k, line 12: 'ld.global.v4.f32': ..." and returns false.
bool hd__model_decode_refuse(decoder *d, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
bool hd__model_decode_no_memory(decoder *d);

// The slot of a source of a type; UINT32_MAX: it has none, and the error is set.
uint32_t hd__model_decode_slot(decoder *d, const ptx_operand *operand, ptx_type type);
// Operand k as a source (negated: NULL where '!' may not stand), or as the result.
bool hd__model_decode_source(decoder *d, int k, ptx_type type, uint32_t *slot, bool *negated);
bool hd__model_decode_result(decoder *d, int k);
// A vector's slots, appended to the program's list, which o->list then points to. type: of the
// elements; layout: a type whose layout their registers have; results: they are written.
bool hd__model_decode_list(decoder *d, const ptx_operand *vector, ptx_type type, ptx_type layout,
                           bool results);
// Bytes of a register, or of the first of a vector.
int hd__model_register_bytes(const decoder *d, const ptx_operand *operand, int otherwise);

// A register must have the layout that the instruction reads or writes.
bool hd__model_decode_layout(decoder *d, const ptx_operand *operand, ptx_type type);

// How a slot of a type is laid out: a mask, or 32 lanes of 4, 8 or 16 bytes.
static inline int layout_of(ptx_type type)
{
    const int bytes = hd__model_ptx_type_bytes(type);
    return type == PTX_PRED ? 1 : bytes <= 4 ? 4 : bytes;
}

bool hd__model_decode_load_store(decoder *d);
bool hd__model_decode_atomic(decoder *d);
bool hd__model_decode_listed(decoder *d);
bool hd__model_decode_matrix(decoder *d);
bool hd__model_decode_wmma(decoder *d);
bool hd__model_decode_branch(decoder *d, const int32_t *join);
bool hd__model_decode_call(decoder *d);
bool hd__model_decode_barrier(decoder *d);

// The dispatcher of an instruction.
dispatch_operation *hd__model_dispatcher_of(const ptx_instruction *i);

// Whether all that stands after the opcode is known to the dispatcher, and the number of operands
// right.
bool hd__model_modifiers_known(const ptx_instruction *i, dispatch_operation *dispatcher);
bool hd__model_operands_fit(const ptx_instruction *i);

#endif
