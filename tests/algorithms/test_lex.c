// SPDX-License-Identifier: Apache-2.0
//
// hd_lex against definitions of its own: random rules, matched by sets of positions, on random
// texts; JSON and CSV by scanners written out; texts that make scans fail far away; errors in rules
// and texts; outputs of all layouts and too small ones; failing memory. By both methods, on every
// backend.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle_algorithms.h>

#include "tests/algorithms/failing_memory.h"
#include "tests/algorithms/lex_by_hand.h"
#include "tests/support/check.h"

enum { ROOM = 1 << 12, MOST_RULES = 8 };

static hd_status lex(hd_context *ctx, const hd_lexer *lexer, const char *text, int64_t n,
                     tokens *got, int64_t room, int32_t method, int32_t error_kind)
{
    got->count = got->error = -7;
    return hd_lex(ctx, lexer, HD_VIEW((const unsigned char *)text, n), HD_VIEW(got->kind, room),
                  HD_VIEW(got->begin, room), HD_VIEW(got->length, room), HD_VIEW(&got->count, 1),
                  &(hd_lex_options){.error_kind = error_kind,
                                    .method = method,
                                    .error = HD_REF(HD_VIEW(&got->error, 1))});
}

static void check_same_tokens(const tokens *got, const tokens *want, const char *what,
                              const char *name)
{
    CHECK(got->count == want->count && got->error == want->error,
          "%s on %s: %" PRId64 " tokens, %" PRId64 " expected; error at %" PRId64 ", %" PRId64,
          what, name, got->count, want->count, got->error, want->error);
    if (got->count != want->count) return;
    for (int64_t k = 0; k < want->count; k++)
        if (got->kind[k] != want->kind[k] || got->begin[k] != want->begin[k] ||
            got->length[k] != want->length[k]) {
            CHECK(false,
                  "%s on %s: token %" PRId64 " is %d, %" PRId64 " + %" PRId64
                  "; expected %d, %" PRId64 " + %" PRId64,
                  what, name, k, got->kind[k], got->begin[k], got->length[k], want->kind[k],
                  want->begin[k], want->length[k]);
            return;
        }
}

// ---- Random rules ---------------------------------------------------------------------------

// An expression, made as a tree: its text, and the ends of its matches by sets of positions.
typedef enum shape { LETTER, EITHER, BOTH, MANY, SOME, MAYBE, TWICE, SHAPES } shape;

typedef struct tree {
    shape shape;
    char letters[4]; // of LETTER: one, or three in a class
    struct tree *left, *right;
} tree;

static tree pool[4096];
static int pooled;

static tree *random_tree(uint64_t *r, int depth)
{
    tree *t = &pool[pooled++];
    memset(t, 0, sizeof *t);
    t->shape = depth == 0 ? LETTER : (shape)check_below(r, SHAPES);
    for (int k = 0; k < 3; k++) t->letters[k] = (char)('a' + check_below(r, 3));
    t->letters[check_below(r, 2) ? 1 : 3] = 0;
    if (t->shape == LETTER) return t;
    t->left = random_tree(r, depth - 1);
    if (t->shape == EITHER || t->shape == BOTH) t->right = random_tree(r, depth - 1);
    return t;
}

static void write_tree(const tree *t, char *out)
{
    static const char *const signs[SHAPES] = {"", "|", "", "*", "+", "?", "{1,2}"};
    char *at = out + strlen(out);
    if (t->shape == LETTER) {
        sprintf(at, t->letters[1] ? "[%s]" : "%s", t->letters);
        return;
    }
    strcat(at, "(");
    write_tree(t->left, out);
    if (t->right != NULL) strcat(out, signs[t->shape]), write_tree(t->right, out);
    strcat(out, ")");
    if (t->right == NULL) strcat(out, signs[t->shape]);
}

