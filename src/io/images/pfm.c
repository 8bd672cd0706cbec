// SPDX-License-Identifier: Apache-2.0
//
// PFM images.
#include "pnm.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/numbers/number.h"
#include "pnm_header.h"

// The third line of a PFM: a factor, whose sign tells the byte order.
static io_status read_scale(io_source *source, bool *little, io_error *error)
{
    char text[32];
    size_t n = 0;
    int c = IO_HEADER_END;
    double scale;
    IO_TRY(io_header_skip(source, false, &c, error));
    while (!io_header_blank(c) && c != IO_HEADER_END && n + 1 < sizeof text) {
        text[n++] = (char)c;
        IO_TRY(io_header_next(source, &c, error));
    }
    text[n] = '\0';
    if (!io_header_blank(c) || !io_number_read(HD_F64, text, n, &scale) || scale == 0 ||
        !isfinite(scale))
        return io_fail(error, IO_FORMAT,
                       "%s: byte %lld: bad image header: expected a factor that is not 0, got '%s'",
                       source->name, (long long)source->position, text);
    *little = scale < 0;
    return IO_OK;
}

// The rows, the last of the file first.
static io_status turn_over(const io_bytes *bytes, bool little, io_decoded *out, io_error *error)
{
    const io_array_header *header = &out->header;
    const int64_t h = header->shape[0], count = io_array_header_count(header);
    if (count < 0 || count > (int64_t)(bytes->size / sizeof(float)) ||
        (size_t)count * sizeof(float) != bytes->size)
        return io_fail(error, IO_FORMAT,
                       "%s: byte %lld: %s: expected %lld floats after the header, got %zu bytes",
                       bytes->name, (long long)bytes->base,
                       count >= 0 && count <= (int64_t)(bytes->size / sizeof(float))
                           ? "bytes after the last row"
                           : "the file ends too early",
                       (long long)count, bytes->size);
    IO_TRY(io_decoded_room(out, bytes->name, bytes->size, error));
    const size_t row = bytes->size / (size_t)h;
    for (int64_t y = 0; y < h; y++)
        memcpy((char *)out->data + (size_t)y * row, bytes->data + (size_t)(h - 1 - y) * row, row);
    const bool little_here = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    if (little != little_here) io_dtype_swap(out->data, sizeof(float), count);
    return IO_OK;
}

io_status io_pfm_decode(io_source *source, io_decoded *out, io_error *error)
{
    char kind = 0;
    int64_t w, h;
    bool little = false;
    io_bytes bytes;
    out->data = NULL;
    IO_TRY(io_header_kind(source, &kind, error));
    if (kind != 'f' && kind != 'F') return io_header_unexpected(source, "'f' or 'F'", kind, error);
    IO_TRY(io_header_count(source, "the width", false, IO_MAX_SIDE, &w, error));
    IO_TRY(io_header_count(source, "the height", false, IO_MAX_SIDE, &h, error));
    IO_TRY(read_scale(source, &little, error));
    IO_TRY(io_header_fits(source, h, w, (kind == 'F' ? 3 : 1) * (int64_t)sizeof(float), error));
    out->header = io_image_form(HD_F32, h, w, kind == 'F' ? 3 : 1);
    IO_TRY(io_bytes_read(&bytes, source, error));
    const io_status status = turn_over(&bytes, little, out, error);
    io_bytes_release(&bytes);
    return status;
}

size_t io_pfm_write_header(char *buffer, bool color, int64_t h, int64_t w)
{
    const bool little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    return (size_t)snprintf(buffer, IO_PNM_HEADER_ROOM, "P%c\n%lld %lld\n%s\n", color ? 'F' : 'f',
                            (long long)w, (long long)h, little ? "-1.0" : "1.0");
}
