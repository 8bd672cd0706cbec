// SPDX-License-Identifier: Apache-2.0
//
// Scanners of kernels' parameters. Any text is safe to scan; what is not understood has no name and
// no type, and is then told by its place.
#include "model_signature.h"

#include "program.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- Tokens -------------------------------------------------------------------------------------

typedef struct token {
    const char *at;
    size_t length;
} token;

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

static const char *skip_comment(const char *text)
{
    if (text[1] == '/') return text + strcspn(text, "\n");
    const char *end = strstr(text + 2, "*/");
    return end != NULL ? end + 2 : text + strlen(text);
}

static const char *skip_quoted(const char *text)
{
    const char quote = *text++;
    while (*text && *text != quote && *text != '\n') text += text[0] == '\\' && text[1] ? 2 : 1;
    return *text == quote ? text + 1 : text;
}

// The next token: a word, or one other character. Comments, blanks and quoted texts are passed
// over.
static bool next_token(const char **text, token *t)
{
    const char *at = *text;
    for (;;) {
        if (isspace((unsigned char)*at))
            at++;
        else if (at[0] == '/' && (at[1] == '/' || at[1] == '*'))
            at = skip_comment(at);
        else if (*at == '"' || *at == '\'')
            at = skip_quoted(at);
        else
            break;
    }
    t->at = at, t->length = 0;
    while (is_word(at[t->length])) t->length++;
    if (t->length == 0 && *at) t->length = 1;
    *text = at + t->length;
    return t->length > 0;
}

static bool is(const token *t, const char *word)
{
    return t->length == strlen(word) && memcmp(t->at, word, t->length) == 0;
}

static void copy(char *to, size_t room, const char *from, size_t length)
{
    if (length >= room) length = room - 1;
    memcpy(to, from, length);
    to[length] = '\0';
}

// ---- A declaration of C -------------------------------------------------------------------------

#define MAX_TOKENS 32

// Bits of the words that C makes types of.
enum { UNSIGNED = 1, SIGNED = 2, SHORT = 4, LONG = 8, LONG_LONG = 16, INT = 32, CHAR = 64 };

static hd_type type_of_words(int words)
{
    const bool u = words & UNSIGNED;
    if (words & CHAR) return u ? HD_U8 : HD_I8;
    if (words & SHORT) return u ? HD_U16 : HD_I16;
    if (words & (LONG | LONG_LONG)) return u ? HD_U64 : HD_I64;
    return words & (INT | UNSIGNED | SIGNED) ? (u ? HD_U32 : HD_I32) : HD_NONE;
}

static int word_bit(const token *t)
{
    static const char *const words[] = {"unsigned", "signed", "short", "long", "", "int", "char"};
    for (int k = 0; k < 7; k++)
        if (is(t, words[k])) return 1 << k;
    return 0;
}

static hd_type type_named(const token *t)
{
    static const struct {
        const char *name;
        hd_type type;
    } names[] = {{"float", HD_F32},        {"double", HD_F64},   {"bool", HD_BOOL},
                 {"half", HD_F16},         {"__half", HD_F16},   {"__nv_bfloat16", HD_BF16},
                 {"nv_bfloat16", HD_BF16}, {"int8_t", HD_I8},    {"int16_t", HD_I16},
                 {"int32_t", HD_I32},      {"int64_t", HD_I64},  {"uint8_t", HD_U8},
                 {"uint16_t", HD_U16},     {"uint32_t", HD_U32}, {"uint64_t", HD_U64},
                 {"size_t", HD_U64},       {"uint", HD_U32},     {"uchar", HD_U8},
                 {"ushort", HD_U16},       {"ptrdiff_t", HD_I64}};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (is(t, names[k].name)) return names[k].type;
    return HD_NONE;
}

static bool is_qualifier(const token *t)
{
    static const char *const words[] = {
        "const", "volatile", "restrict",          "__restrict__", "__restrict", "struct",
        "class", "typename", "__grid_constant__", "static",       "std",        "enum"};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (is(t, words[k])) return true;
    return false;
}

