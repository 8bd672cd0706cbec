// SPDX-License-Identifier: Apache-2.0
//
// Bodies of functions: scopes, labels, instructions and their operands.
#include "ptx_parse.h"

#include <string.h>

#define DEEPEST 64 // scopes in each other

static ptx_function *function_of(ptx_parser *p)
{
    return &p->module->functions[p->function];
}

// ---- Source lines -------------------------------------------------------------------------------

// file line column [, function_name label [+ n], inlined_at file line column]
bool hd__model_ptx_parse_location(ptx_parser *p)
{
    ptx_module *m = p->module;
    int64_t file, line, column, ignored;
    int32_t outer = -1;
    PTX_TRY(hd__model_ptx_need_integer(p, &file));
    PTX_TRY(hd__model_ptx_need_integer(p, &line));
    PTX_TRY(hd__model_ptx_need_integer(p, &column));
    while (hd__model_ptx_eat(p, ',')) {
        const char *name;
        if (hd__model_ptx_eat_word(p, "function_name")) {
            PTX_TRY(hd__model_ptx_need_word(p, &name));
            if (hd__model_ptx_eat(p, '+')) PTX_TRY(hd__model_ptx_need_integer(p, &ignored));
        } else if (hd__model_ptx_eat_word(p, "inlined_at")) {
            // The place was named by the .loc before, which is the newest of this file and line.
            int64_t at_file, at_line, at_column;
            PTX_TRY(hd__model_ptx_need_integer(p, &at_file));
            PTX_TRY(hd__model_ptx_need_integer(p, &at_line));
            PTX_TRY(hd__model_ptx_need_integer(p, &at_column));
            for (int32_t k = m->source_count - 1; k >= 0 && outer < 0; k--)
                if (m->sources[k].file == at_file && m->sources[k].line == at_line) outer = k;
        } else {
            return hd__model_ptx_expected(p, "'function_name' or 'inlined_at'");
        }
    }
    if (line == 0) return true; // made by the compiler: what came before goes on
    PTX_TRY(
        hd__model_ptx_grow(p, &m->sources, m->source_count, &p->source_room, sizeof *m->sources));
    p->source = m->source_count++;
    m->sources[p->source] = (ptx_source){(int32_t)file, (int32_t)line, (int32_t)column, outer};
    return true;
}

// ---- Labels -------------------------------------------------------------------------------------

static bool find_label(ptx_parser *p, const char *text, size_t length, int32_t *number)
{
    const ptx_name *n = hd__model_ptx_lookup(p, text, length);
    if (n != NULL && n->meaning == PTX_IS_LABEL) {
        *number = n->number;
        return true;
    }
    ptx_function *f = function_of(p);
    PTX_TRY(hd__model_ptx_grow(p, &f->labels, f->label_count, &p->label_room, sizeof *f->labels));
    const char *name = hd__model_ptx_copy(p, text, length);
    if (name == NULL) return hd__model_ptx_no_memory(p);
    *number = f->label_count++;
    f->labels[*number] = (ptx_label){.name = name, .at = -1, .line = p->lexer.token.line};
    return hd__model_ptx_define(p, name, PTX_IS_LABEL, *number);
}

// ---- Operands -----------------------------------------------------------------------------------

static bool parse_operand(ptx_parser *p, ptx_operand *o, int depth);

static bool parse_number(ptx_parser *p, ptx_operand *o)
{
    const bool negative = hd__model_ptx_eat(p, '-'),
               inverted = !negative && hd__model_ptx_eat(p, '~');
    const ptx_token t = p->lexer.token;
    *o = (ptx_operand){.kind = PTX_IMMEDIATE, .value = t.value};
    if (t.kind == PTX_FLOAT32)
        o->float_type = PTX_F32;
    else if (t.kind == PTX_FLOAT64)
        o->float_type = PTX_F64;
    else if (t.kind != PTX_INTEGER)
        return hd__model_ptx_expected(p, "a number");
    if (negative && t.kind == PTX_INTEGER)
        o->value = 0 - o->value;
    else if (negative)
        o->value ^= (uint64_t)1 << (t.kind == PTX_FLOAT32 ? 31 : 63);
    if (inverted) o->value = ~o->value;
    hd__model_ptx_lex_next(&p->lexer);
    return true;
}

