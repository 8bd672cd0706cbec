// SPDX-License-Identifier: Apache-2.0
//
// Modules and functions.
#include "ptx_parse.h"

#include <stdio.h>
#include <string.h>

// ---- Functions ----------------------------------------------------------------------------------

// A list of parameters: (.param .u64 name, ...). They live in the space of parameters.
static bool parse_params(ptx_parser *p, int32_t **list, int32_t *count)
{
    int32_t room = 0;
    *count = 0;
    PTX_TRY(hd__model_ptx_need(p, '('));
    while (!ptx_is(&p->lexer.token, ')')) {
        if (*count > 0) PTX_TRY(hd__model_ptx_need(p, ','));
        if (hd__model_ptx_eat_word(p, ".reg"))
            return hd__model_ptx_fail(p, "parameters in registers are not known");
        if (!hd__model_ptx_eat_word(p, ".param")) return hd__model_ptx_expected(p, "'.param'");
        int32_t number;
        PTX_TRY(hd__model_ptx_parse_variable(p, PTX_PARAM, false, &number));
        PTX_TRY(hd__model_ptx_grow(p, list, *count, &room, sizeof **list));
        (*list)[(*count)++] = number;
    }
    return hd__model_ptx_need(p, ')');
}

// Parameters follow each other from `at` on, each aligned; results come after them.
static int64_t lay_out(const ptx_module *m, const int32_t *list, int32_t count, int64_t at)
{
    for (int32_t k = 0; k < count; k++) {
        ptx_variable *v = &m->variables[list[k]];
        at = (at + v->align - 1) / v->align * v->align;
        v->address = at;
        at += v->bytes;
    }
    return at;
}

static bool parse_sizes(ptx_parser *p, int32_t *sizes)
{
    for (int k = 0; k < 3; k++) {
        int64_t value = 1;
        if (k == 0 || hd__model_ptx_eat(p, ',')) PTX_TRY(hd__model_ptx_need_integer(p, &value));
        if (value < 1 || value > 1024)
            return hd__model_ptx_fail(p, "a block's size must be 1 to 1024");
        sizes[k] = (int32_t)value;
    }
    return true;
}

// .maxntid, .reqntid, .minnctapersm and others between a function's head and its body.
static bool parse_directives(ptx_parser *p, ptx_function *f)
{
    int32_t sizes[3];
    for (;;) {
        if (hd__model_ptx_eat_word(p, ".maxntid")) {
            PTX_TRY(parse_sizes(p, sizes));
            f->max_threads = sizes[0] * sizes[1] * sizes[2];
        } else if (hd__model_ptx_eat_word(p, ".reqntid")) {
            PTX_TRY(parse_sizes(p, sizes));
            memcpy(f->required, sizes, sizeof sizes);
            f->max_threads = sizes[0] * sizes[1] * sizes[2];
        } else if (hd__model_ptx_eat_word(p, ".minnctapersm") ||
                   hd__model_ptx_eat_word(p, ".maxnreg") ||
                   hd__model_ptx_eat_word(p, ".maxnctapersm") ||
                   hd__model_ptx_eat_word(p, ".maxclusterrank")) {
            int64_t ignored;
            PTX_TRY(hd__model_ptx_need_integer(p, &ignored));
        } else if (hd__model_ptx_eat_word(p, ".reqnctapercluster")) {
            PTX_TRY(parse_sizes(p, f->cluster));
        } else if (hd__model_ptx_eat_word(p, ".noreturn") ||
                   hd__model_ptx_eat_word(p, ".explicitcluster")) {
            continue;
        } else if (hd__model_ptx_eat_word(p, ".pragma")) {
            if (p->lexer.token.kind != PTX_STRING) return hd__model_ptx_expected(p, "a string");
            hd__model_ptx_lex_next(&p->lexer);
            PTX_TRY(hd__model_ptx_need(p, ';'));
        } else {
            return true;
        }
    }
}

// The function of a name, which may have been declared before.
static bool find_or_add(ptx_parser *p, const char *name, int32_t *number)
{
    ptx_module *m = p->module;
    *number = hd__model_ptx_find_function(m, name);
    if (*number >= 0) return true;
    PTX_TRY(hd__model_ptx_grow(p, &m->functions, m->function_count, &p->function_room,
                               sizeof *m->functions));
    *number = m->function_count++;
    m->functions[*number] = (ptx_function){.name = name, .line = p->lexer.token.line};
    return true;
}

static bool check_labels(ptx_parser *p, const ptx_function *f)
{
    for (int32_t k = 0; k < f->label_count; k++)
        if (f->labels[k].at < 0)
            return hd__model_ptx_fail(p, "%s: label '%s' (line %d) is not there", f->name,
                                      f->labels[k].name, (int)f->labels[k].line);
    return true;
}

