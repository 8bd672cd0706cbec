// SPDX-License-Identifier: Apache-2.0
//
// Writes an array chunk by chunk, row-major. The file appears whole or not at all
// (temporary_file.h). Its name's end chooses the format (format.h): .npy, .npz, .png, .pgm, .ppm,
// .pnm, .pfm, .csv, .tsv, .txt, .raw, .bin; all others, and standard output ("-"), get an .npy
// file.
#ifndef HEDDLE_IO_WRITER_H
#define HEDDLE_IO_WRITER_H

#include "io/stream/encoder.h"

// Opens the file and writes its header. A shape of one axis of length -1 is not known yet: commit
// then fills it in, which a pipe cannot do, so for one it is refused unless the format does not
// say its length.
io_status io_writer_open(io_writer *writer, const char *name, hd_type type, int32_t ndim,
                         const int64_t *shape, io_error *error);

// The same in a format of the caller's choice; IO_ANY: by the name.
io_status io_writer_open_as(io_writer *writer, const char *name, io_format format, hd_type type,
                            int32_t ndim, const int64_t *shape, io_error *error);

// Whether it goes to a terminal, which obeys escape sequences. Only texts are written there: an
// array in any other format is refused when it is opened.
bool io_writer_on_terminal(const io_writer *writer);

// Appends n elements.
io_status io_writer_put(io_writer *writer, const void *elements, int64_t n, io_error *error);

// Checks that all were written and makes the file appear. After an error it is gone.
io_status io_writer_commit(io_writer *writer, io_error *error);

// Removes the file; allowed after commit, after an error, and twice.
void io_writer_abandon(io_writer *writer);

#endif
