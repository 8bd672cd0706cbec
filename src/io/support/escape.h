// SPDX-License-Identifier: Apache-2.0
//
// Text from outside on its way to a person: names of files, fields of tables and the like may hold
// escape sequences that a terminal would obey. Bytes that are not printable become \xNN.
#ifndef HEDDLE_IO_SUPPORT_ESCAPE_H
#define HEDDLE_IO_SUPPORT_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>

typedef enum io_escape_kind {
    IO_ESCAPE_ALL,       // every control character, ends of lines and tabs too
    IO_ESCAPE_KEEP_TABS, // a line of a table
    IO_ESCAPE_KEEP_LINES // a text of several lines, such as a compiler's: \n and \t stay
} io_escape_kind;

// The bytes of the printable character at the beginning of the text, which has n > 0 bytes; 0: not
// printable. Not printable are C0 and DEL, C1 (U+0080 to U+009F), the characters that turn the
// direction of writing around (U+202A and so on), and what is not UTF-8.
size_t io_printable_length(const char *text, size_t n, io_escape_kind kind);

// Whether the whole text is printable.
bool io_is_printable(const char *text, size_t n, io_escape_kind kind);

// Copies a text, with \xNN for each byte that is not printable; a zero byte ends the copy. Stops
// before the first character that has no room. Returns the bytes of the text that were copied.
size_t io_escape(char *out, size_t room, const char *text, size_t n, io_escape_kind kind);

// The bytes of the UTF-8 character at the beginning of the text, and which it is; 0: not UTF-8.
size_t io_utf8_decode(const char *text, size_t n, unsigned *character);

#endif
