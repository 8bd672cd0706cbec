// SPDX-License-Identifier: Apache-2.0
//
// Declarations: variables with their initial values, registers.
#include "ptx_parse.h"

#include <stdio.h>
#include <string.h>

#define MAX_BYTES     ((int64_t)1 << 32) // of a variable
#define MAX_REGISTERS (1 << 17)          // of a function
#define MAX_INITIAL   ((int64_t)1 << 26) // of one with initial values

bool hd__model_ptx_parse_space(ptx_parser *p, ptx_space *space)
{
    static const struct {
        const char *word;
        ptx_space space;
    } spaces[] = {{".global", PTX_GLOBAL},
                  {".shared", PTX_SHARED},
                  {".local", PTX_LOCAL},
                  {".const", PTX_CONST},
                  {".param", PTX_PARAM}};
    for (size_t k = 0; k < sizeof spaces / sizeof *spaces; k++)
        if (hd__model_ptx_eat_word(p, spaces[k].word)) {
            *space = spaces[k].space;
            return true;
        }
    return false;
}

// ---- Initial values -----------------------------------------------------------------------------

typedef struct filling {
    ptx_variable *v;
    int64_t at; // the byte that comes next
    int32_t relocation_room;
} filling;

static bool put_number(ptx_parser *p, filling *f, uint64_t bits, int bytes)
{
    if (f->at + bytes > f->v->bytes)
        return hd__model_ptx_fail(p, "%s has too many values", f->v->name);
    for (int k = 0; k < bytes; k++) f->v->value[f->at + k] = (uint8_t)(bits >> (8 * k));
    f->at += bytes;
    return true;
}

// A variable's address, generic(variable), or one byte of it: 0xff00(variable).
static bool put_address(ptx_parser *p, filling *f, bool generic)
{
    ptx_variable *v = f->v;
    const char *name;
    int64_t offset = 0;
    PTX_TRY(hd__model_ptx_need_word(p, &name));
    if (ptx_is(&p->lexer.token, '+')) {
        hd__model_ptx_lex_next(&p->lexer);
        PTX_TRY(hd__model_ptx_need_integer(p, &offset));
    }
    const int32_t number = hd__model_ptx_find_variable(p->module, name);
    const int32_t function = number < 0 ? hd__model_ptx_find_function(p->module, name) : -1;
    if (number < 0 && function < 0)
        return hd__model_ptx_fail(p, "%s: no variable or function '%s' before it", v->name, name);
    if (f->at + 8 > v->bytes) return hd__model_ptx_fail(p, "%s has too many values", v->name);
    PTX_TRY(hd__model_ptx_grow(p, &v->relocations, v->relocation_count, &f->relocation_room,
                               sizeof *v->relocations));
    v->relocations[v->relocation_count++] =
        (ptx_relocation){f->at, number, function, offset, generic};
    f->at += 8;
    return true;
}

static bool put_value(ptx_parser *p, filling *f)
{
    const int bytes = hd__model_ptx_type_bytes(f->v->type);
    const bool negative = hd__model_ptx_eat(p, '-');
    const ptx_token t = p->lexer.token;
    if (t.kind == PTX_WORD) {
        if (!hd__model_ptx_eat_word(p, "generic")) return put_address(p, f, false);
        PTX_TRY(hd__model_ptx_need(p, '('));
        PTX_TRY(put_address(p, f, true));
        return hd__model_ptx_need(p, ')');
    }
    if (t.kind != PTX_INTEGER && t.kind != PTX_FLOAT32 && t.kind != PTX_FLOAT64)
        return hd__model_ptx_expected(p, "a value");
    hd__model_ptx_lex_next(&p->lexer);
    uint64_t bits = t.value;
    if (t.kind == PTX_INTEGER) {
        bits = negative ? 0 - bits : bits;
    } else if (t.kind == PTX_FLOAT64 && f->v->type == PTX_F32) {
        double wide;
        memcpy(&wide, &bits, sizeof wide);
        const float narrow = (float)wide;
        uint32_t narrow_bits;
        memcpy(&narrow_bits, &narrow, sizeof narrow);
        bits = narrow_bits ^ (negative ? 1u << 31 : 0);
    } else if (negative) {
        bits ^= (uint64_t)1 << (t.kind == PTX_FLOAT32 ? 31 : 63);
    }
    return put_number(p, f, bits, bytes);
}