static int special_named(const char *text, size_t length)
{
    for (int k = 0; k < PTX_SPECIALS; k++) {
        const char *name = hd__model_ptx_special_name((ptx_special)k);
        if (strlen(name) == length && memcmp(name, text, length) == 0) return k;
    }
    return -1;
}

// A name: register, special register, variable, function, or a label.
static bool parse_name(ptx_parser *p, ptx_operand *o)
{
    const ptx_token t = p->lexer.token;
    const ptx_name *n = hd__model_ptx_lookup(p, t.text, t.length);
    static const ptx_operand_kind kinds[] = {PTX_REGISTER, PTX_ADDRESS, PTX_LABEL};
    *o = (ptx_operand){.kind = PTX_NOTHING};
    if (n != NULL) {
        o->kind = kinds[n->meaning], o->number = n->number;
    } else if (t.length == 1 && t.text[0] == '_') {
        o->kind = PTX_SINK;
    } else if (t.text[0] == '%' && special_named(t.text, t.length) >= 0) {
        o->kind = PTX_SPECIAL, o->number = special_named(t.text, t.length);
    } else if (t.text[0] == '%') {
        return hd__model_ptx_fail(
            p, "'%.*s' is neither a register that was declared nor one the model knows",
            (int)t.length, t.text);
    } else if (hd__model_ptx_is_word(&t, "WARP_SZ")) {
        o->kind = PTX_IMMEDIATE, o->value = 32;
    } else {
        const char *name = hd__model_ptx_copy(p, t.text, t.length);
        if (name == NULL) return hd__model_ptx_no_memory(p);
        const int32_t variable = hd__model_ptx_find_variable(p->module, name);
        const int32_t function = hd__model_ptx_find_function(p->module, name);
        if (variable >= 0)
            o->kind = PTX_ADDRESS, o->number = variable;
        else if (function >= 0)
            o->kind = PTX_FUNCTION, o->number = function;
        else
            o->kind = PTX_LABEL;
        if (o->kind == PTX_LABEL) PTX_TRY(find_label(p, t.text, t.length, &o->number));
    }
    hd__model_ptx_lex_next(&p->lexer);
    if (o->kind == PTX_ADDRESS && (ptx_is(&p->lexer.token, '+') || ptx_is(&p->lexer.token, '-'))) {
        hd__model_ptx_eat(p, '+');
        PTX_TRY(hd__model_ptx_need_integer(p, &o->offset));
    }
    return true;
}

// {a, b, ...} or (a, b, ...), after its first character. The elements go into the pool together.
static bool parse_list(ptx_parser *p, ptx_operand *o, char end, int depth)
{
    enum { MAX = 64 };
    ptx_operand elements[MAX];
    int count = 0;
    while (!hd__model_ptx_eat(p, end)) {
        if (count == MAX) return hd__model_ptx_fail(p, "a list of more than %d", MAX);
        if (count > 0) PTX_TRY(hd__model_ptx_need(p, ','));
        PTX_TRY(parse_operand(p, &elements[count++], depth + 1));
    }
    ptx_function *f = function_of(p);
    *o = (ptx_operand){.kind = PTX_VECTOR, .count = count, .list = f->pool_count};
    for (int k = 0; k < count; k++) {
        PTX_TRY(hd__model_ptx_grow(p, &f->pool, f->pool_count, &p->pool_room, sizeof *f->pool));
        f->pool[f->pool_count++] = elements[k];
    }
    return true;
}

// [base], [base + offset], [number], after its bracket
static bool parse_memory(ptx_parser *p, ptx_operand *o)
{
    ptx_operand base;
    int64_t offset = 0;
    if (p->lexer.token.kind == PTX_WORD)
        PTX_TRY(parse_name(p, &base));
    else
        PTX_TRY(parse_number(p, &base));
    if (ptx_is(&p->lexer.token, '+') || ptx_is(&p->lexer.token, '-')) {
        hd__model_ptx_eat(p, '+');
        PTX_TRY(hd__model_ptx_need_integer(p, &offset));
    }
    if (ptx_is(&p->lexer.token, ','))
        return hd__model_ptx_fail(p, "tensor addresses are not known");
    if (base.kind != PTX_REGISTER && base.kind != PTX_ADDRESS && base.kind != PTX_IMMEDIATE)
        return hd__model_ptx_fail(p, "an address must be a register, a variable or a number");
    *o = base;
    o->kind = PTX_MEMORY, o->base = base.kind;
    o->offset = (int64_t)((uint64_t)base.offset + (uint64_t)offset);
    return hd__model_ptx_need(p, ']');
}

