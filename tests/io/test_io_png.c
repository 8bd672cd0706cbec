// SPDX-License-Identifier: Apache-2.0
//
// PNG: every depth and kind of colour, interlaced and not, made here byte by byte with stored
// blocks (so that no compressor is needed); damaged and lying files; round trips.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/images/png_file.h"
#include "tests/support/io_memory.h"

#define IMAGE(f) ((memory_file){(f).bytes, (f).n})

// ---- A writer of its own -------------------------------------------------------------------

typedef struct image {
    uint8_t bytes[4096];
    size_t n;
} image;

static void put(image *f, const void *bytes, size_t n)
{
    memcpy(f->bytes + f->n, bytes, n);
    f->n += n;
}

static void put4(image *f, uint32_t x)
{
    put(f, (uint8_t[]){(uint8_t)(x >> 24), (uint8_t)(x >> 16), (uint8_t)(x >> 8), (uint8_t)x}, 4);
}

static uint32_t crc(const uint8_t *p, size_t n)
{
    uint32_t c = ~UINT32_C(0);
    for (size_t k = 0; k < n; k++) {
        c ^= p[k];
        for (int bit = 0; bit < 8; bit++) c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;
    }
    return ~c;
}

static void put_chunk(image *f, const char *kind, const void *data, size_t n)
{
    put4(f, (uint32_t)n);
    const size_t at = f->n;
    put(f, kind, 4);
    put(f, data, n);
    put4(f, crc(f->bytes + at, n + 4));
}

// zlib's container with one stored block.
static size_t store(const uint8_t *raw, size_t n, uint8_t *out)
{
    uint32_t a = 1, b = 0;
    for (size_t k = 0; k < n; k++) a = (a + raw[k]) % 65521, b = (b + a) % 65521;
    memcpy(out, "\x78\x01\x01", 3);
    out[3] = (uint8_t)n, out[4] = (uint8_t)(n >> 8), out[5] = (uint8_t)~n,
    out[6] = (uint8_t)(~n >> 8);
    memcpy(out + 7, raw, n);
    for (int k = 0; k < 4; k++) out[7 + n + (size_t)k] = (uint8_t)((b << 16 | a) >> (24 - 8 * k));
    return n + 11;
}

// rows: with a filter byte before each.
static image make(uint32_t w, uint32_t h, int depth, int color, int interlace, const void *extra,
                  size_t extra_n, const void *rows, size_t rows_n)
{
    image f = {.n = 0};
    uint8_t header[13] = {0}, data[2048];
    put(&f, "\x89PNG\r\n\x1a\n", 8);
    for (int k = 0; k < 4; k++) {
        header[k] = (uint8_t)(w >> (24 - 8 * k));
        header[4 + k] = (uint8_t)(h >> (24 - 8 * k));
    }
    header[8] = (uint8_t)depth, header[9] = (uint8_t)color, header[12] = (uint8_t)interlace;
    put_chunk(&f, "IHDR", header, 13);
    put(&f, extra, extra_n);
    put_chunk(&f, "IDAT", data, store(rows, rows_n, data));
    put_chunk(&f, "IEND", "", 0);
    return f;
}

static image extra_chunk(const char *kind, const void *data, size_t n)
{
    image f = {.n = 0};
    put_chunk(&f, kind, data, n);
    return f;
}

// ---- What is read --------------------------------------------------------------------------

enum { GREY = 0, RGB = 2, PALETTE = 3, GREY_ALPHA = 4, RGBA = 6 };

static void test_depths(void)
{
    image f = make(3, 2, 8, GREY, 0, "", 0, "\0abc\0def", 8);
    CHECK_LOADS(IMAGE(f), IO_ANY, HD_U8, "abcdef", 2, 2, 3);
    f = make(9, 1, 1, GREY, 0, "", 0, "\0\xaa\x80", 3);
    const uint8_t bits[] = {255, 0, 255, 0, 255, 0, 255, 0, 255};
    CHECK_LOADS(IMAGE(f), IO_ANY, HD_U8, bits, 2, 1, 9);
    f = make(4, 1, 2, GREY, 0, "", 0, "\0\x1b", 2);
    const uint8_t pairs[] = {0, 85, 170, 255};
    CHECK_LOADS(IMAGE(f), IO_ANY, HD_U8, pairs, 2, 1, 4);
    f = make(3, 1, 4, GREY, 0, "", 0, "\0\x0f\x70", 3);
    const uint8_t nibbles[] = {0, 255, 119};
    CHECK_LOADS(IMAGE(f), IO_ANY, HD_U8, nibbles, 2, 1, 3);
    f = make(2, 1, 16, GREY, 0, "", 0, "\0\1\2\3\4", 5);
    const uint16_t wide[] = {0x0102, 0x0304};
    CHECK_LOADS(IMAGE(f), IO_ANY, HD_U16, wide, 2, 1, 2);
}

