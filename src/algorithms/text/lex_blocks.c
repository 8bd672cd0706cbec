// SPDX-License-Identifier: Apache-2.0
// hd_lex of host memory by the cores: each thread scans a block from where it guesses that a token
// begins. Where the tokens of the block before end, the true first token begins; from the first
// place on where one of the guessed tokens begins as well, they are the true ones.
#include "lex.h"

#include "../support/team.h"

#include <string.h>

enum {
    BLOCK = 1 << 18,    // bytes a thread scans at a time: its tokens stay in the cache
    LEAST_BLOCK = 2048, // a smaller one is not worth a thread
    FAR = 256,          // bytes between marks
    TRIAL = 1024,       // bytes that a guess must go without an error
    GUESSES = 256
};

// A token in scratch: where it ends, above its kind.
#define KIND_BITS 16
enum { ERROR_KIND = 0x7fff, SKIPPED = 0x8000, KIND = 0xffff };

typedef struct block {
    int64_t begin, end, guess;   // bytes that its tokens begin at; where the first one may
    uint64_t *token;             // those found from the guess on
    int64_t tokens, tokens_kept; // of no rule to skip
    bool errs;                   // whether one is an error
    uint64_t *true_token;        // those before the guessed ones come right
    int64_t true_tokens, right;  // the first token of the guessed ones that is right
    int64_t first;               // where its first true token begins
    int64_t kept, offset;        // tokens of no rule to skip, and where they go
    uint64_t *marks;             // states in which scans failed, at every FAR-th byte
    bool marked;                 // whether marks is in use
} block;

typedef struct job {
    hd__lex *x;
    const unsigned char *text;
    int64_t n;
    block *block;
    int32_t blocks;
    int64_t mark_words;                    // of a block
    uint16_t kind[HD__LEX_MAX_STATES + 1]; // of a token accepted in a state; dead: an error
} job;

// ---- One token ------------------------------------------------------------------------------

static bool is_marked(const block *b, const hd_lexer *lexer, unsigned state, int64_t at)
{
    const int64_t bit = at / FAR * lexer->first_accepting + state;
    return b->marks[bit >> 6] >> (bit & 63) & 1;
}

// The scan from state at a byte failed: marks all that it came through, to be stopped there.
static void mark_failure(const job *j, block *b, unsigned state, int64_t at, int64_t end)
{
    const hd_lexer *lexer = j->x->lexer;
    if (!b->marked) memset(b->marks, 0, (size_t)j->mark_words * sizeof *b->marks);
    b->marked = true;
    for (; at < end && state != HD__LEX_DEAD; at++) {
        const int64_t bit = at / FAR * lexer->first_accepting + state;
        if (at % FAR == 0) b->marks[bit >> 6] |= UINT64_C(1) << (bit & 63);
        state = lexer->next[state << 8 | j->text[at]];
    }
}

// Goes on from a state that does not accept, to the next that does: *at is behind the byte that led
// there. Dead: no byte does.
static unsigned scan_far(const job *j, block *b, unsigned state, int64_t *at)
{
    const hd_lexer *lexer = j->x->lexer;
    const unsigned from = state, accepting = (unsigned)lexer->first_accepting;
    int64_t i = *at;
    while (i < j->n && state != HD__LEX_DEAD) {
        if (i % FAR == 0 && b->marked && is_marked(b, lexer, state, i)) break;
        state = lexer->next[state << 8 | j->text[i++]];
        if (state >= accepting) return *at = i, state;
    }
    mark_failure(j, b, from, *at, i);
    return HD__LEX_DEAD;
}

// The longest match from i on: where it ends, and the state it was accepted in; dead: none, one
// byte.
static inline int64_t scan_token(const job *j, block *b, int64_t i, unsigned *accepted)
{
    const uint16_t *next = j->x->lexer->next;
    const unsigned accepting = (unsigned)j->x->lexer->first_accepting;
    const unsigned char *text = j->text;
    const int64_t n = j->n;
    const uint16_t *row = next + (HD__LEX_START << 8);
    unsigned last = HD__LEX_DEAD;
    int64_t end = i + 1, far = i + FAR;
    while (i < n) {
        unsigned state = row[text[i++]];
        if (state == HD__LEX_DEAD) break;
        row = next + (state << 8);
        const int64_t run_end = state < accepting && far < n ? far : n;
        while (i < run_end && row[text[i]] == state) i++; // loads that wait for no other
        if (state < accepting) {
            if (i < far) continue;
            state = scan_far(j, b, state, &i);
            if (state == HD__LEX_DEAD) break;
            row = next + (state << 8);
        }
        last = state, end = i, far = i + FAR;
    }
    *accepted = last;
    return end;
}

