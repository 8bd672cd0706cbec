// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as rules of a lexer and a text: expressions in lines, up to a byte 0xff, then the text.
// What is refused has words; what is taken cuts the text alike by scans and in blocks, into tokens
// one after another, and does not cut a token's own bytes otherwise.
#include <stdlib.h>
#include <string.h>

#include <heddle_algorithms.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { RULES = 8, PATTERNS = 400, TEXT = 600 };

typedef struct tokens {
    hd_status status;
    int64_t count, error;
    int32_t kind[TEXT + 1];
    int64_t begin[TEXT + 1], length[TEXT + 1];
} tokens;

static hd_context *serial, *cores;

static void open_contexts(void)
{
    if (hd_open(&serial, &(hd_context_options){.backend = HD_SERIAL}) ||
        hd_open(&cores, &(hd_context_options){.backend = HD_CPU, .threads = 3}))
        abort();
}

// Lines of the patterns as rules; every third one's tokens are left out.
static void make_rules(char *patterns, hd_lex_rule *rules)
{
    static const char *const names[RULES] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    int count = 0;
    for (char *line = patterns; line != NULL && count < RULES; count++) {
        char *next = strchr(line, '\n');
        if (next != NULL) *next++ = 0;
        rules[count] = (hd_lex_rule){names[count], line, count % 3 == 2};
        line = next;
    }
    rules[count] = (hd_lex_rule){NULL, NULL, false};
}

static void lex(hd_context *ctx, const hd_lexer *lexer, const uint8_t *text, int64_t n,
                hd_lex_method method, bool errors, tokens *t)
{
    const int64_t room = TEXT + 1;
    memset(t, 0, sizeof *t);
    t->error = -2;
    t->status = hd_lex(ctx, lexer, HD_VIEW(text, n), HD_VIEW(t->kind, room),
                       HD_VIEW(t->begin, room), HD_VIEW(t->length, room), HD_VIEW(&t->count, 1),
                       &(hd_lex_options){.method = method,
                                         .error_kind = errors ? -7 : 0,
                                         .error = HD_REF(HD_VIEW(&t->error, 1))});
    if (t->status != HD_OK && hd_error(ctx)[0] == 0) abort();
}

static void check_tokens(const hd_lexer *lexer, const tokens *t, int64_t n, bool errors)
{
    if (t->error < -1 || t->error >= n || t->count < 0 || t->count > n) abort();
    if (!errors && (t->status == HD_OK) != (t->error == -1)) abort();
    if (t->status != HD_OK) return;
    for (int64_t k = 0, end = 0; k < t->count; k++) {
        if (t->begin[k] < end || t->length[k] < 1) abort();
        end = t->begin[k] + t->length[k];
        if (end > n) abort();
        if (t->kind[k] == -7 ? !errors || t->length[k] != 1
                             : hd_lexer_name(lexer, t->kind[k]) == NULL)
            abort();
    }
}

// A token's bytes alone, from the first on, are that token.
static void check_alone(const hd_lexer *lexer, const tokens *t, const uint8_t *text)
{
    static tokens one;
    for (int64_t k = 0; k < t->count && k < 4; k++) {
        if (t->kind[k] < 0) continue;
        lex(cores, lexer, text + t->begin[k], t->length[k], HD_LEX_BLOCKS, false, &one);
        if (one.status != HD_OK || one.count != 1 || one.kind[0] != t->kind[k] ||
            one.length[0] != t->length[k])
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static tokens blocks, scans;
    char patterns[PATTERNS + 1];
    hd_lex_rule rules[RULES + 1];
    hd_lexer *lexer;
    if (serial == NULL) open_contexts();
    if (size == 0) return 0;
    const bool errors = data[0] & 1;
    const uint8_t *first = data + 1, *last = memchr(first, 0xff, size - 1);
    if (last == NULL) last = data + size;
    const size_t length = (size_t)(last - first);
    if (length > PATTERNS || memchr(first, 0, length) != NULL) return 0;
    memcpy(patterns, first, length);
    patterns[length] = 0;
    make_rules(patterns, rules);
    const hd_status status =
        hd_lexer_open(serial, rules, &lexer, &(hd_lexer_options){.max_states = 300});
    if (status != HD_OK) {
        if (lexer != NULL || status != HD_ERROR_VALUE || hd_error(serial)[0] == 0) abort();
        return 0;
    }
    const uint8_t *text = last < data + size ? last + 1 : last;
    int64_t n = data + size - text;
    if (n > TEXT) n = TEXT;
    lex(cores, lexer, text, n, HD_LEX_BLOCKS, errors, &blocks);
    check_tokens(lexer, &blocks, n, errors);
    if (blocks.status == HD_OK) check_alone(lexer, &blocks, text);
    if (hd_lexer_states(lexer) <= 255) { // of which one is dead
        lex(serial, lexer, text, n, HD_LEX_SCAN, errors, &scans);
        if (scans.status != blocks.status || scans.error != blocks.error) abort();
        if (scans.status == HD_OK && memcmp(&scans, &blocks, sizeof scans) != 0) abort();
    }
    hd_lexer_close(serial, lexer);
    return 0;
}