static bool put_values(ptx_parser *p, filling *f, int depth)
{
    if (depth > 16) return hd__model_ptx_fail(p, "braces too deep");
    if (!hd__model_ptx_eat(p, '{')) return put_value(p, f);
    while (!hd__model_ptx_eat(p, '}')) {
        PTX_TRY(put_values(p, f, depth + 1));
        if (!ptx_is(&p->lexer.token, '}')) PTX_TRY(hd__model_ptx_need(p, ','));
    }
    return true;
}

// ---- Variables ----------------------------------------------------------------------------------

// Alignment and type in any order: .align 4 .b8, .v4 .f32, .ptr .global .align 4 (of parameters)
static bool parse_attributes(ptx_parser *p, ptx_variable *v)
{
    int64_t vector = 1;
    ptx_space ignored;
    while (p->lexer.token.kind == PTX_WORD && p->lexer.token.text[0] == '.') {
        const ptx_token *t = &p->lexer.token;
        const ptx_type type = hd__model_ptx_type_named(t->text + 1, t->length - 1);
        if (hd__model_ptx_eat_word(p, ".align")) {
            PTX_TRY(hd__model_ptx_need_integer(p, &v->align));
            if (v->align < 1 || v->align > 1 << 20 || (v->align & (v->align - 1)))
                return hd__model_ptx_fail(p, "an alignment must be a power of two");
        } else if (hd__model_ptx_eat_word(p, ".ptr")) {
            int64_t of_pointer;
            hd__model_ptx_parse_space(p, &ignored);
            if (hd__model_ptx_eat_word(p, ".align"))
                PTX_TRY(hd__model_ptx_need_integer(p, &of_pointer));
        } else if (hd__model_ptx_eat_word(p, ".v2")) {
            vector = 2;
        } else if (hd__model_ptx_eat_word(p, ".v4")) {
            vector = 4;
        } else if (type != PTX_NO_TYPE) {
            v->type = type;
            hd__model_ptx_lex_next(&p->lexer);
        } else if (t->length > 11 && memcmp(t->text, ".attribute(", 11) == 0) {
            hd__model_ptx_lex_next(&p->lexer);
        } else {
            return hd__model_ptx_expected(p, "a type");
        }
    }
    if (v->type == PTX_NO_TYPE || v->type == PTX_PRED) return hd__model_ptx_expected(p, "a type");
    v->bytes = vector * hd__model_ptx_type_bytes(v->type);
    if (v->align == 0) v->align = v->bytes;
    return true;
}

// [n][m]..., or [] of an external one
static bool parse_lengths(ptx_parser *p, ptx_variable *v)
{
    while (hd__model_ptx_eat(p, '[')) {
        int64_t n = 0;
        if (!ptx_is(&p->lexer.token, ']')) PTX_TRY(hd__model_ptx_need_integer(p, &n));
        if (n < 0 || (n > 0 && v->bytes > MAX_BYTES / n))
            return hd__model_ptx_fail(p, "%s is too large", v->name);
        v->bytes *= n;
        PTX_TRY(hd__model_ptx_need(p, ']'));
    }
    return true;
}

// Where shared and local variables of a function, and everything of the module, lie.
static void place(ptx_parser *p, ptx_variable *v)
{
    if (p->function < 0 || (v->space != PTX_SHARED && v->space != PTX_LOCAL)) return;
    ptx_function *f = &p->module->functions[p->function];
    int64_t *end = v->space == PTX_SHARED ? &f->shared_bytes : &f->local_bytes;
    v->address = (*end + v->align - 1) / v->align * v->align;
    *end = v->address + v->bytes;
}