// to[j] where a match of t that begins at some i with from[i] ends at j.
static void match_tree(const tree *t, const char *text, int64_t n, const bool *from, bool *to)
{
    bool *a = check_memory((size_t)n + 1), *b = check_memory((size_t)n + 1);
    memset(to, 0, (size_t)n + 1);
    if (t->shape == LETTER) {
        for (int64_t i = 0; i < n; i++) to[i + 1] = from[i] && strchr(t->letters, text[i]);
    } else if (t->shape == BOTH) {
        match_tree(t->left, text, n, from, a);
        match_tree(t->right, text, n, a, to);
    } else if (t->shape == EITHER) {
        match_tree(t->left, text, n, from, a);
        match_tree(t->right, text, n, from, to);
        for (int64_t i = 0; i <= n; i++) to[i] |= a[i];
    } else {
        const int64_t times = t->shape == MAYBE ? 1 : t->shape == TWICE ? 2 : n + 1;
        memcpy(a, from, (size_t)n + 1);
        if (t->shape == MANY || t->shape == MAYBE) memcpy(to, from, (size_t)n + 1);
        for (int64_t k = 0; k < times; k++) {
            bool more = false;
            match_tree(t->left, text, n, a, b);
            for (int64_t i = 0; i <= n; i++) more |= b[i] && !to[i], to[i] |= b[i];
            memcpy(a, b, (size_t)n + 1);
            if (!more && k > 0) break;
        }
    }
    free(a), free(b);
}

// From `at` on, the longest match of the first rule that has it.
static int64_t longest(tree *const *rule, int rules, const char *text, int64_t n, int64_t at,
                       int *which)
{
    bool *from = check_memory((size_t)n + 1), *to = check_memory((size_t)n + 1);
    int64_t best = at;
    for (int k = 0; k < rules; k++) {
        memset(from, 0, (size_t)n + 1);
        from[at] = true;
        match_tree(rule[k], text, n, from, to);
        for (int64_t i = n; i > best; i--)
            if (to[i]) best = i, *which = k;
    }
    free(from), free(to);
    return best;
}

static void expected(tree *const *rule, const hd_lex_rule *table, int rules, const char *text,
                     int64_t n, tokens *want)
{
    int which = 0;
    want->count = 0, want->error = -1;
    for (int64_t at = 0, end; at < n; at = end) {
        end = longest(rule, rules, text, n, at, &which);
        if (end == at) {
            if (want->error < 0) want->error = at;
            add_token(want, -1, at, ++end);
        } else if (!table[which].skip) {
            add_token(want, which, at, end);
        }
    }
}

static void try_text(hd_context *ctx, const char *name, const hd_lexer *lexer, const char *text,
                     int64_t n, const tokens *want)
{
    tokens got = new_tokens(n);
    for (int method = HD_LEX_AUTO; method <= HD_LEX_BLOCKS; method++) {
        CHECK_OK(ctx, lex(ctx, lexer, text, n, &got, n, method, -1));
        check_same_tokens(&got, want, method == HD_LEX_SCAN ? "scan" : "blocks", name);
    }
    const hd_status status = lex(ctx, lexer, text, n, &got, n, HD_LEX_AUTO, 0);
    CHECK(status == (want->error < 0 ? HD_OK : HD_ERROR_VALUE), "%s: %s", name, hd_error(ctx));
    CHECK(got.error == want->error, "%s: error at %" PRId64, name, got.error);
    drop_tokens(&got);
}

// Texts in which the rules match and nearly match.
static void fill_text(char *text, int64_t n, uint64_t *r)
{
    const int64_t letters = 1 + check_below(r, 4);
    for (int64_t i = 0; i < n; i++) text[i] = (char)('a' + check_below(r, letters));
    for (int64_t run = check_below(r, 3); run > 0 && n > 8; run--) {
        const int64_t at = check_below(r, n), length = check_below(r, n - at);
        memset(text + at, 'a' + (int)check_below(r, 3), (size_t)length);
    }
}

static void random_rules(hd_context *const *ctx, const char *const *name, int contexts, int turn,
                         int64_t most)
{
    uint64_t r = check_seed() + (uint64_t)turn * 7919;
    tree *rule[MOST_RULES];
    static char pattern[MOST_RULES][4096];
    hd_lex_rule table[MOST_RULES + 1] = {{0}};
    const int rules = 1 + (int)check_below(&r, MOST_RULES);
    char text[512];
    pooled = 0;
    for (int k = 0; k < rules; k++) {
        rule[k] = random_tree(&r, (int)check_below(&r, 5));
        pattern[k][0] = 0;
        write_tree(rule[k], pattern[k]);
        table[k] = (hd_lex_rule){"rule", pattern[k], check_below(&r, 4) == 0};
    }
    hd_lexer *lexer;
    const hd_status status = hd_lexer_open(ctx[0], table, &lexer, NULL);
    if (status != HD_OK) {
        CHECK(strstr(hd_error(ctx[0]), "matches no bytes at all"), "\"%s\"", hd_error(ctx[0]));
        return;
    }
    tokens want = new_tokens(most);
    for (int k = 0; k < 3; k++) {
        const int64_t n = check_below(&r, most);
        fill_text(text, n, &r);
        expected(rule, table, rules, text, n, &want);
        for (int c = 0; c < contexts; c++) try_text(ctx[c], name[c], lexer, text, n, &want);
    }
    drop_tokens(&want);
    hd_lexer_close(ctx[0], lexer);
}

