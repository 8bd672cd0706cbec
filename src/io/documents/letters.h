// SPDX-License-Identifier: Apache-2.0
//
// How wide letters are: those of Helvetica, which Arial and Liberation Sans share.
#ifndef HEDDLE_IO_DOCUMENTS_LETTERS_H
#define HEDDLE_IO_DOCUMENTS_LETTERS_H

#include <stddef.h>
#include <stdint.h>

// Thousandths of the font's size.
enum { IO_LETTERS_ASCENT = 905, IO_LETTERS_DESCENT = 212, IO_LETTERS_SPACE = 278 };

// The sum of the widths of the letters of a text in UTF-8; what is not UTF-8 is a letter a byte.
int64_t io_letters_width(const char *text, size_t length);

#endif
