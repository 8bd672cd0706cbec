// SPDX-License-Identifier: Apache-2.0
//
// Functions made ready to run: registers, constants and special registers get their slots,
// instructions the function that runs them.
#ifndef HEDDLE_MODEL_DECODE_PROGRAM_H
#define HEDDLE_MODEL_DECODE_PROGRAM_H

#include "model/exec/loaded_module.h"

// Makes function `number` ready to run. false: the error is set.
bool hd__model_make_program(loaded_module *m, int32_t number);

// Slots of a function as they are given out.
typedef struct register_map {
    loaded_module *module;
    const ptx_function *text;
    program *program;
    uint32_t *of_register;
    uint32_t *constants; // slots by a table of hashes; values in constant_values
    uint64_t *constant_values;
    uint8_t *constant_bytes;
    int32_t constant_room, constant_count;
    uint32_t zero, scratch, carry;
    int32_t special_room, list_room;
    uint32_t room; // of program->initial
} register_map;

bool hd__model_registers_begin(register_map *s, loaded_module *m, int32_t function);
void hd__model_registers_end(register_map *s);

// The slot of a number as a source of so many bytes; of a special register; of the address of a
// local variable. UINT32_MAX: no memory.
uint32_t hd__model_slot_of_constant(register_map *s, uint64_t value, int bytes);
uint32_t hd__model_slot_of_special(register_map *s, int32_t special);
uint32_t hd__model_slot_of_local(register_map *s, int64_t offset);
// Appends to the program's list. false: no memory.
bool hd__model_registers_append(register_map *s, uint32_t value);

// Marks the atomics that lanes of a warp do together. false: no memory.
bool hd__model_mark_uniform(program *p);
// Marks the plain loads whose value a compare-and-swap checks. false: no memory.
bool hd__model_mark_cas_loads(program *p);
// Marks the loads whose value is only stored. false: no memory.
bool hd__model_mark_copy_only(program *p);
// Marks the loads whose value a shuffle takes, and those whose value is only compared. false: no
// memory.
bool hd__model_mark_value_uses(program *p);

// Finds the variables that accesses are of. false: no memory.
bool hd__model_mark_variables(program *p);

// The registers, by number, that the value of a load goes into, on any way through its function
// (value_uses.c); whether the address of an access is made of one of them.
void hd__model_value_spreads(const ptx_function *f, const ptx_instruction *load, uint8_t *reached);
bool hd__model_address_has(const ptx_instruction *access, const uint8_t *reached);

#endif
