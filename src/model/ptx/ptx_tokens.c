// SPDX-License-Identifier: Apache-2.0
//
// What all parts of the parser share: tokens that must come or may come, errors, functions and
// variables by name.
#include "ptx_parse.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool fail_at(ptx_parser *p, int32_t line, const char *format, va_list arguments)
{
    char *error = p->module->error;
    const size_t room = sizeof p->module->error;
    if (error[0] != 0) return false;
    const int n = snprintf(error, room, "line %d: ", (int)line);
    vsnprintf(error + n, room - (size_t)n, format, arguments);
    return false;
}

bool hd__model_ptx_fail(ptx_parser *p, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fail_at(p, p->lexer.token.line, format, arguments);
    va_end(arguments);
    return false;
}

bool hd__model_ptx_expected(ptx_parser *p, const char *what)
{
    const ptx_token *t = &p->lexer.token;
    if (t->kind == PTX_END)
        return hd__model_ptx_fail(p, "expected %s, got the end of the text", what);
    return hd__model_ptx_fail(p, "expected %s, got '%.*s'", what,
                              (int)(t->length < 60 ? t->length : 60), t->text);
}

bool hd__model_ptx_no_memory(ptx_parser *p)
{
    return hd__model_ptx_fail(p, "no memory");
}

bool hd__model_ptx_eat(ptx_parser *p, char c)
{
    if (!ptx_is(&p->lexer.token, c)) return false;
    hd__model_ptx_lex_next(&p->lexer);
    return true;
}

bool hd__model_ptx_need(ptx_parser *p, char c)
{
    const char what[] = {'\'', c, '\'', 0};
    return hd__model_ptx_eat(p, c) || hd__model_ptx_expected(p, what);
}

// ".reg.b32" is two directives without a blank between them.
static bool begins_with(const ptx_token *t, const char *word)
{
    const size_t n = strlen(word);
    return t->kind == PTX_WORD && word[0] == '.' && t->length > n + 1 && t->text[n] == '.' &&
           memcmp(t->text, word, n) == 0;
}

bool hd__model_ptx_eat_word(ptx_parser *p, const char *word)
{
    if (begins_with(&p->lexer.token, word))
        p->lexer.at = p->lexer.token.text + strlen(word);
    else if (!hd__model_ptx_is_word(&p->lexer.token, word))
        return false;
    hd__model_ptx_lex_next(&p->lexer);
    return true;
}

const char *hd__model_ptx_copy(ptx_parser *p, const char *text, size_t length)
{
    char *copy = hd__model_ptx_arena_take(p->module->arena, length + 1);
    if (copy != NULL) memcpy(copy, text, length);
    return copy;
}

bool hd__model_ptx_need_word(ptx_parser *p, const char **text)
{
    const ptx_token *t = &p->lexer.token;
    if (t->kind != PTX_WORD) return hd__model_ptx_expected(p, "a name");
    *text = hd__model_ptx_copy(p, t->text, t->length);
    if (*text == NULL) return hd__model_ptx_no_memory(p);
    hd__model_ptx_lex_next(&p->lexer);
    return true;
}

bool hd__model_ptx_need_integer(ptx_parser *p, int64_t *value)
{
    const bool negative = hd__model_ptx_eat(p, '-');
    if (p->lexer.token.kind != PTX_INTEGER) return hd__model_ptx_expected(p, "an integer");
    const uint64_t magnitude = p->lexer.token.value;
    *value = (int64_t)(negative ? 0 - magnitude : magnitude);
    hd__model_ptx_lex_next(&p->lexer);
    return true;
}

bool hd__model_ptx_grow(ptx_parser *p, void *array, int32_t count, int32_t *room, size_t size)
{
    if (count < *room) return true;
    if (count > INT32_MAX / 4) return hd__model_ptx_fail(p, "the module is too large");
    const int32_t larger = *room > 0 ? 2 * *room : 32;
    void *old, *memory = hd__model_ptx_arena_take(p->module->arena, (size_t)larger * size);
    if (memory == NULL) return hd__model_ptx_no_memory(p);
    memcpy(&old, array, sizeof old); // the array's pointer, whatever its type
    if (count > 0) memcpy(memory, old, (size_t)count * size);
    memcpy(array, &memory, sizeof memory);
    *room = larger;
    return true;
}

int32_t hd__model_ptx_find_function(const ptx_module *module, const char *name)
{
    for (int32_t k = 0; k < module->function_count; k++)
        if (strcmp(module->functions[k].name, name) == 0) return k;
    return -1;
}

int32_t hd__model_ptx_find_variable(const ptx_module *module, const char *name)
{
    for (int32_t k = 0; k < module->variable_count; k++)
        if (module->variables[k].owner < 0 && strcmp(module->variables[k].name, name) == 0)
            return k;
    return -1;
}
