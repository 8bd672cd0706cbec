// SPDX-License-Identifier: Apache-2.0
//
// The streaming reader: decides whether a file is .npy or raw, checks its length against its
// shape, and hands out elements.
#include "reader.h"

#include <string.h>

#include "npy_header.h"

// Checks what the caller wants against what the .npy header says.
static io_status settle_npy(io_reader *reader, const io_read_options *options, io_error *error)
{
    const char *name = reader->source.name;
    io_dtype *dtype = &reader->form.dtype;
    const hd_type wanted = options->type;
    if (options->shaped)
        return io_fail(error, IO_ARGUMENT,
                       "%s: a shape is given, but this is an .npy file, which has its own", name);
    if (dtype->raw2 && wanted != HD_BF16)
        return io_fail(error, IO_ARGUMENT,
                       "%s: the element type is V2 (two bytes of no stated kind): give --dtype "
                       "bf16 to read it as such",
                       name);
    if (wanted != HD_NONE && wanted != dtype->type)
        return io_fail(error, IO_ARGUMENT,
                       "%s: expected elements of type %s, but the .npy header says %s", name,
                       hd_type_name(wanted), hd_type_name(dtype->type));
    return IO_OK;
}

static io_status settle_raw(io_reader *reader, const io_read_options *options,
                            const unsigned char *first, size_t count, io_error *error)
{
    if (options->type == HD_NONE) {
        char got[24] = "nothing";
        for (size_t k = 0; k < count; k++) {
            static const char digit[] = "0123456789abcdef";
            memcpy(got + 3 * k, (char[]){digit[first[k] >> 4], digit[first[k] & 15], ' '}, 3);
            got[3 * k + 2] = k + 1 < count ? ' ' : '\0';
        }
        return io_fail(error, IO_FORMAT,
                       "%s: byte 0: not an .npy file: expected 93 4e 55 4d 50 59 (\\x93NUMPY), "
                       "got %s (a raw file needs its type: --dtype)",
                       reader->source.name, got);
    }
    io_form *form = &reader->form;
    const int64_t element = (int64_t)hd_type_size(options->type);
    *form = (io_form){.dtype = {.type = options->type}, .ndim = options->ndim};
    memcpy(form->shape, options->shape, sizeof form->shape);
    if (options->shaped) return IO_OK;
    form->ndim = 1;
    form->shape[0] = reader->source.length < 0 ? 0 : reader->source.length / element;
    return IO_OK;
}

// The bytes that the shape asks for must be the bytes that are there.
static io_status check_length(const io_reader *reader, io_error *error)
{
    const io_source *source = &reader->source;
    if (source->length < 0) return IO_OK;
    const int64_t element = (int64_t)hd_type_size(reader->form.dtype.type);
    const int64_t want = reader->count * element, have = source->length - source->position;
    if (have == want) return IO_OK;
    return io_fail(
        error, IO_FORMAT, "%s: byte %lld: %s: expected %lld bytes (%lld elements of %s), got %lld",
        source->name, (long long)source->position,
        have < want ? "the file ends too early" : "bytes after the last element", (long long)want,
        (long long)reader->count, hd_type_name(reader->form.dtype.type), (long long)have);
}

static io_status begin(io_reader *reader, const io_read_options *options, io_error *error)
{
    static const io_read_options none;
    unsigned char first[IO_NPY_MAGIC_SIZE];
    size_t got;
    if (options == NULL) options = &none;
    IO_TRY(io_source_peek(&reader->source, first, sizeof first, &got, error));
    const bool npy = io_npy_is(first, got);
    if (npy) {
        IO_TRY(io_npy_read_header(&reader->source, &reader->form, error));
        IO_TRY(settle_npy(reader, options, error));
    } else {
        IO_TRY(settle_raw(reader, options, first, got, error));
    }
    reader->count = io_form_count(&reader->form);
    if (reader->count < 0)
        return io_fail(error, IO_FORMAT,
                       "%s: the shape is too large: expected at most 2^62 elements and 2^63 - 1 "
                       "bytes",
                       reader->source.name);
    if (!npy && !options->shaped && reader->source.length < 0) reader->count = -1;
    return check_length(reader, error);
}

static io_status begin_or_close(io_reader *reader, const io_read_options *options, io_error *error)
{
    const io_status status = begin(reader, options, error);
    if (status != IO_OK) io_source_close(&reader->source);
    return status;
}

io_status io_reader_open(io_reader *reader, const char *name, const io_read_options *options,
                         io_error *error)
{
    *reader = (io_reader){.count = 0};
    IO_TRY(io_source_open(&reader->source, name, error));
    return begin_or_close(reader, options, error);
}

io_status io_reader_open_memory(io_reader *reader, const char *name, const void *memory,
                                size_t length, const io_read_options *options, io_error *error)
{
    *reader = (io_reader){.count = 0};
    io_source_memory(&reader->source, name, memory, length);
    return begin_or_close(reader, options, error);
}

void io_reader_close(io_reader *reader)
{
    io_source_close(&reader->source);
}

// At the end: a pipe may hold more than its header said.
static io_status check_end(io_reader *reader, io_error *error)
{
    unsigned char byte;
    size_t got;
    IO_TRY(io_source_peek(&reader->source, &byte, 1, &got, error));
    if (got == 0) return IO_OK;
    return io_fail(error, IO_FORMAT,
                   "%s: byte %lld: bytes after the last element: expected the end after %lld "
                   "elements",
                   reader->source.name, (long long)reader->source.position,
                   (long long)reader->count);
}

io_status io_reader_next(io_reader *reader, void *buffer, int64_t capacity, int64_t *got,
                         io_error *error)
{
    const size_t element = hd_type_size(reader->form.dtype.type);
    const int64_t left = reader->count < 0 ? capacity : reader->count - reader->done;
    const int64_t want = left < capacity ? left : capacity;
    size_t bytes;
    *got = 0;
    if (left == 0) return check_end(reader, error);
    IO_TRY(io_source_read(&reader->source, buffer, (size_t)want * element, &bytes, error));
    const int64_t whole = (int64_t)(bytes / element);
    if (bytes % element != 0 || (reader->count >= 0 && whole < want))
        return io_fail(error, IO_FORMAT,
                       "%s: byte %lld: the data end too early: expected %s%lld elements of %s, "
                       "got %lld and %zu bytes",
                       reader->source.name, (long long)reader->source.position,
                       reader->count < 0 ? "whole elements, at least " : "",
                       (long long)(reader->count < 0 ? 0 : reader->count),
                       hd_type_name(reader->form.dtype.type), (long long)(reader->done + whole),
                       bytes % element);
    if (reader->form.dtype.swap) io_dtype_swap(buffer, element, whole);
    reader->done += whole;
    *got = whole;
    return IO_OK;
}
