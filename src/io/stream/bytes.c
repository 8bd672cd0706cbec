// SPDX-License-Identifier: Apache-2.0
//
// Mapping a file, or reading a pipe to its end.
#include "bytes.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "io/support/limit.h"
#include "io/support/memory.h"

// Memory grows with what has come from a pipe.
#define FIRST_BYTES ((size_t)1 << 16)

static bool map(io_bytes *bytes, io_source *source)
{
    const size_t all = (size_t)source->length;
    void *base = mmap(NULL, all, PROT_READ, MAP_PRIVATE, source->fd, 0);
    if (base == MAP_FAILED) return false;
    bytes->memory = base;
    bytes->mapped = all;
    bytes->data = (const unsigned char *)base + source->position;
    bytes->size = all - (size_t)source->position;
    return true;
}

// `come` bytes have come, or are in the file.
static io_status grow(io_bytes *bytes, size_t *room, int64_t come, io_error *error)
{
    int64_t most;
    IO_TRY(io_limit_grow(bytes->name, "the file", (int64_t)bytes->size + 1, (int64_t)*room, come,
                         &most, error));
    *room = (size_t)most;
    unsigned char *larger = io_allocate(*room);
    if (larger == NULL)
        return io_fail(error, IO_MEMORY, "%s: no memory for %zu bytes", bytes->name, *room);
    if (bytes->size > 0) memcpy(larger, bytes->data, bytes->size);
    free(bytes->memory);
    bytes->memory = larger;
    bytes->data = larger;
    return IO_OK;
}

static io_status read_all(io_bytes *bytes, io_source *source, io_error *error)
{
    const int64_t left = source->length - source->position;
    size_t room = source->length >= 0 && left >= 0 ? (size_t)left + 1 : FIRST_BYTES;
    IO_TRY(grow(bytes, &room, source->length, error));
    while (true) {
        size_t got;
        unsigned char *end = (unsigned char *)bytes->memory + bytes->size;
        IO_TRY(io_source_read(source, end, room - bytes->size, &got, error));
        bytes->size += got;
        if (bytes->size < room) return IO_OK;
        unsigned char next;
        IO_TRY(io_source_peek(source, &next, 1, &got, error));
        if (got == 0) return IO_OK;
        room *= 2;
        IO_TRY(grow(bytes, &room, source->position, error));
    }
}

io_status io_bytes_read(io_bytes *bytes, io_source *source, io_error *error)
{
    *bytes = (io_bytes){.name = source->name, .base = source->position};
    bytes->data = (const unsigned char *)"";
    if (source->fd < 0) {
        bytes->data = source->memory + source->position;
        bytes->size = (size_t)(source->length - source->position);
        return IO_OK;
    }
    if (source->length > source->position && map(bytes, source)) return IO_OK;
    const io_status status = read_all(bytes, source, error);
    if (status != IO_OK) io_bytes_release(bytes);
    return status;
}

void io_bytes_release(io_bytes *bytes)
{
    if (bytes->mapped > 0)
        munmap(bytes->memory, bytes->mapped);
    else
        free(bytes->memory);
    *bytes = (io_bytes){.name = NULL};
}
