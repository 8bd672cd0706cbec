// SPDX-License-Identifier: Apache-2.0
//
// The letters and numbers that Netpbm's headers are made of.
#include "pnm_header.h"

#include <stdio.h>

#define MAX_HEADER_BYTES (1 << 16) // comments and all

// The header's letters, one at a time.
io_status io_header_next(io_source *source, int *c, io_error *error)
{
    unsigned char byte;
    size_t got;
    if (source->position > MAX_HEADER_BYTES)
        return io_fail(error, IO_FORMAT, "%s: byte %lld: the header does not end", source->name,
                       (long long)source->position);
    IO_TRY(io_source_read(source, &byte, 1, &got, error));
    *c = got == 1 ? byte : IO_HEADER_END;
    return IO_OK;
}

bool io_header_blank(int c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

io_status io_header_unexpected(const io_source *source, const char *what, int c, io_error *error)
{
    char got[16] = "the end";
    if (c > ' ' && c < 127) snprintf(got, sizeof got, "'%c'", c);
    if (c != IO_HEADER_END && (c <= ' ' || c >= 127)) snprintf(got, sizeof got, "byte 0x%02x", c);
    return io_fail(error, IO_FORMAT, "%s: byte %lld: bad image header: expected %s, got %s",
                   source->name, (long long)source->position - (c != IO_HEADER_END), what, got);
}

// Goes past blanks, and comments if there may be some; *c is the first letter after them.
io_status io_header_skip(io_source *source, bool comments, int *c, io_error *error)
{
    do {
        IO_TRY(io_header_next(source, c, error));
        while (comments && *c == '#')
            while (*c != '\n' && *c != '\r' && *c != IO_HEADER_END)
                IO_TRY(io_header_next(source, c, error));
    } while (io_header_blank(*c));
    return IO_OK;
}

// A whole number of the header, and the one blank after it.
io_status io_header_count(io_source *source, const char *what, bool comments, int64_t most,
                          int64_t *n, io_error *error)
{
    int c = IO_HEADER_END;
    IO_TRY(io_header_skip(source, comments, &c, error));
    if (c < '0' || c > '9') return io_header_unexpected(source, what, c, error);
    for (*n = 0; c >= '0' && c <= '9';) {
        *n = 10 * *n + (c - '0');
        if (*n > most)
            return io_fail(error, IO_FORMAT, "%s: byte %lld: %s: expected 1 to %lld, got more",
                           source->name, (long long)source->position - 1, what, (long long)most);
        IO_TRY(io_header_next(source, &c, error));
    }
    if (*n == 0)
        return io_fail(error, IO_FORMAT, "%s: byte %lld: %s: expected at least 1, got 0",
                       source->name, (long long)source->position - 1, what);
    if (comments && c == '#') { // glued to the number
        while (c != '\n' && c != '\r' && c != IO_HEADER_END)
            IO_TRY(io_header_next(source, &c, error));
    }
    return io_header_blank(c) ? IO_OK
                              : io_header_unexpected(source, "a blank after a number", c, error);
}

// The two letters that say what the image is.
io_status io_header_kind(io_source *source, char *letter, io_error *error)
{
    int c = IO_HEADER_END;
    IO_TRY(io_header_next(source, &c, error));
    if (c != 'P') return io_header_unexpected(source, "'P'", c, error);
    IO_TRY(io_header_next(source, &c, error));
    *letter = (char)c;
    return IO_OK;
}

// Data that a file cannot hold are refused before there is memory for them.
io_status io_header_fits(const io_source *source, int64_t h, int64_t w, int64_t least,
                         io_error *error)
{
    if (source->length < 0) return IO_OK; // a pipe: memory grows with what comes
    const int64_t have = source->length - source->position;
    if (h <= have / w && h * w <= have / least) return IO_OK;
    return io_fail(error, IO_FORMAT,
                   "%s: byte %lld: the file ends too early: expected an image of %lld x %lld, got "
                   "%lld bytes",
                   source->name, (long long)source->position, (long long)w, (long long)h,
                   (long long)have);
}
