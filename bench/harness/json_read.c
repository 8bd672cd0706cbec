// SPDX-License-Identifier: Apache-2.0
//
// The JSON reader: recursive descent over bytes that need not end with 0.
#include "json_read.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX  64
#define NUMBER_MAX 400 // digits and all of a number that is read

typedef struct json_parser {
    const char *at, *begin, *end;
    const char *wrong; // what was expected; NULL: nothing wrong yet
    int depth;
} json_parser;

static json_value *read_value(json_parser *p);

static json_value *expected(json_parser *p, const char *what)
{
    if (!p->wrong) p->wrong = what;
    return NULL;
}

static int peek(const json_parser *p)
{
    return p->at < p->end ? (unsigned char)*p->at : -1;
}

static void skip_space(json_parser *p)
{
    while (p->at < p->end && strchr(" \t\r\n", *p->at) && *p->at) p->at++;
}

static json_value *new_value(json_parser *p, json_kind kind)
{
    json_value *v = calloc(1, sizeof *v);
    if (!v) return expected(p, "memory");
    v->kind = kind;
    return v;
}

// ---- Text -----------------------------------------------------------------------------------

// Four hexadecimal digits, or -1.
static long read_hex(json_parser *p)
{
    long code = 0;
    for (int k = 0; k < 4; k++, p->at++) {
        const int c = peek(p);
        if (c >= '0' && c <= '9')
            code = code * 16 + c - '0';
        else if (c >= 'a' && c <= 'f')
            code = code * 16 + c - 'a' + 10;
        else if (c >= 'A' && c <= 'F')
            code = code * 16 + c - 'A' + 10;
        else
            return -1;
    }
    return code;
}

static char *put_utf8(char *out, long code)
{
    if (code < 0x80) {
        *out++ = (char)code;
    } else if (code < 0x800) {
        *out++ = (char)(0xc0 | code >> 6), *out++ = (char)(0x80 | (code & 0x3f));
    } else if (code < 0x10000) {
        *out++ = (char)(0xe0 | code >> 12), *out++ = (char)(0x80 | (code >> 6 & 0x3f));
        *out++ = (char)(0x80 | (code & 0x3f));
    } else {
        *out++ = (char)(0xf0 | code >> 18), *out++ = (char)(0x80 | (code >> 12 & 0x3f));
        *out++ = (char)(0x80 | (code >> 6 & 0x3f)), *out++ = (char)(0x80 | (code & 0x3f));
    }
    return out;
}

// After "\u"; a pair of surrogates is one character. NULL if it is none.
static char *read_unicode(json_parser *p, char *out)
{
    long code = read_hex(p);
    if (code >= 0xd800 && code < 0xdc00) {
        if (peek(p) != '\\' || p->at + 1 >= p->end || p->at[1] != 'u') return NULL;
        p->at += 2;
        const long low = read_hex(p);
        if (low < 0xdc00 || low > 0xdfff) return NULL;
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    } else if (code <= 0 || (code >= 0xdc00 && code < 0xe000)) {
        return NULL; // a lone half, or the 0 that would end the text
    }
    return put_utf8(out, code);
}

static char *read_escape(json_parser *p, char *out)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    const int c = peek(p);
    p->at++;
    if (c == 'u') return read_unicode(p, out);
    const char *found = c > 0 ? strchr(from, c) : NULL;
    if (!found) return NULL;
    *out++ = to[found - from];
    return out;
}

// A text in quotes. Escapes never make it longer.
static char *read_text(json_parser *p)
{
    if (peek(p) != '"') {
        expected(p, "a text in quotes");
        return NULL;
    }
    p->at++;
    const char *close = p->at;
    while (close < p->end && *close != '"') close += *close == '\\' ? 2 : 1;
    char *text = close < p->end ? malloc((size_t)(close - p->at) + 1) : NULL;
    char *out = text;
    while (out && p->at < close) {
        const char c = *p->at++;
        if (c == '\\')
            out = read_escape(p, out);
        else if ((unsigned char)c < 0x20)
            out = NULL;
        else
            *out++ = c;
    }
    if (!out) {
        free(text);
        expected(p, "a text that ends with a quote and has only known escapes");
        return NULL;
    }
    *out = 0;
    p->at = close + 1;
    return text;
}

// ---- The other values -----------------------------------------------------------------------

static const char *skip_digits(const char *q, const char *end)
{
    while (q < end && *q >= '0' && *q <= '9') q++;
    return q;
}

