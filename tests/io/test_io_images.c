// SPDX-License-Identifier: Apache-2.0
//
// PGM, PPM and PFM: what is read, what is refused and in which words, and round trips. PNG has a
// test of its own.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/io_memory.h"

static void test_digits(void)
{
    const uint8_t grey[] = {0, 1, 2, 3, 4, 15}, color[] = {1, 2, 3, 254, 255, 0};
    const uint16_t wide[] = {0, 256};
    CHECK_LOADS(TEXT("P2\n# a comment\n3 2\n15\n0 1 2\n3 4 15\n"), IO_ANY, HD_U8, grey, 2, 2, 3);
    CHECK_LOADS(TEXT("P2 3 2 15 0 1 2 3 4 15"), IO_ANY, HD_U8, grey, 2, 2, 3);
    CHECK_LOADS(TEXT("P2\r\n3\t2\r\n15 #x\n0\n#y\n1 2 3 4 15#z"), IO_ANY, HD_U8, grey, 2, 2, 3);
    CHECK_LOADS(TEXT("P3 2 1 255\n1 2 3 254 255 0"), IO_ANY, HD_U8, color, 3, 1, 2, 3);
    CHECK_LOADS(TEXT("P2 2 1 256\n0 256\n"), IO_ANY, HD_U16, wide, 2, 1, 2);
    CHECK_REFUSED(TEXT("P2 2 1 9\n9 10"), IO_ANY, IO_FORMAT,
                  "byte 11: expected a value from 0 to 9, got '1'");
    CHECK_REFUSED(TEXT("P2 2 1 9\n9 x"), IO_ANY, IO_FORMAT, "got 'x'");
    CHECK_REFUSED(TEXT("P2 2 1 9\n9-1 "), IO_ANY, IO_FORMAT, "got '-'");
    CHECK_REFUSED(TEXT("P2 2 1 9\n9  "), IO_ANY, IO_FORMAT, "expected 2 values, got 1");
    CHECK_REFUSED(TEXT("P2 2 2 9\n9 8 7"), IO_ANY, IO_FORMAT, "ends too early");
    CHECK_REFUSED(TEXT("P2 2 1 9\n1 2 3"), IO_ANY, IO_FORMAT, "expected the end after 2 values");
}

static void test_bytes(void)
{
    const uint16_t wide[] = {0x0102, 0x0304};
    CHECK_LOADS(TEXT("P5\n3 2\n255\nabcdef"), IO_ANY, HD_U8, "abcdef", 2, 2, 3);
    CHECK_LOADS(TEXT("P6 1 2 200\nabcdef"), IO_ANY, HD_U8, "abcdef", 3, 2, 1, 3);
    CHECK_LOADS(TEXT("P5#x\n3#y\n#z\n 2 255\nabcdef"), IO_ANY, HD_U8, "abcdef", 2, 2, 3);
    CHECK_LOADS(TEXT("P5 2 1 65535\n\1\2\3\4"), IO_ANY, HD_U16, wide, 2, 1, 2);
    CHECK_REFUSED(TEXT("P5\n3 2\n255\nabcde"), IO_ANY, IO_FORMAT,
                  "byte 11: the file ends too early");
    CHECK_REFUSED(TEXT("P5\n3 2\n255\nabcdefg"), IO_ANY, IO_FORMAT, "bytes after the last element");
    CHECK_REFUSED(TEXT("P5\n2147483647 2147483647\n255\nabc"), IO_ANY, IO_FORMAT,
                  "expected an image of 2147483647 x 2147483647, got 3 bytes");
    CHECK_REFUSED(TEXT("P5\n2147483648 1\n255\nabc"), IO_ANY, IO_FORMAT,
                  "the width: expected 1 to 2147483647, got more");
    CHECK_REFUSED(TEXT("P5\n0 1\n255\n"), IO_ANY, IO_FORMAT, "the width: expected at least 1");
    CHECK_REFUSED(TEXT("P5\n1 1\n65536\nab"), IO_ANY, IO_FORMAT, "the greatest value");
    CHECK_REFUSED(TEXT("P5\n1 1\n255x"), IO_ANY, IO_FORMAT, "expected a blank after a number");
    CHECK_REFUSED(TEXT("P5\n1 y"), IO_ANY, IO_FORMAT,
                  "byte 5: bad image header: expected the height, got 'y'");
    CHECK_REFUSED(TEXT("P5\n1"), IO_ANY, IO_FORMAT, "got the end");
    CHECK_REFUSED(TEXT("P5\n1 \1"), IO_ANY, IO_FORMAT, "got byte 0x01");
    CHECK_REFUSED(TEXT("P4\n8 1\nx"), IO_ANY, IO_FORMAT, "got P4, a bitmap");
    CHECK_REFUSED(TEXT("P7\nWIDTH 1\n"), IO_ANY, IO_FORMAT, "got P7, a PAM image");
    char *endless = calloc(100000, 1);
    memset(endless, ' ', 100000);
    memcpy(endless, "P5", 2);
    CHECK_REFUSED(((memory_file){endless, 100000}), IO_ANY, IO_FORMAT, "the header does not end");
    free(endless);
}