static inline int64_t scan_packed(const job *j, block *b, int64_t i, uint64_t *packed)
{
    unsigned accepted;
    const int64_t end = scan_token(j, b, i, &accepted);
    *packed = (uint64_t)end << KIND_BITS | j->kind[accepted];
    return end;
}

// ---- Blocks ---------------------------------------------------------------------------------

// How many bytes from i on go well, at most TRIAL of them.
static int64_t goes_well(const job *j, block *b, int64_t i)
{
    const int64_t first = i;
    uint64_t token;
    while (i < j->n && i < first + TRIAL) {
        const int64_t end = scan_packed(j, b, i, &token);
        if ((token & KIND) == ERROR_KIND) return i - first;
        i = end;
    }
    return TRIAL;
}

// Where a token may begin: first behind the first end of a line, then wherever a byte is.
static int64_t guess(const job *j, block *b)
{
    const int64_t length = b->end - b->begin < TRIAL ? b->end - b->begin : TRIAL;
    const unsigned char *line = memchr(j->text + b->begin, '\n', (size_t)length);
    int64_t best = b->begin, most = -1;
    for (int k = line != NULL ? -1 : 0; k < GUESSES && b->begin + k < b->end; k++) {
        const int64_t at = k < 0 ? line - j->text + 1 : b->begin + k;
        const int64_t well = at < j->n ? goes_well(j, b, at) : TRIAL;
        if (well > most) best = at, most = well;
        if (well >= TRIAL) break;
    }
    return best;
}

static void scan_block(void *user, int64_t k)
{
    const job *j = user;
    block *b = &j->block[k];
    b->guess = b->begin >= b->end || k == 0 ? b->begin : guess(j, b);
    int64_t tokens = 0, kept = 0;
    b->errs = false;
    for (int64_t i = b->guess; i < b->end; tokens++) {
        uint64_t token;
        i = scan_packed(j, b, i, &token);
        b->token[tokens] = token;
        kept += (token & SKIPPED) == 0;
        b->errs |= (token & KIND) == ERROR_KIND;
    }
    b->tokens = tokens, b->tokens_kept = kept;
}

static inline int64_t end_of(uint64_t token)
{
    return (int64_t)(token >> KIND_BITS);
}

// The true tokens of a block from where its first one begins, until one of those found begins
// there, too. Returns where the first token of the next block begins.
static int64_t set_right(const job *j, block *b, int64_t i)
{
    int64_t guessed = b->guess; // where token `right` begins
    b->first = i, b->true_tokens = b->right = 0;
    while (i < b->end) {
        while (guessed < i && b->right < b->tokens) guessed = end_of(b->token[b->right++]);
        if (guessed == i && b->right < b->tokens) return end_of(b->token[b->tokens - 1]);
        i = scan_packed(j, b, i, &b->true_token[b->true_tokens++]);
    }
    b->right = b->tokens;
    return i;
}

static int64_t count_kept(const uint64_t *token, int64_t n)
{
    int64_t kept = 0;
    for (int64_t k = 0; k < n; k++) kept += (token[k] & SKIPPED) == 0;
    return kept;
}

// The first error among tokens of which the first begins at a byte; returns where the last ends.
static int64_t find_error(hd__lex *x, const uint64_t *token, int64_t n, int64_t begin)
{
    for (int64_t k = 0; k < n; k++) {
        if ((token[k] & KIND) == ERROR_KIND && x->error < 0) x->error = begin;
        begin = end_of(token[k]);
    }
    return begin;
}

// ---- Outputs --------------------------------------------------------------------------------

typedef struct place {
    int32_t *kind;
    int64_t *begin, *length, at, room;
    int64_t kind_step, begin_step, length_step;
} place;

