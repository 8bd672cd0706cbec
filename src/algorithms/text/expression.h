// SPDX-License-Identifier: Apache-2.0
// One call of hd_evaluate: tokens, the order they are evaluated in, values.
#ifndef HEDDLE_ALGORITHMS_TEXT_EXPRESSION_H
#define HEDDLE_ALGORITHMS_TEXT_EXPRESSION_H

#include "../support/frame.h"

// Tokens by the rules of expression.c; NEGATE is a MINUS that no operand stands before.
enum {
    EXPRESSION_NUMBER,
    EXPRESSION_PLUS,
    EXPRESSION_MINUS,
    EXPRESSION_TIMES,
    EXPRESSION_OVER,
    EXPRESSION_OPEN,
    EXPRESSION_CLOSE,
    EXPRESSION_BLANK,
    EXPRESSION_NEGATE
};

typedef struct hd__expression {
    hd__frame f;
    hd_view text;
    bool is_i64;
    int64_t tokens, groups; // groups: what stands between two parentheses
    // Rows of the host once they are sorted: of each token in sorted order its kind, its number in
    // the text and its depth; where the groups begin, and how many ")" are before that.
    hd_view kind, token, depth, group, closed;
    hd_view begin, length; // of each token in the text, on the host
    int64_t error;         // a byte of the text, or -1
    uint64_t value;        // the bits of the result
} hd__expression;

// An error at a byte of the text.
hd_status hd__expression_fail(hd__expression *x, int64_t at, const char *what);
// The values of all numbers, then of all groups, the deepest first. text is the host's.
hd_status hd__expression_values(hd__expression *x, const unsigned char *text);

// The value by one pass of one thread; *good: false where something is wrong with the text, which
// the other way then finds.
hd_status hd__expression_pass(hd__expression *x, const unsigned char *text, bool *good);

// a op b in bits of f64 or of i64, where b is no divisor of 0; and -a.
uint64_t hd__expression_apply(bool is_i64, int kind, uint64_t a, uint64_t b);
uint64_t hd__expression_negated(bool is_i64, uint64_t a);
uint64_t hd__expression_bits(double x);

#endif
