// SPDX-License-Identifier: Apache-2.0
// hd_lex of host memory by the cores: each thread scans a block from where it guesses that a token
// begins. Where the tokens of the block before end, the true first token begins; from the first
// place on where one of the guessed tokens begins as well, they are the true ones.
#include "lex_blocks.h"

#include "../support/team.h"

#include <string.h>

enum {
    BLOCK = 1 << 18,       // bytes a thread scans at a time: its tokens stay in the cache
    LEAST_BLOCK = 2048,    // a smaller one is not worth a thread
    LEAST_LANES = 1 << 15, // bytes of a thread that are worth lanes, each with a guess of its own
    TRIAL = 1024,          // bytes that a guess must go without an error
    GUESSES = 64           // so that guesses that all fail cost no more than the block
};

typedef hd__lex_block block;
typedef hd__lex_job job;

// ---- Blocks ---------------------------------------------------------------------------------

// How many bytes from i on go well, at most TRIAL of them.
static int64_t goes_well(const job *j, block *b, int64_t i)
{
    const int64_t first = i;
    uint64_t token;
    while (i < j->n && i < first + TRIAL) {
        const int64_t end = hd__lex_token(j, b, i, &token);
        if ((token & HD__LEX_KIND) == HD__LEX_ERROR_KIND) return i - first;
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

static void scan_blocks(void *user, int64_t task)
{
    const job *j = user;
    for (int32_t k = 0; k < j->lanes; k++) {
        block *b = &j->block[task * j->lanes + k];
        const bool is_first = task == 0 && k == 0;
        b->guess = b->begin >= b->end || is_first ? b->begin : guess(j, b);
        b->tokens = b->tokens_kept = 0, b->errs = false;
    }
    block *first = &j->block[task * j->lanes];
    if (j->lanes == HD__LEX_LANES)
        hd__lex_scan_lanes(j, first);
    else
        hd__lex_scan_rest(j, first, first->guess, first->end);
}

// The true tokens of a block from where its first one begins, until one of those found begins
// there, too. Returns where the first token of the next block begins.
static int64_t set_right(const job *j, block *b, int64_t i)
{
    int64_t guessed = b->guess; // where token `right` begins
    b->first = i, b->true_tokens = b->right = 0;
    while (i < b->end) {
        while (guessed < i && b->right < b->tokens) guessed = hd__lex_end(b->token[b->right++]);
        if (guessed == i && b->right < b->tokens) return hd__lex_end(b->token[b->tokens - 1]);
        i = hd__lex_token(j, b, i, &b->true_token[b->true_tokens++]);
    }
    b->right = b->tokens;
    return i;
}

static int64_t count_kept(const uint64_t *token, int64_t n)
{
    int64_t kept = 0;
    for (int64_t k = 0; k < n; k++) kept += (token[k] & HD__LEX_SKIPPED) == 0;
    return kept;
}

// The first error among tokens of which the first begins at a byte; returns where the last ends.
static int64_t find_error(hd__lex *x, const uint64_t *token, int64_t n, int64_t begin)
{
    for (int64_t k = 0; k < n; k++) {
        if ((token[k] & HD__LEX_KIND) == HD__LEX_ERROR_KIND && x->error < 0) x->error = begin;
        begin = hd__lex_end(token[k]);
    }
    return begin;
}

// ---- Outputs --------------------------------------------------------------------------------

// Where a block writes: up to `end`, which is its own or where there is no room.
typedef struct place {
    int32_t *kind;
    int64_t *begin, *length, at, end;
    int64_t kind_step, begin_step, length_step;
} place;

// Each token is written; the next one overwrites it where it is skipped, so no branch depends on
// that.
static int64_t write_tokens(const hd__lex *x, place *p, const uint64_t *token, int64_t n,
                            int64_t begin)
{
    for (int64_t k = 0; k < n; k++) {
        const unsigned kind = token[k] & HD__LEX_KIND;
        const int64_t end = hd__lex_end(token[k]);
        if (p->at < p->end) {
            const int32_t shown = kind == HD__LEX_ERROR_KIND ? x->error_kind : (int32_t)kind;
            if (p->kind) p->kind[p->at * p->kind_step] = shown;
            if (p->begin) p->begin[p->at * p->begin_step] = begin;
            if (p->length) p->length[p->at * p->length_step] = end - begin;
            p->at += (kind & HD__LEX_SKIPPED) == 0;
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
    const int64_t end = b->offset + b->kept;
    place p = {x->kinds.data, x->begins.data,     x->lengths.data,     b->offset,
               end,           x->kinds.stride[0], x->begins.stride[0], x->lengths.stride[0]};
    if (p.end > x->room) p.end = x->room;
    const int64_t begin = write_tokens(x, &p, b->true_token, b->true_tokens, b->first);
    write_tokens(x, &p, b->token + b->right, b->tokens - b->right, begin);
}

// ---- Rounds ---------------------------------------------------------------------------------

// Rows of tokens for blocks of a size, marks for each thread.
static hd_status allocate(job *j, int64_t size)
{
    const int64_t blocks = j->blocks, tasks = blocks / j->lanes;
    hd_view row, tokens, marks, words;
    hd__frame *f = &j->x->f;
    j->mark_words = ((j->n / HD__LEX_FAR + 1) * j->x->lexer->first_accepting + 63) / 64;
    hd_status status = hd__frame_row(f, HD_STRUCT(block), blocks, &row);
    if (status == HD_OK) status = hd__frame_row(f, HD_U64, 2 * blocks * size, &tokens);
    if (status == HD_OK) status = hd__frame_row(f, HD_STRUCT(hd__lex_marks), tasks, &marks);
    if (status == HD_OK) status = hd__frame_row(f, HD_U64, tasks * j->mark_words, &words);
    if (status != HD_OK) return status;
    j->block = row.data;
    hd__lex_marks *of = marks.data;
    for (int64_t k = 0; k < tasks; k++)
        of[k] = (hd__lex_marks){(uint64_t *)words.data + k * j->mark_words, false};
    for (int64_t k = 0; k < blocks; k++) {
        uint64_t *token = (uint64_t *)tokens.data + 2 * k * size;
        j->block[k] =
            (block){.token = token, .true_token = token + size, .marks = &of[k / j->lanes]};
    }
    return HD_OK;
}

// Tokens that begin from `first` on in the next blocks; returns where those after them do.
static int64_t scan_round(job *j, int64_t from, int64_t size, int64_t first)
{
    hd__lex *x = j->x;
    const int32_t tasks = j->blocks / j->lanes;
    for (int32_t k = 0; k < j->blocks; k++) {
        const int64_t begin = from + k * size, end = begin + size;
        j->block[k].begin = k == 0 ? first : begin < j->n ? begin : j->n;
        j->block[k].end = end < j->n ? end : j->n;
    }
    hd__team_run(tasks, tasks, scan_blocks, j);
    for (int32_t k = 0; k < j->blocks; k++) {
        block *b = &j->block[k];
        first = set_right(j, b, first);
        b->offset = x->found;
        b->kept = count_kept(b->true_token, b->true_tokens) + b->tokens_kept -
                  count_kept(b->token, b->right);
        if ((b->errs || b->true_tokens > 0) && x->error < 0) {
            const int64_t begin = find_error(x, b->true_token, b->true_tokens, b->first);
            if (b->errs) find_error(x, b->token + b->right, b->tokens - b->right, begin);
        }
        x->found += b->kept;
    }
    hd__team_run(tasks, j->blocks, write_block, j);
    return first;
}

// How many blocks there are, and how large they are at most.
static int64_t cut_blocks(job *j)
{
    const int64_t team = hd__team_size(j->x->f.ctx), worth = (j->n + LEAST_BLOCK - 1) / LEAST_BLOCK;
    const int64_t tasks = team < worth ? team : worth;
    j->lanes = j->n / tasks < LEAST_LANES ? 1 : HD__LEX_LANES;
    j->blocks = (int32_t)tasks * j->lanes;
    const int64_t size = (j->n + j->blocks - 1) / j->blocks, most = BLOCK / j->lanes;
    return size < most ? size : most;
}

hd_status hd__lex_blocks(hd__lex *x)
{
    job j = {.x = x, .text = x->text.data, .n = x->n};
    int64_t size = cut_blocks(&j);
    const hd_status status = allocate(&j, size);
    if (status != HD_OK) return status;
    for (int32_t state = 0; state < x->lexer->states; state++) {
        const uint16_t rule = x->lexer->rule[state];
        j.kind[state] = (uint16_t)(rule | (x->lexer->skip[rule] ? HD__LEX_SKIPPED : 0));
    }
    j.kind[HD__LEX_DEAD] = HD__LEX_ERROR_KIND;
    int64_t first = 0;
    for (int64_t from = 0; from < x->n; from += j.blocks * size) {
        const int64_t left = (x->n - from + j.blocks - 1) / j.blocks; // the last ones: all as many
        if (left < size) size = left;
        first = scan_round(&j, from, size, first);
    }
    return HD_OK;
}
