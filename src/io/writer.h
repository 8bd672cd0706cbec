// SPDX-License-Identifier: Apache-2.0
//
// Writes an array piece by piece, row-major, in this machine's byte order. The file appears whole
// or not at all (aside.h). Names that end in .raw or .bin get the elements alone, all others, and
// standard output ("-"), an .npy file.
#ifndef HEDDLE_IO_WRITER_H
#define HEDDLE_IO_WRITER_H

#include "aside.h"
#include "form.h"

typedef struct io_writer {
    io_aside aside;
    hd_type type;
    int64_t count, done; // elements promised (-1: not known yet) and written
    int64_t bytes;       // written, header and all
    bool npy;
} io_writer;

// Opens the file and writes its header. A shape of one axis of length -1 is not known yet: commit
// then fills it in, which a pipe cannot do, so for one it is refused.
io_status io_writer_open(io_writer *writer, const char *name, hd_type type, int32_t ndim,
                         const int64_t *shape, io_error *error);

// Appends n elements.
io_status io_writer_put(io_writer *writer, const void *elements, int64_t n, io_error *error);

// Checks that all were written and makes the file appear. After an error it is gone.
io_status io_writer_commit(io_writer *writer, io_error *error);

// Removes the file; allowed after commit, after an error, and twice.
void io_writer_abandon(io_writer *writer);

#endif
