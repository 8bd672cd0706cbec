// SPDX-License-Identifier: Apache-2.0
//
// The bound on the memory of one array: of every format that can take more than its file, of pipes,
// with a bound that is set and with none. Sizes as text.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/support/limit.h"
#include "io/npy/npz.h"
#include "io/npy/npy_header.h"
#include "io/images/png_file.h"
#include "io/table.h"
#include "tests/support/io_memory.h"

static void test_sizes(void)
{
    static const struct {
        const char *text;
        int64_t bytes; // 0: refused
    } rows[] = {{"1", 1},
                {"500M", INT64_C(500) << 20},
                {"4G", INT64_C(4) << 30},
                {"4GiB", INT64_C(4) << 30},
                {"2k", 2048},
                {"3t", INT64_C(3) << 40},
                {"7E", INT64_C(7) << 60},
                {"8E", 0},
                {"9223372036854775808", 0},
                {"0", 0},
                {"", 0},
                {"-1", 0},
                {"+1", 0},
                {" 1", 0},
                {"1 G", 0},
                {"1GB", 0},
                {"1.5G", 0},
                {"G", 0},
                {"1iB", 0}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        int64_t bytes = 0;
        const bool well = io_limit_parse(rows[k].text, &bytes);
        CHECK(well == (rows[k].bytes != 0), "'%s'", rows[k].text);
        CHECK(!well || bytes == rows[k].bytes, "'%s': %lld", rows[k].text, (long long)bytes);
    }
    // A text names no less than it was made of, and not much more.
    for (int64_t n = 1; n < INT64_MAX / 3; n = 3 * n + 1) {
        char text[IO_LIMIT_ROOM];
        int64_t bytes = 0;
        CHECK(io_limit_parse(io_limit_text(n, text), &bytes) && bytes >= n &&
                  bytes <= n + n / 10 + 1,
              "%lld: %s", (long long)n, text);
    }
}

static void test_default(void)
{
    io_error error;
    io_limit_set(0);
    CHECK(io_limit_of(0) == INT64_C(1) << 30, "of a small file");
    CHECK(io_limit_of(-1) == INT64_C(1) << 30, "of a pipe with nothing in it");
    CHECK(io_limit_of(INT64_C(12) << 30) == INT64_C(768) << 30, "of 12 GiB");
    CHECK(io_limit_of(INT64_MAX) == INT64_MAX, "of the largest");
    CHECK(io_limit_check("x.png", "the image", INT64_C(1) << 30, 100, &error) == IO_OK, "just so");
    CHECK(io_limit_check("x.png", "the image", (INT64_C(1) << 30) + 1, 100, &error) == IO_LIMIT,
          "a byte more");
    CHECK(strcmp(error.text, "x.png: the image would take 1073741825 bytes of memory (1025M), more "
                             "than the bound of 1073741824 (1024M): --max-bytes 1025M, or "
                             "HEDDLE_MAX_BYTES, raises it") == 0,
          "%s", error.text);
}

// The file is taken with a bound of its array's bytes and refused with one byte less.
static void at_bound(memory_file file, io_format format, int64_t bytes)
{
    const io_read_options options = {.format = format};
    io_array array;
    io_limit_set(bytes);
    CHECK(memory_load(file, "file", &options, &array), "%d: %s", (int)format, memory_error());
    io_array_release(&array);
    io_limit_set(bytes - 1);
    CHECK_REFUSED(file, format, IO_LIMIT, "--max-bytes");
    io_limit_set(0);
}

static void test_formats(void)
{
    at_bound(TEXT("1,2\n3,4\n"), IO_CSV, 32);
    at_bound(TEXT("1,\n3,4\n"), IO_CSV, 32); // i64, then f64
    at_bound(TEXT("1 2 3\n"), IO_TEXT, 24);
    at_bound(TEXT("P2 3 1 255 1 2 3"), IO_PNM, 3);
    at_bound(TEXT("P2 3 1 256 1 2 3"), IO_PNM, 6);
    at_bound(TEXT("Pf\n2 1\n-1.0\nabcdefgh"), IO_PFM, 8);
    static char many[6002]; // numbers that outgrow what there is room for first
    for (int k = 0; k < 3000; k++) memcpy(many + 2 * k, "7\n", 2);
    at_bound((memory_file){many, 6000}, IO_CSV, 24000);
}

// ---- Bombs ---------------------------------------------------------------------------------

