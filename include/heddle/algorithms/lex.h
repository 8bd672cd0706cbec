// SPDX-License-Identifier: Apache-2.0
// hd_lex: a text cut into tokens by a table of regular expressions.
#ifndef HEDDLE_ALGORITHMS_LEX_H
#define HEDDLE_ALGORITHMS_LEX_H

#include "../../heddle.h"

#ifdef __cplusplus
extern "C" {
#endif

// A rule: what its tokens are called, the regular expression that they match, and whether they are
// left out of the result (blanks, comments). A table of rules ends with one whose name is NULL.
//
//     const hd_lex_rule rules[] = {{"number", "[0-9]+(\\.[0-9]+)?", false},
//                                  {"name", "[A-Za-z_][A-Za-z_0-9]*", false},
//                                  {"blank", "[ \\t\\n]+", true},
//                                  {NULL, NULL, false}};
//
// Expressions are over bytes, as flex's: x, xy, x|y, x*, x+, x?, x{3}, x{2,5}, x{2,}, (x), . (any
// byte but \n), [a-z_], [^"\n], and after a backslash n r t f v a e 0, x and two digits, d D s S w
// W (digit, space, letter or digit or _, and their complements), or any byte that is no letter and
// no digit for itself.
typedef struct hd_lex_rule {
    const char *name, *pattern;
    bool skip;
} hd_lex_rule;

// The table of a language: "json" (RFC 8259), "c" (C11's preprocessing tokens without directives;
// comments are skipped) or "csv" (RFC 4180: text, quoted, comma, newline). NULL for any other.
HD_API const hd_lex_rule *hd_lex_rules(const char *language);

// Rules compiled to one deterministic automaton.
typedef struct hd_lexer hd_lexer;

typedef struct hd_lexer_options {
    size_t size;        // sizeof(hd_lexer_options), or 0: its size in version 0.1
    int64_t max_states; // an automaton that needs more is an error; 0: 4096, which is the most
} hd_lexer_options;

// *lexer = the rules' automaton, for hd_lex on any context, by any number of threads at a time.
// hd_lexer_close, with the context that opened it, frees it; NULL is allowed.
//
//   Method      Thompson's construction (1968), subsets, Hopcroft's minimisation (1971).
//   Aliasing    nothing of rules is kept but names, which are copied.
//   Exactness   exact.
//   Cost        time grows with the number of subsets, which some expressions have exponentially
//               many of: .max_states ends that. The automaton has 1536 bytes a state.
//   Returns     HD_ERROR_VALUE for a bad expression (the text says which rule, the position in it,
//               and what was expected), one that matches no bytes at all ("x*"), or too many
//               states; on an error *lexer is NULL.
HD_API HD__CHECKED hd_status hd_lexer_open(hd_context *ctx, const hd_lex_rule *rules,
                                           hd_lexer **lexer, const hd_lexer_options *options);
HD_API void hd_lexer_close(hd_context *ctx, hd_lexer *lexer);

// How many rules there are, the name of rule k (NULL where there is none), and how many states.
HD_API int64_t hd_lexer_rules(const hd_lexer *lexer);
HD_API const char *hd_lexer_name(const hd_lexer *lexer, int64_t k);
HD_API int64_t hd_lexer_states(const hd_lexer *lexer);

// How a text is cut. The tokens are the same.
typedef enum hd_lex_method {
    HD_LEX_AUTO = 0, // blocks where text is the host's and its cores work, else scan
    HD_LEX_SCAN,
    HD_LEX_BLOCKS
} hd_lex_method;

typedef struct hd_lex_options {
    size_t size;        // sizeof(hd_lex_options), or 0: its size in version 0.1
    int32_t error_kind; // not 0: each byte that no rule matches is a token of this kind; 0: such a
                        // byte is an error
    int32_t method;     // hd_lex_method
    const hd_view *error; // one i64, receives the position of the first byte that no rule matches,
                          // -1 if there is none
} hd_lex_options;

// The tokens of a text (u8, one dimension), as a sequential scanner of the flex kind finds them:
// from its first byte on, each token is the longest match of any rule at the place where the last
// one ended, and of the first rule among equally long ones. Token j is of rule kinds[j] (i32) and
// has the bytes begins[j] .. begins[j] + lengths[j] - 1 (i64); count, one i64, receives how many
// tokens there are without those of rules to skip. Any output but count may be empty (HD_EMPTY).
//
//   Method      Longest matches need what follows: whether the token goes on is known only where a
//               later byte says so, and in languages such as C ("/" before a comment that nobody
//               closes) there is no bound to how much later. So there are two scans over functions
//               of the automaton's states (Hillis and Steele 1986; Blelloch 1990), one from each
//               end, a bimachine (Schuetzenberger 1961). From the back: R[i] = the states that
//               reach acceptance by some bytes from i on. From the front: the state before each
//               byte, where a token ends at an accepting state that is not in R. Then the ends are
//               compacted. Work n times the states, steps O(log n), whatever the rules and the
//               text; but a chunk of 8 MiB of functions comes after another. An element of both
//               scans is a function of up to 14 live states in 16 fields of 4 bits, of up to 62 in
//               64 bytes, or of up to 254, which is the most, in 256.
//               On a device an element is a block of 128 bytes, of the states that it may be
//               entered in (Mytkowicz, Musuvathi and Schulte 2014), and trees of 32 blocks a node
//               tell what reaches acceptance and which state is before each block; a chunk of 64
//               MiB of text comes after another. A token that is given back is scanned again within
//               its block: work is O(n) times the states times 128 at the very most.
//               Blocks: each thread scans a block of the text from where it guesses that a token
//               begins; the last token of the block before says where the first one does begin.
//               Longest matches depend on nothing before them: from the first place on where the
//               two agree, the block's tokens are right, and up to there they are scanned again.
//               Scans that fail far from where they began leave marks (Reps 1998), so the work is
//               O(n) whatever the rules and the text, but for a factor of the marks' distance, 256.
//   Aliasing    outputs may overlap neither text nor each other.
//   Exactness   exact: the sequential definition above.
//   Cost        blocks: each byte is read about once, two loads a byte. Scans: 4 passes over one
//               element of the scans a byte; on a device about three reads of a byte for each state
//               that its block may be entered in, and some 12 bytes of scratch a byte of a chunk.
//               All work on chunks: scratch does not grow with n, but for a bit for each 256 bytes
//               and state of the blocks, and for a host's text that a device takes.
//   Returns     HD_ERROR_VALUE for a byte that no rule matches, unless .error_kind is set (the text
//               says where, .error too; outputs are unspecified); HD_ERROR_SHAPE if an output has
//               too little room (the text and count say how many tokens there are, and those that
//               fit have been written); HD_ERROR_ARGUMENT for more than 254 live states where the
//               scans are asked for or the text is a device's; and the usual ones.
HD_API HD__CHECKED hd_status hd_lex(hd_context *ctx, const hd_lexer *lexer, hd_view text,
                                    hd_view kinds, hd_view begins, hd_view lengths, hd_view count,
                                    const hd_lex_options *options);

#ifdef __cplusplus
}
#endif

#endif
