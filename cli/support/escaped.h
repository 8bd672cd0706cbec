// SPDX-License-Identifier: Apache-2.0
//
// Text from outside in what is printed for people: names of files, columns, kernels, lines of
// sources, a library's words. Everything that did not come from this program goes through here, so
// that no escape sequence reaches a terminal (src/io/support/escape.h).
//
//     printf("%s: an archive of %d arrays\n", shown(file), count);
#ifndef HEDDLE_CLI_SUPPORT_ESCAPED_H
#define HEDDLE_CLI_SUPPORT_ESCAPED_H

#include <stddef.h>
#include <stdio.h>

// The text itself if all of it is printable; else an escaped copy, cut where it is very long. A
// copy lasts until SHOWN_AT_ONCE more have been made. Not for threads.
#define SHOWN_AT_ONCE 8
const char *shown(const char *text);
const char *shown_lines(const char *text);          // keeps ends of lines and tabs
const char *shown_line(const char *text, size_t n); // of a table: keeps tabs; always a copy

// Prints a text of any length; the second keeps its lines and tabs.
void shown_to(FILE *out, const char *text);
void shown_lines_to(FILE *out, const char *text);

#endif