// The end of the number that begins here, or NULL.
static const char *number_end(const char *q, const char *end)
{
    if (q < end && *q == '-') q++;
    const char *digits = q;
    q = skip_digits(q, end);
    if (q == digits || (*digits == '0' && q - digits > 1)) return NULL;
    if (q < end && *q == '.') {
        digits = q + 1;
        if ((q = skip_digits(digits, end)) == digits) return NULL;
    }
    if (q < end && (*q == 'e' || *q == 'E')) {
        digits = q + 1;
        if (digits < end && (*digits == '+' || *digits == '-')) digits++;
        if ((q = skip_digits(digits, end)) == digits) return NULL;
    }
    return q;
}

static json_value *read_number(json_parser *p)
{
    char copy[NUMBER_MAX];
    const char *end = number_end(p->at, p->end);
    if (!end || end - p->at >= NUMBER_MAX) return expected(p, "a value");
    memcpy(copy, p->at, (size_t)(end - p->at));
    copy[end - p->at] = 0;
    json_value *v = new_value(p, JSON_NUMBER);
    if (v) v->number = strtod(copy, NULL);
    p->at = end;
    return v;
}

static json_value *read_word(json_parser *p, const char *word, json_kind kind)
{
    const size_t length = strlen(word);
    if ((size_t)(p->end - p->at) < length || memcmp(p->at, word, length) != 0)
        return expected(p, "a value");
    p->at += length;
    return new_value(p, kind);
}

// One member: "key": value in an object, a value in an array.
static json_value *read_member(json_parser *p, bool object)
{
    char *key = NULL;
    if (object) {
        skip_space(p);
        if (!(key = read_text(p))) return NULL;
        skip_space(p);
        if (peek(p) != ':') {
            free(key);
            return expected(p, "a colon");
        }
        p->at++;
    }
    json_value *v = read_value(p);
    if (v)
        v->key = key;
    else
        free(key);
    return v;
}

static json_value *read_list(json_parser *p, bool object)
{
    const int close = object ? '}' : ']';
    json_value *list = new_value(p, object ? JSON_OBJECT : JSON_ARRAY);
    if (!list) return NULL;
    json_value **last = &list->first;
    p->at++;
    skip_space(p);
    if (peek(p) == close) {
        p->at++;
        return list;
    }
    for (;;) {
        if (!(*last = read_member(p, object))) break;
        last = &(*last)->next;
        skip_space(p);
        const int c = peek(p);
        if (c != ',' && c != close) {
            expected(p, object ? "a comma or }" : "a comma or ]");
            break;
        }
        p->at++;
        if (c == close) return list;
    }
    json_free(list);
    return NULL;
}

static json_value *read_value(json_parser *p)
{
    skip_space(p);
    if (p->depth == DEPTH_MAX) return expected(p, "less nesting");
    json_value *v = NULL;
    p->depth++;
    switch (peek(p)) {
    case '{': v = read_list(p, true); break;
    case '[': v = read_list(p, false); break;
    case '"': {
        char *text = read_text(p);
        v = text ? new_value(p, JSON_TEXT) : NULL;
        if (v)
            v->text = text;
        else
            free(text);
        break;
    }
    case 't': v = read_word(p, "true", JSON_TRUE); break;
    case 'f': v = read_word(p, "false", JSON_FALSE); break;
    case 'n': v = read_word(p, "null", JSON_NULL); break;
    default: v = read_number(p); break;
    }
    p->depth--;
    return v;
}

json_value *json_read(const char *bytes, size_t size, char *error, size_t error_size)
{
    json_parser p = {bytes, bytes, bytes + size, NULL, 0};
    json_value *v = read_value(&p);
    skip_space(&p);
    if (v && p.at != p.end) {
        json_free(v);
        v = expected(&p, "the end of the document");
    }
    if (!v) {
        int64_t line = 1;
        for (const char *q = bytes; q < p.at && q < p.end; q++) line += *q == '\n';
        snprintf(error, error_size, "line %lld: expected %s", (long long)line, p.wrong);
    }
    return v;
}

void json_free(json_value *value)
{
    while (value) {
        json_value *next = value->next;
        json_free(value->first);
        free(value->key), free(value->text), free(value);
        value = next;
    }
}

const json_value *json_get(const json_value *value, const char *key)
{
    if (!value || value->kind != JSON_OBJECT) return NULL;
    for (const json_value *v = value->first; v; v = v->next)
        if (strcmp(v->key, key) == 0) return v;
    return NULL;
}

const char *json_get_text(const json_value *value, const char *key, const char *otherwise)
{
    const json_value *v = json_get(value, key);
    return v && v->kind == JSON_TEXT ? v->text : otherwise;
}

double json_get_number(const json_value *value, const char *key, double otherwise)
{
    const json_value *v = json_get(value, key);
    return v && v->kind == JSON_NUMBER ? v->number : otherwise;
}