static bool parse_one(ptx_parser *p, ptx_variable *v)
{
    PTX_TRY(hd__model_ptx_need_word(p, &v->name));
    PTX_TRY(parse_lengths(p, v));
    if (!hd__model_ptx_eat(p, '=')) return true;
    if (v->bytes > MAX_INITIAL)
        return hd__model_ptx_fail(p, "%s has too many initial values", v->name);
    v->value = hd__model_ptx_arena_take(p->module->arena, (size_t)v->bytes);
    if (v->value == NULL) return hd__model_ptx_no_memory(p);
    filling f = {.v = v};
    return put_values(p, &f, 0);
}

// A parameter of a call lives in its function's frame: it is local to the thread.
bool hd__model_ptx_parse_variable(ptx_parser *p, ptx_space space, bool external, int32_t *number)
{
    ptx_module *m = p->module;
    ptx_variable v = {.space = space,
                      .external = external,
                      .owner = p->function >= 0     ? p->function
                               : p->names.depth > 0 ? PTX_OF_A_HEAD
                                                    : -1};
    PTX_TRY(parse_attributes(p, &v));
    PTX_TRY(parse_one(p, &v));
    if (space == PTX_PARAM && p->function >= 0) {
        v.space = PTX_LOCAL;
        place(p, &v);
    } else {
        place(p, &v);
    }
    PTX_TRY(hd__model_ptx_grow(p, &m->variables, m->variable_count, &p->variable_room,
                               sizeof *m->variables));
    *number = m->variable_count++;
    m->variables[*number] = v;
    // A name of the module is found by hd__model_ptx_find_variable; parameters and what a function
    // declares are in scope.
    return p->names.depth == 0 || hd__model_ptx_define(p, v.name, PTX_IS_VARIABLE, *number);
}

// ---- Registers ----------------------------------------------------------------------------------

static bool add_register(ptx_parser *p, const char *name, ptx_type type)
{
    ptx_function *f = &p->module->functions[p->function];
    if (f->register_count >= MAX_REGISTERS || p->register_total >= 8 * MAX_REGISTERS)
        return hd__model_ptx_fail(p, "%s: too many registers", name);
    p->register_total++;
    PTX_TRY(hd__model_ptx_grow(p, &f->registers, f->register_count, &p->register_room,
                               sizeof *f->registers));
    f->registers[f->register_count] = (ptx_register){name, type};
    return hd__model_ptx_define(p, name, PTX_IS_REGISTER, f->register_count++);
}

static bool add_range(ptx_parser *p, const char *stem, ptx_type type)
{
    int64_t count;
    PTX_TRY(hd__model_ptx_need_integer(p, &count));
    PTX_TRY(hd__model_ptx_need(p, '>'));
    if (count < 0 || count > 1 << 20) return hd__model_ptx_fail(p, "%s: too many registers", stem);
    for (int64_t k = 0; k < count; k++) {
        char text[300];
        const int n = snprintf(text, sizeof text, "%.200s%lld", stem, (long long)k);
        const char *name = hd__model_ptx_copy(p, text, (size_t)n);
        if (name == NULL) return hd__model_ptx_no_memory(p);
        PTX_TRY(add_register(p, name, type));
    }
    return true;
}

bool hd__model_ptx_parse_registers(ptx_parser *p)
{
    const ptx_token *t = &p->lexer.token;
    const ptx_type type = t->kind == PTX_WORD && t->length > 1 && t->text[0] == '.'
                              ? hd__model_ptx_type_named(t->text + 1, t->length - 1)
                              : PTX_NO_TYPE;
    if (type == PTX_NO_TYPE) return hd__model_ptx_expected(p, "a register's type");
    hd__model_ptx_lex_next(&p->lexer);
    do {
        const char *name;
        PTX_TRY(hd__model_ptx_need_word(p, &name));
        if (hd__model_ptx_eat(p, '<'))
            PTX_TRY(add_range(p, name, type));
        else
            PTX_TRY(add_register(p, name, type));
    } while (hd__model_ptx_eat(p, ','));
    return hd__model_ptx_need(p, ';');
}