// ---- JSON and CSV ----------------------------------------------------------------------------

static void test_json(hd_context *ctx, const char *name, const hd_lexer *lexer, int64_t n,
                      bool broken, int turn)
{
    uint64_t r = check_seed() + (uint64_t)turn;
    char *s = check_memory((size_t)n + 1);
    n = fill_json(s, n, &r, broken);
    tokens want = new_tokens(n);
    json_tokens(s, n, &want);
    CHECK(broken || want.error < 0, "the text is whole");
    try_text(ctx, name, lexer, s, n, &want);
    drop_tokens(&want);
    free(s);
}

static void test_csv(hd_context *ctx, const char *name, const hd_lexer *lexer, int64_t n, int turn)
{
    uint64_t r = check_seed() + (uint64_t)turn;
    char *s = check_memory((size_t)n + 1);
    tokens want = new_tokens(n);
    const int64_t quotes = turn % 3 == 0 ? 4 : turn % 3 == 1 ? 100 : 100000;
    for (int64_t i = 0; i < n; i++)
        s[i] = check_below(&r, quotes) == 0 ? '"' : "abc,, \n\r"[check_below(&r, 8)];
    csv_tokens(s, n, &want);
    try_text(ctx, name, lexer, s, n, &want);
    drop_tokens(&want);
    free(s);
}

// ---- Scans that fail far away ---------------------------------------------------------------

// If each scan went to the end of the text, this would take 10^10 steps: hours with sanitizers.
static void test_far(hd_context *ctx, const char *name, int32_t method)
{
    const hd_lex_rule rules[] = {
        {"a", "a", false}, {"b", "a*b", false}, {"c", "[ac]*d[ac]*e", false}, {NULL, NULL, false}};
    enum { N = 100000 };
    char *s = check_memory(N);
    hd_lexer *lexer;
    tokens got = new_tokens(N);
    CHECK_OK(ctx, hd_lexer_open(ctx, rules, &lexer, NULL));
    memset(s, 'a', N);
    CHECK_OK(ctx, lex(ctx, lexer, s, N, &got, N, method, 0));
    CHECK(got.count == N && got.length[N / 2] == 1, "%s: %" PRId64 " tokens", name, got.count);
    s[N / 2] = 'd';
    CHECK_OK(ctx, lex(ctx, lexer, s, N, &got, N, method, 100));
    CHECK(got.count == N && got.error == N / 2 && got.kind[N / 2] == 100, "%s: %" PRId64, name,
          got.count);
    s[N - 10] = 'e';
    CHECK_OK(ctx, lex(ctx, lexer, s, N, &got, N, method, 0));
    CHECK(got.count == 10 && got.length[0] == N - 9 && got.kind[0] == 2, "%s: %" PRId64, name,
          got.count);
    hd_lexer_close(ctx, lexer);
    drop_tokens(&got);
    free(s);
}

// ---- More states than 254, than 14; chunks of the scans --------------------------------------