static void put4(uint8_t *p, uint32_t x)
{
    for (int k = 0; k < 4; k++) p[k] = (uint8_t)(x >> (24 - 8 * k));
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

static size_t put_chunk(uint8_t *to, const char *kind, const void *data, size_t n)
{
    put4(to, (uint32_t)n);
    memcpy(to + 4, kind, 4);
    if (n > 0) memcpy(to + 8, data, n);
    put4(to + 8 + n, crc(to + 4, n + 4));
    return n + 12;
}

// A palette of one bit with alpha: a byte of the file is 1032 bytes of rows, 8256 pixels, and so
// 33024 bytes of an array. What follows the header is never looked at.
static void test_png(void)
{
    static uint8_t f[109000];
    uint8_t header[13] = {[8] = 1, [9] = 3}, zeros[8] = {0};
    if (io_png_version() == NULL) return;
    memcpy(f, "\x89PNG\r\n\x1a\n", 8);
    put4(header, 30000), put4(header + 4, 29900);
    size_t n = 8 + put_chunk(f + 8, "IHDR", header, 13);
    n += put_chunk(f + n, "PLTE", zeros, 6);
    n += put_chunk(f + n, "tRNS", zeros, 2);
    n += put_chunk(f + n, "IDAT", zeros, 8);
    CHECK_REFUSED(((memory_file){f, sizeof f}), IO_PNG, IO_LIMIT,
                  "the image of 30000 x 29900 pixels would take 3588240000 bytes");
    // One row of so many pixels: libpng's own two rows count, too.
    put4(header, 250000000), put4(header + 4, 1);
    put_chunk(f + 8, "IHDR", header, 13);
    CHECK_REFUSED(((memory_file){f, sizeof f}), IO_PNG, IO_LIMIT, "would take 3000000000 bytes");
}

// The golden archive's directory says that one of its deflated members is larger.
static void test_npz(void)
{
    static unsigned char b[4096];
    FILE *f = fopen(HEDDLE_SOURCE_DIR "/tests/data/deflated.npz", "rb");
    if (io_zlib_version() == NULL || f == NULL) return;
    const size_t n = fread(b, 1, sizeof b, f);
    fclose(f);
    const memory_file file = {b, n};
    at_bound(file, IO_NPZ, 128 + 24);
    size_t at = n;
    while (at > 0 && memcmp(b + at - 4, "PK\1\2", 4) != 0) at--;
    memcpy(b + at - 4 + 24, (unsigned char[]){0, 0x80, 0, 0}, 4); // 32768 bytes, which is possible
    io_limit_set(32767);
    CHECK_REFUSED(file, IO_NPZ, IO_LIMIT, "the array would take 32768 bytes");
    io_limit_set(0);
}

// ---- Pipes and tables ----------------------------------------------------------------------

static io_status load_pipe(const void *bytes, size_t count, const io_read_options *options,
                           io_error *error)
{
    int ends[2];
    io_array array;
    const int old = dup(STDIN_FILENO);
    CHECK(pipe(ends) == 0 && write(ends[1], bytes, count) == (ssize_t)count, "pipe");
    close(ends[1]);
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    const io_status status = io_array_load(&array, "-", options, error);
    io_array_release(&array);
    dup2(old, STDIN_FILENO);
    close(old);
    return status;
}

static void test_pipes(void)
{
    unsigned char b[IO_NPY_HEADER_ROOM + 64] = {0};
    io_error error = {.text = ""};
    const io_read_options raw = {.type = HD_F32}, text = {.format = IO_TEXT};
    const size_t h = io_npy_write_header(b, HD_F32, 1, (int64_t[]){6});
    io_limit_set(24);
    CHECK(load_pipe(b, h + 24, NULL, &error) == IO_OK, "%s", error.text);
    CHECK(load_pipe(b + h, 24, &raw, &error) == IO_OK, "%s", error.text);
    CHECK(load_pipe(b + h, 28, &raw, &error) == IO_LIMIT, "%s", error.text);
    CHECK(strstr(error.text, "standard input: the array") != NULL, "%s", error.text);
    CHECK(load_pipe("1 2 3 4\n", 8, &text, &error) == IO_LIMIT, "%s", error.text);
    io_limit_set(23);
    CHECK(load_pipe(b, h + 24, NULL, &error) == IO_LIMIT, "%s", error.text);
    // A header that promises 2^40 elements is refused at once where there is a bound, and else when
    // the pipe ends.
    const size_t g = io_npy_write_header(b, HD_F32, 1, (int64_t[]){INT64_C(1) << 40});
    CHECK(load_pipe(b, g + 8, NULL, &error) == IO_LIMIT, "%s", error.text);
    CHECK(strstr(error.text, "would take 4398046511104 bytes") != NULL, "%s", error.text);
    io_limit_set(0);
    CHECK(load_pipe(b, g + 8, NULL, &error) == IO_FORMAT, "%s", error.text);
}

static void test_table(void)
{
    static const char text[] = "a,1\nb,2\nc,3\n";
    io_table table;
    io_array column;
    io_error error;
    io_limit_set(3 * (int64_t)sizeof(io_line));
    CHECK(io_table_load_memory(&table, "t", text, strlen(text), IO_HEADER_NO, &error) == IO_OK,
          "%s", error.text);
    io_limit_set(16);
    CHECK(io_table_column(&table, 1, HD_NONE, &column, &error) == IO_LIMIT, "two of three numbers");
    io_table_release(&table);
    io_limit_set(3 * (int64_t)sizeof(io_line) - 1);
    CHECK(io_table_load_memory(&table, "t", text, strlen(text), IO_HEADER_NO, &error) == IO_LIMIT,
          "three lines");
    io_limit_set(0);
}

int main(void)
{
    test_sizes();
    test_default();
    test_formats();
    test_png();
    test_npz();
    test_pipes();
    test_table();
    return check_finish();
}
