// SPDX-License-Identifier: Apache-2.0
//
// Reads the elements of an array chunk by chunk, from a file or a pipe, in this machine's byte
// order, so that an array may be larger than memory. Elements come in the order of the file: see
// io_array_header_is_row_major. Formats that cannot be read so (PNG, .npz, texts, PFM) are decoded
// whole when they are opened.
#ifndef HEDDLE_IO_READER_H
#define HEDDLE_IO_READER_H

#include "io/stream/array_header.h"
#include "io/stream/format.h"
#include "io/stream/source.h"

// What the caller knows of the file. The format is found in its first bytes, or its name says that
// it is CSV or text; any other file is raw and needs a type. The shape of a raw file may be left
// out: then it is one row, up to the file's end. Texts may be given one, too.
typedef struct io_read_options {
    hd_type type; // HD_NONE: what the file says. A text is read as of this type; a file that has a
                  // type of its own must agree with it; HD_BF16 reads NumPy's "V2"
    bool shaped;
    int32_t ndim;
    int64_t shape[HD_MAX_DIMS];
    io_format format;       // IO_ANY: found out
    io_table_header header; // of a CSV file
} io_read_options;

typedef struct io_reader {
    io_source source;
    io_array_header header;
    io_format format;
    int64_t count; // elements, or -1: until the pipe ends
    int64_t done;  // elements given so far
    void *held;    // memory of its own that the source reads from, or NULL
} io_reader;

// Opens and reads the header. options may be NULL. After an error nothing is left open. One array
// of an archive is named as FILE.npz:NAME.
io_status io_reader_open(io_reader *reader, const char *name, const io_read_options *options,
                         io_error *error);
io_status io_reader_open_memory(io_reader *reader, const char *name, const void *memory,
                                size_t length, const io_read_options *options, io_error *error);
void io_reader_close(io_reader *reader);

// Gives the next elements, at most `capacity`; *got is less only before the end, and 0 at the
// end, which is also where bytes too many are found.
io_status io_reader_next(io_reader *reader, void *buffer, int64_t capacity, int64_t *got,
                         io_error *error);

#endif