static void test_words(hd_context *ctx, const char *name, int words, bool scans)
{
    static char pattern[8192];
    const hd_lex_rule rules[] = {
        {"word", pattern, false}, {"letter", "[a-z]", false}, {NULL, NULL, false}};
    enum { N = 70000 };
    uint64_t r = check_seed();
    hd_lexer *lexer;
    char *s = check_memory(N);
    tokens a = new_tokens(N), b = new_tokens(N);
    pattern[0] = 0;
    for (int k = 0, at = 0; k < words; k++) {
        at += sprintf(pattern + at, k > 0 ? "|" : "");
        for (int j = 0; j < 8; j++) pattern[at++] = (char)('a' + check_below(&r, 3));
        pattern[at] = 0;
    }
    CHECK_OK(ctx, hd_lexer_open(ctx, rules, &lexer, NULL));
    for (int64_t i = 0; i < N; i++) {
        s[i] = (char)('a' + check_below(&r, 3));
        if (check_below(&r, 20) == 0 && i + 9 < N) // a word
            memcpy(s + i + 1, pattern + 9 * check_below(&r, words), 8), i += 8;
    }
    CHECK((hd_lexer_states(lexer) <= 255) == scans, "%" PRId64 " states", hd_lexer_states(lexer));
    CHECK_OK(ctx, lex(ctx, lexer, s, N, &a, N, HD_LEX_BLOCKS, 0));
    const hd_status status = lex(ctx, lexer, s, N, &b, N, HD_LEX_SCAN, 0);
    if (scans)
        check_same_tokens(&b, &a, "words", name);
    else
        CHECK(status == HD_ERROR_ARGUMENT && strstr(hd_error(ctx), "254"), "%s", hd_error(ctx));
    hd_lexer_close(ctx, lexer);
    drop_tokens(&a), drop_tokens(&b);
    free(s);
}

// ---- Outputs, errors, memory ----------------------------------------------------------------

static const char sample[] = "{\"a\": [1, 2.5, true]}";

static void test_outputs(hd_context *ctx, const hd_lexer *lexer)
{
    const int64_t n = (int64_t)strlen(sample);
    tokens want = new_tokens(n);
    int64_t count = -1;
    json_tokens(sample, n, &want);
    for (int method = 0; method < 3; method++)
        for (int64_t room = 0; room <= want.count + 1; room++) {
            const check_layout layout = room % 3 == 0   ? CHECK_DENSE
                                        : room % 3 == 1 ? CHECK_STRIDED
                                                        : CHECK_REVERSED;
            check_array kinds = check_new(HD_I32, room, layout, room & 1),
                        begins = check_new(HD_I64, room, layout, 0);
            int32_t got[32];
            const hd_status status = hd_lex(ctx, lexer, HD_VIEW((const unsigned char *)sample, n),
                                            kinds.view, begins.view, HD_EMPTY, HD_VIEW(&count, 1),
                                            &(hd_lex_options){.method = method});
            CHECK(status == (room < want.count ? HD_ERROR_SHAPE : HD_OK) && count == want.count,
                  "room for %" PRId64 ": %s", room, hd_error(ctx));
            check_get(&kinds, got);
            CHECK(memcmp(got, want.kind, (size_t)(room < count ? room : count) * 4) == 0,
                  "the first %" PRId64, room);
            CHECK(check_gaps(&kinds) && check_gaps(&begins), "gaps");
            check_drop(&kinds), check_drop(&begins);
        }
    CHECK_OK(ctx, hd_lex(ctx, lexer, HD_VIEW((const unsigned char *)sample, 0), HD_EMPTY, HD_EMPTY,
                         HD_EMPTY, HD_VIEW(&count, 1), NULL));
    CHECK(count == 0, "an empty text");
    drop_tokens(&want);
}

#define FAILS(status, text, call)                                                                  \
    do {                                                                                           \
        const hd_status got = (call);                                                              \
        CHECK(got == (status) && strstr(hd_error(ctx), text) != NULL, "%s, \"%s\"",                \
              hd_status_name(got), hd_error(ctx));                                                 \
    } while (0)