static int64_t write_tokens(const hd__lex *x, place *p, const uint64_t *token, int64_t n,
                            int64_t begin)
{
    for (int64_t k = 0; k < n; k++) {
        const unsigned kind = token[k] & KIND;
        const int64_t end = end_of(token[k]);
        if ((kind & SKIPPED) == 0 && p->at < p->room) {
            if (p->kind)
                p->kind[p->at * p->kind_step] = kind == ERROR_KIND ? x->error_kind : (int32_t)kind;
            if (p->begin) p->begin[p->at * p->begin_step] = begin;
            if (p->length) p->length[p->at * p->length_step] = end - begin;
            p->at++;
        }
        begin = end;
    }
    return begin;
}

static void write_block(void *user, int64_t k)
{
    const job *j = user;
    const hd__lex *x = j->x;
    const block *b = &j->block[k];
    place p = {x->kinds.data, x->begins.data,     x->lengths.data,     b->offset,
               x->room,       x->kinds.stride[0], x->begins.stride[0], x->lengths.stride[0]};
    const int64_t begin = write_tokens(x, &p, b->true_token, b->true_tokens, b->first);
    write_tokens(x, &p, b->token + b->right, b->tokens - b->right, begin);
}

// ---- Rounds ---------------------------------------------------------------------------------

static hd_status allocate(job *j, int64_t size)
{
    const int64_t blocks = j->blocks;
    hd_view row, tokens, marks;
    hd__frame *f = &j->x->f;
    j->mark_words = ((j->n / FAR + 1) * j->x->lexer->first_accepting + 63) / 64;
    hd_status status = hd__frame_row(f, HD_STRUCT(block), blocks, &row);
    if (status == HD_OK) status = hd__frame_row(f, HD_U64, 2 * blocks * size, &tokens);
    if (status == HD_OK) status = hd__frame_row(f, HD_U64, blocks * j->mark_words, &marks);
    if (status != HD_OK) return status;
    j->block = row.data;
    for (int32_t k = 0; k < j->blocks; k++) {
        memset(&j->block[k], 0, sizeof *j->block);
        j->block[k].token = (uint64_t *)tokens.data + 2 * k * size;
        j->block[k].true_token = j->block[k].token + size;
        j->block[k].marks = (uint64_t *)marks.data + k * j->mark_words;
    }
    return HD_OK;
}

// Tokens that begin from `first` on in the next blocks; returns where those after them do.
static int64_t scan_round(job *j, int64_t from, int64_t size, int64_t first)
{
    hd__lex *x = j->x;
    for (int32_t k = 0; k < j->blocks; k++) {
        const int64_t end = from + (k + 1) * size;
        j->block[k].begin = k == 0 ? first : from + k * size;
        j->block[k].end = end < j->n ? end : j->n;
    }
    hd__team_run(j->blocks, j->blocks, scan_block, j);
    for (int32_t k = 0; k < j->blocks; k++) {
        block *b = &j->block[k];
        first = set_right(j, b, first);
        b->offset = x->found;
        b->kept = count_kept(b->true_token, b->true_tokens) + b->tokens_kept -
                  count_kept(b->token, b->right);
        if ((b->errs || b->true_tokens > 0) && x->error < 0) {
            const int64_t begin = find_error(x, b->true_token, b->true_tokens, b->first);
            find_error(x, b->token + b->right, b->tokens - b->right, begin);
        }
        x->found += b->kept;
    }
    hd__team_run(j->blocks, j->blocks, write_block, j);
    return first;
}

hd_status hd__lex_blocks(hd__lex *x)
{
    job j = {.x = x, .text = x->text.data, .n = x->n};
    const int64_t team = hd__team_size(x->f.ctx), worth = (x->n + LEAST_BLOCK - 1) / LEAST_BLOCK;
    j.blocks = (int32_t)(team < worth ? team : worth);
    int64_t size = (x->n + j.blocks - 1) / j.blocks;
    if (size > BLOCK) size = BLOCK;
    const hd_status status = allocate(&j, size);
    if (status != HD_OK) return status;
    for (int32_t state = 0; state < x->lexer->states; state++) {
        const uint16_t rule = x->lexer->rule[state];
        j.kind[state] = (uint16_t)(rule | (x->lexer->skip[rule] ? SKIPPED : 0));
    }
    j.kind[HD__LEX_DEAD] = ERROR_KIND;
    int64_t first = 0;
    for (int64_t from = 0; from < x->n; from += j.blocks * size)
        first = scan_round(&j, from, size, first);
    return HD_OK;
}
