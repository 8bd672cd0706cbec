// SPDX-License-Identifier: Apache-2.0
//
// The lexer of PTX.
#include "ptx_lex.h"

#include <stdlib.h>
#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool starts_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '%' ||
           c == '.';
}

static bool in_word(char c)
{
    return starts_word(c) || is_digit(c);
}

// Blanks and comments.
static void skip(ptx_lexer *l)
{
    while (l->at < l->end) {
        const char c = *l->at;
        const size_t left = (size_t)(l->end - l->at);
        if (c == '\n') {
            l->line++, l->at++;
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
            l->at++;
        } else if (left >= 2 && c == '/' && l->at[1] == '/') {
            while (l->at < l->end && *l->at != '\n') l->at++;
        } else if (left >= 2 && c == '/' && l->at[1] == '*') {
            for (l->at += 2; l->at < l->end; l->at++) {
                if (*l->at == '\n') l->line++;
                if (*l->at == '*' && l->end - l->at >= 2 && l->at[1] == '/') {
                    l->at += 2;
                    break;
                }
            }
        } else {
            return;
        }
    }
}

// A word may hold "::", which a label's single colon ends.
static void lex_word(ptx_lexer *l)
{
    const char *p = l->at;
    while (p < l->end) {
        if (in_word(*p)) {
            p++;
        } else if (l->end - p >= 3 && p[0] == ':' && p[1] == ':' && in_word(p[2])) {
            p += 2;
        } else {
            break;
        }
    }
    l->token.kind = PTX_WORD;
    l->token.length = (size_t)(p - l->at);
    l->at = p;
}

static int digit_of(char c, int base)
{
    const int d = is_digit(c)              ? c - '0'
                  : (c >= 'a' && c <= 'f') ? c - 'a' + 10
                  : (c >= 'A' && c <= 'F') ? c - 'A' + 10
                                           : 99;
    return d < base ? d : -1;
}

static const char *read_digits(const char *p, const char *end, int base, uint64_t *value)
{
    *value = 0;
    for (; p < end && digit_of(*p, base) >= 0; p++)
        *value = *value * (uint64_t)base + (uint64_t)digit_of(*p, base);
    return p;
}

// 1.5, 2e3: only people write them.
static const char *read_decimal(ptx_lexer *l, const char *p)
{
    char text[64];
    while (p < l->end && (is_digit(*p) || *p == '.')) p++;
    if (p < l->end && (*p == 'e' || *p == 'E')) {
        p++;
        if (p < l->end && (*p == '+' || *p == '-')) p++;
        while (p < l->end && is_digit(*p)) p++;
    }
    const size_t n = (size_t)(p - l->at);
    if (n >= sizeof text) return NULL;
    memcpy(text, l->at, n);
    text[n] = 0;
    const double value = strtod(text, NULL);
    memcpy(&l->token.value, &value, sizeof value);
    l->token.kind = PTX_FLOAT64;
    return p;
}

static void lex_number(ptx_lexer *l)
{
    ptx_token *t = &l->token;
    const char *p = l->at, *end = l->end;
    const char second = end - p >= 2 ? p[1] : 0;
    t->kind = PTX_INTEGER;
    if (p[0] == '0' && (second == 'x' || second == 'X')) {
        p = read_digits(p + 2, end, 16, &t->value);
    } else if (p[0] == '0' && (second == 'f' || second == 'F' || second == 'd' || second == 'D')) {
        const bool wide = second == 'd' || second == 'D';
        const char *digits = p + 2;
        p = read_digits(digits, end, 16, &t->value);
        t->kind = p - digits == (wide ? 16 : 8) ? (wide ? PTX_FLOAT64 : PTX_FLOAT32) : PTX_BAD;
    } else if (p[0] == '0' && (second == 'b' || second == 'B')) {
        p = read_digits(p + 2, end, 2, &t->value);
    } else {
        const char *ends = read_digits(p, end, 10, &t->value);
        const bool fraction = ends < end && (*ends == '.' || *ends == 'e' || *ends == 'E');
        if (fraction)
            p = read_decimal(l, ends);
        else
            p = p[0] == '0' ? read_digits(p, end, 8, &t->value) : ends;
        if (p == NULL) p = ends, t->kind = PTX_BAD;
    }
    if (p < end && *p == 'U') p++; // 5U
    if (p < end && in_word(*p)) t->kind = PTX_BAD;
    t->length = (size_t)(p - l->at);
    l->at = p;
}

// A quote after a backslash does not end the string; the token keeps the backslashes.
static void lex_string(ptx_lexer *l)
{
    const char *p = l->at + 1;
    for (; p < l->end && *p != '"' && *p != '\n'; p++)
        if (*p == '\\' && p + 1 < l->end && p[1] != '\n') p++;
    l->token.kind = p < l->end && *p == '"' ? PTX_STRING : PTX_BAD;
    l->token.text = l->at + 1;
    l->token.length = (size_t)(p - l->at - 1);
    l->at = p < l->end ? p + 1 : p;
}

void hd__model_ptx_lex_next(ptx_lexer *l)
{
    skip(l);
    l->token = (ptx_token){PTX_END, l->at, 0, 0, l->line};
    if (l->at >= l->end) return;
    const char c = *l->at;
    if (is_digit(c)) {
        lex_number(l);
    } else if (starts_word(c)) {
        lex_word(l);
    } else if (c == '"') {
        lex_string(l);
    } else {
        l->token.kind = strchr("{}[]()<>,;:=+-*!|@&~^?", c) && c ? PTX_PUNCTUATION : PTX_BAD;
        l->token.value = (unsigned char)c;
        l->token.length = 1;
        l->at++;
    }
}

void hd__model_ptx_lex_begin(ptx_lexer *lexer, const char *text, size_t length)
{
    *lexer = (ptx_lexer){.at = text, .end = text + length, .line = 1};
    hd__model_ptx_lex_next(lexer);
}

bool hd__model_ptx_is_word(const ptx_token *token, const char *word)
{
    return token->kind == PTX_WORD && strlen(word) == token->length &&
           memcmp(word, token->text, token->length) == 0;
}
