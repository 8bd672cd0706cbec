// SPDX-License-Identifier: Apache-2.0
//
// Where bytes come from: a file, a pipe ("-" is standard input), or memory. It counts the bytes
// it has given, so that an error can name the place.
#ifndef HEDDLE_IO_STREAM_SOURCE_H
#define HEDDLE_IO_STREAM_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/support/error.h"

typedef struct io_source {
    const char *name; // for errors; the caller's, which must outlive the source
    int fd;           // -1: memory
    bool owned;
    const unsigned char *memory;
    int64_t length; // bytes in all, or -1 for a pipe
    int64_t position;
    unsigned char peeked[8]; // bytes read ahead of position
    size_t peeked_count;
} io_source;

io_status io_source_open(io_source *source, const char *name, io_error *error);
void io_source_memory(io_source *source, const char *name, const void *memory, size_t length);
void io_source_close(io_source *source);

// Reads up to `bytes`; *got is less only at the end.
io_status io_source_read(io_source *source, void *buffer, size_t bytes, size_t *got,
                         io_error *error);

// Looks at the next bytes (at most 8) without taking them; *got is less only at the end.
io_status io_source_peek(io_source *source, void *buffer, size_t bytes, size_t *got,
                         io_error *error);

#endif