static void test_rule_errors(hd_context *ctx)
{
    static const char *const rows[][2] = {
        {"a(b", "position 1 of \"a(b\": expected ) after this ("},
        {"ab)", "position 2"},
        {"[ab", "expected ] after"},
        {"[b-a]", "expected a range that rises"},
        {"a\\q", "expected \\ and one of"},
        {"\\x4", "expected \\ and one of"},
        {"abc\\", "position 3"},
        {"*a", "position 0"},
        {"a|+", "expected something before it to repeat"},
        {"a{3", "expected {m}"},
        {"a{4,2}", "expected {m}"},
        {"a{0}", "not {0}"},
        {"a{999}", "0 .. 255"},
        {"a*{3}", "parentheses around"},
        {"a*", "matches no bytes at all"},
        {"", "matches no bytes at all"},
        {"((a{255}){255}){255}", "too long"},
        {"(a|b)*a(a|b){14}", "more than 4096 states"},
    };
    hd_lexer *lexer;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const hd_lex_rule rules[] = {{"x", rows[k][0], false}, {NULL, NULL, false}};
        FAILS(HD_ERROR_VALUE, rows[k][1], hd_lexer_open(ctx, rules, &lexer, NULL));
        CHECK(lexer == NULL && strstr(hd_error(ctx), "hd_lexer_open: "), "%s", hd_error(ctx));
    }
    static char deep[500];
    memset(deep, '(', 499);
    const hd_lex_rule none[] = {{NULL, NULL, false}}, nested[] = {{"x", deep, false}, {0}},
                      empty[] = {{"x", NULL, false}, {0}}, good[] = {{"x", "a", false}, {0}};
    FAILS(HD_ERROR_VALUE, "nested", hd_lexer_open(ctx, nested, &lexer, NULL));
    FAILS(HD_ERROR_VALUE, "no rule", hd_lexer_open(ctx, none, &lexer, NULL));
    FAILS(HD_ERROR_ARGUMENT, "no pattern", hd_lexer_open(ctx, empty, &lexer, NULL));
    FAILS(HD_ERROR_ARGUMENT, "rules is NULL", hd_lexer_open(ctx, NULL, &lexer, NULL));
    FAILS(HD_ERROR_ARGUMENT, "lexer is NULL", hd_lexer_open(ctx, good, NULL, NULL));
    FAILS(HD_ERROR_ARGUMENT, "max_states",
          hd_lexer_open(ctx, good, &lexer, &(hd_lexer_options){.max_states = 5000}));
    FAILS(HD_ERROR_VALUE, "more than 2 states",
          hd_lexer_open(ctx, good, &lexer, &(hd_lexer_options){.max_states = 2}));
    CHECK(hd_lex_rules("cobol") == NULL && hd_lex_rules(NULL) == NULL, "languages");
}

static void test_errors(hd_context *ctx, const hd_lexer *lexer)
{
    unsigned char text[8] = "[1, 2]";
    int32_t kinds[8];
    int64_t count, begins[8];
    const hd_view t = HD_VIEW(text, 6), k = HD_VIEW(kinds, 8), b = HD_VIEW(begins, 8),
                  c = HD_VIEW(&count, 1);
    FAILS(HD_ERROR_ARGUMENT, "lexer", hd_lex(ctx, NULL, t, k, b, HD_EMPTY, c, NULL));
    FAILS(HD_ERROR_TYPE, "text has", hd_lex(ctx, lexer, k, k, b, HD_EMPTY, c, NULL));
    FAILS(HD_ERROR_TYPE, "kinds has", hd_lex(ctx, lexer, t, b, b, HD_EMPTY, c, NULL));
    FAILS(HD_ERROR_TYPE, "lengths has", hd_lex(ctx, lexer, t, k, b, k, c, NULL));
    FAILS(HD_ERROR_ALIAS, "lengths overlaps begins", hd_lex(ctx, lexer, t, k, b, b, c, NULL));
    FAILS(HD_ERROR_ARGUMENT, "count", hd_lex(ctx, lexer, t, k, b, HD_EMPTY, HD_EMPTY, NULL));
    FAILS(HD_ERROR_ARGUMENT, "method",
          hd_lex(ctx, lexer, t, k, b, HD_EMPTY, c, &(hd_lex_options){.method = 3}));
    FAILS(HD_ERROR_ARGUMENT, "kinds", hd_lex(ctx, lexer, t, hd_read_only(k), b, HD_EMPTY, c, NULL));
    text[4] = '#';
    for (int method = 0; method < 3; method++)
        FAILS(HD_ERROR_VALUE, "no rule matches at byte 4 of the text, which is 0x23 ('#')",
              hd_lex(ctx, lexer, t, k, b, HD_EMPTY, c, &(hd_lex_options){.method = method}));
    CHECK(hd_lex(NULL, lexer, t, k, b, HD_EMPTY, c, NULL) == HD_ERROR_ARGUMENT, "no context");
}

