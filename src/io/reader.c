// SPDX-License-Identifier: Apache-2.0
//
// The streaming reader: decides what a file is, checks its length against its shape, and hands out
// elements.
#include "reader.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/tables/csv.h"
#include "io/npy/npy_header.h"
#include "io/npy/npz.h"
#include "io/images/png_file.h"
#include "io/images/pnm.h"

// Checks what the caller wants against what the file says of itself.
static io_status settle_own(io_reader *reader, const io_read_options *options, io_error *error)
{
    const char *name = reader->source.name, *title = io_format_title(reader->format);
    const io_dtype *dtype = &reader->header.dtype;
    const hd_type wanted = options->type;
    if (options->shaped)
        return io_fail(error, IO_ARGUMENT,
                       "%s: a shape is given, but this is %s, which has its own", name, title);
    if (dtype->raw2 && wanted != HD_BF16)
        return io_fail(error, IO_ARGUMENT,
                       "%s: the element type is V2 (two bytes of no stated kind): give --dtype "
                       "bf16 to read it as such",
                       name);
    if (wanted == HD_NONE || wanted == dtype->type) return IO_OK;
    if (reader->format == IO_NPY || reader->format == IO_NPZ)
        return io_fail(error, IO_ARGUMENT,
                       "%s: expected elements of type %s, but the .npy header says %s", name,
                       hd_type_name(wanted), hd_type_name(dtype->type));
    return io_fail(error, IO_ARGUMENT, "%s: expected elements of type %s, but this is %s of %s",
                   name, hd_type_name(wanted), title, hd_type_name(dtype->type));
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
                       "%s: byte 0: not an .npy file, nor .npz, PNG, PGM, PPM or PFM: got %s (text "
                       "needs a name in .csv, .tsv or .txt, or --format; a raw file needs its "
                       "type: --dtype)",
                       reader->source.name, got);
    }
    io_array_header *header = &reader->header;
    const int64_t element = (int64_t)hd_type_size(options->type);
    *header = (io_array_header){.dtype = {.type = options->type}, .ndim = options->ndim};
    memcpy(header->shape, options->shape, sizeof header->shape);
    if (options->shaped) return IO_OK;
    header->ndim = 1;
    header->shape[0] = reader->source.length < 0 ? 0 : reader->source.length / element;
    return IO_OK;
}

// The bytes that the shape asks for must be the bytes that are there.
static io_status check_length(const io_reader *reader, io_error *error)
{
    const io_source *source = &reader->source;
    if (source->length < 0) return IO_OK;
    const int64_t element = (int64_t)hd_type_size(reader->header.dtype.type);
    const int64_t want = reader->count * element, have = source->length - source->position;
    if (have == want) return IO_OK;
    return io_fail(
        error, IO_FORMAT, "%s: byte %lld: %s: expected %lld bytes (%lld elements of %s), got %lld",
        source->name, (long long)source->position,
        have < want ? "the file ends too early" : "bytes after the last element", (long long)want,
        (long long)reader->count, hd_type_name(reader->header.dtype.type), (long long)have);
}

// Whatever was held before, the reader now reads from this memory, which it owns.
static void hold(io_reader *reader, void *memory, size_t bytes)
{
    const char *name = reader->source.name;
    io_source_close(&reader->source);
    reader->held = memory;
    io_source_memory(&reader->source, name, memory, bytes);
}

static io_status decode(io_reader *reader, const io_read_options *options, io_decoded *out,
                        io_error *error)
{
    io_bytes bytes;
    if (reader->format == IO_PFM) return io_pfm_decode(&reader->source, out, error);
    IO_TRY(io_bytes_read(&bytes, &reader->source, error));
    io_status status = IO_OK;
    if (reader->format == IO_PNG)
        status = io_png_decode(&bytes, out, error);
    else if (reader->format == IO_CSV)
        status = io_csv_decode(&bytes, options->type, options->header, out, error);
    else
        status = io_text_decode(&bytes, options->type, out, error);
    io_bytes_release(&bytes);
    return status;
}

// Texts have no shape of their own that the caller could contradict.
static io_status reshape(io_reader *reader, const io_read_options *options, io_error *error)
{
    const int64_t have = io_array_header_count(&reader->header);
    reader->header.ndim = options->ndim;
    memcpy(reader->header.shape, options->shape, sizeof reader->header.shape);
    const int64_t want = io_array_header_count(&reader->header);
    if (want == have) return IO_OK;
    return io_fail(error, IO_ARGUMENT,
                   "%s: the shape has %lld elements, but there are %lld numbers",
                   reader->source.name, (long long)want, (long long)have);
}

// Formats that are decoded at once.
static io_status begin_decoded(io_reader *reader, const io_read_options *options, io_error *error)
{
    io_decoded out = {.data = NULL};
    IO_TRY(decode(reader, options, &out, error));
    reader->header = out.header;
    hold(reader, out.data,
         (size_t)io_array_header_count(&out.header) * hd_type_size(out.header.dtype.type));
    if (reader->format != IO_CSV && reader->format != IO_TEXT)
        return settle_own(reader, options, error);
    return options->shaped ? reshape(reader, options, error) : IO_OK;
}