static bool parse_operand(ptx_parser *p, ptx_operand *o, int depth)
{
    if (depth > 4) return hd__model_ptx_fail(p, "operands too deep in each other");
    if (hd__model_ptx_eat(p, '{')) return parse_list(p, o, '}', depth);
    if (hd__model_ptx_eat(p, '(')) return parse_list(p, o, ')', depth);
    if (hd__model_ptx_eat(p, '[')) return parse_memory(p, o);
    const bool negated = hd__model_ptx_eat(p, '!');
    if (p->lexer.token.kind == PTX_WORD)
        PTX_TRY(parse_name(p, o));
    else
        PTX_TRY(parse_number(p, o));
    o->negated = negated;
    return true;
}

static bool parse_operands(ptx_parser *p, ptx_instruction *i)
{
    while (!ptx_is(&p->lexer.token, ';')) {
        if (i->operands == PTX_MAX_OPERANDS) return hd__model_ptx_fail(p, "too many operands");
        if (i->operands > 0) PTX_TRY(hd__model_ptx_need(p, ','));
        PTX_TRY(parse_operand(p, &i->operand[i->operands], 0));
        i->operands++;
        if (!hd__model_ptx_eat(p, '|')) continue;
        if (i->second.kind != PTX_NOTHING) return hd__model_ptx_fail(p, "a second '|'");
        PTX_TRY(parse_operand(p, &i->second, 0));
    }
    return true;
}

// ---- Instructions -------------------------------------------------------------------------------

static ptx_opcode opcode_named(const char *text, size_t length)
{
    for (int k = 1; k < PTX_OPS; k++) {
        const char *name = hd__model_ptx_opcode_name((ptx_opcode)k);
        if (name[0] == text[0] && strlen(name) == length && memcmp(name, text, length) == 0)
            return (ptx_opcode)k;
    }
    return PTX_NO_OP;
}

static ptx_modifier modifier_named(const char *text, size_t length)
{
    for (int k = 1; k < PTX_MODS; k++) {
        const char *name = hd__model_ptx_modifier_name((ptx_modifier)k);
        if (name[0] == text[0] && strlen(name) == length && memcmp(name, text, length) == 0)
            return (ptx_modifier)k;
    }
    return PTX_NO_MOD;
}

// One part of "ld.global.v4.f32" after the opcode.
static bool add_part(ptx_parser *p, ptx_instruction *i, const char *text, size_t length)
{
    const ptx_type type = hd__model_ptx_type_named(text, length);
    if (type != PTX_NO_TYPE) {
        if (i->types == PTX_MAX_TYPES) return hd__model_ptx_fail(p, "too many types");
        i->type[i->types++] = (uint8_t)type;
        return true;
    }
    const ptx_modifier mod = modifier_named(text, length);
    if (mod == PTX_NO_MOD)
        return hd__model_ptx_fail(p, "'.%.*s' of '%.*s' is not known", (int)length, text,
                                  (int)p->lexer.token.length, p->lexer.token.text);
    if (i->mods == PTX_MAX_MODS) return hd__model_ptx_fail(p, "too many modifiers");
    i->mod[i->mods++] = (uint8_t)mod;
    return true;
}

static bool parse_opcode(ptx_parser *p, ptx_instruction *i)
{
    const ptx_token t = p->lexer.token;
    const char *end = t.text + t.length, *dot = memchr(t.text, '.', t.length);
    i->op = opcode_named(t.text, (size_t)((dot ? dot : end) - t.text));
    if (i->op == PTX_NO_OP)
        return hd__model_ptx_fail(p, "instruction '%.*s' is not known", (int)t.length, t.text);
    while (dot != NULL) {
        const char *part = dot + 1;
        dot = memchr(part, '.', (size_t)(end - part));
        PTX_TRY(add_part(p, i, part, (size_t)((dot ? dot : end) - part)));
    }
    hd__model_ptx_lex_next(&p->lexer);
    return true;
}

