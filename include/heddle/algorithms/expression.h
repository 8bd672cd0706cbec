// SPDX-License-Identifier: Apache-2.0
// hd_evaluate: the value of an arithmetic expression.
#ifndef HEDDLE_ALGORITHMS_EXPRESSION_H
#define HEDDLE_ALGORITHMS_EXPRESSION_H

#include "../../heddle.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hd_evaluate_options {
    size_t size;          // sizeof(hd_evaluate_options), or 0: its size in version 0.1
    const hd_view *error; // one i64, receives the byte that an error of the text is at, -1: none
} hd_evaluate_options;

// result = the value of the expression that text (u8, one dimension) is, in f64 or in i64: the type
// of result, one element. Expressions are numbers, + - * / and unary minus, which binds strongest,
// parentheses, and blanks between them; operators of one precedence go from left to right. They may
// have any length and any depth. Numbers are digits, for f64 also with a point and an exponent
// (2.5e-3, .5, 2.), and become the nearest f64.
//
// Integers wrap; a quotient is cut towards zero, and -2^63 / -1 is -2^63.
//
//   Method      tokens by hd_lex; the depth of each by a scan. A stable sort by depth, the deepest
//               first, puts what stands directly between two parentheses in a row; the k-th "(" in
//               this order is matched by the k-th ")", which stands for its value in the row
//               outside. Rows of one depth have nothing to do with each other: the cores evaluate
//               them side by side, a depth after the other. Work O(n); the steps are the operators
//               along the deepest path, where a + b + c is two. (Contraction of trees, Miller and
//               Reif 1985, has log n steps by composing x -> a x + b, which rounds otherwise and
//               knows no quotients of integers: it would not give these bits.) Up to 8 cores do it
//               in one pass of one thread with a stack, which takes less time than that.
//   Aliasing    result may not overlap text.
//   Exactness   each operator is applied once, to the values of its operands, and rounded once: the
//               bits of a sequential evaluation in C, on every backend.
//   Cost        scratch of about 40 bytes a token; of 24 a "(" in one pass. Text and tokens of a
//               device are copied to the host once they are sorted; the values are computed there.
//   Returns     HD_ERROR_VALUE where the text is no expression (a parenthesis without its partner,
//               an operator or a number that is missing, any other byte), where a number does not
//               fit i64, and where an i64 is divided by zero: the text says at which byte, .error
//               too; and the usual ones.
HD_API HD__CHECKED hd_status hd_evaluate(hd_context *ctx, hd_view text, hd_view result,
                                         const hd_evaluate_options *options);

#ifdef __cplusplus
}
#endif

#endif
