// SPDX-License-Identifier: Apache-2.0
//
// The streaming writer. What a format's bytes look like is its encoder's business.
#include "writer.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/stream/encoder.h"

static const io_encoder *const encoders[IO_FORMATS] = {
    [IO_NPY] = &io_encode_npy,   [IO_NPZ] = &io_encode_npz, [IO_PNG] = &io_encode_png,
    [IO_PNM] = &io_encode_pnm,   [IO_PFM] = &io_encode_pfm, [IO_CSV] = &io_encode_csv,
    [IO_TEXT] = &io_encode_text, [IO_RAW] = &io_encode_raw, [IO_BYTES] = &io_encode_raw,
};

// The writer's fields, and whether the format can hold such an array.
static io_status settle(io_writer *writer, const char *name, int32_t ndim, const int64_t *shape,
                        io_error *error)
{
    const bool unknown = ndim == 1 && shape[0] == -1;
    if (ndim < 0 || ndim > HD_MAX_DIMS || io_dtype_name(writer->type) == NULL)
        return io_fail(error, IO_ARGUMENT,
                       "%s: cannot write: expected 0 to 8 dimensions of a plain type, got %d of "
                       "%s",
                       name, (int)ndim, hd_type_name(writer->type));
    io_array_header header = {.dtype = {.type = writer->type}, .ndim = ndim};
    if (ndim > 0) memcpy(header.shape, shape, (size_t)ndim * sizeof *shape);
    writer->ndim = ndim;
    memcpy(writer->shape, header.shape, sizeof header.shape);
    writer->count = unknown ? -1 : io_array_header_count(&header);
    if (writer->count < 0 && !unknown)
        return io_fail(error, IO_ARGUMENT, "%s: the shape is negative or too large", name);
    if (writer->encoder->check == NULL) return IO_OK;
    return writer->encoder->check(writer, name, error);
}

bool io_writer_on_terminal(const io_writer *writer)
{
    return writer->temporary.fd == STDOUT_FILENO && isatty(STDOUT_FILENO);
}

// Bytes of an array are escape sequences by chance; IO_BYTES is text that its caller has made.
static bool is_binary(io_format format)
{
    return format != IO_CSV && format != IO_TEXT && format != IO_BYTES;
}

static io_status begin(io_writer *writer, io_error *error)
{
    const io_encoder *e = writer->encoder;
    if (is_binary(writer->format) && io_writer_on_terminal(writer))
        return io_fail(error, IO_ARGUMENT,
                       "%s: a terminal cannot show %s: expected a file or a pipe",
                       writer->temporary.name, io_format_title(writer->format));
    if (writer->count < 0 && e->says_length && writer->temporary.slot < 0)
        return io_fail(error, IO_ARGUMENT,
                       "%s: %s begins with its length, which is not known yet and cannot be filled "
                       "in here later: give the input's shape, or a file name",
                       writer->temporary.name, io_format_title(writer->format));
    return e->begin == NULL ? IO_OK : e->begin(writer, error);
}

io_status io_writer_open_as(io_writer *writer, const char *name, io_format format, hd_type type,
                            int32_t ndim, const int64_t *shape, io_error *error)
{
    *writer = (io_writer){.type = type, .format = format};
    writer->temporary.fd = writer->temporary.slot = -1;
    if (format == IO_ANY) IO_TRY(io_format_for_output(name, &writer->format, error));
    writer->encoder = encoders[writer->format];
    if (strstr(name, ".npz:") != NULL)
        return io_fail(
            error, IO_ARGUMENT,
            "%s: an archive is written with one array, which has no name of the caller's: "
            "expected a name that ends in .npz",
            name);
    IO_TRY(settle(writer, name, ndim, shape, error));
    IO_TRY(io_temporary_file_open(&writer->temporary, name, error));
    const io_status status = begin(writer, error);
    if (status != IO_OK) io_writer_abandon(writer);
    return status;
}

io_status io_writer_open(io_writer *writer, const char *name, hd_type type, int32_t ndim,
                         const int64_t *shape, io_error *error)
{
    return io_writer_open_as(writer, name, IO_ANY, type, ndim, shape, error);
}

io_status io_writer_put(io_writer *writer, const void *elements, int64_t n, io_error *error)
{
    if (writer->count >= 0 && n > writer->count - writer->done)
        return io_fail(error, IO_ARGUMENT, "%s: expected %lld elements to be written, got %lld",
                       writer->temporary.name, (long long)writer->count,
                       (long long)(writer->done + n));
    IO_TRY(writer->encoder->put(writer, elements, n, error));
    writer->done += n;
    return IO_OK;
}

static io_status finish(io_writer *writer, io_error *error)
{
    if (writer->count >= 0 && writer->done != writer->count)
        return io_fail(error, IO_ARGUMENT, "%s: expected %lld elements to be written, got %lld",
                       writer->temporary.name, (long long)writer->count, (long long)writer->done);
    return writer->encoder->end == NULL ? IO_OK : writer->encoder->end(writer, error);
}

io_status io_writer_commit(io_writer *writer, io_error *error)
{
    io_status status = finish(writer, error);
    if (status == IO_OK) status = io_temporary_file_commit(&writer->temporary, error);
    io_writer_abandon(writer);
    return status;
}

void io_writer_abandon(io_writer *writer)
{
    io_temporary_file_abandon(&writer->temporary);
    free(writer->buffer);
    writer->buffer = NULL;
}
