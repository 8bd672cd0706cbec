// SPDX-License-Identifier: Apache-2.0
// Functions of an automaton's states as elements of scans: 16 fields of 4 bits in a word, or a byte
// for each of 64 or 256 codes. A code is a state: 0 is where a token begins, then come the other
// live ones. The last two are a dead state and, in the scan from the back, acceptance.
#ifndef HEDDLE_ALGORITHMS_TEXT_LEX_FUNCTIONS_H
#define HEDDLE_ALGORITHMS_TEXT_LEX_FUNCTIONS_H

#include <heddle.h>

HD_SOURCE(
    lex_source,
    // The codes that accept: first .. end - 1; in a word, all ones in their fields.
    typedef struct lex_accepting {
        uint64_t fields;
        int32_t first, end;
    } lex_accepting;
    // The mark of each code's rule: its number and 1, and 0x8000 where it is one to skip.
    typedef struct lex_marks { uint16_t of[256]; } lex_marks;
    typedef struct lex_64 { uint8_t to[64]; } lex_64;
    typedef struct lex_256 { uint8_t to[256]; } lex_256;
    // second(first(q)) for all codes q
    static inline uint64_t lex_compose_16(uint64_t first, uint64_t second) {
        uint64_t both = 0;
        for (int k = 0; k < 64; k += 4) both |= (second >> (first >> k & 15) * 4 & 15) << k;
        return both;
    } static inline lex_64 lex_compose_64(lex_64 first, lex_64 second) {
        lex_64 both;
        for (int q = 0; q < 64; q++) both.to[q] = second.to[first.to[q]];
        return both;
    } static inline lex_256 lex_compose_256(lex_256 first, lex_256 second) {
        lex_256 both;
        for (int q = 0; q < 256; q++) both.to[q] = second.to[first.to[q]];
        return both;
    })

enum { HD__LEX_ERROR = 0x7fff, HD__LEX_SKIP = 0x8000 }; // marks

typedef struct hd__lex_functions {
    int32_t codes;
    hd_type type;                // of an element
    const hd_operator *forward;  // a, then b
    const hd_operator *backward; // b, then a
    // (function of a byte, R before it, R behind it): the same, but that codes at which a token
    // ends become 0. Its state is a lex_accepting.
    const hd_function *advance;
    // (function of a byte, then the first bytes of: the state before it, that behind it, R before
    // it): 0 where no token ends, else its mark. Its state is a lex_marks.
    const hd_function *mark;
} hd__lex_functions;

// Of 16, 64 and 256 codes.
enum { HD__LEX_FUNCTIONS = 3 };
extern const hd__lex_functions hd__lex_functions_of[HD__LEX_FUNCTIONS];

#endif
