// SPDX-License-Identifier: Apache-2.0
// Blocks of a text, each with the tokens that begin in it, and how they are scanned.
#ifndef HEDDLE_ALGORITHMS_TEXT_LEX_BLOCKS_H
#define HEDDLE_ALGORITHMS_TEXT_LEX_BLOCKS_H

#include "lex.h"

// A token in scratch: where it ends, above its kind.
#define HD__LEX_KIND_BITS 16
enum { HD__LEX_ERROR_KIND = 0x7fff, HD__LEX_SKIPPED = 0x8000, HD__LEX_KIND = 0xffff };

// States in which scans failed, at every HD__LEX_FAR-th byte of the text; of one thread.
enum { HD__LEX_FAR = 256 };
typedef struct hd__lex_marks {
    uint64_t *word;
    bool used; // cleared, and written to
} hd__lex_marks;

typedef struct hd__lex_block {
    int64_t begin, end, guess;   // bytes that its tokens begin at; where the first one may
    uint64_t *token;             // those found from the guess on
    int64_t tokens, tokens_kept; // of no rule to skip
    bool errs;                   // whether one is an error
    uint64_t *true_token;        // those before the guessed ones come right
    int64_t true_tokens, right;  // the first token of the guessed ones that is right
    int64_t first;               // where its first true token begins
    int64_t kept, offset;        // tokens of no rule to skip, and where they go
    hd__lex_marks *marks;
} hd__lex_block;

// A thread scans so many blocks at once.
enum { HD__LEX_LANES = 4 };

typedef struct hd__lex_job {
    hd__lex *x;
    const unsigned char *text;
    int64_t n;
    hd__lex_block *block;
    int32_t blocks, lanes;                 // lanes: blocks of a task
    int64_t mark_words;                    // of a thread
    uint16_t kind[HD__LEX_MAX_STATES + 1]; // of a token accepted in a state; dead: an error
} hd__lex_job;

static inline int64_t hd__lex_end(uint64_t token)
{
    return (int64_t)(token >> HD__LEX_KIND_BITS);
}

// The token at byte i, the longest match or an error of one byte, by itself: returns where it ends.
int64_t hd__lex_token(const hd__lex_job *j, hd__lex_block *b, int64_t i, uint64_t *token);

// The tokens of HD__LEX_LANES blocks from their guesses on, a byte of each in turn.
void hd__lex_scan_lanes(const hd__lex_job *j, hd__lex_block *block);
// Adds those that begin at i and behind it, one after another.
void hd__lex_scan_rest(const hd__lex_job *j, hd__lex_block *b, int64_t i, int64_t end);

#endif