static void test_pfm(void)
{
    const float grey[] = {3, 4, 1, 2}; // the bottom row is first in the file
    char file[64];
    for (int big = 0; big < 2; big++) {
        float rows[] = {1, 2, 3, 4};
        const bool little_here = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
        if (little_here == (big == 1)) io_dtype_swap(rows, 4, 4);
        const int n = snprintf(file, sizeof file, "Pf\n2 2\n%s\n", big ? "1.0" : "-1.0");
        memcpy(file + n, rows, sizeof rows);
        CHECK_LOADS(((memory_file){file, (size_t)n + 16}), IO_ANY, HD_F32, grey, 2, 2, 2);
    }
    const int n = snprintf(file, sizeof file, "PF 1 1 -2.5\n");
    memcpy(file + n, grey, 12);
    const bool little_here = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    if (little_here)
        CHECK_LOADS(((memory_file){file, (size_t)n + 12}), IO_ANY, HD_F32, grey, 3, 1, 1, 3);
    CHECK_REFUSED(TEXT("PF\n2 2\n-1\nabcd"), IO_ANY, IO_FORMAT, "the file ends too early");
    CHECK_REFUSED(TEXT("Pf\n1 1\n-1\nabcdefgh"), IO_ANY, IO_FORMAT, "bytes after the last row");
    CHECK_REFUSED(TEXT("Pf\n1 1\n0\nabcd"), IO_ANY, IO_FORMAT, "a factor that is not 0, got '0'");
    CHECK_REFUSED(TEXT("Pf\n1 1\nx\nabcd"), IO_ANY, IO_FORMAT, "got 'x'");
    CHECK_REFUSED(TEXT("Pf\n1 1\ninf\nabcd"), IO_ANY, IO_FORMAT, "got 'inf'");
    CHECK_REFUSED(TEXT("Pf\n1 0\n1\nabcd"), IO_ANY, IO_FORMAT, "the height: expected at least 1");
    CHECK_REFUSED(TEXT("Px\n1 1"), IO_PFM, IO_FORMAT, "expected 'f' or 'F', got 'x'");
    CHECK_REFUSED(TEXT("PF\n2147483647 2147483647\n-1\nabc"), IO_ANY, IO_FORMAT, "too early");
}

static const char *const scratch[] = {"io_images.pgm", "io_images.ppm", "io_images.pnm",
                                      "io_images.pfm", "io_images.png"};

