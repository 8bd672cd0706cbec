// SPDX-License-Identifier: Apache-2.0
//
// Reading PNG. libpng leaves by longjmp: everything it may leave behind is in one structure, which
// the function that called setjmp's caller owns.
#include "png_file.h"

#ifdef HEDDLE_HAVE_PNG

#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/support/limit.h"

// What deflate can make of a byte at most (zlib's documentation: 1032 to 1). An image that would
// need more than its file can hold is refused before there is memory for it.
#define MAX_PER_BYTE 1032
// Chunks beside the image (texts, profiles) are of no use here: neither many nor large ones.
#define MAX_CHUNK_BYTES  ((png_alloc_size_t)1 << 20)
#define MAX_CHUNKS_CACHE 64

typedef struct png_reading {
    png_structp png;
    png_infop info;
    const io_bytes *file;
    size_t at;
    io_decoded *out;
    io_error *error;
    io_status status;
} png_reading;

const char *io_png_version(void)
{
    return png_get_libpng_ver(NULL);
}

static void on_error(png_structp png, png_const_charp text)
{
    png_reading *r = png_get_error_ptr(png);
    if (r->status == IO_OK)
        r->status = io_fail(r->error, IO_FORMAT, "%s: byte %zu: damaged PNG image: %s",
                            r->file->name, r->at, text);
    png_longjmp(png, 1);
}

// Such as a bad checksum of a chunk beside the image.
static void on_warning(png_structp png, png_const_charp text)
{
    (void)png, (void)text;
}

static void give(png_structp png, png_bytep to, size_t n)
{
    png_reading *r = png_get_io_ptr(png);
    if (n > r->file->size - r->at) png_error(png, "the file ends too early");
    memcpy(to, r->file->data + r->at, n);
    r->at += n;
}

// Leaves with an error of our own.
static void leave(png_reading *r, io_status status)
{
    r->status = status;
    png_longjmp(r->png, 1);
}

// One row more than there is room for would need this many bytes of the file.
static void check_size(png_reading *r)
{
    const uint64_t h = png_get_image_height(r->png, r->info);
    const uint64_t w = png_get_image_width(r->png, r->info);
    const uint64_t bits =
        (uint64_t)png_get_bit_depth(r->png, r->info) * png_get_channels(r->png, r->info);
    const uint64_t row = (w * bits + 7) / 8 + 1; // w < 2^31, bits <= 64
    if (row > (uint64_t)r->file->size * MAX_PER_BYTE / h)
        leave(r,
              io_fail(r->error, IO_FORMAT,
                      "%s: byte 16: the image says it is %llu x %llu, but a file of %zu bytes "
                      "cannot hold so many pixels",
                      r->file->name, (unsigned long long)w, (unsigned long long)h, r->file->size));
}

// What the pixels will take when they are expanded, and the two rows that libpng keeps beside them
// (it makes them in png_read_update_info, so the check comes before that).
static void check_limit(png_reading *r)
{
    const int64_t h = png_get_image_height(r->png, r->info);
    const int64_t w = png_get_image_width(r->png, r->info);
    const bool palette = png_get_color_type(r->png, r->info) == PNG_COLOR_TYPE_PALETTE;
    const int64_t colors = palette ? 3 : png_get_channels(r->png, r->info);
    const int64_t alpha = png_get_valid(r->png, r->info, PNG_INFO_tRNS) != 0;
    const int64_t bytes = png_get_bit_depth(r->png, r->info) == 16 ? 2 : 1;
    const int64_t row = w * (colors + alpha) * bytes; // w < 2^31, at most 4 channels of 2 bytes
    const int64_t most = INT64_MAX / row;
    const int64_t all = h + 2 > most ? INT64_MAX : (h + 2) * row;
    char what[64];
    snprintf(what, sizeof what, "the image of %lld x %lld pixels", (long long)w, (long long)h);
    const io_status status =
        io_limit_check(r->file->name, what, all, (int64_t)r->file->size, r->error);
    if (status != IO_OK) leave(r, status);
}

static void read_header(png_reading *r)
{
    png_set_read_fn(r->png, r, give);
    png_set_user_limits(r->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_chunk_malloc_max(r->png, MAX_CHUNK_BYTES);
    png_set_chunk_cache_max(r->png, MAX_CHUNKS_CACHE);
    png_read_info(r->png, r->info);
    check_size(r);
    check_limit(r);
    png_set_expand(r->png);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    png_set_swap(r->png); // the file's order is the other
#endif
}

static void read_pixels(png_reading *r)
{
    const int passes = png_set_interlace_handling(r->png);
    png_read_update_info(r->png, r->info);
    const hd_type type = png_get_bit_depth(r->png, r->info) == 16 ? HD_U16 : HD_U8;
    const int64_t h = png_get_image_height(r->png, r->info);
    const size_t row = png_get_rowbytes(r->png, r->info);
    r->out->header = io_image_form(type, h, png_get_image_width(r->png, r->info),
                                   png_get_channels(r->png, r->info));
    const io_status room = io_decoded_room(r->out, r->file->name, r->file->size, r->error);
    if (room != IO_OK) leave(r, room);
    for (int pass = 0; pass < passes; pass++)
        for (int64_t y = 0; y < h; y++)
            png_read_row(r->png, (png_bytep)r->out->data + (size_t)y * row, NULL);
    png_read_end(r->png, NULL);
}

static void run(png_reading *r)
{
    if (setjmp(png_jmpbuf(r->png)) != 0) return;
    read_header(r);
    read_pixels(r);
}

io_status io_png_decode(const io_bytes *file, io_decoded *out, io_error *error)
{
    png_reading r = {.file = file, .out = out, .error = error};
    out->data = NULL;
    r.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &r, on_error, on_warning);
    r.info = r.png == NULL ? NULL : png_create_info_struct(r.png);
    if (r.info == NULL)
        r.status = io_fail(error, IO_MEMORY, "%s: no memory for libpng", file->name);
    else
        run(&r);
    png_destroy_read_struct(&r.png, &r.info, NULL);
    if (r.status == IO_OK) return IO_OK;
    free(out->data);
    out->data = NULL;
    return r.status;
}

#else

const char *io_png_version(void)
{
    return NULL;
}

io_status io_png_decode(const io_bytes *file, io_decoded *out, io_error *error)
{
    out->data = NULL;
    return io_fail(error, IO_ARGUMENT,
                   "%s: a PNG image, but this program was built without libpng: install libpng-dev "
                   "and build again, or convert the image to PPM",
                   file->name);
}

#endif