// The last word, unless it is all that tells the type.
static int find_name(const token *t, int count)
{
    int words = 0, last = -1;
    for (int k = 0; k < count; k++) {
        if (is(&t[k], "[") || is(&t[k], "=")) break;
        if (!is_word(*t[k].at) || is_qualifier(&t[k])) continue;
        words++, last = k;
    }
    return words > 1 && word_bit(&t[last]) == 0 ? last : -1;
}

// One parameter: its tokens up to the comma.
static void read_parameter(const token *t, int count, model_parameter *p)
{
    const int name = find_name(t, count);
    int words = 0, stars = 0, others = 0;
    size_t used = 0;
    if (name >= 0) copy(p->name, sizeof p->name, t[name].at, t[name].length);
    for (int k = 0; k < count && !is(&t[k], "="); k++) {
        if (k == name) continue;
        stars += is(&t[k], "*") || is(&t[k], "[");
        if (is_word(*t[k].at) && !is_qualifier(&t[k])) {
            words |= word_bit(&t[k]);
            others += word_bit(&t[k]) == 0;
            if (others == 1 && word_bit(&t[k]) == 0) p->type = type_named(&t[k]);
        }
        const size_t room = sizeof p->declared - used;
        if (t[k].length + 2 > room) continue;
        const bool apart = used > 0 && is_word(*t[k].at) && is_word(p->declared[used - 1]);
        const bool star = used > 0 && is(&t[k], "*") && p->declared[used - 1] != '*';
        used += (size_t)snprintf(p->declared + used, room, "%s%.*s", apart || star ? " " : "",
                                 (int)t[k].length, t[k].at);
    }
    if (others == 0) p->type = type_of_words(words);
    if (others > 1 || stars > 1) p->type = HD_NONE;
    p->pointer = stars > 0 ? MODEL_IS_POINTER : MODEL_IS_VALUE;
}

// After "(": splits at commas that no bracket holds. Returns the number of parameters, -1 if the
// bracket is never closed; *text is then behind it.
static int32_t read_parameters(const char **text, model_signature *s)
{
    token t, kept[MAX_TOKENS];
    int depth = 0, count = 0;
    int32_t parameters = 0;
    bool any = false;
    while (next_token(text, &t)) {
        const bool closes = is(&t, ")") && depth == 0;
        if (closes || (is(&t, ",") && depth == 0)) {
            if ((any || !closes) && parameters < MODEL_MAX_PARAMETERS) {
                s->at[parameters] = (model_parameter){.type = HD_NONE};
                read_parameter(kept, count, &s->at[parameters]);
            }
            parameters += any || !closes;
            if (closes) return parameters;
            count = 0;
            continue;
        }
        any = true;
        if (strchr("([{<", *t.at)) depth++;
        if (strchr(")]}>", *t.at)) depth--;
        if (count < MAX_TOKENS) kept[count++] = t;
    }
    return -1;
}

// A declaration of the kernel with __global__ before it; one with a body wins over one without.
int32_t model_scan_source(const char *text, const char *kernel, model_signature *s)
{
    token t, next;
    bool global = false;
    int32_t found = -1;
    while (next_token(&text, &t)) {
        if (is(&t, "__global__")) global = true;
        if (strchr(";}{", *t.at)) global = false;
        if (!global || !is(&t, kernel)) continue;
        const char *after = text;
        if (!next_token(&after, &next) || !is(&next, "(")) continue;
        model_signature here = {.count = 0};
        here.count = read_parameters(&after, &here);
        if (here.count == 1 && strcmp(here.at[0].declared, "void") == 0) here.count = 0;
        const bool body = next_token(&after, &next) && is(&next, "{");
        if (here.count < 0 || (found >= 0 && !body)) continue;
        memcpy(s->at, here.at, sizeof s->at);
        found = here.count;
        if (body) return found;
    }
    return found;
}

