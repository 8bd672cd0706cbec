// SPDX-License-Identifier: Apache-2.0
//
// Writing images: which arrays are images, PGM and PPM row by row, PNG and PFM when all is there.
#include <stdio.h>
#include <string.h>

#include "io/stream/encoder.h"
#include "png_file.h"
#include "pnm.h"

enum { BUFFER_BYTES = 1 << 16 };
#define MAX_SIDE INT64_C(0x7fffffff)

static int64_t channels(const io_writer *writer)
{
    return writer->ndim == 3 ? writer->shape[2] : 1;
}

static io_status check_shape(const io_writer *writer, const char *name, bool fits,
                             const char *expected, io_error *error)
{
    char text[IO_SHAPE_ROOM];
    const bool plane = writer->ndim == 2 || writer->ndim == 3;
    const bool sides = plane && writer->shape[0] > 0 && writer->shape[0] <= MAX_SIDE &&
                       writer->shape[1] > 0 && writer->shape[1] <= MAX_SIDE;
    if (sides && fits) return IO_OK;
    return io_fail(error, IO_ARGUMENT, "%s: %s is an array of %s, got the shape %s", name,
                   io_format_title(writer->format), expected,
                   io_shape_text(writer->ndim, writer->shape, text));
}

static io_status check_type(const io_writer *writer, const char *name, bool fits,
                            const char *expected, const char *how, io_error *error)
{
    if (fits) return IO_OK;
    return io_fail(error, IO_ARGUMENT,
                   "%s: %s has elements of type %s, got %s: convert it, as in heddle convert x.npy "
                   "-o %s %s",
                   name, io_format_title(writer->format), expected, hd_type_name(writer->type),
                   name, how);
}

static bool is_whole(hd_type type)
{
    return type == HD_U8 || type == HD_U16 || type == HD_BOOL;
}

// bool is 0 and 255; n elements of one byte.
static void spread(unsigned char *to, const unsigned char *from, int64_t n)
{
    for (int64_t k = 0; k < n; k++) to[k] = from[k] ? 255 : 0;
}

// ---- PGM and PPM ---------------------------------------------------------------------------

static io_status pnm_check(const io_writer *writer, const char *name, io_error *error)
{
    const int64_t c = channels(writer);
    const bool grey = io_name_ends(name, ".pgm"), color = io_name_ends(name, ".ppm");
    IO_TRY(check_type(writer, name, is_whole(writer->type), "u8, u16 or bool",
                      "--out-type u8 --round", error));
    return check_shape(writer, name, (c == 1 && !color) || (c == 3 && !grey),
                       grey    ? "(rows, columns)"
                       : color ? "(rows, columns, 3)"
                               : "(rows, columns) or (rows, columns, 3)",
                       error);
}

static io_status pnm_begin(io_writer *writer, io_error *error)
{
    char header[IO_PNM_HEADER_ROOM];
    const size_t n = io_pnm_write_header(header, channels(writer) == 3, writer->shape[0],
                                         writer->shape[1], writer->type == HD_U16 ? 65535 : 255);
    IO_TRY(io_writer_room(writer, BUFFER_BYTES, error));
    return io_writer_bytes(writer, header, n, error);
}

// The high byte of a u16 goes first.
static io_status pnm_put(io_writer *writer, const void *elements, int64_t n, io_error *error)
{
    const int64_t element = (int64_t)hd_type_size(writer->type), most = writer->room / element;
    const unsigned char *from = elements;
    if (writer->type == HD_U8) return io_writer_bytes(writer, elements, (size_t)n, error);
    while (n > 0) {
        const int64_t m = n < most ? n : most;
        unsigned char *to = writer->buffer;
        for (int64_t k = 0; element == 2 && k < m; k++) {
            uint16_t x;
            memcpy(&x, from + 2 * k, 2);
            to[2 * k] = (unsigned char)(x >> 8), to[2 * k + 1] = (unsigned char)x;
        }
        if (element == 1) spread(to, from, m);
        IO_TRY(io_writer_bytes(writer, to, (size_t)(m * element), error));
        from += m * element, n -= m;
    }
    return IO_OK;
}

// ---- PNG and PFM ---------------------------------------------------------------------------

static io_status room_for_all(io_writer *writer, io_error *error)
{
    return io_writer_room(writer, writer->count * (int64_t)hd_type_size(writer->type), error);
}

static io_status keep(io_writer *writer, const void *elements, int64_t n, io_error *error)
{
    const size_t element = hd_type_size(writer->type);
    unsigned char *to = (unsigned char *)writer->buffer + (size_t)writer->done * element;
    (void)error;
    if (writer->type == HD_BOOL)
        spread(to, elements, n);
    else if (n > 0)
        memcpy(to, elements, (size_t)n * element);
    return IO_OK;
}

static io_status png_check(const io_writer *writer, const char *name, io_error *error)
{
    const int64_t c = channels(writer);
    IO_TRY(check_type(writer, name, is_whole(writer->type), "u8, u16 or bool",
                      "--out-type u8 --round", error));
    return check_shape(writer, name, c >= 1 && c <= 4,
                       "(rows, columns) or (rows, columns, 1 to 4 channels)", error);
}

static io_status sink_put(void *user, const void *bytes, size_t n, io_error *error)
{
    return io_writer_bytes(user, bytes, n, error);
}

static io_status png_end(io_writer *writer, io_error *error)
{
    const io_sink sink = {sink_put, writer};
    return io_png_encode(writer->temporary.name, writer->type, writer->shape[0], writer->shape[1],
                         channels(writer), writer->buffer, &sink, error);
}

static io_status pfm_check(const io_writer *writer, const char *name, io_error *error)
{
    const int64_t c = channels(writer);
    IO_TRY(check_type(writer, name, writer->type == HD_F32, "f32", "--out-type f32", error));
    return check_shape(writer, name, c == 1 || c == 3, "(rows, columns) or (rows, columns, 3)",
                       error);
}

// The bottom row first.
static io_status pfm_end(io_writer *writer, io_error *error)
{
    char header[IO_PNM_HEADER_ROOM];
    const int64_t h = writer->shape[0];
    const size_t row = (size_t)(writer->room / h);
    const size_t n = io_pfm_write_header(header, channels(writer) == 3, h, writer->shape[1]);
    IO_TRY(io_writer_bytes(writer, header, n, error));
    for (int64_t y = h - 1; y >= 0; y--)
        IO_TRY(io_writer_bytes(writer, (char *)writer->buffer + (size_t)y * row, row, error));
    return IO_OK;
}

const io_encoder io_encode_pnm = {pnm_check, pnm_begin, pnm_put, NULL, false};
const io_encoder io_encode_png = {png_check, room_for_all, keep, png_end, false};
const io_encoder io_encode_pfm = {pfm_check, room_for_all, keep, pfm_end, false};
