// SPDX-License-Identifier: Apache-2.0
//
// What hd_lex is held against: lists of tokens, and scanners of JSON and CSV that are written out.
#ifndef HEDDLE_TESTS_ALGORITHMS_LEX_BY_HAND_H
#define HEDDLE_TESTS_ALGORITHMS_LEX_BY_HAND_H

#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

typedef struct tokens {
    int32_t *kind;
    int64_t *begin, *length, count, error;
} tokens;

static inline tokens new_tokens(int64_t room)
{
    return (tokens){check_memory((size_t)(room + 1) * 4), check_memory((size_t)(room + 1) * 8),
                    check_memory((size_t)(room + 1) * 8), 0, -1};
}

static inline void drop_tokens(tokens *t)
{
    free(t->kind), free(t->begin), free(t->length);
}

static inline void add_token(tokens *t, int32_t kind, int64_t begin, int64_t end)
{
    t->kind[t->count] = kind, t->begin[t->count] = begin, t->length[t->count++] = end - begin;
}

// ---- JSON, by hand --------------------------------------------------------------------------

static inline int64_t json_string(const char *s, int64_t n, int64_t i)
{
    for (i++; i < n; i++) {
        const unsigned char c = (unsigned char)s[i];
        if (c == '"') return i + 1;
        if (c < 32) return -1;
        if (c != '\\') continue;
        if (++i >= n) return -1;
        if (s[i] == 'u') {
            for (int k = 0; k < 4; k++)
                if (++i >= n || !strchr("0123456789abcdefABCDEF", s[i]) || s[i] == 0) return -1;
        } else if (s[i] == 0 || !strchr("\"\\/bfnrt", s[i])) {
            return -1;
        }
    }
    return -1;
}

static inline int64_t digits(const char *s, int64_t n, int64_t i)
{
    while (i < n && s[i] >= '0' && s[i] <= '9') i++;
    return i;
}

static inline int64_t json_number(const char *s, int64_t n, int64_t i)
{
    int64_t end, j = i + (s[i] == '-');
    if (j >= n || s[j] < '0' || s[j] > '9') return -1;
    end = s[j] == '0' ? j + 1 : digits(s, n, j);
    if (end < n && s[end] == '.' && digits(s, n, end + 1) > end + 1) end = digits(s, n, end + 1);
    if (end < n && (s[end] == 'e' || s[end] == 'E')) {
        j = end + 1;
        if (j < n && (s[j] == '+' || s[j] == '-')) j++;
        if (digits(s, n, j) > j) end = digits(s, n, j);
    }
    return end;
}

static inline int64_t json_token(const char *s, int64_t n, int64_t i, int32_t *kind)
{
    static const char *const words[] = {"true", "false", "null"};
    const char *sign = s[i] != 0 ? strchr("{}[]:,", s[i]) : NULL;
    if (sign != NULL) return *kind = 1 + (int32_t)(sign - "{}[]:,"), i + 1;
    if (s[i] == '"') return *kind = 7, json_string(s, n, i);
    if (s[i] == '-' || (s[i] >= '0' && s[i] <= '9')) return *kind = 8, json_number(s, n, i);
    for (int k = 0; k < 3; k++) {
        const int64_t length = (int64_t)strlen(words[k]);
        if (n - i >= length && memcmp(s + i, words[k], (size_t)length) == 0)
            return *kind = 9 + k, i + length;
    }
    return -1;
}

static inline void json_tokens(const char *s, int64_t n, tokens *want)
{
    want->count = 0, want->error = -1;
    for (int64_t i = 0, end; i < n; i = end) {
        int32_t kind = 0;
        if (s[i] == ' ' || s[i] == '\n' || s[i] == '\t' || s[i] == '\r') {
            end = i + 1;
            continue;
        }
        end = json_token(s, n, i, &kind);
        if (end < 0 && want->error < 0) want->error = i;
        add_token(want, end < 0 ? -1 : kind, i, end < 0 ? i + 1 : end);
        if (end < 0) end = i + 1;
    }
}
#undef SIGN

// Pieces of JSON, whole and broken: blocks begin in strings, and quotes have no partner.
static inline int64_t fill_json(char *s, int64_t n, uint64_t *r, bool broken)
{
    static const char *const pieces[] = {"{\"key\": ",
                                         "[1, 2.5e-3, -0]",
                                         "\"text with \\\"quotes\\\" and \\u00e9, {[:\"",
                                         ", ",
                                         "true",
                                         "false",
                                         "null",
                                         "}",
                                         "\n    ",
                                         "]",
                                         "12345678901234567890",
                                         ":",
                                         "\"\"",
                                         "\"a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p\"",
                                         "\"",
                                         "1.e",
                                         "-",
                                         "tru",
                                         "\\",
                                         "\"\\u00g\"",
                                         "\x01",
                                         "1e+",
                                         "\"unclosed\n"};
    const int64_t whole = 14, all = sizeof pieces / sizeof *pieces;
    int64_t at = 0;
    for (;;) {
        const int64_t k = check_below(r, broken && check_below(r, 50) == 0 ? all : whole);
        const int64_t length = (int64_t)strlen(pieces[k]);
        if (at + length > n) return at;
        memcpy(s + at, pieces[k], (size_t)length);
        at += length;
    }
}

// ---- CSV, by hand ---------------------------------------------------------------------------

static inline void csv_tokens(const char *s, int64_t n, tokens *want)
{
    want->count = 0, want->error = -1;
    for (int64_t i = 0, end; i < n; i = end) {
        int32_t kind = 0;
        end = i + 1;
        if (s[i] == ',')
            kind = 2;
        else if (s[i] == '\n')
            kind = 3;
        else if (s[i] == '\r')
            kind = 3, end += end < n && s[end] == '\n';
        else if (s[i] == '"') {
            int64_t last = -1;
            for (int64_t j = end; j < n; j++) {
                if (s[j] != '"') continue;
                last = j + 1;
                if (j + 1 == n || s[j + 1] != '"') break;
                j++;
                if (j + 1 == n) break;
            }
            kind = last < 0 ? -1 : 1, end = last < 0 ? i + 1 : last;
            if (last < 0 && want->error < 0) want->error = i;
        } else {
            while (end < n && !strchr(",\"\n\r", s[end])) end++;
        }
        add_token(want, kind, i, end);
    }
}

#endif