static void round_trip(const char *name, hd_type type, int32_t ndim, const int64_t *shape)
{
    unsigned char x[5 * 7 * 4 * 4];
    io_array a;
    io_error error = {.text = ""};
    int64_t n = 1;
    for (int32_t k = 0; k < ndim; k++) n *= shape[k];
    check_fill(type, x, n, CHECK_ORDINARY, check_seed());
    CHECK(memory_write(name, type, ndim, shape, x, &error) == IO_OK, "%s", error.text);
    CHECK(io_array_load(&a, name, NULL, &error) == IO_OK, "%s", error.text);
    CHECK(a.view.type == type && a.view.shape[0] == 5 && a.view.shape[1] == 7, "%s", name);
    CHECK(a.view.ndim == (ndim == 3 && shape[2] == 1 ? 2 : ndim), "%s: %d", name, a.view.ndim);
    CHECK_SAME(type, a.view.data, x, n, "%s", name);
    io_array_release(&a);
    unlink(name);
}

static void test_round_trips(void)
{
    const int64_t plane[] = {5, 7}, one[] = {5, 7, 1}, color[] = {5, 7, 3};
    const hd_type types[] = {HD_U8, HD_U16};
    for (int t = 0; t < 2; t++) {
        round_trip(scratch[0], types[t], 2, plane);
        round_trip(scratch[0], types[t], 3, one);
        round_trip(scratch[1], types[t], 3, color);
        round_trip(scratch[2], types[t], 2, plane);
        round_trip(scratch[2], types[t], 3, color);
    }
    round_trip(scratch[3], HD_F32, 2, plane);
    round_trip(scratch[3], HD_F32, 3, one);
    round_trip(scratch[3], HD_F32, 3, color);
}

static void test_bool(void)
{
    const uint8_t x[] = {0, 1, 2, 0}, want[] = {0, 255, 255, 0};
    const int64_t shape[] = {2, 2};
    io_array a;
    io_error error = {.text = ""};
    CHECK(memory_write(scratch[0], HD_BOOL, 2, shape, x, &error) == IO_OK, "%s", error.text);
    CHECK(io_array_load(&a, scratch[0], NULL, &error) == IO_OK, "%s", error.text);
    CHECK_SAME(HD_U8, a.view.data, want, 4, "black and white");
    io_array_release(&a);
    unlink(scratch[0]);
}

static void refused(const char *name, hd_type type, int32_t ndim, const int64_t *shape,
                    const char *words)
{
    io_error error = {.text = ""};
    static const unsigned char x[1024];
    CHECK(memory_write(name, type, ndim, shape, x, &error) == IO_ARGUMENT, "%s", words);
    CHECK(strstr(error.text, words) != NULL, "expected '%s', got '%s'", words, error.text);
    CHECK(access(name, F_OK) != 0, "%s is there", name);
}

static void test_refused(void)
{
    const int64_t plane[] = {2, 2}, color[] = {2, 2, 3}, five[] = {2, 2, 5}, none[] = {0, 2};
    const int64_t cube[] = {2, 2, 2, 2};
    refused(scratch[0], HD_F32, 2, plane, "elements of type u8, u16 or bool, got f32: convert it");
    refused(scratch[0], HD_U8, 3, color, "is an array of (rows, columns), got the shape (2, 2, 3)");
    refused(scratch[1], HD_U8, 2, plane, "(rows, columns, 3), got the shape (2, 2)");
    refused(scratch[2], HD_U8, 3, five, "(rows, columns) or (rows, columns, 3)");
    refused(scratch[2], HD_U8, 1, plane, "got the shape (2,)");
    refused(scratch[2], HD_U8, 2, none, "got the shape (0, 2)");
    refused(scratch[3], HD_F64, 2, plane, "elements of type f32, got f64: convert it");
    refused(scratch[3], HD_F32, 4, cube, "got the shape (2, 2, 2, 2)");
    refused(scratch[4], HD_I32, 2, plane, "--out-type u8 --round");
    refused(scratch[4], HD_U8, 3, five, "1 to 4 channels");
}

int main(void)
{
    test_digits();
    test_bytes();
    test_pfm();
    test_round_trips();
    test_bool();
    test_refused();
    check_without_memory(TEXT("P2 2 1 9\n1 2"), IO_ANY);
    check_without_memory(TEXT("P5 2 1 9\nab"), IO_ANY);
    check_without_memory(TEXT("Pf 1 1 -1\nabcd"), IO_ANY);
    return check_finish();
}