static bool is_space_of_variables(const token *t)
{
    return is(t, "__constant__") || is(t, "__device__") || is(t, "__managed__");
}

// Behind a bracket that is open, with all that it holds.
static void skip_bracket(const char **text)
{
    token t;
    for (int depth = 1; depth > 0 && next_token(text, &t);)
        depth += strchr("([{", *t.at) ? 1 : strchr(")]}", *t.at) ? -1 : 0;
}

// "__constant__ float a[3], b = 2;": words up to the first name, which each name follows.
bool model_scan_variable(const char *text, const char *name, model_parameter *p)
{
    token t, kept[MAX_TOKENS];
    bool ours = false;
    int count = 0;
    while (next_token(&text, &t)) {
        if (is_space_of_variables(&t)) {
            if (!ours) count = 0;
            ours = true;
        } else if (strchr(";}{(", *t.at) || !ours) {
            if (ours && *t.at == '{') skip_bracket(&text);
            ours = ours && *t.at == '{';
        } else if (*t.at == '[') {
            skip_bracket(&text);
        } else if (*t.at == ',') {
            if (count > 0) count--;
        } else if (*t.at == '=') {
            while (next_token(&text, &t) && !strchr(",;", *t.at))
                if (strchr("([{", *t.at)) skip_bracket(&text);
            text -= t.length; // the comma, or the end, is looked at again
        } else {
            if (count < MAX_TOKENS) kept[count++] = t;
            if (count < 2 || !is(&t, name)) continue;
            *p = (model_parameter){.type = HD_NONE};
            read_parameter(kept, count, p);
            if (p->pointer == MODEL_IS_POINTER) p->type = HD_NONE; // an address: what it is set to
            if (strcmp(p->name, name) == 0) return true;
        }
    }
    *p = (model_parameter){.type = HD_NONE};
    return false;
}

// ---- A declaration of PTX -----------------------------------------------------------------------

static void read_ptx_word(const token *t, model_parameter *p)
{
    static const struct {
        const char *name;
        hd_type type;
    } names[] = {{"u8", HD_U8},   {"s8", HD_I8},   {"u16", HD_U16}, {"s16", HD_I16},
                 {"u32", HD_U32}, {"s32", HD_I32}, {"b32", HD_U32}, {"u64", HD_U64},
                 {"s64", HD_I64}, {"b64", HD_U64}, {"f16", HD_F16}, {"f32", HD_F32},
                 {"f64", HD_F64}, {"b16", HD_U16}, {"b8", HD_U8}};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (is(t, names[k].name)) p->type = names[k].type;
    if (is(t, "ptr")) p->pointer = MODEL_IS_POINTER;
}

static void read_ptx_parameter(const token *t, int count, model_parameter *p)
{
    p->pointer = MODEL_IS_VALUE;
    for (int k = 0; k < count; k++) {
        if (is(&t[k], "[")) {
            p->type = HD_NONE; // a structure, by its bytes
            return;
        }
        if (k > 0 && is(&t[k - 1], "."))
            read_ptx_word(&t[k], p);
        else if (is_word(*t[k].at))
            copy(p->name, sizeof p->name, t[k].at, t[k].length);
    }
    if (p->pointer == MODEL_IS_VALUE && p->type == HD_U64) p->pointer = MODEL_IS_EITHER;
    if (p->pointer != MODEL_IS_VALUE) p->type = HD_NONE;
}

// Whether an entry is the kernel of that name, as it is or as C++ writes it.
static bool is_entry(const token *t, const char *kernel)
{
    char mangled[1024], written[1024];
    if (is(t, kernel)) return true;
    if (t->length >= sizeof mangled) return false;
    copy(mangled, sizeof mangled, t->at, t->length);
    return hd__model_demangle(mangled, written, sizeof written) && strcmp(written, kernel) == 0;
}

