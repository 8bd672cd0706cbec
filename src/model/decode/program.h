// SPDX-License-Identifier: Apache-2.0
//
// Functions made ready to run: registers, constants and special registers get their slots,
// instructions the function that runs them.
#ifndef HEDDLE_MODEL_DECODE_PROGRAM_H
#define HEDDLE_MODEL_DECODE_PROGRAM_H

#include "model/exec/machine.h"

#define DEEPEST_CALL 256 // calls in each other

typedef struct loaded_module {
    const ptx_module *text;
    program *programs; // one for each function of the text
    device_memory *memory;
    int64_t shared_bytes; // where dynamic shared memory begins
    int64_t shared_front; // where a kernel's own shared variables begin
    int32_t sites;        // operations so far
    bool reserved;        // a function asks for the shared memory that the system keeps
    char error[512];
} loaded_module;

// Lays the module's variables out in device memory, with their initial values, and makes its
// functions ready. false: what and where is in m->error. It is to be freed in any case.
bool hd__module_load(loaded_module *m, ptx_module *text, device_memory *memory);
void hd__module_free(loaded_module *m);

// ---- Inside -------------------------------------------------------------------------------------

// Makes function `number` ready to run. false: the error is set.
bool hd__make_program(loaded_module *m, int32_t number);

// Slots of a function as they are given out.
typedef struct slot_map {
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
} slot_map;

bool hd__slots_begin(slot_map *s, loaded_module *m, int32_t function);
void hd__slots_end(slot_map *s);

// The slot of a number as a source of so many bytes; of a special register; of the address of a
// local variable. UINT32_MAX: no memory.
uint32_t hd__slot_of_constant(slot_map *s, uint64_t value, int bytes);
uint32_t hd__slot_of_special(slot_map *s, int32_t special);
uint32_t hd__slot_of_local(slot_map *s, int64_t offset);
// Appends to the program's list. false: no memory.
bool hd__slots_append(slot_map *s, uint32_t value);

// Marks the atomics that lanes of a warp do together. false: no memory.
bool hd__mark_uniform(program *p);
// Marks the plain loads whose value a compare-and-swap checks. false: no memory.
bool hd__mark_guesses(program *p);
// Marks the loads whose value is only stored. false: no memory.
bool hd__mark_passed_on(program *p);
// Marks the loads whose value a shuffle takes, and those whose value is only compared. false: no
// memory.
bool hd__mark_value_uses(program *p);

// Finds the variables that accesses are of. false: no memory.
bool hd__mark_variables(program *p);

// Functions that the machine itself has: vprintf, __assertfail. NULL: no such one with so many
// parameters.
run_operation *hd__builtin_named(const char *name, int32_t parameters);
// The same of mathematics: __nv_sinf and its kind. o->count is its number.
run_operation *hd__math_named(const ptx_module *m, const ptx_function *f, operation *o);

#endif
