// SPDX-License-Identifier: Apache-2.0
// Several blocks scanned by one thread, a byte of each in turn. Where a token ends, the automaton
// goes on with the next one by the same load (lexer.h, chain), and the token is written in any
// case, but kept only then: so no branch depends on the text, and while the load of one block is
// under way those of the others are too (T. Mytkowicz, M. Musuvathi and W. Schulte, "Data-parallel
// finite-state machines", ASPLOS 2014).
#include "lex_blocks.h"

enum {
    STEPS = 1024, // bytes of a lane between two looks at it
    RECOVER = 256 // bytes that are scanned one after another where the chain has no answer
};

// A token as it is found: the byte behind it, counted from the begin of the steps, above the row of
// the state that accepted it.
enum { ROW_BITS = 20 };
_Static_assert(HD__LEX_MAX_STATES << 8 <= 1 << ROW_BITS, "rows have fewer bits");
_Static_assert(STEPS <= 1 << (31 - ROW_BITS), "places have fewer bits");

typedef struct lane {
    hd__lex_block *block;
    int64_t begin, at; // of the token that is being scanned; of the next byte
    uint32_t row;      // of the state
    uint32_t found;    // tokens of the last steps
} lane;

// Room for a token more than there are bytes.
typedef struct found {
    uint32_t token[HD__LEX_LANES][STEPS + 1];
} found;

static void step_lanes(const hd__lex_job *j, lane l[HD__LEX_LANES], found *f, uint32_t steps)
{
    const uint32_t *chain = j->x->lexer->chain;
    const unsigned char *t0 = j->text + l[0].at, *t1 = j->text + l[1].at;
    const unsigned char *t2 = j->text + l[2].at, *t3 = j->text + l[3].at;
    uint32_t n0 = 0, n1 = 0, n2 = 0, n3 = 0;
    uint32_t r0 = l[0].row, r1 = l[1].row, r2 = l[2].row, r3 = l[3].row;
    for (uint32_t k = 0; k < steps; k++) {
        const uint32_t place = k << ROW_BITS;
        f->token[0][n0] = place | r0, f->token[1][n1] = place | r1;
        f->token[2][n2] = place | r2, f->token[3][n3] = place | r3;
        r0 = chain[r0 | t0[k]], r1 = chain[r1 | t1[k]];
        r2 = chain[r2 | t2[k]], r3 = chain[r3 | t3[k]];
        n0 += r0 >> 31, n1 += r1 >> 31, n2 += r2 >> 31, n3 += r3 >> 31;
        r0 &= ~HD__LEX_CHAIN_ENDS, r1 &= ~HD__LEX_CHAIN_ENDS;
        r2 &= ~HD__LEX_CHAIN_ENDS, r3 &= ~HD__LEX_CHAIN_ENDS;
    }
    l[0].row = r0, l[1].row = r1, l[2].row = r2, l[3].row = r3;
    l[0].found = n0, l[1].found = n1, l[2].found = n2, l[3].found = n3;
}

// The tokens of the last steps join those of the block.
static void take_found(const hd__lex_job *j, lane *l, const uint32_t *token)
{
    hd__lex_block *b = l->block;
    const int64_t n = l->found;
    int64_t kept = 0;
    for (int64_t k = 0; k < n; k++) {
        const uint16_t kind = j->kind[token[k] >> 8 & (HD__LEX_MAX_STATES - 1)];
        const int64_t end = l->at + (token[k] >> ROW_BITS);
        b->token[b->tokens + k] = (uint64_t)end << HD__LEX_KIND_BITS | kind;
        kept += (kind & HD__LEX_SKIPPED) == 0;
    }
    b->tokens += n, b->tokens_kept += kept;
    if (n > 0) l->begin = hd__lex_end(b->token[b->tokens - 1]);
}

static int64_t last_end(const hd__lex_block *b, int64_t begin)
{
    return b->tokens > 0 ? hd__lex_end(b->token[b->tokens - 1]) : begin;
}

// From the token that the chain could not end on, one after another.
static void recover(const hd__lex_job *j, lane *l)
{
    hd__lex_block *b = l->block;
    const int64_t end = l->begin + RECOVER;
    hd__lex_scan_rest(j, b, l->begin, end < b->end ? end : b->end);
    l->begin = l->at = last_end(b, l->begin);
    l->row = HD__LEX_START << 8;
}

static int64_t shortest(const lane l[HD__LEX_LANES])
{
    int64_t steps = STEPS;
    for (int k = 0; k < HD__LEX_LANES; k++)
        if (l[k].block->end - l[k].at < steps) steps = l[k].block->end - l[k].at;
    return steps;
}

void hd__lex_scan_lanes(const hd__lex_job *j, hd__lex_block *block)
{
    lane l[HD__LEX_LANES];
    found f;
    for (int k = 0; k < HD__LEX_LANES; k++)
        l[k] = (lane){&block[k], block[k].guess, block[k].guess, HD__LEX_START << 8, 0};
    for (int64_t steps; (steps = shortest(l)) > 0;) {
        step_lanes(j, l, &f, (uint32_t)steps);
        for (int k = 0; k < HD__LEX_LANES; k++) {
            take_found(j, &l[k], f.token[k]);
            l[k].at += steps;
            if (l[k].row == HD__LEX_DEAD) recover(j, &l[k]);
        }
    }
    for (int k = 0; k < HD__LEX_LANES; k++)
        hd__lex_scan_rest(j, &block[k], l[k].begin, block[k].end);
}