static void test_memory(int method)
{
    static char text[20000];
    uint64_t r = check_seed();
    const int64_t n = fill_json(text, sizeof text, &r, false);
    tokens got = new_tokens(n);
    bool met = true;
    for (long long k = 0; met; k++) {
        failing_ledger l = {.fail_at = -1};
        hd_context *ctx = NULL;
        hd_lexer *lexer = NULL;
        CHECK_OK(ctx, hd_open(&ctx, &(hd_context_options){
                                        .backend = HD_CPU,
                                        .threads = 2,
                                        .allocator = {failing_allocate, failing_release, &l}}));
        l.fail_at = l.calls + k;
        hd_status status = hd_lexer_open(ctx, hd_lex_rules("json"), &lexer, NULL);
        if (status == HD_OK) status = lex(ctx, lexer, text, n, &got, n, method, 0);
        met = l.calls > l.fail_at;
        CHECK(status == (met ? HD_ERROR_MEMORY : HD_OK), "allocation %lld: %s", k, hd_error(ctx));
        hd_lexer_close(ctx, lexer);
        hd_close(ctx);
        CHECK(l.alive == 0, "allocation %lld: %lld blocks lost", k, l.alive);
    }
    drop_tokens(&got);
}

// ---- A GPU, or its model --------------------------------------------------------------------

static void on_device(hd_context *ctx, const hd_lexer *lexer, const char *text, int64_t n,
                      const tokens *want)
{
    hd_view whole, k, b, l;
    const int64_t room = want->count, bytes = n + 3;
    tokens got = new_tokens(n);
    CHECK_OK(ctx, hd_alloc_device(ctx, HD_U8, 1, &bytes, &whole));
    const hd_view t = hd_slice(whole, 0, 3, n, 1); // not aligned
    CHECK_OK(ctx, hd_alloc_device(ctx, HD_I32, 1, &room, &k));
    CHECK_OK(ctx, hd_alloc_device(ctx, HD_I64, 1, &room, &b));
    CHECK_OK(ctx, hd_alloc_device(ctx, HD_I64, 1, &room, &l));
    CHECK_OK(ctx, hd_map(ctx, HD_VIEW((const unsigned char *)text, n), NULL, t, NULL));
    CHECK_OK(ctx,
             hd_lex(ctx, lexer, t, k, b, l, HD_VIEW(&got.count, 1),
                    &(hd_lex_options){.error_kind = -1, .error = HD_REF(HD_VIEW(&got.error, 1))}));
    CHECK_OK(ctx, hd_map(ctx, k, NULL, HD_VIEW(got.kind, room), NULL));
    CHECK_OK(ctx, hd_map(ctx, b, NULL, HD_VIEW(got.begin, room), NULL));
    CHECK_OK(ctx, hd_map(ctx, l, NULL, HD_VIEW(got.length, room), NULL));
    CHECK_OK(ctx, hd_sync(ctx));
    check_same_tokens(&got, want, "a device's text", "gpu");
    CHECK(hd_lex(ctx, lexer, t, k, b, l, HD_VIEW(&got.count, 1),
                 &(hd_lex_options){.method = HD_LEX_BLOCKS}) == HD_ERROR_ARGUMENT,
          "blocks of a device");
    hd_view *const all[] = {&whole, &k, &b, &l};
    for (int v = 0; v < 4; v++) CHECK_OK(ctx, hd_free(ctx, all[v]));
    drop_tokens(&got);
}

// Where there is no memory for a whole text it is done chunk by chunk: here an allocator refuses
// some tables.
typedef struct refusal {
    int64_t left;
} refusal;

