// SPDX-License-Identifier: Apache-2.0
//
// Writing .npy and raw files.
#include "io/stream/encoder.h"
#include "npy_header.h"

static io_status put_header(io_writer *writer, const int64_t *shape, io_error *error)
{
    unsigned char header[IO_NPY_HEADER_ROOM];
    const size_t n = io_npy_write_header(header, writer->type, writer->ndim, shape);
    return io_writer_bytes(writer, header, n, error);
}

static io_status begin(io_writer *writer, io_error *error)
{
    return put_header(writer, writer->shape, error);
}

static io_status put(io_writer *writer, const void *elements, int64_t n, io_error *error)
{
    return io_writer_bytes(writer, elements, (size_t)n * hd_type_size(writer->type), error);
}

// The header of a row whose length is known now; every such header has the same size.
static io_status end(io_writer *writer, io_error *error)
{
    if (writer->count >= 0) return IO_OK;
    IO_TRY(io_writer_rewind(writer, error));
    return put_header(writer, &writer->done, error);
}

const io_encoder io_encode_npy = {NULL, begin, put, end, true};
const io_encoder io_encode_raw = {NULL, NULL, put, NULL, false};
