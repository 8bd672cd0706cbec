// SPDX-License-Identifier: Apache-2.0
//
// A whole array of a file as a view: mapped where the file allows it (a regular file in this
// machine's byte order), else read into memory. Fortran order becomes strides.
#ifndef HEDDLE_IO_ARRAY_H
#define HEDDLE_IO_ARRAY_H

#include "reader.h"

typedef struct io_array {
    hd_view view; // read only
    void *memory; // what to give back
    size_t bytes;
    bool mapped;
    bool single; // one number, without dimensions in the file: the view is a row of one
} io_array;

// Loads what is left of an open reader, which must not have given any element yet. The reader
// stays the caller's to close, also before the array is released.
io_status io_array_read(io_array *array, io_reader *reader, io_error *error);

// Opens, loads and closes. options may be NULL.
io_status io_array_load(io_array *array, const char *name, const io_read_options *options,
                        io_error *error);

// Gives the memory back; an array that failed to load, or one of zeros, is allowed.
void io_array_release(io_array *array);

#endif