static void test_colors(void)
{
    image f = make(2, 1, 8, GREY_ALPHA, 0, "", 0, "\0abcd", 5);
    CHECK_LOADS(IMAGE(f), IO_ANY, HD_U8, "abcd", 3, 1, 2, 2);
    f = make(1, 2, 8, RGB, 0, "", 0, "\0abc\0def", 8);
    CHECK_LOADS(IMAGE(f), IO_ANY, HD_U8, "abcdef", 3, 2, 1, 3);
    f = make(1, 1, 8, RGBA, 0, "", 0, "\0abcd", 5);
    CHECK_LOADS(IMAGE(f), IO_ANY, HD_U8, "abcd", 3, 1, 1, 4);
    f = make(1, 1, 16, RGBA, 0, "", 0, "\0\1\2\3\4\5\6\7\10", 9);
    const uint16_t wide[] = {0x0102, 0x0304, 0x0506, 0x0708};
    CHECK_LOADS(IMAGE(f), IO_ANY, HD_U16, wide, 3, 1, 1, 4);
    image palette = extra_chunk("PLTE", "abcdefghi", 9);
    f = make(3, 1, 4, PALETTE, 0, palette.bytes, palette.n, "\0\x01\x20", 3);
    CHECK_LOADS(IMAGE(f), IO_ANY, HD_U8, "abcdefghi", 3, 1, 3, 3);
    put_chunk(&palette, "tRNS", "\0\x80", 2);
    f = make(3, 1, 8, PALETTE, 0, palette.bytes, palette.n, "\0\0\1\2", 4);
    CHECK_LOADS(IMAGE(f), IO_ANY, HD_U8, "abc\0def\x80ghi\xff", 3, 1, 3, 4);
    const image gone = extra_chunk("tRNS", "\0b", 2);
    f = make(2, 1, 8, GREY, 0, gone.bytes, gone.n, "\0ab", 3);
    CHECK_LOADS(IMAGE(f), IO_ANY, HD_U8,
                "a\xff"
                "b\0",
                3, 1, 2, 2);
    const image note = extra_chunk("tEXt", "Comment\0hi", 10);
    f = make(2, 1, 8, GREY, 0, note.bytes, note.n, "\0ab", 3);
    CHECK_LOADS(IMAGE(f), IO_ANY, HD_U8, "ab", 2, 1, 2);
}

// Adam7: seven passes over every eighth, fourth, second pixel.
static void test_interlaced(void)
{
    static const int pass[7][4] = {{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4},
                                   {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}};
    for (int w = 1; w <= 9; w += 4) {
        uint8_t pixels[9 * 9], rows[256];
        size_t n = 0;
        for (int k = 0; k < 9 * w; k++) pixels[k] = (uint8_t)(7 * k + 1);
        for (int p = 0; p < 7; p++)
            for (int y = pass[p][1]; y < 9; y += pass[p][3]) {
                if (pass[p][0] >= w) continue;
                rows[n++] = 0;
                for (int x = pass[p][0]; x < w; x += pass[p][2]) rows[n++] = pixels[y * w + x];
            }
        const image f = make((uint32_t)w, 9, 8, GREY, 1, "", 0, rows, n);
        CHECK_LOADS(IMAGE(f), IO_ANY, HD_U8, pixels, 2, 9, w);
    }
}

// ---- What is refused -----------------------------------------------------------------------

