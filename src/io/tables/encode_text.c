// SPDX-License-Identifier: Apache-2.0
//
// Writing .csv, .tsv and .txt files: one row of the last axis a line, one element a line where
// there is one axis. Numbers read back to the same bits; bool is 0 and 1.
#include <string.h>

#include "io/stream/encoder.h"
#include "io/numbers/number.h"

enum { BUFFER_BYTES = 1 << 16 };

static io_status check_csv(const io_writer *writer, const char *name, io_error *error)
{
    if (writer->ndim <= 2) return IO_OK;
    return io_fail(
        error, IO_ARGUMENT,
        "%s: a CSV file has rows and columns, but the array has %d dimensions: expected 1 "
        "or 2 (a .txt file has an empty line between planes)",
        name, (int)writer->ndim);
}

static io_status begin(io_writer *writer, io_error *error)
{
    return io_writer_room(writer, BUFFER_BYTES, error);
}

static io_status flush(io_writer *writer, io_error *error)
{
    const size_t n = (size_t)writer->used;
    writer->used = 0;
    return io_writer_bytes(writer, writer->buffer, n, error);
}

static char separator(const io_writer *writer)
{
    if (writer->format == IO_TEXT) return ' ';
    return io_name_ends(writer->temporary.name, ".tsv") ? '\t' : ',';
}

// Between planes of a text an empty line; k elements are written.
static bool plane_ends(const io_writer *writer, int64_t k)
{
    if (writer->ndim < 3 || k == writer->count) return false;
    return k % (writer->shape[writer->ndim - 1] * writer->shape[writer->ndim - 2]) == 0;
}

static io_status put(io_writer *writer, const void *elements, int64_t n, io_error *error)
{
    const size_t element = hd_type_size(writer->type);
    const int64_t columns = writer->ndim < 2 ? 1 : writer->shape[writer->ndim - 1];
    const hd_type type = writer->type == HD_BOOL ? HD_U8 : writer->type;
    const char between = separator(writer), *at = elements;
    for (int64_t k = writer->done + 1; k <= writer->done + n; k++, at += element) {
        if (writer->used + IO_NUMBER_ROOM + 2 > writer->room) IO_TRY(flush(writer, error));
        char *to = (char *)writer->buffer + writer->used;
        const uint8_t one = *(const uint8_t *)at != 0;
        size_t length =
            io_number_print(type, writer->type == HD_BOOL ? (const char *)&one : at, to);
        to[length++] = k % columns == 0 ? '\n' : between;
        if (plane_ends(writer, k)) to[length++] = '\n';
        writer->used += (int64_t)length;
    }
    return IO_OK;
}

const io_encoder io_encode_csv = {check_csv, begin, put, flush, false};
const io_encoder io_encode_text = {NULL, begin, put, flush, false};
