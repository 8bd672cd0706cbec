// SPDX-License-Identifier: Apache-2.0
//
// PTX text as tokens. Words keep their dots and colons ("ld.global.v4.f32", "%tid.x", "$L__BB0_1"):
// PTX has no blanks inside them. Comments are skipped; lines are counted from 1.
#ifndef HEDDLE_MODEL_PTX_PTX_LEX_H
#define HEDDLE_MODEL_PTX_PTX_LEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum ptx_token_kind {
    PTX_END,
    PTX_WORD,
    PTX_INTEGER,
    PTX_FLOAT32, // 0f3F800000: value has its bits
    PTX_FLOAT64, // 0d...: the same; and decimal numbers with a point or an exponent
    PTX_STRING,  // text is between the quotes
    PTX_PUNCTUATION,
    PTX_BAD // a character that PTX does not have, or a number that is none
} ptx_token_kind;

typedef struct ptx_token {
    ptx_token_kind kind;
    const char *text; // in the source, not ended
    size_t length;
    uint64_t value; // of a number; of a punctuation its character
    int32_t line;
} ptx_token;

typedef struct ptx_lexer {
    const char *at, *end;
    int32_t line;
    ptx_token token; // the current one
} ptx_lexer;

// Begins at the first token. The text need not end with a zero.
void hd__model_ptx_lex_begin(ptx_lexer *lexer, const char *text, size_t length);

// Moves to the next token.
void hd__model_ptx_lex_next(ptx_lexer *lexer);

// Whether the current token is this word or this character.
bool hd__model_ptx_is_word(const ptx_token *token, const char *word);
static inline bool ptx_is(const ptx_token *token, char c)
{
    return token->kind == PTX_PUNCTUATION && token->value == (uint64_t)(unsigned char)c;
}

#endif
