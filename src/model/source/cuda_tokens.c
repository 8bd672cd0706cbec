// SPDX-License-Identifier: Apache-2.0
//
// CUDA C text to tokens: words, numbers, texts, marks, directives. Comments go.
#include "cuda_source.h"

#include <string.h>

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
           (unsigned char)c >= 128;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

typedef struct reader {
    const char *text; // ends with a zero
    int32_t at, length;
} reader;

// Behind a comment that begins here; -1: none does.
static int32_t comment_end(const reader *r, int32_t at)
{
    if (r->text[at] != '/') return -1;
    if (r->text[at + 1] == '*') {
        const char *end = strstr(r->text + at + 2, "*/");
        return end != NULL ? (int32_t)(end - r->text) + 2 : r->length;
    }
    if (r->text[at + 1] != '/') return -1;
    at += 2;
    while (at < r->length && (r->text[at] != '\n' || r->text[at - 1] == '\\')) at++;
    return at;
}

// Behind a text that begins with a quote here.
static int32_t quoted_end(const reader *r, int32_t at)
{
    const char quote = r->text[at++];
    while (at < r->length && r->text[at] != quote && r->text[at] != '\n') {
        if (r->text[at] == '\\' && at + 1 < r->length) at++;
        at++;
    }
    return at < r->length && r->text[at] == quote ? at + 1 : at;
}

// R"x(...)x": behind it, or -1 where it is none.
static int32_t raw_end(const reader *r, int32_t at)
{
    char close[24] = ")";
    int32_t k = at + 2, n = 1;
    if (r->text[at] != 'R' || r->text[at + 1] != '"') return -1;
    for (; k < r->length && r->text[k] != '(' && n < 18; k++) close[n++] = r->text[k];
    if (r->text[k] != '(') return -1;
    close[n++] = '"';
    close[n] = 0;
    const char *end = strstr(r->text + k, close);
    return end != NULL ? (int32_t)(end - r->text) + n : r->length;
}

// A directive ends with its line; a comment in it may run over several.
static int32_t directive_end(const reader *r, int32_t at)
{
    while (at < r->length && r->text[at] != '\n') {
        const int32_t comment = comment_end(r, at);
        if (comment >= 0)
            at = comment;
        else if (r->text[at] == '"')
            at = quoted_end(r, at);
        else if (r->text[at] == '\\' && r->text[at + 1] == '\r' && r->text[at + 2] == '\n')
            at += 3;
        else
            at += r->text[at] == '\\' && at + 1 < r->length ? 2 : 1;
    }
    return at < r->length ? at : r->length;
}

static int32_t number_end(const reader *r, int32_t at)
{
    while (at < r->length) {
        const char c = r->text[at];
        const bool exponent = c == '-' || c == '+';
        const char before = r->text[at - 1];
        if (exponent ? !(before == 'e' || before == 'E' || before == 'p' || before == 'P')
                     : !(is_letter(c) || is_digit(c) || c == '.' || c == '\''))
            break;
        at++;
    }
    return at;
}

static cuda_token_kind kind_at(const reader *r, bool line_begins, int32_t *end)
{
    const int32_t at = r->at;
    const char c = r->text[at];
    if (c == '#' && line_begins) {
        *end = directive_end(r, at);
        return CUDA_DIRECTIVE;
    }
    if ((*end = raw_end(r, at)) >= 0) return CUDA_TEXT;
    if (is_letter(c)) {
        for (*end = at + 1; is_letter(r->text[*end]) || is_digit(r->text[*end]);) ++*end;
        return CUDA_WORD;
    }
    if (is_digit(c) || (c == '.' && is_digit(r->text[at + 1]))) {
        *end = number_end(r, at + 1);
        return CUDA_NUMBER;
    }
    if (c == '"' || c == '\'') {
        *end = quoted_end(r, at);
        return CUDA_TEXT;
    }
    *end = at + 1;
    return CUDA_MARK;
}

static bool append(cuda_source *s, cuda_file *f, int32_t *room, cuda_token token)
{
    if (f->token_count == *room) {
        const int32_t larger = *room > 0 ? 2 * *room : 1024;
        cuda_token *tokens = hd__model_ptx_arena_take(s->arena, (size_t)larger * sizeof *tokens);
        if (tokens == NULL) return false;
        if (f->token_count > 0) memcpy(tokens, f->tokens, (size_t)f->token_count * sizeof *tokens);
        f->tokens = tokens, *room = larger;
    }
    f->tokens[f->token_count++] = token;
    return true;
}

bool hd__model_cuda_tokens(cuda_source *s, cuda_file *f)
{
    reader r = {f->text, 0, f->length};
    int32_t room = 0;
    bool line_begins = true;
    f->token_count = 0;
    while (r.at < r.length) {
        const char c = r.text[r.at];
        const int32_t comment = comment_end(&r, r.at);
        if (comment >= 0) {
            r.at = comment;
            continue;
        }
        if (c == '\n') line_begins = true;
        if ((unsigned char)c <= 32 || c == 127 || c == '\\') {
            r.at++;
            continue;
        }
        cuda_token token = {.begin = r.at};
        token.kind = kind_at(&r, line_begins, &token.end);
        if (token.end > r.length) token.end = r.length;
        if (!append(s, f, &room, token)) return false;
        line_begins = token.kind == CUDA_DIRECTIVE;
        r.at = token.end;
    }
    return true;
}