static bool parse_guard(ptx_parser *p, ptx_instruction *i)
{
    ptx_operand guard;
    i->guard_negated = hd__model_ptx_eat(p, '!');
    PTX_TRY(parse_operand(p, &guard, 0));
    const ptx_function *f = function_of(p);
    if (guard.kind != PTX_REGISTER || f->registers[guard.number].type != PTX_PRED)
        return hd__model_ptx_fail(p, "a guard must be a predicate register");
    i->guard = guard.number;
    return true;
}

static bool parse_instruction(ptx_parser *p)
{
    ptx_instruction i = {.guard = -1, .line = p->lexer.token.line, .source = p->source};
    if (hd__model_ptx_eat(p, '@')) PTX_TRY(parse_guard(p, &i));
    if (p->lexer.token.kind != PTX_WORD) return hd__model_ptx_expected(p, "an instruction");
    PTX_TRY(parse_opcode(p, &i));
    PTX_TRY(parse_operands(p, &i));
    PTX_TRY(hd__model_ptx_need(p, ';'));
    ptx_function *f = function_of(p);
    PTX_TRY(hd__model_ptx_grow(p, &f->code, f->length, &p->code_room, sizeof *f->code));
    f->code[f->length++] = i;
    return true;
}

// ---- Statements ---------------------------------------------------------------------------------

// name: before an instruction, or before .branchtargets, .callprototype, .calltargets
static bool parse_label(ptx_parser *p, const ptx_token *name)
{
    int32_t number;
    PTX_TRY(find_label(p, name->text, name->length, &number));
    ptx_function *f = function_of(p);
    if (f->labels[number].at >= 0)
        return hd__model_ptx_fail(p, "label '%s' is there twice", f->labels[number].name);
    f->labels[number].at = f->length;
    if (hd__model_ptx_eat_word(p, ".branchtargets")) {
        ptx_operand list;
        PTX_TRY(parse_list(p, &list, ';', 0));
        f->labels[number].target_list = list.list, f->labels[number].target_count = list.count;
    } else if (hd__model_ptx_is_word(&p->lexer.token, ".callprototype") ||
               hd__model_ptx_is_word(&p->lexer.token, ".calltargets")) {
        while (!ptx_is(&p->lexer.token, ';') && p->lexer.token.kind != PTX_END)
            hd__model_ptx_lex_next(&p->lexer);
        PTX_TRY(hd__model_ptx_need(p, ';'));
    }
    return true;
}

static bool parse_declaration(ptx_parser *p)
{
    ptx_space space;
    int32_t number;
    if (hd__model_ptx_eat_word(p, ".reg")) return hd__model_ptx_parse_registers(p);
    if (hd__model_ptx_eat_word(p, ".loc")) return hd__model_ptx_parse_location(p);
    if (hd__model_ptx_eat_word(p, ".pragma")) {
        hd__model_ptx_lex_next(&p->lexer);
        return hd__model_ptx_need(p, ';');
    }
    if (!hd__model_ptx_parse_space(p, &space)) return hd__model_ptx_expected(p, "a declaration");
    do PTX_TRY(hd__model_ptx_parse_variable(p, space, false, &number));
    while (hd__model_ptx_eat(p, ','));
    return hd__model_ptx_need(p, ';');
}

static bool parse_statement(ptx_parser *p)
{
    const ptx_token t = p->lexer.token;
    if (t.kind == PTX_WORD && t.text[0] == '.') return parse_declaration(p);
    if (hd__model_ptx_eat(p, ';')) return true;
    if (t.kind == PTX_WORD) { // a label, if a colon follows
        const ptx_lexer before = p->lexer;
        hd__model_ptx_lex_next(&p->lexer);
        if (hd__model_ptx_eat(p, ':')) return parse_label(p, &t);
        p->lexer = before;
    }
    return parse_instruction(p);
}

bool hd__model_ptx_parse_body(ptx_parser *p)
{
    int depth = 1;
    while (depth > 0) {
        if (p->lexer.token.kind == PTX_END) return hd__model_ptx_expected(p, "'}'");
        if (hd__model_ptx_eat(p, '{')) {
            if (++depth > DEEPEST) return hd__model_ptx_fail(p, "scopes too deep");
            hd__model_ptx_open_scope(p);
        } else if (hd__model_ptx_eat(p, '}')) {
            if (--depth > 0) hd__model_ptx_close_scope(p);
        } else {
            PTX_TRY(parse_statement(p));
        }
    }
    return true;
}
