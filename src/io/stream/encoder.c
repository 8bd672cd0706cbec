// SPDX-License-Identifier: Apache-2.0
//
// What the writer supplies to the encoders of formats: bytes into the file, and memory.
#include "encoder.h"

#include <errno.h>
#include <unistd.h>

#include "io/support/memory.h"

// One write() takes at most this much: Linux itself stops at 2^31 - 4096.
#define MAX_PER_WRITE ((size_t)1 << 30)

io_status io_writer_bytes(io_writer *writer, const void *bytes, size_t n, io_error *error)
{
    const char *at = bytes;
    while (n > 0) {
        const ssize_t put = write(writer->temporary.fd, at, n < MAX_PER_WRITE ? n : MAX_PER_WRITE);
        if (put < 0 && errno == EINTR) continue;
        if (put < 0)
            return io_fail_system(error, "%s: byte %lld: cannot write", writer->temporary.name,
                                  (long long)writer->bytes);
        at += put, n -= (size_t)put, writer->bytes += put;
    }
    return IO_OK;
}

io_status io_writer_rewind(io_writer *writer, io_error *error)
{
    if (lseek(writer->temporary.fd, 0, SEEK_SET) == 0) return IO_OK;
    return io_fail_system(error, "%s: cannot go back to the header", writer->temporary.name);
}

io_status io_writer_room(io_writer *writer, int64_t bytes, io_error *error)
{
    writer->buffer = io_allocate((size_t)bytes);
    writer->room = bytes;
    if (writer->buffer != NULL) return IO_OK;
    return io_fail(error, IO_MEMORY, "%s: no memory for %lld bytes", writer->temporary.name,
                   (long long)bytes);
}
