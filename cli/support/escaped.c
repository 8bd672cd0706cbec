// SPDX-License-Identifier: Apache-2.0
//
// Escaped copies in a ring of buffers, and text escaped on its way to a stream.
#include "escaped.h"

#include <string.h>

#include "io/support/escape.h"

// Longer than any line that a person reads; names of files have 4096 bytes at most.
enum { COPY_ROOM = 8192 };
static char ring[SHOWN_AT_ONCE][COPY_ROOM];
static unsigned turn;

static const char *copy_of(const char *text, size_t n, io_escape_kind kind)
{
    static const char cut[] = "...";
    char *copy = ring[turn++ % SHOWN_AT_ONCE];
    if (io_escape(copy, COPY_ROOM - sizeof cut, text, n, kind) < n) strcat(copy, cut);
    return copy;
}

const char *shown_line(const char *text, size_t n)
{
    return copy_of(text, n, IO_ESCAPE_KEEP_TABS);
}

const char *shown(const char *text)
{
    const size_t n = strlen(text);
    return io_is_printable(text, n, IO_ESCAPE_ALL) ? text : copy_of(text, n, IO_ESCAPE_ALL);
}

const char *shown_lines(const char *text)
{
    const size_t n = strlen(text);
    const io_escape_kind kind = IO_ESCAPE_KEEP_LINES;
    return io_is_printable(text, n, kind) ? text : copy_of(text, n, kind);
}

static void put(FILE *out, const char *text, io_escape_kind kind)
{
    char chunk[512];
    size_t n = strlen(text);
    while (n > 0) {
        const size_t taken = io_escape(chunk, sizeof chunk, text, n, kind);
        fputs(chunk, out);
        text += taken, n -= taken;
    }
}

void shown_to(FILE *out, const char *text)
{
    put(out, text, IO_ESCAPE_ALL);
}

void shown_lines_to(FILE *out, const char *text)
{
    put(out, text, IO_ESCAPE_KEEP_LINES);
}
