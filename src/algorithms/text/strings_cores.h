// SPDX-License-Identifier: Apache-2.0
// Strings of host memory by the cores, where bytes are compared and moved as the C library does.
#ifndef HEDDLE_ALGORITHMS_TEXT_STRINGS_CORES_H
#define HEDDLE_ALGORITHMS_TEXT_STRINGS_CORES_H

#include "string_words.h"

// out[i] = -1, 0 or 1, as string i of a comes before that of b; a row of i8.
void hd__strings_order(const hd__frame *f, const hd__strings *a, const hd__strings *b, hd_view out);

// String i of `out`, a row of u8, becomes the length[i] bytes from `from[i]` on, at to[i].
typedef struct hd__string_moves {
    const unsigned char *bytes;
    const int64_t *from, *length, *to;
    int64_t n;
    unsigned char *out;
} hd__string_moves;
void hd__strings_move(const hd__frame *f, const hd__string_moves *m);

// Where a pattern is among the places begin .. begin + count - 1 of a text.
typedef struct hd__string_places {
    const unsigned char *text, *pattern;
    int64_t length; // of the pattern
    int64_t begin, count;
    const int64_t *offsets; // NULL, or strings + 1 of them: only what lies within a string
    int64_t strings;
    int64_t *place, *string; // rows for count of them; string: with offsets
    int64_t found;
} hd__string_places;
void hd__strings_places(const hd__frame *f, hd__string_places *of, int64_t tasks);

#endif
