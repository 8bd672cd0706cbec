// SPDX-License-Identifier: Apache-2.0
//
// What the headers of PGM, PPM and PFM images are made of: two letters, numbers in digits, blanks,
// comments. Taken from a source letter by letter, so that it is left at the first pixel.
#ifndef HEDDLE_IO_IMAGES_PNM_HEADER_H
#define HEDDLE_IO_IMAGES_PNM_HEADER_H

#include "io/stream/source.h"

enum { IO_HEADER_END = -1 }; // instead of a letter
#define IO_MAX_SIDE INT64_C(0x7fffffff)

// The next letter.
io_status io_header_next(io_source *source, int *c, io_error *error);
bool io_header_blank(int c);

// "bad image header: expected WHAT, got 'c'"
io_status io_header_unexpected(const io_source *source, const char *what, int c, io_error *error);

// Goes past blanks, and comments if there may be some; *c is the first letter after them.
io_status io_header_skip(io_source *source, bool comments, int *c, io_error *error);

// The P and the letter after it, which says what the image is.
io_status io_header_kind(io_source *source, char *letter, io_error *error);

// A number from 1 to most, and the one blank after it.
io_status io_header_count(io_source *source, const char *what, bool comments, int64_t most,
                          int64_t *n, io_error *error);

// Refuses an image whose pixels, of at least so many bytes, its file cannot hold, before there is
// memory for them.
io_status io_header_fits(const io_source *source, int64_t h, int64_t w, int64_t least,
                         io_error *error);

#endif
