// SPDX-License-Identifier: Apache-2.0
//
// The rows of tokens: n bytes of JSON and of C, made token by token, so that what they are is
// known. Peers: the text, with two bytes 0 behind it; they write begins and lengths, too, to memory
// of their own. GB/s counts bytes of text.
#include "algorithm_row.h"

#include <heddle_algorithms.h>
#include <stdio.h>
#include <string.h>

static const bench_case cases[] = {
    {"json", "u8", "", PEER_OTHER_OP, PEER_U8, PEER_I32, NULL, NULL},
    {"c", "u8", "", PEER_OTHER_OP, PEER_U8, PEER_I32, NULL, NULL},
};

typedef struct state {
    algorithm_row row;
    hd_context *ctx;
    hd_lexer *lexer;
    hd_view text, kinds, begins, lengths;
    int64_t count;
} state;

// A text on its way, and the kinds of its tokens.
typedef struct writer {
    char *text;
    int32_t *kind;
    int64_t at, n, tokens, turn;
} writer;

static void put(writer *w, int32_t kind, const char *bytes)
{
    const int64_t length = (int64_t)strlen(bytes);
    if (length > w->n - w->at) { // no room: the rest is blank
        while (w->at < w->n) w->text[w->at++] = ' ';
        return;
    }
    memcpy(w->text + w->at, bytes, (size_t)length);
    w->at += length;
    if (kind >= 0) w->kind[w->tokens++] = kind;
}

static int pick(writer *w, int below)
{
    return (int)(data_mix((uint64_t)w->turn++) % (uint64_t)below);
}

// Rules by their numbers: hd_lex_rules("json").
static void put_json(writer *w)
{
    static const char *const words[] = {"name", "type", "description of it", "id", "list", "a"};
    char bytes[80];
    put(w, 1, "{");
    for (int k = 0; k < 4; k++) {
        snprintf(bytes, sizeof bytes, "\"%s\"", words[pick(w, 6)]);
        put(w, 7, bytes), put(w, 5, ":"), put(w, -1, " ");
        switch (pick(w, 4)) {
        case 0: snprintf(bytes, sizeof bytes, "%d.%d", pick(w, 1000) - 500, pick(w, 90)); break;
        case 1: snprintf(bytes, sizeof bytes, "%de-%d", pick(w, 90), pick(w, 9)); break;
        default: snprintf(bytes, sizeof bytes, "\"%s, \\\"no. %d\\\"\"", words[pick(w, 6)], k);
        }
        put(w, bytes[0] == '"' ? 7 : 8, bytes);
        put(w, 6, ","), put(w, -1, "\n    ");
    }
    put(w, 7, "\"last\""), put(w, 5, ":"), put(w, 3, "["), put(w, 9, "true"), put(w, 6, ",");
    put(w, 11, "null"), put(w, 4, "]"), put(w, 2, "}"), put(w, -1, "\n");
}

// Rules by their numbers: hd_lex_rules("c").
static void put_c(writer *w)
{
    char bytes[80];
    put(w, 2, "static"), put(w, -1, " "), put(w, 2, "int"), put(w, -1, " ");
    snprintf(bytes, sizeof bytes, "name_%d", pick(w, 10000));
    put(w, 2, bytes), put(w, 6, "("), put(w, 2, "void"), put(w, 6, ")"), put(w, -1, "\n");
    put(w, 6, "{"), put(w, -1, "\n    ");
    for (int k = 0; k < 3; k++) {
        put(w, -1, k == 1 ? "/* what it does */ " : k == 2 ? "// and why\n    " : "");
        put(w, 2, "x"), put(w, -1, " "), put(w, 6, k ? "+=" : "="), put(w, -1, " ");
        snprintf(bytes, sizeof bytes, "0x%x", (unsigned)pick(w, 100000));
        put(w, 3, bytes), put(w, 6, ";"), put(w, -1, "\n    ");
    }
    put(w, 2, "puts"), put(w, 6, "("), put(w, 5, "\"a text\\n\""), put(w, 6, ")"), put(w, 6, ";");
    put(w, -1, "\n"), put(w, 6, "}"), put(w, -1, "\n\n");
}

static void call(bench_row *row)
{
    state *s = row->state;
    const hd_status status = hd_lex(row->ctx, s->lexer, s->text, algorithm_at(s->kinds, row->out),
                                    s->begins, s->lengths, HD_VIEW(&s->count, 1), NULL);
    if (status) row->status = status;
}

static void finish(bench_row *row)
{
    state *s = row->state;
    if (s != NULL) hd_lexer_close(s->ctx, s->lexer);
    algorithm_finish(row);
}

static bool prepare(data *d, bench_row *row)
{
    const bool is_c = row->what->op[0] == 'c';
    const int64_t n = row->job.n;
    state *s = algorithm_begin(row, d, is_c ? "lex-c" : "lex-json", sizeof *s);
    if (!s) return false;
    s->ctx = row->ctx;
    writer w = {.text = algorithm_array(&s->row, n + 2, 1), .n = n};
    w.kind = algorithm_array(&s->row, n, sizeof *w.kind);
    void *begins = algorithm_array(&s->row, n, 8), *lengths = algorithm_array(&s->row, n, 8);
    if (s->row.no_memory) return false;
    while (w.at < n) is_c ? put_c(&w) : put_json(&w);
    algorithm_output(row, d, w.tokens);
    if (s->row.no_memory) return false;
    memcpy(s->row.want, w.kind, (size_t)w.tokens * sizeof *w.kind);
    s->text = HD_VIEW((uint8_t *)w.text, n);
    s->kinds = hd_view_of(HD_I32, d->out, w.tokens);
    s->begins = hd_view_of(HD_I64, begins, w.tokens);
    s->lengths = hd_view_of(HD_I64, lengths, w.tokens);
    algorithm_input(&s->row, 0, w.text, PEER_U8, n);
    algorithm_input(&s->row, 1, begins, PEER_I64, n);
    algorithm_input(&s->row, 2, lengths, PEER_I64, n);
    algorithm_peak(row, PEAK_READ, n, n);
    algorithm_on_device(row, 0, &s->text);
    algorithm_on_device(row, 1, &s->begins);
    algorithm_on_device(row, 2, &s->lengths);
    row->heddle = call;
    return hd_lexer_open(row->ctx, hd_lex_rules(row->what->op), &s->lexer, NULL) == HD_OK;
}

static const int64_t sizes[] = {1 << 16, 3000001, 1 << 24, 0};

const bench_pattern pattern_lex = {
    .name = "lex",
    .formula = "bytes of text",
    .cases = cases,
    .case_count = sizeof cases / sizeof *cases,
    .sizes = sizes,
    .most_bytes = 8,
    .prepare = prepare,
    .finish = finish,
};
