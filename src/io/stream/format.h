// SPDX-License-Identifier: Apache-2.0
//
// The formats of files: their names, what they begin with, and how their files are called.
#ifndef HEDDLE_IO_STREAM_FORMAT_H
#define HEDDLE_IO_STREAM_FORMAT_H

#include "io/support/error.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum io_format {
    IO_ANY, // by the first bytes, then by the name
    IO_NPY,
    IO_NPZ,
    IO_PNG,
    IO_PNM, // PGM and PPM
    IO_PFM,
    IO_CSV,
    IO_TEXT,  // numbers between blanks
    IO_RAW,   // elements and nothing else
    IO_BYTES, // any file at all, as u8: letters, for one
    IO_FORMATS
} io_format;

// Whether the first line of a table is a header: found out, or said.
typedef enum io_table_header { IO_HEADER_FIND, IO_HEADER_YES, IO_HEADER_NO } io_table_header;

// "png", as --format has it, and what a file of the format is called in errors: "a PNG image".
const char *io_format_name(io_format format);
const char *io_format_title(io_format format);

// The format of that name, or IO_FORMATS.
io_format io_format_named(const char *name);

// Whether a name ends so (".csv"), in letters of either case.
bool io_name_ends(const char *name, const char *extension);

// What a file's name says of its format; IO_ANY: nothing.
io_format io_format_by_name(const char *name);

// The format of a file that is written under a name: what it ends in; .npy for a name without an
// ending. An ending that no format has is IO_ARGUMENT: who asks for .jpg does not expect an .npy
// file.
io_status io_format_for_output(const char *name, io_format *format, io_error *error);

// What the first bytes say (8 are enough for all); IO_ANY: nothing.
io_format io_format_by_content(const unsigned char *first, size_t count);

// The format of a file that is read. Contents win over names, but for two that are short enough to
// begin raw data or letters by chance (PNM, PFM): where the caller names an element type or the
// file is called .raw or .bin, they are taken for what they say only if the name agrees.
io_format io_format_of(const unsigned char *first, size_t count, const char *name, bool typed);

#endif
