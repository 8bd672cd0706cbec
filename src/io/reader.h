// SPDX-License-Identifier: Apache-2.0
//
// Reads the elements of an array piece by piece, from a file or a pipe, in this machine's byte
// order, so that an array may be larger than memory. Elements come in the order of the file: see
// io_form_is_row_major.
#ifndef HEDDLE_IO_READER_H
#define HEDDLE_IO_READER_H

#include "form.h"
#include "source.h"

// What the caller knows of the file. A file that does not begin with the .npy magic is raw and
// needs a type; its shape may be left out: then it is one row, up to the file's end.
typedef struct io_read_options {
    hd_type type; // HD_NONE: what the file says. For an .npy file it must agree with the file;
                  // HD_BF16 reads NumPy's "V2"
    bool shaped;
    int32_t ndim;
    int64_t shape[HD_MAX_DIMS];
} io_read_options;

typedef struct io_reader {
    io_source source;
    io_form form;
    int64_t count; // elements, or -1: until the pipe ends
    int64_t done;  // elements given so far
} io_reader;

// Opens and reads the header. options may be NULL. After an error nothing is left open.
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
