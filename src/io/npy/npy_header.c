// SPDX-License-Identifier: Apache-2.0
//
// The parser of .npy headers: magic, version and length. npy_literal.c parses their dictionary.
#include "npy_header.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/support/memory.h"
#include "npy_literal.h"

bool io_npy_is(const unsigned char *bytes, size_t count)
{
    return count >= IO_NPY_MAGIC_SIZE && memcmp(bytes, IO_NPY_MAGIC, IO_NPY_MAGIC_SIZE) == 0;
}

// Reads exactly `bytes`, or says that the file ends too early.
static io_status read_exactly(io_source *source, void *buffer, size_t bytes, const char *what,
                              io_error *error)
{
    size_t got;
    IO_TRY(io_source_read(source, buffer, bytes, &got, error));
    if (got == bytes) return IO_OK;
    return io_fail(error, IO_FORMAT,
                   "%s: byte %lld: the file ends within %s: expected %zu bytes, got %zu",
                   source->name, (long long)source->position, what, bytes, got);
}

static io_status read_preamble(io_source *source, int *version, uint32_t *length, io_error *error)
{
    unsigned char b[8];
    IO_TRY(read_exactly(source, b, 8, "the .npy magic and version", error));
    if (!io_npy_is(b, 8))
        return io_fail(error, IO_FORMAT,
                       "%s: byte 0: not an .npy file: expected \\x93NUMPY, got "
                       "%02x %02x %02x %02x %02x %02x",
                       source->name, b[0], b[1], b[2], b[3], b[4], b[5]);
    if (b[6] < 1 || b[6] > 3 || b[7] != 0)
        return io_fail(error, IO_FORMAT,
                       "%s: byte 6: .npy version: expected 1.0, 2.0 or 3.0, got %d.%d",
                       source->name, b[6], b[7]);
    *version = b[6];
    unsigned char n[4] = {0, 0, 0, 0};
    IO_TRY(read_exactly(source, n, *version == 1 ? 2 : 4, "the header's length", error));
    *length = (uint32_t)n[0] | (uint32_t)n[1] << 8 | (uint32_t)n[2] << 16 | (uint32_t)n[3] << 24;
    if (*length <= IO_NPY_MAX_HEADER) return IO_OK;
    return io_fail(error, IO_FORMAT, "%s: byte 8: the header's length: expected at most %d, got %u",
                   source->name, IO_NPY_MAX_HEADER, *length);
}

io_status io_npy_read_header(io_source *source, io_array_header *header, io_error *error)
{
    int version = 0;
    uint32_t length = 0;
    IO_TRY(read_preamble(source, &version, &length, error));
    if (source->length >= 0 && source->length - source->position < (int64_t)length)
        return io_fail(error, IO_FORMAT,
                       "%s: byte 8: the header's length is %u, but only %lld bytes follow",
                       source->name, length, (long long)(source->length - source->position));
    char *text = io_allocate(length);
    if (text == NULL)
        return io_fail(error, IO_MEMORY, "%s: no memory for a header of %u bytes", source->name,
                       length);
    const uint64_t base = (uint64_t)source->position;
    io_status status = read_exactly(source, text, length, "the .npy header", error);
    if (status == IO_OK)
        status = io_npy_literal(text, length, version, source->name, base, header, error);
    free(text);
    return status;
}

// Appends to a text that has room for it.
static size_t append(char *text, size_t at, const char *format, long long value)
{
    return at + (size_t)snprintf(text + at, IO_NPY_HEADER_ROOM - at, format, value);
}

size_t io_npy_write_header(unsigned char *buffer, hd_type type, int32_t ndim, const int64_t *shape)
{
    char text[IO_NPY_HEADER_ROOM];
    size_t n =
        (size_t)snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': (",
                         io_dtype_name(type));
    for (int32_t k = 0; k < ndim; k++) {
        n = append(text, n, k == 0 ? "%lld" : ", %lld", (long long)shape[k]);
        if (ndim == 1) text[n++] = ',';
    }
    memcpy(text + n, "), }", 4);
    n += 4;
    const size_t fixed = 10; // magic, version, length
    const size_t total = (fixed + n + 1 + 63) / 64 * 64;
    memset(text + n, ' ', total - fixed - n - 1);
    text[total - fixed - 1] = '\n';
    memcpy(buffer, IO_NPY_MAGIC "\1\0", 8);
    buffer[8] = (unsigned char)((total - fixed) & 0xff);
    buffer[9] = (unsigned char)((total - fixed) >> 8);
    memcpy(buffer + fixed, text, total - fixed);
    return total;
}