int32_t model_scan_ptx(const char *text, const char *kernel, model_signature *s)
{
    token t, kept[MAX_TOKENS];
    bool entry = false;
    while (next_token(&text, &t)) {
        if (entry && is_entry(&t, kernel)) break;
        entry = is(&t, "entry");
    }
    if (!next_token(&text, &t) || !is(&t, "(")) return t.length > 0 && is(&t, "{") ? 0 : -1;
    int32_t parameters = 0;
    int count = 0;
    while (next_token(&text, &t)) {
        if (!is(&t, ",") && !is(&t, ")")) {
            if (count < MAX_TOKENS) kept[count++] = t;
            continue;
        }
        if (count > 0 && parameters < MODEL_MAX_PARAMETERS) {
            s->at[parameters] = (model_parameter){.type = HD_NONE};
            read_ptx_parameter(kept, count, &s->at[parameters]);
        }
        parameters += count > 0;
        if (is(&t, ")")) return parameters;
        count = 0;
    }
    return -1;
}

// ---- Both ---------------------------------------------------------------------------------------

void model_kernel_name(const char *written, char *name, size_t room)
{
    const size_t length = strcspn(written, "<(");
    size_t begin = 0;
    for (size_t k = 0; k + 1 < length; k++)
        if (written[k] == ':' && written[k + 1] == ':') begin = k + 2;
    copy(name, room, written + begin, length - begin);
}

static bool bytes_agree(const model_signature *s)
{
    for (int32_t k = 0; k < s->count; k++) {
        const model_parameter *p = &s->at[k];
        if (p->pointer == MODEL_IS_POINTER && p->bytes != 8) return false;
        if (p->pointer == MODEL_IS_VALUE && p->type != HD_NONE &&
            (int64_t)hd_type_size(p->type) != p->bytes)
            return false;
    }
    return true;
}

bool model_signature_of(const hd_model_module *module, const char *kernel, const char *source,
                        model_signature *s)
{
    *s = (model_signature){.count = hd_model_parameters(module, kernel)};
    char base[96];
    model_kernel_name(kernel, base, sizeof base);
    copy(s->kernel, sizeof s->kernel, kernel, strlen(kernel));
    if (s->count > MODEL_MAX_PARAMETERS) return false;
    const bool named = source != NULL && model_scan_source(source, base, s) == s->count;
    for (int32_t k = 0; k < s->count; k++)
        s->at[k].bytes = hd_model_parameter_bytes(module, kernel, k);
    if (named && bytes_agree(s)) return true;
    for (int32_t k = 0; k < s->count; k++)
        s->at[k] = (model_parameter){.type = HD_NONE, .pointer = MODEL_IS_EITHER};
    if (model_scan_ptx(hd_model_ptx(module), kernel, s) != s->count)
        for (int32_t k = 0; k < s->count; k++)
            s->at[k] = (model_parameter){.type = HD_NONE, .pointer = MODEL_IS_EITHER};
    for (int32_t k = 0; k < s->count; k++)
        s->at[k].bytes = hd_model_parameter_bytes(module, kernel, k);
    return true;
}

const char *model_parameter_text(const model_parameter *p, char *text, size_t room)
{
    const char *name = p->name[0] ? p->name : "_";
    if (p->declared[0] != '\0') {
        const char last = p->declared[strlen(p->declared) - 1];
        snprintf(text, room, "%s%s%s", p->declared, last == '*' ? "" : " ", p->name);
    } else if (p->type != HD_NONE) {
        snprintf(text, room, "%s %s", hd_type_name(p->type), name);
    } else {
        snprintf(text, room, "%s (%lld bytes%s)", name, (long long)p->bytes,
                 p->pointer == MODEL_IS_POINTER  ? ", a pointer"
                 : p->pointer == MODEL_IS_EITHER ? ", a pointer or a number"
                                                 : "");
    }
    return text;
}
