// SPDX-License-Identifier: Apache-2.0
//
// Writing an .npz archive of one array, stored, under the name NumPy gives to arrays without one.
// All sizes are in zip64's fields, as NumPy has them: there is one way for small and large.
#include <string.h>

#include "io/stream/encoder.h"
#include "npy_header.h"
#include "npz.h"

#ifdef HEDDLE_HAVE_ZLIB

#include <zlib.h>

static const char member[] = "arr_0.npy";
enum {
    NAME = sizeof member - 1,
    EXTRA = 20,
    LOCAL = 30 + NAME + EXTRA,
    CENTRAL = 46 + NAME + 28,
    VERSION = 45,         // of the zip format: with zip64
    DATE = 1 << 5 | 1,    // 1 January 1980: the same bytes for the same array
    SIZES_FOLLOW = 1 << 3 // in a record after the data
};

typedef struct record {
    unsigned char bytes[256];
    size_t n;
} record;

static void add(record *r, uint64_t value, int bytes)
{
    for (int k = 0; k < bytes; k++) r->bytes[r->n++] = (unsigned char)(value >> 8 * k);
}

static void add_text(record *r, const char *text, size_t n)
{
    memcpy(r->bytes + r->n, text, n);
    r->n += n;
}

// Where nothing can be filled in later, sizes and checksum follow the data.
static unsigned flags(const io_writer *writer)
{
    return writer->temporary.slot < 0 ? SIZES_FOLLOW : 0;
}

// Version, flags, method, time, date, checksum, sizes and lengths: the same in both headers.
static void add_common(record *r, const io_writer *writer, uint32_t crc, unsigned extra)
{
    add(r, VERSION, 2), add(r, flags(writer), 2), add(r, 0, 2), add(r, 0, 2), add(r, DATE, 2);
    add(r, crc, 4), add(r, UINT32_MAX, 4), add(r, UINT32_MAX, 4);
    add(r, NAME, 2), add(r, extra, 2);
}

static io_status put_local(io_writer *writer, uint32_t crc, uint64_t size, io_error *error)
{
    record r = {.n = 0};
    add_text(&r, "PK\3\4", 4);
    add_common(&r, writer, crc, EXTRA);
    add_text(&r, member, NAME);
    add(&r, 1, 2), add(&r, 16, 2), add(&r, size, 8), add(&r, size, 8);
    return io_writer_bytes(writer, r.bytes, r.n, error);
}

static size_t npy_header(const io_writer *writer, unsigned char header[IO_NPY_HEADER_ROOM])
{
    return io_npy_write_header(header, writer->type, writer->ndim,
                               writer->count < 0 ? &writer->done : writer->shape);
}

static io_status begin(io_writer *writer, io_error *error)
{
    unsigned char header[IO_NPY_HEADER_ROOM];
    const size_t n = npy_header(writer, header);
    const uint64_t size =
        n + (writer->count < 0 ? 0 : (uint64_t)writer->count * hd_type_size(writer->type));
    IO_TRY(put_local(writer, 0, size, error));
    return io_writer_bytes(writer, header, n, error);
}

static io_status put(io_writer *writer, const void *elements, int64_t n, io_error *error)
{
    const size_t bytes = (size_t)n * hd_type_size(writer->type);
    if (n == 0) return IO_OK;
    writer->crc = (uint32_t)crc32_z(writer->crc, elements, bytes);
    return io_writer_bytes(writer, elements, bytes, error);
}

// The directory of one entry, and the two records that tell where it is.
static io_status put_directory(io_writer *writer, uint32_t crc, uint64_t size, io_error *error)
{
    record r = {.n = 0};
    const uint64_t at = (uint64_t)writer->bytes;
    add_text(&r, "PK\1\2", 4);
    add(&r, VERSION, 2);
    add_common(&r, writer, crc, 28);
    add(&r, 0, 2), add(&r, 0, 2), add(&r, 0, 2), add(&r, 0, 4), add(&r, UINT32_MAX, 4);
    add_text(&r, member, NAME);
    add(&r, 1, 2), add(&r, 24, 2), add(&r, size, 8), add(&r, size, 8), add(&r, 0, 8);
    add_text(&r, "PK\6\6", 4);
    add(&r, 44, 8), add(&r, VERSION, 2), add(&r, VERSION, 2), add(&r, 0, 4), add(&r, 0, 4);
    add(&r, 1, 8), add(&r, 1, 8), add(&r, CENTRAL, 8), add(&r, at, 8);
    add_text(&r, "PK\6\7", 4);
    add(&r, 0, 4), add(&r, at + CENTRAL, 8), add(&r, 1, 4);
    add_text(&r, "PK\5\6", 4);
    add(&r, 0, 2), add(&r, 0, 2), add(&r, 1, 2), add(&r, 1, 2);
    add(&r, CENTRAL, 4), add(&r, UINT32_MAX, 4), add(&r, 0, 2);
    return io_writer_bytes(writer, r.bytes, r.n, error);
}

static io_status end(io_writer *writer, io_error *error)
{
    unsigned char header[IO_NPY_HEADER_ROOM];
    const size_t n = npy_header(writer, header);
    const uint64_t data = (uint64_t)writer->done * hd_type_size(writer->type), size = n + data;
    const uint32_t head = (uint32_t)crc32_z(0, header, n);
    const uint32_t crc = (uint32_t)crc32_combine(head, writer->crc, (z_off_t)data);
    if (flags(writer) == SIZES_FOLLOW) {
        record r = {.n = 0};
        add_text(&r, "PK\7\10", 4);
        add(&r, crc, 4), add(&r, size, 8), add(&r, size, 8);
        IO_TRY(io_writer_bytes(writer, r.bytes, r.n, error));
        return put_directory(writer, crc, size, error);
    }
    IO_TRY(put_directory(writer, crc, size, error));
    IO_TRY(io_writer_rewind(writer, error));
    IO_TRY(put_local(writer, crc, size, error));
    return io_writer_bytes(writer, header, n, error);
}

const io_encoder io_encode_npz = {NULL, begin, put, end, true};

#else

static io_status check(const io_writer *writer, const char *name, io_error *error)
{
    (void)writer;
    return io_fail(error, IO_ARGUMENT,
                   "%s: an .npz archive, but this program was built without zlib: install "
                   "zlib1g-dev and build again, or write an .npy file",
                   name);
}

const io_encoder io_encode_npz = {check, NULL, NULL, NULL, true};

#endif
