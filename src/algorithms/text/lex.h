// SPDX-License-Identifier: Apache-2.0
// One call of hd_lex: what it was given, and the ways to do it.
#ifndef HEDDLE_ALGORITHMS_TEXT_LEX_H
#define HEDDLE_ALGORITHMS_TEXT_LEX_H

#include "lexer.h"

typedef struct hd__lex {
    hd__frame f;
    const hd_lexer *lexer;
    hd_view text; // a row of u8
    hd_view kinds, begins, lengths;
    int64_t n, room; // bytes of text; tokens that every output has room for
    int64_t found;   // tokens
    int64_t error;   // the first byte that no rule matches, or -1
    int32_t error_kind;
} hd__lex;

// Host memory; fails only for want of memory.
hd_status hd__lex_blocks(hd__lex *x);
// Patterns alone.
hd_status hd__lex_scan(hd__lex *x);
// Text, scratch and patterns are a device's (f.on_device); outputs may be the host's.
hd_status hd__lex_device(hd__lex *x);

#endif
