// SPDX-License-Identifier: Apache-2.0
//
// Loading a whole array: mapping, reading in pieces, growing when a pipe does not say its length.
#include "array.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "memory.h"

// A piece of a pipe: memory grows with what has come, never with what a header claims.
#define PIECE_BYTES ((int64_t)1 << 24)

static bool can_map(const io_reader *reader)
{
    const io_source *source = &reader->source;
    const size_t element = hd_type_size(reader->form.dtype.type);
    return source->fd >= 0 && source->length > 0 && reader->count > 0 && !reader->form.dtype.swap &&
           source->position % (int64_t)element == 0;
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
    const size_t element = hd_type_size(reader->form.dtype.type);
    if (reader->held == NULL || reader->done > 0 || reader->form.dtype.swap) return false;
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
                   (long long)elements, hd_type_name(reader->form.dtype.type));
}

// Makes room for at least `elements`, keeping what is there.
static io_status grow(io_array *array, const io_reader *reader, int64_t elements, io_error *error)
{
    const size_t element = hd_type_size(reader->form.dtype.type);
    if ((uint64_t)elements > SIZE_MAX / element) return no_memory(reader, elements, error);
    void *larger = io_allocate((size_t)elements * element);
    if (larger == NULL) return no_memory(reader, elements, error);
    if (reader->done > 0) memcpy(larger, array->memory, (size_t)reader->done * element);
    free(array->memory);
    array->memory = larger;
    array->bytes = (size_t)elements * element;
    return IO_OK;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static io_status read_all(io_array *array, io_reader *reader, io_error *error)
{
    const int64_t element = (int64_t)hd_type_size(reader->form.dtype.type);
    const bool sure = reader->source.length >= 0; // the length was checked against the file's
    int64_t room = reader->count < 0 ? PIECE_BYTES / element : reader->count, got = 1;
    if (!sure) room = smaller(room, PIECE_BYTES / element);
    IO_TRY(grow(array, reader, room, error));
    while (got > 0) {
        if (reader->done == room && reader->done != reader->count) {
            room = reader->count < 0 ? 2 * room : smaller(2 * room, reader->count);
            IO_TRY(grow(array, reader, room, error));
        }
        IO_TRY(io_reader_next(reader, (char *)array->memory + reader->done * element,
                              room - reader->done, &got, error));
    }
    array->view.data = array->memory;
    return IO_OK;
}

io_status io_array_read(io_array *array, io_reader *reader, io_error *error)
{
    io_form *form = &reader->form;
    *array = (io_array){.mapped = false};
    if (!take_over(array, reader) && (!can_map(reader) || !map(array, reader))) {
        const io_status status = read_all(array, reader, error);
        if (status != IO_OK) {
            io_array_release(array);
            return status;
        }
    }
    if (reader->count < 0) form->shape[0] = reader->done;
    int64_t stride[HD_MAX_DIMS];
    io_form_strides(form, stride);
    // A view needs an axis: a single number becomes a row of one.
    const int64_t one = 1;
    array->view = form->ndim == 0 ? hd_view_nd(form->dtype.type, array->view.data, 1, &one, NULL)
                                  : hd_view_nd(form->dtype.type, array->view.data, form->ndim,
                                               form->shape, stride);
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
