// SPDX-License-Identifier: Apache-2.0
//
// Numbers as text: printed so that they read back to the same bits, and read from text that need
// not end with a zero byte.
#ifndef HEDDLE_IO_NUMBERS_NUMBER_H
#define HEDDLE_IO_NUMBERS_NUMBER_H

#include "heddle.h"

#define IO_NUMBER_ROOM 48

// Integers in decimal; floats with the fewest digits that read back exactly, as Python writes them
// (1.0, 0.1, 1e+16, inf, nan); bool as true or false. Returns the length.
size_t io_number_print(hd_type type, const void *element, char buffer[IO_NUMBER_ROOM]);

typedef enum io_number_kind {
    IO_NO_NUMBER,
    IO_INTEGER, // decimal digits that fit in an int64_t
    IO_REAL     // any other number; nan, inf and infinity, in letters of either case
} io_number_kind;

// Reads a decimal number. *real is set for both kinds, rounded to nearest.
io_number_kind io_number_parse(const char *text, size_t length, int64_t *integer, double *real);

// Reads an element of a type; false if the text is no number or one that the type does not have:
// integers must be whole and in range, floats are rounded once, bool is 0, 1, true or false.
bool io_number_read(hd_type type, const char *text, size_t length, void *element);

#endif