static void test_damaged(void)
{
    const image f = make(3, 2, 8, GREY, 0, "", 0, "\0abc\0def", 8);
    for (size_t n = 8; n < f.n; n++) // cut anywhere
        CHECK_REFUSED(((memory_file){f.bytes, n}), IO_PNG, IO_FORMAT, "damaged PNG image: ");
    CHECK_REFUSED(((memory_file){f.bytes, 60}), IO_PNG, IO_FORMAT, "the file ends too early");
    image g = f;
    g.bytes[19] ^= 1; // of the width
    CHECK_REFUSED(IMAGE(g), IO_PNG, IO_FORMAT, "CRC error");
    g = f;
    g.bytes[50] ^= 1; // of the pixels
    CHECK_REFUSED(IMAGE(g), IO_PNG, IO_FORMAT, "file: byte ");
    g = make(0, 2, 8, GREY, 0, "", 0, "\0", 1);
    CHECK_REFUSED(IMAGE(g), IO_PNG, IO_FORMAT, "Invalid IHDR data");
    g = make(1, 1, 7, GREY, 0, "", 0, "\0a", 2);
    CHECK_REFUSED(IMAGE(g), IO_PNG, IO_FORMAT, "Invalid IHDR data");
    g = make(1, 1, 8, PALETTE, 0, "", 0, "\0a", 2);
    CHECK_REFUSED(IMAGE(g), IO_PNG, IO_FORMAT, "PLTE");
    g = make(3, 3, 8, GREY, 0, "", 0, "\0abc\0def", 8);
    CHECK_REFUSED(IMAGE(g), IO_PNG, IO_FORMAT, "damaged PNG image");
    g = make(3, 2, 8, GREY, 0, "", 0, "\11abc\0def", 8);
    CHECK_REFUSED(IMAGE(g), IO_PNG, IO_FORMAT, "bad adaptive filter value");
}

// Sizes that a file of this length cannot have.
static void test_lies(void)
{
    image f = make(0x7fffffff, 0x7fffffff, 16, RGBA, 0, "", 0, "\0a", 2);
    CHECK_REFUSED(IMAGE(f), IO_PNG, IO_FORMAT,
                  "says it is 2147483647 x 2147483647, but a file of 70 bytes cannot hold");
    f = make(1, 0x7fffffff, 1, GREY, 1, "", 0, "\0a", 2);
    CHECK_REFUSED(IMAGE(f), IO_PNG, IO_FORMAT, "cannot hold so many pixels");
    f = make(300, 300, 8, GREY, 0, "", 0, "\0a", 2); // too large, but not by much
    CHECK_REFUSED(IMAGE(f), IO_PNG, IO_FORMAT, "cannot hold so many pixels");
    f = make(30, 30, 8, GREY, 0, "", 0, "\0a", 2);
    CHECK_REFUSED(IMAGE(f), IO_PNG, IO_FORMAT, "damaged PNG image");
}

static void test_round_trips(void)
{
    static const char name[] = "io_png.png";
    const hd_type types[] = {HD_U8, HD_U16};
    for (int t = 0; t < 2; t++)
        for (int64_t c = 1; c <= 4; c++) {
            const int64_t shape[] = {31, 33, c}, n = 31 * 33 * c;
            uint16_t *x = check_memory((size_t)n * 2);
            io_array a;
            io_error error = {.text = ""};
            check_fill(types[t], x, n, CHECK_ORDINARY, check_seed());
            CHECK(memory_write(name, types[t], 3, shape, x, &error) == IO_OK, "%s", error.text);
            CHECK(io_array_load(&a, name, NULL, &error) == IO_OK, "%s", error.text);
            CHECK(a.view.ndim == (c == 1 ? 2 : 3) && a.view.type == types[t], "%d", (int)c);
            CHECK_SAME(types[t], a.view.data, x, n, "%d channels", (int)c);
            io_array_release(&a);
            free(x);
        }
    unlink(name);
}

int main(void)
{
    if (io_png_version() == NULL) {
        io_decoded out;
        io_error error;
        const io_bytes file = {.name = "x.png"};
        CHECK(io_png_decode(&file, &out, &error) == IO_ARGUMENT, "there is none");
        CHECK(strstr(error.text, "install libpng-dev") != NULL, "%s", error.text);
        return check_finish() == 0 ? CHECK_SKIP : 1;
    }
    test_depths();
    test_colors();
    test_interlaced();
    test_damaged();
    test_lies();
    test_round_trips();
    const image f = make(3, 2, 8, GREY, 0, "", 0, "\0abc\0def", 8);
    check_without_memory(IMAGE(f), IO_PNG);
    return check_finish();
}