static void *refusing_allocate(void *user, size_t bytes, size_t alignment)
{
    refusal *r = user;
    if (bytes >= 20000 && r->left-- > 0) return NULL;
    return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

static void refusing_release(void *user, void *memory, size_t bytes)
{
    (void)user, (void)bytes;
    free(memory);
}

static void test_chunks(hd_backend which, const hd_lexer *lexer)
{
    enum { N = 60000 };
    for (int turns = 0; turns < 3; turns++) {
        uint64_t r = check_seed() + (uint64_t)turns;
        refusal refuse = {0};
        hd_context *ctx = NULL;
        char *s = check_memory(N);
        const int64_t n = fill_json(s, N, &r, true);
        tokens want = new_tokens(n), got = new_tokens(n);
        json_tokens(s, n, &want);
        CHECK_OK(ctx,
                 hd_open(&ctx, &(hd_context_options){
                                   .backend = (int32_t)which,
                                   .threads = 1,
                                   .allocator = {refusing_allocate, refusing_release, &refuse}}));
        refuse.left = turns;
        CHECK_OK(ctx, lex(ctx, lexer, s, n, &got, n, HD_LEX_SCAN, -1));
        CHECK(refuse.left <= 0, "%d tables were refused less", (int)refuse.left);
        check_same_tokens(&got, &want, "chunks", hd_backend_name(which));
        hd_close(ctx);
        drop_tokens(&want), drop_tokens(&got);
        free(s);
    }
}

// Levels of blocks.
static void test_on_gpu(hd_context *ctx, const char *name, hd_backend which)
{
    const bool large = which == HD_CUDA;
    hd_lexer *json, *csv;
    CHECK_OK(ctx, hd_lexer_open(ctx, hd_lex_rules("json"), &json, NULL));
    CHECK_OK(ctx, hd_lexer_open(ctx, hd_lex_rules("csv"), &csv, NULL));
    test_json(ctx, name, json, large ? 50000000 : 140000, true, 1);
    test_csv(ctx, name, csv, large ? 20000000 : 30000, 2);
    test_far(ctx, name, HD_LEX_SCAN);
    test_words(ctx, name, 10, true);
    test_words(ctx, name, 40, true);
    test_words(ctx, name, 300, false);
    test_outputs(ctx, json);
    test_errors(ctx, json);
    test_chunks(which, json);
    hd_lexer_close(ctx, json), hd_lexer_close(ctx, csv);
}

static void test_gpu(hd_backend which)
{
    hd_context *ctx = check_open(which, 1, NULL);
    const char *const name = hd_backend_name(which);
    static const char *const languages[] = {"json", "csv"};
    uint64_t r = check_seed();
    char s[700];
    for (int k = 0; k < 2; k++) {
        hd_lexer *lexer;
        tokens want = new_tokens(sizeof s);
        const int64_t n = fill_json(s, sizeof s, &r, true);
        CHECK_OK(ctx, hd_lexer_open(ctx, hd_lex_rules(languages[k]), &lexer, NULL));
        (k == 0 ? json_tokens : csv_tokens)(s, n, &want);
        on_device(ctx, lexer, s, n, &want);
        hd_lexer_close(ctx, lexer);
        drop_tokens(&want);
    }
    // Blocks of the device have 128 bytes.
    for (int turn = 0; turn < 12; turn++) random_rules(&ctx, &name, 1, turn, 500);
    test_on_gpu(ctx, name, which);
    hd_close(ctx);
}

int main(void)
{
    const check_target *targets;
    const int count = check_targets(&targets);
    hd_context *ctx[64];
    const char *name[64];
    hd_lexer *json, *csv;
    for (int t = 0; t < count; t++) ctx[t] = targets[t].ctx, name[t] = targets[t].name;
    CHECK_OK(ctx[0], hd_lexer_open(ctx[0], hd_lex_rules("json"), &json, NULL));
    CHECK_OK(ctx[0], hd_lexer_open(ctx[0], hd_lex_rules("csv"), &csv, NULL));
    CHECK(!strcmp(hd_lexer_name(json, 7), "string") && hd_lexer_name(json, 12) == NULL &&
              hd_lexer_rules(json) == 12 && hd_lexer_rules(NULL) == 0,
          "names");
    for (int turn = 0; turn < (check_small() ? 40 : 300); turn++)
        random_rules(ctx, name, turn % 10 == 0 ? count : 2, turn, 200);
    const int64_t less = check_small() ? 4 : 1;
    for (int t = 0; t < count; t++) {
        test_json(ctx[t], name[t], json, 3000 + 700 * t, t % 2 == 1, t);
        if (t >= 8) continue;
        test_json(ctx[t], name[t], json, (t < 2 ? 150000 : 40000) / less, t % 3 == 1, t);
        test_csv(ctx[t], name[t], csv, 60000 / less, t);
        if (t < 8 / less) test_far(ctx[t], name[t], HD_LEX_BLOCKS);
    }
    test_csv(ctx[1], name[1], csv, check_small() ? 100000 : 2500000, 1);
    for (int t = 0; t < 2; t++) {
        test_words(ctx[t], name[t], 10, true);
        test_words(ctx[t], name[t], 40, true);
        test_words(ctx[t], name[t], 300, false);
        test_outputs(ctx[t], json);
        test_errors(ctx[t], json);
        test_rule_errors(ctx[t]);
    }
    for (int method = HD_LEX_SCAN; method <= HD_LEX_BLOCKS; method++) test_memory(method);
    hd_lexer_close(ctx[0], json), hd_lexer_close(ctx[0], csv);
    const int code = check_on_gpus(test_gpu);
    return code == CHECK_SKIP ? check_finish() : code;
}
