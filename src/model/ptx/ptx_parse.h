// SPDX-License-Identifier: Apache-2.0
//
// The parser from inside: what its files share. ptx_parse.c has modules and functions,
// ptx_declare.c variables and registers, ptx_body.c instructions and operands, ptx_names.c the
// names that are in scope, ptx_arena.c the memory.
#ifndef HEDDLE_MODEL_PTX_PTX_PARSE_H
#define HEDDLE_MODEL_PTX_PTX_PARSE_H

#include "ptx.h"
#include "ptx_lex.h"

// ---- Memory: given back all at once ------------------------------------------------------------

typedef struct ptx_arena ptx_arena;
ptx_arena *hd__model_ptx_arena_open(void);
void hd__model_ptx_arena_close(ptx_arena *arena); // NULL is allowed
// Zeroed memory, or NULL.
void *hd__model_ptx_arena_take(ptx_arena *arena, size_t bytes);

// ---- Names --------------------------------------------------------------------------------------

typedef enum ptx_meaning { PTX_IS_REGISTER, PTX_IS_VARIABLE, PTX_IS_LABEL } ptx_meaning;

typedef struct ptx_name {
    const char *text;
    ptx_meaning meaning;
    int32_t number;
    int32_t depth; // of the scope
    struct ptx_name *next, *older;
} ptx_name;

#define PTX_BUCKETS 1024
typedef struct ptx_names {
    ptx_name *bucket[PTX_BUCKETS];
    ptx_name *newest;
    int32_t depth;
} ptx_names;

typedef struct ptx_parser {
    ptx_lexer lexer;
    ptx_module *module;
    ptx_names names;  // of the function being parsed
    int32_t function; // its index, or -1
    int32_t source;   // the current .loc, or -1
    int32_t code_room, label_room, register_room, pool_room;
    int32_t register_total; // of all functions
    int32_t variable_room, function_room, source_room, file_room;
} ptx_parser;

// The innermost meaning of a name, or NULL.
const ptx_name *hd__model_ptx_lookup(const ptx_parser *p, const char *text, size_t length);
bool hd__model_ptx_define(ptx_parser *p, const char *text, ptx_meaning meaning, int32_t number);
void hd__model_ptx_open_scope(ptx_parser *p);
// Names of the scope go; labels that were only mentioned move outwards.
void hd__model_ptx_close_scope(ptx_parser *p);

// ---- Steps --------------------------------------------------------------------------------------

#define PTX_TRY(step)                                                                              \
    do {                                                                                           \
        if (!(step)) return false;                                                                 \
    } while (0)

// Leaves the error "line N: ..." (the first one stays) and returns false.
bool hd__model_ptx_fail(ptx_parser *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
// The same, with what was found at the current token.
bool hd__model_ptx_expected(ptx_parser *p, const char *what);
bool hd__model_ptx_no_memory(ptx_parser *p);

bool hd__model_ptx_eat(ptx_parser *p, char c);  // moves on if it is there
bool hd__model_ptx_need(ptx_parser *p, char c); // fails if it is not
bool hd__model_ptx_eat_word(ptx_parser *p, const char *word);
bool hd__model_ptx_need_word(ptx_parser *p, const char **text);                 // any word, copied
bool hd__model_ptx_need_integer(ptx_parser *p, int64_t *value);                 // with a sign
const char *hd__model_ptx_copy(ptx_parser *p, const char *text, size_t length); // NULL: no memory
// Makes room for one more element of an array of the arena.
bool hd__model_ptx_grow(ptx_parser *p, void *array, int32_t count, int32_t *room, size_t size);

ptx_type hd__model_ptx_type_named(const char *text, size_t length); // of "f32", without its dot
bool hd__model_ptx_parse_space(ptx_parser *p,
                               ptx_space *space); // ".global" and so on, if it is one
// After its space: alignment, type, name, length, initial value. *number: of the new variable.
bool hd__model_ptx_parse_variable(ptx_parser *p, ptx_space space, bool external, int32_t *number);
bool hd__model_ptx_parse_registers(ptx_parser *p); // after .reg
bool hd__model_ptx_parse_body(ptx_parser *p);      // after "{"
bool hd__model_ptx_parse_location(ptx_parser *p);  // after .loc

#endif
