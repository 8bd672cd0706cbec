// SPDX-License-Identifier: Apache-2.0
//
// The archive of bits: what every pattern gives for inputs made by formula, as archive.txt has it,
// and how a context is held against it. A case is a call with its element type, operator and
// options; it has one result for each of its sizes. Used by heddle doctor --bits and by the tests;
// no part of the library, whose public header is all it needs.
#ifndef HEDDLE_BITS_BITS_H
#define HEDDLE_BITS_BITS_H

#include <heddle.h>
#include <stdio.h>

#include "values.h"

enum {
    BITS_NAME = 96,     // room for the name of a case
    BITS_MAX_SIZES = 6, // with the -1 behind the last
    BITS_RESULT = 72    // room for a result as text
};

typedef struct bits_call bits_call; // call.h

typedef struct bits_case {
    char name[BITS_NAME];         // "scan sum f32 -> f64, wide, exclusive"
    void (*run)(bits_call *call); // makes the inputs, calls the library, names the outputs
    const hd_operator *op;
    hd_type type, out;
    bits_values values;
    int32_t way;                   // which options: numbers of its file
    int64_t sizes[BITS_MAX_SIZES]; // -1 behind the last
} bits_case;

// ---- All cases ----------------------------------------------------------------------------------

typedef struct bits_list {
    bits_case *at;
    int64_t count, room;
    hd_context *serial; // asked whether a call exists at all
    bool failed;        // memory ran out
} bits_list;

// The list, in the order of the archive. false: no memory. bits_drop frees it either way.
bool bits_make(bits_list *list);
void bits_drop(bits_list *list);

// For the files of cases: adds one, if the library takes such a call at all; the format makes its
// name. So a new operator or type is in the list without a word.
__attribute__((format(printf, 3, 4))) void bits_add(bits_list *list, bits_case what,
                                                    const char *format, ...);

// One result of a case: bits in hexadecimal, or "~" and a digest. On failure the text is the error.
hd_status bits_run(hd_context *ctx, const bits_case *what, int64_t n, char result[BITS_RESULT]);

// Where the results of two contexts first differ: the element of the result, from 0, and its bits
// in each; false where they are the same, or one fails. For people: archives have digests.
typedef struct bits_place {
    int64_t element;
    uint64_t a, b;
} bits_place;
bool bits_locate(hd_context *a, hd_context *b, const bits_case *what, int64_t n, bits_place *place);

// ---- The archive --------------------------------------------------------------------------------

typedef struct bits_archive {
    struct bits_line *line; // by name
    int64_t count;
} bits_archive;

// Reads an archive, the one that is built in if text is NULL (the text must stay). false: no
// memory.
bool bits_read(bits_archive *archive, const char *text);
void bits_close(bits_archive *archive);

// The archived result of a case and size; false: there is none.
bool bits_expected(const bits_archive *archive, const char *name, int64_t n,
                   char result[BITS_RESULT]);

// The k-th line that no case of the list has any more, by its name; NULL: no more. Asked for 0, 1,
// ...
const char *bits_stale(const bits_archive *archive, const bits_list *list, int64_t k,
                       char name[BITS_NAME]);

// Writes the archive of what the serial backend gives. A case that fails is recorded by its status
// and, in failed, its name.
hd_status bits_write(const bits_list *list, FILE *out, const char **failed);

// ---- Checking -----------------------------------------------------------------------------------

typedef struct bits_difference {
    const bits_case *what;
    int64_t n;
    const char *expected, *got; // expected NULL: the archive has no such result
} bits_difference;

typedef struct bits_check {
    hd_context *ctx;
    int64_t largest;     // larger sizes are left out; 0: none are
    int64_t part, parts; // only cases part, part + parts, part + 2 parts, ...; 0, 0: all
    void (*differs)(void *user, const bits_difference *difference);
    void (*declined)(void *user, const char *name, int64_t n); // may be NULL
    void (*step)(void *user, int64_t done);                    // after each case; may be NULL
    void *user;
    int64_t same, different, refused, left_out; // results, counted
} bits_check;

// Every case of the list on one context against the archive.
void bits_compare(bits_check *check, const bits_list *list, const bits_archive *archive);

#endif
