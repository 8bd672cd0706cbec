// SPDX-License-Identifier: Apache-2.0
//
// Elements as text that reads back to the same bits, and text as elements.
#ifndef HEDDLE_CLI_SUPPORT_PRINT_H
#define HEDDLE_CLI_SUPPORT_PRINT_H

#include "io/numbers/number.h"

#define PRINT_ROOM IO_NUMBER_ROOM

// The value: integers in decimal; floats with the fewest digits that read back exactly, as Python
// writes them (1.0, 0.1, 1e+16, inf, nan); true or false. Returns the buffer.
const char *print_value(hd_type type, const void *element, char buffer[PRINT_ROOM]);

// The bits: 0x3f800000.
const char *print_bits(hd_type type, const void *element, char buffer[PRINT_ROOM]);

// Reads one element; false if the text is not a number of the type or does not fit in it.
bool print_parse(hd_type type, const char *text, void *element);

#endif
