// SPDX-License-Identifier: Apache-2.0
//
// A PTX module as the parser leaves it: variables, functions, instructions with their operands,
// and the source lines they came from. Everything belongs to the module and lives in its arena.
#ifndef HEDDLE_MODEL_PTX_PTX_H
#define HEDDLE_MODEL_PTX_PTX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum ptx_type {
    PTX_NO_TYPE,
#define TYPE(name, NAME, bytes, kind) PTX_##NAME,
#include "ptx_types.def"
#undef TYPE
    PTX_TYPES
} ptx_type;

typedef enum ptx_kind {
    PTX_NO_KIND,
    PTX_BITS,
    PTX_UNSIGNED,
    PTX_SIGNED,
    PTX_FLOAT,
    PTX_PREDICATE
} ptx_kind;

typedef enum ptx_opcode {
    PTX_NO_OP,
#define OP(name) PTX_OP_##name,
#include "ptx_opcodes.def"
#undef OP
    PTX_OPS
} ptx_opcode;

typedef enum ptx_modifier {
    PTX_NO_MOD,
#define MOD(text, NAME) PTX_MOD_##NAME,
#include "ptx_modifiers.def"
#undef MOD
    PTX_MODS
} ptx_modifier;

const char *hd__model_ptx_type_name(ptx_type type);
int hd__model_ptx_type_bytes(ptx_type type);
ptx_kind hd__model_ptx_type_kind(ptx_type type);
const char *hd__model_ptx_opcode_name(ptx_opcode op);
const char *hd__model_ptx_modifier_name(ptx_modifier mod);

typedef enum ptx_space {
    PTX_GENERIC,
    PTX_GLOBAL,
    PTX_SHARED,
    PTX_LOCAL,
    PTX_CONST,
    PTX_PARAM
} ptx_space;

// ---- What has a name --------------------------------------------------------------------------

// An address inside an initial value: of a variable or a function, plus an offset.
typedef struct ptx_relocation {
    int64_t at;                 // byte of the initial value
    int32_t variable, function; // one of them is -1
    int64_t offset;
    bool generic; // generic(name): the generic address
} ptx_relocation;

#define PTX_OF_A_HEAD (-2)
typedef struct ptx_variable {
    const char *name;
    ptx_space space;
    ptx_type type; // of an element
    int64_t align, bytes;
    bool external;  // declared elsewhere; a shared array without a length is dynamic
    int32_t owner;  // the function it belongs to; -1: the module's; PTX_OF_A_HEAD: a parameter
    uint8_t *value; // initial value, or NULL: zeros (shared, local: none)
    ptx_relocation *relocations;
    int32_t relocation_count;
    int64_t address; // in its space; set when the module is laid out
} ptx_variable;

typedef struct ptx_register {
    const char *name; // of a range %r<45> "%r" with its number appended
    ptx_type type;
} ptx_register;

typedef enum ptx_operand_kind {
    PTX_NOTHING,
    PTX_REGISTER,
    PTX_IMMEDIATE,
    PTX_SPECIAL,  // %tid.x
    PTX_ADDRESS,  // of a variable
    PTX_LABEL,    // number: index into the function's labels
    PTX_FUNCTION, // number: index into the module's functions
    PTX_MEMORY,   // [base + offset]; its base is one of the kinds above
    PTX_VECTOR,   // {a, b, ...}: `count` operands from `list` on
    PTX_SINK      // _
} ptx_operand_kind;

typedef struct ptx_operand {
    ptx_operand_kind kind;
    ptx_operand_kind base; // of PTX_MEMORY
    int32_t number;        // register, special register, variable, label, function
    bool negated;          // !%p1
    int32_t count, list;   // of a vector: in the function's pool
    int64_t offset;        // of an address
    uint64_t value;        // of an immediate
    ptx_type float_type;   // of an immediate written as a float: F32 or F64, else none
} ptx_operand;

#define PTX_MAX_MODS     16
#define PTX_MAX_TYPES    4
#define PTX_MAX_OPERANDS 8

typedef struct ptx_instruction {
    ptx_opcode op;
    int32_t line;   // of the PTX text
    int32_t source; // index into the module's source lines, or -1
    int32_t guard;  // register of @%p, or -1
    bool guard_negated;
    uint8_t mods, types, operands;
    uint8_t mod[PTX_MAX_MODS]; // ptx_modifier, in order
    uint8_t type[PTX_MAX_TYPES];
    ptx_operand operand[PTX_MAX_OPERANDS];
    ptx_operand second; // of d|p: the predicate beside the first operand
} ptx_instruction;

typedef struct ptx_label {
    const char *name;
    int32_t at; // index of the instruction it stands before, or -1: not seen yet
    int32_t line;
    int32_t target_list, target_count; // .branchtargets: operands in the pool
} ptx_label;

typedef struct ptx_function {
    const char *name;
    bool entry, defined;
    int32_t line;
    int32_t *params, *results; // variables
    int32_t param_count, result_count;
    int64_t param_bytes, frame_bytes; // of its parameters; of them and its results
    ptx_register *registers;
    int32_t register_count;
    ptx_instruction *code;
    int32_t length;
    ptx_label *labels;
    int32_t label_count;
    ptx_operand *pool; // of vectors and lists
    int32_t pool_count;
    int64_t shared_bytes, local_bytes; // of its own variables
    int32_t max_threads;               // .maxntid, .reqntid: their product, or 0
    int32_t required[3];               // .reqntid, or 0
    int32_t cluster[3];                // .reqnctapercluster, or 0
} ptx_function;

// A line of the user's source that instructions came from. Of inlined code it is the line of the
// function itself; `outer` is where it was inlined, or -1.
typedef struct ptx_source {
    int32_t file, line, column;
    int32_t outer;
} ptx_source;

typedef struct ptx_module {
    struct ptx_arena *arena;
    int32_t version, target; // 90 of "9.0", 75 of "sm_75"
    ptx_variable *variables;
    int32_t variable_count;
    ptx_function *functions;
    int32_t function_count;
    ptx_source *sources;
    int32_t source_count;
    const char **files; // by the number of .file; may hold NULL
    int32_t file_count;
    char error[512]; // why it could not be parsed: line, what, what was expected
} ptx_module;

// Parses a module. On failure returns false and leaves the text in module->error; the module is to
// be freed in any case.
bool hd__model_ptx_parse(ptx_module *module, const char *text, size_t length);
void hd__model_ptx_module_free(ptx_module *module);

// The function or variable of a name, or -1.
int32_t hd__model_ptx_find_function(const ptx_module *module, const char *name);
int32_t hd__model_ptx_find_variable(const ptx_module *module, const char *name);

// The file of a source line of the module, or NULL.
const char *hd__model_ptx_source_file(const ptx_module *module, int32_t source);

static inline bool ptx_has(const ptx_instruction *i, ptx_modifier mod)
{
    for (int k = 0; k < i->mods; k++)
        if (i->mod[k] == mod) return true;
    return false;
}

// ---- Special registers ------------------------------------------------------------------------

typedef enum ptx_special {
#define SPECIAL(name, NAME) PTX_SR_##NAME,
#include "ptx_specials.def"
#undef SPECIAL
    PTX_SPECIALS
} ptx_special;
const char *hd__model_ptx_special_name(ptx_special special);

#endif
