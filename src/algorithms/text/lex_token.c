// SPDX-License-Identifier: Apache-2.0
// One token after another: the longest match, which may need bytes far behind its end. Scans that
// fail there leave marks, so that no other one fails by the same way (T. Reps, "Maximal-munch
// tokenization in linear time", TOPLAS 1998).
#include "lex_blocks.h"

#include <string.h>

static bool is_marked(const hd__lex_marks *marks, const hd_lexer *lexer, unsigned state, int64_t at)
{
    const int64_t bit = at / HD__LEX_FAR * lexer->first_accepting + state;
    return marks->word[bit >> 6] >> (bit & 63) & 1;
}

// The scan from state at a byte failed: marks all that it came through, to be stopped there.
static void mark_failure(const hd__lex_job *j, hd__lex_marks *marks, unsigned state, int64_t at,
                         int64_t end)
{
    const hd_lexer *lexer = j->x->lexer;
    if (!marks->used) memset(marks->word, 0, (size_t)j->mark_words * sizeof *marks->word);
    marks->used = true;
    for (; at < end && state != HD__LEX_DEAD; at++) {
        const int64_t bit = at / HD__LEX_FAR * lexer->first_accepting + state;
        if (at % HD__LEX_FAR == 0) marks->word[bit >> 6] |= UINT64_C(1) << (bit & 63);
        state = lexer->next[state << 8 | j->text[at]];
    }
}

// Goes on from a state that does not accept, to the next that does: *at is behind the byte that led
// there. Dead: no byte does.
static unsigned scan_far(const hd__lex_job *j, hd__lex_marks *marks, unsigned state, int64_t *at)
{
    const hd_lexer *lexer = j->x->lexer;
    const unsigned from = state, accepting = (unsigned)lexer->first_accepting;
    int64_t i = *at;
    while (i < j->n && state != HD__LEX_DEAD) {
        if (i % HD__LEX_FAR == 0 && marks->used && is_marked(marks, lexer, state, i)) break;
        state = lexer->next[state << 8 | j->text[i++]];
        if (state >= accepting) return *at = i, state;
    }
    mark_failure(j, marks, from, *at, i);
    return HD__LEX_DEAD;
}

// The longest match from i on: where it ends, and the state it was accepted in; dead: none, one
// byte.
static inline int64_t scan_token(const hd__lex_job *j, hd__lex_marks *marks, int64_t i,
                                 unsigned *accepted)
{
    const uint16_t *next = j->x->lexer->next;
    const unsigned accepting = (unsigned)j->x->lexer->first_accepting;
    const unsigned char *text = j->text;
    const int64_t n = j->n;
    const uint16_t *row = next + (HD__LEX_START << 8);
    unsigned last = HD__LEX_DEAD;
    int64_t end = i + 1, far = i + HD__LEX_FAR;
    while (i < n) {
        unsigned state = row[text[i++]];
        if (state == HD__LEX_DEAD) break;
        row = next + (state << 8);
        const int64_t run_end = state < accepting && far < n ? far : n;
        while (i < run_end && row[text[i]] == state) i++; // loads that wait for no other
        if (state < accepting) {
            if (i < far) continue;
            state = scan_far(j, marks, state, &i);
            if (state == HD__LEX_DEAD) break;
            row = next + (state << 8);
        }
        last = state, end = i, far = i + HD__LEX_FAR;
    }
    *accepted = last;
    return end;
}

int64_t hd__lex_token(const hd__lex_job *j, hd__lex_block *b, int64_t i, uint64_t *token)
{
    unsigned accepted;
    const int64_t end = scan_token(j, b->marks, i, &accepted);
    *token = (uint64_t)end << HD__LEX_KIND_BITS | j->kind[accepted];
    return end;
}

void hd__lex_scan_rest(const hd__lex_job *j, hd__lex_block *b, int64_t i, int64_t end)
{
    while (i < end) {
        unsigned accepted;
        i = scan_token(j, b->marks, i, &accepted);
        const uint16_t kind = j->kind[accepted];
        b->token[b->tokens++] = (uint64_t)i << HD__LEX_KIND_BITS | kind;
        b->tokens_kept += (kind & HD__LEX_SKIPPED) == 0;
        b->errs |= kind == HD__LEX_ERROR_KIND;
    }
}
