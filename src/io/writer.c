// SPDX-License-Identifier: Apache-2.0
//
// The streaming writer.
#include "writer.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "npy_header.h"

// One write() takes at most this much: Linux itself stops at 2^31 - 4096.
#define MOST_PER_WRITE ((size_t)1 << 30)

static bool ends_with(const char *name, const char *end)
{
    const size_t n = strlen(name), m = strlen(end);
    return n > m && strcmp(name + n - m, end) == 0;
}

static io_status put_bytes(io_writer *writer, const void *bytes, size_t n, io_error *error)
{
    const char *at = bytes;
    while (n > 0) {
        const ssize_t put = write(writer->aside.fd, at, n < MOST_PER_WRITE ? n : MOST_PER_WRITE);
        if (put < 0 && errno == EINTR) continue;
        if (put < 0)
            return io_fail_system(error, "%s: byte %lld: cannot write", writer->aside.name,
                                  (long long)writer->bytes);
        at += put, n -= (size_t)put, writer->bytes += put;
    }
    return IO_OK;
}

static io_status put_header(io_writer *writer, int32_t ndim, const int64_t *shape, io_error *error)
{
    unsigned char header[IO_NPY_HEADER_ROOM];
    if (!writer->npy) return IO_OK;
    return put_bytes(writer, header, io_npy_write_header(header, writer->type, ndim, shape), error);
}

io_status io_writer_open(io_writer *writer, const char *name, hd_type type, int32_t ndim,
                         const int64_t *shape, io_error *error)
{
    io_form form = {.dtype = {.type = type}, .ndim = ndim};
    const bool unknown = ndim == 1 && shape[0] == -1;
    *writer =
        (io_writer){.type = type, .npy = !ends_with(name, ".raw") && !ends_with(name, ".bin")};
    writer->aside.fd = writer->aside.slot = -1;
    if (ndim < 0 || ndim > HD_MAX_DIMS || io_dtype_name(type) == NULL)
        return io_fail(error, IO_ARGUMENT,
                       "%s: cannot write: expected 0 to 8 dimensions of a plain type, got %d of "
                       "%s",
                       name, (int)ndim, hd_type_name(type));
    if (ndim > 0) memcpy(form.shape, shape, (size_t)ndim * sizeof *shape);
    writer->count = unknown ? -1 : io_form_count(&form);
    if (writer->count < 0 && !unknown)
        return io_fail(error, IO_ARGUMENT, "%s: the shape is negative or too large", name);
    IO_TRY(io_aside_open(&writer->aside, name, error));
    io_status status = IO_OK;
    if (unknown && writer->npy && writer->aside.slot < 0)
        status = io_fail(error, IO_ARGUMENT,
                         "%s: an .npy file begins with its length, which is not known yet and "
                         "cannot be filled in here later: give the input's shape, or a file name",
                         writer->aside.name);
    if (status == IO_OK) status = put_header(writer, ndim, shape, error);
    if (status != IO_OK) io_writer_abandon(writer);
    return status;
}

io_status io_writer_put(io_writer *writer, const void *elements, int64_t n, io_error *error)
{
    IO_TRY(put_bytes(writer, elements, (size_t)n * hd_type_size(writer->type), error));
    writer->done += n;
    return IO_OK;
}

// The header of a row whose length is known now; every such header has the same size.
static io_status fill_in(io_writer *writer, io_error *error)
{
    if (!writer->npy) return IO_OK;
    if (lseek(writer->aside.fd, 0, SEEK_SET) != 0)
        return io_fail_system(error, "%s: cannot go back to the header", writer->aside.name);
    return put_header(writer, 1, &writer->done, error);
}

static io_status finish(io_writer *writer, io_error *error)
{
    if (writer->count < 0) return fill_in(writer, error);
    if (writer->done == writer->count) return IO_OK;
    return io_fail(error, IO_ARGUMENT, "%s: expected %lld elements to be written, got %lld",
                   writer->aside.name, (long long)writer->count, (long long)writer->done);
}

io_status io_writer_commit(io_writer *writer, io_error *error)
{
    const io_status status = finish(writer, error);
    if (status == IO_OK) return io_aside_commit(&writer->aside, error);
    io_writer_abandon(writer);
    return status;
}

void io_writer_abandon(io_writer *writer)
{
    io_aside_abandon(&writer->aside);
}