static bool parse_definition(ptx_parser *p, ptx_function *f)
{
    if (f->defined) return hd__model_ptx_fail(p, "%s is defined twice", f->name);
    f->defined = true;
    p->code_room = p->label_room = p->register_room = p->pool_room = 0;
    p->source = -1;
    PTX_TRY(hd__model_ptx_parse_body(p));
    PTX_TRY(check_labels(p, f));
    return true;
}

// After .entry or .func.
static bool parse_function(ptx_parser *p, bool entry)
{
    ptx_module *m = p->module;
    int32_t *results = NULL, result_count = 0, *params = NULL, param_count = 0, number;
    const char *name;
    memset(&p->names, 0, sizeof p->names);
    p->function = -1;
    hd__model_ptx_open_scope(p);
    if (!entry) {
        hd__model_ptx_eat_word(p, ".noreturn");
        if (ptx_is(&p->lexer.token, '(')) PTX_TRY(parse_params(p, &results, &result_count));
    }
    PTX_TRY(hd__model_ptx_need_word(p, &name));
    PTX_TRY(find_or_add(p, name, &number));
    if (ptx_is(&p->lexer.token, '(')) PTX_TRY(parse_params(p, &params, &param_count));
    ptx_function *f = &m->functions[number];
    f->entry = entry;
    if (!f->defined) {
        f->results = results, f->result_count = result_count;
        f->params = params, f->param_count = param_count;
        f->param_bytes = lay_out(m, params, param_count, 0);
        f->frame_bytes = lay_out(m, results, result_count, (f->param_bytes + 15) / 16 * 16);
    }
    p->function = number;
    PTX_TRY(parse_directives(p, f));
    bool done = true;
    if (hd__model_ptx_eat(p, '{'))
        done = parse_definition(p, f);
    else
        PTX_TRY(hd__model_ptx_need(p, ';'));
    hd__model_ptx_close_scope(p);
    p->function = -1;
    return done;
}

// ---- Modules ------------------------------------------------------------------------------------

// A string without its backslashes. Compilers write bytes beyond ASCII as three octal digits.
static const char *copy_unescaped(ptx_parser *p, const char *text, size_t length)
{
    char *copy = hd__model_ptx_arena_take(p->module->arena, length + 1), *to = copy;
    if (copy == NULL) return NULL;
    for (size_t k = 0; k < length; k++) {
        if (text[k] != '\\' || k + 1 == length) {
            *to++ = text[k];
            continue;
        }
        int value = 0, digits = 0;
        for (; digits < 3 && k + 1 < length && text[k + 1] >= '0' && text[k + 1] <= '7'; digits++)
            value = 8 * value + (text[++k] - '0');
        *to++ = digits > 0 ? (char)(unsigned char)value : text[++k];
    }
    *to = 0;
    return copy;
}

// .file 1 "name", with a time and a size sometimes
static bool parse_file(ptx_parser *p)
{
    ptx_module *m = p->module;
    int64_t number = 0, ignored;
    PTX_TRY(hd__model_ptx_need_integer(p, &number));
    if (number < 0 || number > 100000) return hd__model_ptx_fail(p, "no such number of a file");
    if (p->lexer.token.kind != PTX_STRING) return hd__model_ptx_expected(p, "a file's name");
    const char *name = copy_unescaped(p, p->lexer.token.text, p->lexer.token.length);
    if (name == NULL) return hd__model_ptx_no_memory(p);
    hd__model_ptx_lex_next(&p->lexer);
    while (hd__model_ptx_eat(p, ',')) PTX_TRY(hd__model_ptx_need_integer(p, &ignored));
    while (m->file_count <= number) {
        PTX_TRY(hd__model_ptx_grow(p, &m->files, m->file_count, &p->file_room, sizeof *m->files));
        m->files[m->file_count++] = NULL;
    }
    m->files[number] = name;
    return true;
}

// Debugging data: skipped to the end of its braces.
static bool skip_section(ptx_parser *p)
{
    const char *name;
    PTX_TRY(hd__model_ptx_need_word(p, &name));
    PTX_TRY(hd__model_ptx_need(p, '{'));
    for (int depth = 1; depth > 0; hd__model_ptx_lex_next(&p->lexer)) {
        if (p->lexer.token.kind == PTX_END) return hd__model_ptx_expected(p, "'}'");
        if (ptx_is(&p->lexer.token, '{')) depth++;
        if (ptx_is(&p->lexer.token, '}')) depth--;
    }
    return true;
}

