// SPDX-License-Identifier: Apache-2.0
//
// Which variables a source text gives initial values to. PTX does not tell: compilers leave out a
// value that is all zeros, and nobody would warn of zeros that were asked for.
#include "model/source/cuda_source.h"
#include "model/source/kernel_names.h"
#include "module.h"
#include "model/state/model_state.h"

#include <string.h>

static bool is_mark(const cuda_file *f, int32_t t, char mark)
{
    return t < f->token_count && f->tokens[t].kind == CUDA_MARK &&
           f->text[f->tokens[t].begin] == mark;
}

// Behind a bracket that opens at t, and all that it holds.
static int32_t behind_bracket(const cuda_file *f, int32_t t)
{
    int depth = 0;
    for (; t < f->token_count; t++) {
        if (f->tokens[t].kind != CUDA_MARK) continue;
        const char c = f->text[f->tokens[t].begin];
        depth += c == '[' || c == '(' || c == '{';
        depth -= c == ']' || c == ')' || c == '}';
        if (depth <= 0) return t + 1;
    }
    return t;
}

// The last part of "inner::mask".
static const char *plain(const char *name)
{
    const char *last = name;
    for (const char *at = name; (at = strstr(at, "::")) != NULL;) last = at += 2;
    return last;
}

static void initialised(const hd_model_module *m, const cuda_file *f, const cuda_token *name)
{
    char text[512];
    for (int32_t k = 0; k < m->text.variable_count; k++) {
        const ptx_variable *v = &m->text.variables[k];
        const bool lasts = v->owner == -1 && (v->space == PTX_GLOBAL || v->space == PTX_CONST);
        if (!lasts || v->value != NULL) continue;
        const char *written = hd__model_demangle(v->name, text, sizeof text) ? text : v->name;
        if (!cuda_is(f, name, plain(written))) continue;
        allocation *a = hd__model_device_find(&m->model->memory, (uint64_t)v->address);
        if (a != NULL) a->unset = false;
    }
}

// Behind a value: at the comma or the end of its declaration.
static int32_t behind_value(const cuda_file *f, int32_t t)
{
    while (t < f->token_count && !is_mark(f, t, ',') && !is_mark(f, t, ';'))
        t = is_mark(f, t, '[') || is_mark(f, t, '(') || is_mark(f, t, '{') ? behind_bracket(f, t)
                                                                           : t + 1;
    return t;
}

// A declaration, from behind __constant__ or __device__ on: a name is given a value where "=", "{"
// or "(" comes behind it and its brackets. Functions have "(" too, and no variable has their names.
// Returns where it ends.
static int32_t declaration(const hd_model_module *m, const cuda_file *f, int32_t t)
{
    int32_t name = -1;
    while (t < f->token_count && !is_mark(f, t, ';') && !is_mark(f, t, '}')) {
        const bool value = is_mark(f, t, '='), body = is_mark(f, t, '{'), call = is_mark(f, t, '(');
        if ((value || body || call) && name >= 0) initialised(m, f, &f->tokens[name]);
        if (f->tokens[t].kind == CUDA_WORD) name = t;
        t = value                                ? behind_value(f, t)
            : body || call || is_mark(f, t, '[') ? behind_bracket(f, t)
                                                 : t + 1;
        if (call && is_mark(f, t, '{')) return behind_bracket(f, t) - 1;
    }
    return t;
}

bool hd__model_mark_initialised(const hd_model_module *m, const char *text)
{
    ptx_arena *arena = hd__model_ptx_arena_open();
    const size_t length = strlen(text);
    if (arena == NULL || length > INT32_MAX) {
        hd__model_ptx_arena_close(arena);
        return arena != NULL;
    }
    cuda_source s = {.arena = arena};
    cuda_file f = {.text = (char *)(uintptr_t)text, .length = (int32_t)length};
    const bool good = hd__model_cuda_tokens(&s, &f);
    for (int32_t t = 0; good && t < f.token_count; t++)
        if (f.tokens[t].kind == CUDA_WORD &&
            (cuda_is(&f, &f.tokens[t], "__constant__") || cuda_is(&f, &f.tokens[t], "__device__") ||
             cuda_is(&f, &f.tokens[t], "__managed__")))
            t = declaration(m, &f, t + 1);
    hd__model_ptx_arena_close(arena);
    return good;
}