// P5 and P6 are a header and raw elements, P2 and P3 are texts.
static io_status begin_pnm(io_reader *reader, const io_read_options *options, io_error *error)
{
    io_pnm image;
    io_decoded out = {.data = NULL};
    IO_TRY(io_pnm_header(&reader->source, &image, error));
    reader->header = image.header;
    IO_TRY(settle_own(reader, options, error));
    if (!image.digits) return IO_OK;
    IO_TRY(io_pnm_decode(&reader->source, &image, &out, error));
    hold(reader, out.data,
         (size_t)io_array_header_count(&out.header) * hd_type_size(out.header.dtype.type));
    return IO_OK;
}

static io_status begin_npy(io_reader *reader, const io_read_options *options, io_error *error)
{
    IO_TRY(io_npy_read_header(&reader->source, &reader->header, error));
    return settle_own(reader, options, error);
}

static io_status begin_npz(io_reader *reader, const char *member, const io_read_options *options,
                           io_error *error)
{
    io_bytes bytes;
    void *memory = NULL;
    size_t size = 0;
    IO_TRY(io_bytes_read(&bytes, &reader->source, error));
    const io_status status = io_npz_member(&bytes, member, &memory, &size, error);
    io_bytes_release(&bytes);
    if (status != IO_OK) return status;
    hold(reader, memory, size);
    return begin_npy(reader, options, error);
}

static io_status begin_format(io_reader *reader, const char *member, const io_read_options *options,
                              const unsigned char *first, size_t count, io_error *error)
{
    io_read_options as_bytes = *options;
    switch (reader->format) {
    case IO_NPY: return begin_npy(reader, options, error);
    case IO_NPZ: return begin_npz(reader, member, options, error);
    case IO_PNM: return begin_pnm(reader, options, error);
    case IO_PNG:
    case IO_PFM:
    case IO_CSV:
    case IO_TEXT: return begin_decoded(reader, options, error);
    case IO_BYTES: as_bytes.type = HD_U8; return settle_raw(reader, &as_bytes, first, count, error);
    default: return settle_raw(reader, options, first, count, error);
    }
}

static io_status begin(io_reader *reader, const char *member, const io_read_options *options,
                       io_error *error)
{
    static const io_read_options none;
    unsigned char first[8];
    size_t got;
    if (options == NULL) options = &none;
    IO_TRY(io_source_peek(&reader->source, first, sizeof first, &got, error));
    reader->format = options->format;
    if (reader->format == IO_ANY)
        reader->format = io_format_of(first, got, reader->source.name, options->type != HD_NONE);
    if (member != NULL && reader->format != IO_NPZ)
        return io_fail(error, IO_FORMAT, "%s: expected an .npz archive before the colon, got %s",
                       reader->source.name, io_format_title(reader->format));
    if (options->header != IO_HEADER_FIND && reader->format != IO_CSV)
        return io_fail(error, IO_ARGUMENT, "%s: --header is for CSV files, but this is %s",
                       reader->source.name, io_format_title(reader->format));
    IO_TRY(begin_format(reader, member, options, first, got, error));
    reader->count = io_array_header_count(&reader->header);
    if (reader->count < 0)
        return io_fail(error, IO_FORMAT,
                       "%s: the shape is too large: expected at most 2^62 elements and 2^63 - 1 "
                       "bytes",
                       reader->source.name);
    const bool raw = reader->format == IO_RAW || reader->format == IO_BYTES;
    if (raw && !options->shaped && reader->source.length < 0) reader->count = -1;
    return check_length(reader, error);
}

static io_status begin_or_close(io_reader *reader, const char *member,
                                const io_read_options *options, io_error *error)
{
    const io_status status = begin(reader, member, options, error);
    if (status != IO_OK) io_reader_close(reader);
    return status;
}

// FILE.npz:NAME is cut at the colon, unless there is a file of that very name.
static const char *cut_member(const char *name, char path[PATH_MAX])
{
    static const char mark[] = ".npz:";
    const char *at = strstr(name, mark);
    if (at == NULL || access(name, F_OK) == 0) return NULL;
    const size_t n = (size_t)(at - name) + sizeof mark - 2;
    if (n >= PATH_MAX) return NULL;
    memcpy(path, name, n);
    path[n] = '\0';
    return at + sizeof mark - 1;
}

io_status io_reader_open(io_reader *reader, const char *name, const io_read_options *options,
                         io_error *error)
{
    char path[PATH_MAX];
    const char *member = cut_member(name, path);
    *reader = (io_reader){.count = 0};
    IO_TRY(io_source_open(&reader->source, member == NULL ? name : path, error));
    if (member != NULL) reader->source.name = name;
    return begin_or_close(reader, member, options, error);
}

io_status io_reader_open_memory(io_reader *reader, const char *name, const void *memory,
                                size_t length, const io_read_options *options, io_error *error)
{
    *reader = (io_reader){.count = 0};
    io_source_memory(&reader->source, name, memory, length);
    return begin_or_close(reader, NULL, options, error);
}

void io_reader_close(io_reader *reader)
{
    io_source_close(&reader->source);
    free(reader->held);
    reader->held = NULL;
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
    const size_t element = hd_type_size(reader->header.dtype.type);
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
                       hd_type_name(reader->header.dtype.type), (long long)(reader->done + whole),
                       bytes % element);
    if (reader->header.dtype.swap) io_dtype_swap(buffer, element, whole);
    reader->done += whole;
    *got = whole;
    return IO_OK;
}