// .version 9.0 (lexed as a decimal number), .target sm_75, debug
static bool parse_version(ptx_parser *p)
{
    const ptx_token *t = &p->lexer.token;
    double value;
    if (t->kind != PTX_FLOAT64) return hd__model_ptx_expected(p, "a version");
    memcpy(&value, &t->value, sizeof value);
    if (!(value > 0 && value < 1000)) return hd__model_ptx_expected(p, "a version");
    p->module->version = (int32_t)(value * 10 + 0.5);
    hd__model_ptx_lex_next(&p->lexer);
    return true;
}

static bool parse_target(ptx_parser *p)
{
    do {
        const char *name;
        PTX_TRY(hd__model_ptx_need_word(p, &name));
        int target;
        if (sscanf(name, "sm_%d", &target) == 1) p->module->target = target;
    } while (hd__model_ptx_eat(p, ','));
    return true;
}

static bool parse_address_size(ptx_parser *p)
{
    int64_t bits = 0;
    PTX_TRY(hd__model_ptx_need_integer(p, &bits));
    return bits == 64 || hd__model_ptx_fail(p, "addresses of %d bits; expected 64", (int)bits);
}

static bool parse_variables(ptx_parser *p, ptx_space space, bool external)
{
    int32_t number;
    do PTX_TRY(hd__model_ptx_parse_variable(p, space, external, &number));
    while (hd__model_ptx_eat(p, ','));
    return hd__model_ptx_need(p, ';');
}

static bool parse_item(ptx_parser *p)
{
    bool external = false;
    for (;;) {
        if (hd__model_ptx_eat_word(p, ".extern"))
            external = true;
        else if (!hd__model_ptx_eat_word(p, ".visible") && !hd__model_ptx_eat_word(p, ".weak") &&
                 !hd__model_ptx_eat_word(p, ".common"))
            break;
    }
    ptx_space space;
    if (hd__model_ptx_eat_word(p, ".entry")) return parse_function(p, true);
    if (hd__model_ptx_eat_word(p, ".func")) return parse_function(p, false);
    if (hd__model_ptx_parse_space(p, &space)) return parse_variables(p, space, external);
    if (hd__model_ptx_eat_word(p, ".version")) return parse_version(p);
    if (hd__model_ptx_eat_word(p, ".target")) return parse_target(p);
    if (hd__model_ptx_eat_word(p, ".address_size")) return parse_address_size(p);
    if (hd__model_ptx_eat_word(p, ".file")) return parse_file(p);
    if (hd__model_ptx_eat_word(p, ".section")) return skip_section(p);
    if (hd__model_ptx_eat_word(p, ".pragma")) {
        hd__model_ptx_lex_next(&p->lexer);
        return hd__model_ptx_need(p, ';');
    }
    return hd__model_ptx_eat(p, ';') || hd__model_ptx_expected(p, "a function or a variable");
}

// Whether a file is one of the toolkit's, in which nobody looks for a mistake of his own.
static bool is_toolkit(const char *file)
{
    static const char *const ends[] = {"_intrinsics.hpp", "_functions.hpp", "_functions.h",
                                       "_intrinsics.h",   "_rt.h",          "vector_types.h"};
    const size_t n = strlen(file);
    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
        const size_t length = strlen(ends[k]);
        if (n >= length && strcmp(file + n - length, ends[k]) == 0) return true;
    }
    return strstr(file, "cooperative_groups") != NULL;
}

// Lines of the toolkit become those that it was inlined at. An outer line comes before.
static void leave_toolkit(ptx_module *m)
{
    for (int32_t k = 0; k < m->source_count; k++) {
        ptx_source *s = &m->sources[k];
        const char *file = s->file >= 0 && s->file < m->file_count ? m->files[s->file] : NULL;
        if (file != NULL && s->outer >= 0 && s->outer < k && is_toolkit(file))
            *s = m->sources[s->outer];
    }
}

bool hd__model_ptx_parse(ptx_module *module, const char *text, size_t length)
{
    *module = (ptx_module){.arena = hd__model_ptx_arena_open()};
    ptx_parser p = {.module = module, .function = -1, .source = -1};
    if (module->arena == NULL) return hd__model_ptx_no_memory(&p);
    hd__model_ptx_lex_begin(&p.lexer, text, length);
    while (p.lexer.token.kind != PTX_END) PTX_TRY(parse_item(&p));
    leave_toolkit(module);
    return true;
}

void hd__model_ptx_module_free(ptx_module *module)
{
    hd__model_ptx_arena_close(module->arena);
    module->arena = NULL;
}
