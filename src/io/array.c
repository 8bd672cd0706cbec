// SPDX-License-Identifier: Apache-2.0
//
// Loading a whole array: mapping, reading in chunks, growing when a pipe does not say its length.
#include "array.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "io/support/limit.h"
#include "io/support/memory.h"

// A chunk of a pipe: memory grows with what has come, never with what a header claims.
#define CHUNK_BYTES ((int64_t)1 << 24)

static bool can_map(const io_reader *reader)
{
    const io_source *source = &reader->source;
    const size_t element = hd_type_size(reader->header.dtype.type);
    return source->fd >= 0 && source->length > 0 && reader->count > 0 &&
           !reader->header.dtype.swap && source->position % (int64_t)element == 0;
}

static bool map(io_array *array, const io_reader *reader)
{
    const io_source *source = &reader->source;
    void *base = mmap(NULL, (size_t)source->length, PROT_READ, MAP_PRIVATE, source->fd, 0);
    if (base == MAP_FAILED) return false; // some file systems cannot: then it is read
    *array = (io_array){.memory = base, .bytes = (size_t)source->length, .mapped = true};
    array->view.data = (char *)base + source->position;
    return true;
}

// Memory of the reader's own becomes the array's.
static bool take_over(io_array *array, io_reader *reader)
{
    const size_t element = hd_type_size(reader->header.dtype.type);
    if (reader->held == NULL || reader->done > 0 || reader->header.dtype.swap) return false;
    if (reader->source.position % (int64_t)element != 0) return false;
    *array = (io_array){.memory = reader->held, .bytes = (size_t)reader->source.length};
    array->view.data = (char *)reader->held + reader->source.position;
    reader->held = NULL;
    reader->done = reader->count;
    io_source_close(&reader->source);
    return true;
}

static io_status no_memory(const io_reader *reader, int64_t elements, io_error *error)
{
    return io_fail(error, IO_MEMORY, "%s: no memory for %lld elements of %s", reader->source.name,
                   (long long)elements, hd_type_name(reader->header.dtype.type));
}

// The bytes of the file, or those that have come from a pipe.
static int64_t come(const io_reader *reader)
{
    return reader->source.length >= 0 ? reader->source.length : reader->source.position;
}

// Makes room for `*elements`, or for fewer where the bound is near, keeping what is there.
static io_status grow(io_array *array, const io_reader *reader, int64_t *elements, io_error *error)
{
    const int64_t element = (int64_t)hd_type_size(reader->header.dtype.type);
    const int64_t least = reader->count == reader->done ? reader->done : reader->done + 1;
    int64_t bytes;
    if (__builtin_mul_overflow(*elements, element, &bytes)) bytes = INT64_MAX;
    IO_TRY(io_limit_grow(reader->source.name, "the array", least * element, bytes, come(reader),
                         &bytes, error));
    *elements = bytes / element;
    void *larger = io_allocate((size_t)bytes);
    if (larger == NULL) return no_memory(reader, *elements, error);
    if (reader->done > 0) memcpy(larger, array->memory, (size_t)(reader->done * element));
    free(array->memory);
    array->memory = larger;
    array->bytes = (size_t)bytes;
    return IO_OK;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static io_status read_all(io_array *array, io_reader *reader, io_error *error)
{
    const int64_t element = (int64_t)hd_type_size(reader->header.dtype.type);
    const bool sure = reader->source.length >= 0; // the length was checked against the file's
    int64_t room = reader->count < 0 ? CHUNK_BYTES / element : reader->count, got = 1;
    if (reader->count >= 0) // a pipe may be as long as it likes, unless the user says how long
        IO_TRY(io_limit_check(reader->source.name, "the array", reader->count * element,
                              sure ? reader->source.length : INT64_MAX, error));
    if (!sure) room = smaller(room, CHUNK_BYTES / element);
    IO_TRY(grow(array, reader, &room, error));
    while (got > 0) {
        if (reader->done == room && reader->done != reader->count) {
            unsigned char next;
            size_t more;
            IO_TRY(io_source_peek(&reader->source, &next, 1, &more, error));
            if (more == 0 && reader->count < 0) break;
            room = reader->count < 0 ? 2 * room : smaller(2 * room, reader->count);
            IO_TRY(grow(array, reader, &room, error));
        }
        IO_TRY(io_reader_next(reader, (char *)array->memory + reader->done * element,
                              room - reader->done, &got, error));
    }
    array->view.data = array->memory;
    return IO_OK;
}

io_status io_array_read(io_array *array, io_reader *reader, io_error *error)
{
    io_array_header *header = &reader->header;
    *array = (io_array){.mapped = false};
    if (!take_over(array, reader) && (!can_map(reader) || !map(array, reader))) {
        const io_status status = read_all(array, reader, error);
        if (status != IO_OK) {
            io_array_release(array);
            return status;
        }
    }
    if (reader->count < 0) header->shape[0] = reader->done;
    int64_t stride[HD_MAX_DIMS];
    io_array_header_strides(header, stride);
    // A view needs an axis: a single number becomes a row of one.
    const int64_t one = 1;
    array->single = header->ndim == 0;
    array->view =
        header->ndim == 0
            ? hd_view_nd(header->dtype.type, array->view.data, 1, &one, NULL)
            : hd_view_nd(header->dtype.type, array->view.data, header->ndim, header->shape, stride);
    return IO_OK;
}

io_status io_array_load(io_array *array, const char *name, const io_read_options *options,
                        io_error *error)
{
    io_reader reader;
    *array = (io_array){.mapped = false};
    IO_TRY(io_reader_open(&reader, name, options, error));
    const io_status status = io_array_read(array, &reader, error);
    io_reader_close(&reader);
    return status;
}

void io_array_release(io_array *array)
{
    if (array->mapped)
        munmap(array->memory, array->bytes);
    else
        free(array->memory);
    *array = (io_array){.mapped = false};
}
