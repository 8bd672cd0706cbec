// SPDX-License-Identifier: Apache-2.0
//
// All bytes of a source at once: mapped where it is a regular file, else read into memory. For
// formats that cannot be read element by element.
#ifndef HEDDLE_IO_STREAM_BYTES_H
#define HEDDLE_IO_STREAM_BYTES_H

#include "source.h"

typedef struct io_bytes {
    const char *name;
    const unsigned char *data; // never NULL
    size_t size;
    int64_t base; // where in the file they begin, for errors
    void *memory; // what to give back
    size_t mapped;
} io_bytes;

// Takes what is left of the source.
io_status io_bytes_read(io_bytes *bytes, io_source *source, io_error *error);

// Also of zeros.
void io_bytes_release(io_bytes *bytes);

#endif
