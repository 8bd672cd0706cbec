// SPDX-License-Identifier: Apache-2.0
//
// Writing PNG, with the same care for longjmp as in png_read.c.
#include "png_file.h"

#ifdef HEDDLE_HAVE_PNG

#include <png.h>

typedef struct png_writing {
    png_structp png;
    png_infop info;
    const char *name;
    const io_sink *sink;
    io_error *error;
    io_status status;
    const unsigned char *pixels;
    size_t row;
    int64_t h, w, channels;
    int depth;
} png_writing;

static void on_error(png_structp png, png_const_charp text)
{
    png_writing *s = png_get_error_ptr(png);
    if (s->status == IO_OK)
        s->status = io_fail(s->error, IO_SYSTEM, "%s: libpng: %s", s->name, text);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp text)
{
    (void)png, (void)text;
}

static void take(png_structp png, png_bytep bytes, size_t n)
{
    png_writing *s = png_get_io_ptr(png);
    s->status = s->sink->put(s->sink->user, bytes, n, s->error);
    if (s->status != IO_OK) png_longjmp(png, 1);
}

static void flush(png_structp png)
{
    (void)png; // the file is flushed as a whole
}

static void encode(png_writing *s)
{
    static const int colors[5] = {0, PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA,
                                  PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_RGB_ALPHA};
    png_set_write_fn(s->png, s, take, flush);
    png_set_user_limits(s->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_IHDR(s->png, s->info, (png_uint_32)s->w, (png_uint_32)s->h, s->depth,
                 colors[s->channels], PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_write_info(s->png, s->info);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    if (s->depth == 16) png_set_swap(s->png);
#endif
    for (int64_t y = 0; y < s->h; y++) png_write_row(s->png, s->pixels + (size_t)y * s->row);
    png_write_end(s->png, NULL);
}

static void run(png_writing *s)
{
    if (setjmp(png_jmpbuf(s->png)) != 0) return;
    encode(s);
}

io_status io_png_encode(const char *name, hd_type type, int64_t h, int64_t w, int64_t channels,
                        const void *pixels, const io_sink *sink, io_error *error)
{
    const size_t element = hd_type_size(type);
    png_writing s = {.name = name, .sink = sink, .error = error, .pixels = pixels};
    s.h = h, s.w = w, s.channels = channels, s.depth = 8 * (int)element;
    s.row = (size_t)w * (size_t)channels * element;
    s.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &s, on_error, on_warning);
    s.info = s.png == NULL ? NULL : png_create_info_struct(s.png);
    if (s.info == NULL)
        s.status = io_fail(error, IO_MEMORY, "%s: no memory for libpng", name);
    else
        run(&s);
    png_destroy_write_struct(&s.png, &s.info);
    return s.status;
}

#else

io_status io_png_encode(const char *name, hd_type type, int64_t h, int64_t w, int64_t channels,
                        const void *pixels, const io_sink *sink, io_error *error)
{
    (void)type, (void)h, (void)w, (void)channels, (void)pixels, (void)sink;
    return io_fail(error, IO_ARGUMENT,
                   "%s: a PNG image, but this program was built without libpng: install libpng-dev "
                   "and build again, or write a .ppm file",
                   name);
}

#endif
