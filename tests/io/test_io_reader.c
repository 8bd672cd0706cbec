// SPDX-License-Identifier: Apache-2.0
//
// Reading arrays: the files NumPy wrote, in chunks and whole, from files, pipes and memory; files
// that lie; and every allocation failing in turn.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/check.h"
#include "io/array.h"
#include "io/support/memory.h"
#include "io/npy/npy_header.h"

static const char *golden(const char *name)
{
    static char path[512];
    snprintf(path, sizeof path, HEDDLE_SOURCE_DIR "/tests/data/%s.npy", name);
    return path;
}

// ---- NumPy's files -------------------------------------------------------------------------

// Element k of a number type, as a double.
static double number(hd_type type, const void *data, int64_t k)
{
    switch (type) {
    case HD_I8: return ((const int8_t *)data)[k];
    case HD_I16: return ((const int16_t *)data)[k];
    case HD_I32: return ((const int32_t *)data)[k];
    case HD_I64: return (double)((const int64_t *)data)[k];
    case HD_U8: return ((const uint8_t *)data)[k];
    case HD_U16: return ((const uint16_t *)data)[k];
    case HD_U32: return ((const uint32_t *)data)[k];
    case HD_U64: return (double)((const uint64_t *)data)[k];
    case HD_F32: return (double)((const float *)data)[k];
    case HD_F64: return ((const double *)data)[k];
    case HD_BOOL: return ((const uint8_t *)data)[k];
    default: { // f16: 0, 1, 2, 3, 4, 5
        static const uint16_t half[] = {0, 0x3c00, 0x4000, 0x4200, 0x4400, 0x4500};
        for (int j = 0; j < 6; j++)
            if (half[j] == ((const uint16_t *)data)[k]) return j;
        return -1;
    }
    }
}

static void check_golden(const char *name, hd_type type)
{
    io_array array;
    io_error error = {.text = ""};
    CHECK(io_array_load(&array, golden(name), NULL, &error) == IO_OK, "%s: %s", name, error.text);
    const hd_view *v = &array.view;
    CHECK(v->type == type && v->ndim == 2 && v->shape[0] == 2 && v->shape[1] == 3, "%s", name);
    for (int64_t i = 0; i < 2; i++)
        for (int64_t j = 0; j < 3; j++)
            CHECK(number(type, v->data, i * v->stride[0] + j * v->stride[1]) == (double)(3 * i + j),
                  "%s: element %d %d", name, (int)i, (int)j);
    io_array_release(&array);
}

static void test_golden(void)
{
    static const struct {
        const char *name;
        hd_type type;
    } kinds[] = {{"i1", HD_I8},  {"i2", HD_I16}, {"i4", HD_I32}, {"i8", HD_I64},
                 {"u1", HD_U8},  {"u2", HD_U16}, {"u4", HD_U32}, {"u8", HD_U64},
                 {"f2", HD_F16}, {"f4", HD_F32}, {"f8", HD_F64}};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        char name[16];
        snprintf(name, sizeof name, "le_%s", kinds[k].name);
        check_golden(name, kinds[k].type);
        snprintf(name, sizeof name, "be_%s", kinds[k].name);
        if (hd_type_size(kinds[k].type) > 1) check_golden(name, kinds[k].type);
    }
    check_golden("version2", HD_F32);
    check_golden("version3", HD_F32);
    check_golden("fortran", HD_F32);
    check_golden("fortran_be", HD_I32);
    check_golden("python2", HD_I32);
}

static void test_odd_shapes(void)
{
    io_array a;
    io_error error;
    CHECK(io_array_load(&a, golden("scalar"), NULL, &error) == IO_OK, "%s", error.text);
    CHECK(hd_count(a.view) == 1 && *(int64_t *)a.view.data == 7, "a scalar is a row of one");
    CHECK(a.single, "and known to be one");
    io_array_release(&a);
    CHECK(io_array_load(&a, golden("empty"), NULL, &error) == IO_OK, "%s", error.text);
    CHECK(a.view.ndim == 2 && hd_count(a.view) == 0 && a.view.shape[1] == 3, "0 by 3");
    io_array_release(&a);
    CHECK(io_array_load(&a, golden("dims8"), NULL, &error) == IO_OK, "%s", error.text);
    CHECK(a.view.ndim == 8 && a.view.shape[4] == 3 && ((int16_t *)a.view.data)[5] == 5, "8 axes");
    io_array_release(&a);
}

static void test_bf16(void)
{
    io_array a;
    io_error error;
    const io_read_options bf16 = {.type = HD_BF16}, f16 = {.type = HD_F16};
    CHECK(io_array_load(&a, golden("bf16"), NULL, &error) == IO_ARGUMENT, "V2 needs a type");
    CHECK(strstr(error.text, "--dtype bf16") != NULL, "%s", error.text);
    CHECK(io_array_load(&a, golden("bf16"), &f16, &error) == IO_ARGUMENT, "V2 is not f16");
    CHECK(io_array_load(&a, golden("bf16"), &bf16, &error) == IO_OK, "%s", error.text);
    CHECK(a.view.type == HD_BF16 && ((uint16_t *)a.view.data)[2] == 0x4040, "3.0");
    io_array_release(&a);
    CHECK(io_array_load(&a, golden("le_f2"), &bf16, &error) == IO_ARGUMENT, "f2 is not bf16");
    CHECK(strstr(error.text, "expected elements of type bf16") != NULL, "%s", error.text);
    const io_read_options shaped = {.type = HD_F32, .shaped = true, .ndim = 1, .shape = {6}};
    CHECK(io_array_load(&a, golden("le_f4"), &shaped, &error) == IO_ARGUMENT, "a shape of its own");
}

// ---- Files made here -----------------------------------------------------------------------

static const char *const scratch = "io_reader_scratch.tmp";

static void write_file(const void *header, size_t header_bytes, const void *data, size_t bytes)
{
    FILE *f = fopen(scratch, "wb");
    CHECK(f != NULL, "cannot write in this folder");
    if (header_bytes > 0) fwrite(header, 1, header_bytes, f);
    if (bytes > 0) fwrite(data, 1, bytes, f);
    fclose(f);
}

static void test_chunks(void)
{
    enum { N = 1000 };
    int32_t x[N], got[N];
    unsigned char header[IO_NPY_HEADER_ROOM];
    check_fill(HD_I32, x, N, CHECK_ORDINARY, check_seed());
    const size_t h = io_npy_write_header(header, HD_I32, 1, (int64_t[]){N});
    write_file(header, h, x, sizeof x);
    for (int64_t chunk = 1; chunk <= 2 * N; chunk = 3 * chunk + 1) {
        io_reader r;
        io_error error;
        int64_t n = 1, total = 0;
        CHECK(io_reader_open(&r, scratch, NULL, &error) == IO_OK, "%s", error.text);
        while (n > 0) {
            const int64_t room = total + chunk <= N ? chunk : N - total + 1;
            CHECK(io_reader_next(&r, got + total, room, &n, &error) == IO_OK, "%s", error.text);
            total += n;
        }
        CHECK(total == N, "%lld elements", (long long)total);
        CHECK_SAME(HD_I32, got, x, N, "chunks of %lld", (long long)chunk);
        io_reader_close(&r);
    }
}

// A header for 10 elements with another number of bytes behind it.
static void test_lying_lengths(void)
{
    unsigned char header[IO_NPY_HEADER_ROOM];
    const size_t h = io_npy_write_header(header, HD_F32, 1, (int64_t[]){10});
    const char data[64] = {0};
    for (size_t bytes = 0; bytes <= 64; bytes++) {
        io_array a;
        io_error error = {.text = ""};
        write_file(header, h, data, bytes);
        const io_status status = io_array_load(&a, scratch, NULL, &error);
        CHECK(status == (bytes == 40 ? IO_OK : IO_FORMAT), "%zu bytes: %s", bytes, error.text);
        if (bytes < 40) CHECK(strstr(error.text, "ends too early"), "%s", error.text);
        if (bytes > 40) CHECK(strstr(error.text, "after the last"), "%s", error.text);
        if (bytes != 40) CHECK(strstr(error.text, "expected 40 bytes"), "%s", error.text);
        io_array_release(&a);
    }
    // A shape that would need more memory than there is, and nothing behind it.
    const size_t g = io_npy_write_header(header, HD_F64, 2, (int64_t[]){1 << 30, 1 << 28});
    io_array a;
    io_error error;
    write_file(header, g, NULL, 0);
    CHECK(io_array_load(&a, scratch, NULL, &error) == IO_FORMAT, "no bytes for 2^58 elements");
    const size_t k = io_npy_write_header(header, HD_F64, 2, (int64_t[]){1 << 30, INT64_C(1) << 33});
    write_file(header, k, NULL, 0);
    CHECK(io_array_load(&a, scratch, NULL, &error) == IO_FORMAT, "2^63 elements");
    CHECK(strstr(error.text, "too large") != NULL, "%s", error.text);
}

static void test_raw(void)
{
    const uint16_t x[6] = {1, 2, 3, 4, 5, 6};
    io_array a;
    io_error error;
    write_file(NULL, 0, x, sizeof x);
    CHECK(io_array_load(&a, scratch, NULL, &error) == IO_FORMAT, "raw without a type");
    CHECK(strstr(error.text, "got 01 00 02 00 03 00 ") || strstr(error.text, "got 00 01 00 02"),
          "%s", error.text);
    const io_read_options row = {.type = HD_U16};
    CHECK(io_array_load(&a, scratch, &row, &error) == IO_OK, "%s", error.text);
    CHECK(a.mapped && hd_count(a.view) == 6 && ((uint16_t *)a.view.data)[5] == 6, "a row of 6");
    io_array_release(&a);
    const io_read_options table = {.type = HD_U16, .shaped = true, .ndim = 2, .shape = {2, 3}};
    CHECK(io_array_load(&a, scratch, &table, &error) == IO_OK, "%s", error.text);
    CHECK(a.view.ndim == 2 && a.view.stride[0] == 3, "2 by 3");
    io_array_release(&a);
    const io_read_options large = {.type = HD_U16, .shaped = true, .ndim = 2, .shape = {2, 4}};
    CHECK(io_array_load(&a, scratch, &large, &error) == IO_FORMAT, "2 by 4 is more");
    const io_read_options odd = {.type = HD_F64};
    CHECK(io_array_load(&a, scratch, &odd, &error) == IO_FORMAT, "12 bytes are no f64");
    CHECK(strstr(error.text, "after the last element") != NULL, "%s", error.text);
}

// A header of an odd length: the data are not aligned, so they are read, not mapped.
static void test_misaligned(void)
{
    static const char text[] = "{'descr': '<i8', 'fortran_order': False, 'shape': (2,)}";
    char file[sizeof text - 1 + 10 + 16] = "\x93NUMPY\x01\x00\x37";
    const int64_t x[2] = {5, 6};
    io_array a;
    io_error error;
    CHECK(sizeof text - 1 == 0x37, "%zu", sizeof text - 1);
    memcpy(file + 10, text, sizeof text - 1);
    memcpy(file + 10 + sizeof text - 1, x, sizeof x);
    write_file(file, sizeof file, NULL, 0);
    CHECK(io_array_load(&a, scratch, NULL, &error) == IO_OK, "%s", error.text);
    CHECK(!a.mapped && ((int64_t *)a.view.data)[0] == 5 && ((int64_t *)a.view.data)[1] == 6, "5 6");
    io_array_release(&a);
}

static void test_no_file(void)
{
    io_array a;
    io_error error;
    CHECK(io_array_load(&a, "no/such/file.npy", NULL, &error) == IO_SYSTEM, "no file");
    CHECK(strstr(error.text, "no/such/file.npy: cannot open") != NULL, "%s", error.text);
    CHECK(io_array_load(&a, ".", NULL, &error) == IO_SYSTEM, "a folder");
    write_file(NULL, 0, NULL, 0);
    CHECK(io_array_load(&a, scratch, NULL, &error) == IO_FORMAT, "an empty file");
    CHECK(strstr(error.text, "got nothing") != NULL, "%s", error.text);
    if (geteuid() == 0) return; // root reads everything
    chmod(scratch, 0);
    CHECK(io_array_load(&a, scratch, NULL, &error) == IO_SYSTEM, "an unreadable file");
    CHECK(strstr(error.text, "Permission denied") != NULL, "%s", error.text);
    chmod(scratch, 0600);
}

// ---- Pipes ---------------------------------------------------------------------------------

// Gives the bytes to standard input through a pipe and loads "-".
static io_status load_pipe(const void *bytes, size_t count, const io_read_options *options,
                           io_array *array, io_error *error)
{
    int ends[2];
    const int old = dup(STDIN_FILENO);
    CHECK(pipe(ends) == 0 && write(ends[1], bytes, count) == (ssize_t)count, "pipe");
    close(ends[1]);
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    const io_status status = io_array_load(array, "-", options, error);
    dup2(old, STDIN_FILENO);
    close(old);
    return status;
}

static void test_pipes(void)
{
    unsigned char b[IO_NPY_HEADER_ROOM + 64];
    const float x[6] = {0, 1, 2, 3, 4, 5};
    const size_t h = io_npy_write_header(b, HD_F32, 2, (int64_t[]){2, 3});
    io_array a;
    io_error error = {.text = ""};
    memcpy(b + h, x, sizeof x);
    CHECK(load_pipe(b, h + sizeof x, NULL, &a, &error) == IO_OK, "%s", error.text);
    CHECK(!a.mapped && a.view.ndim == 2 && ((float *)a.view.data)[5] == 5, "2 by 3");
    io_array_release(&a);
    CHECK(load_pipe(b, h + sizeof x - 1, NULL, &a, &error) == IO_FORMAT, "a byte short");
    CHECK(strstr(error.text, "standard input: byte ") != NULL, "%s", error.text);
    CHECK(load_pipe(b, h + sizeof x + 1, NULL, &a, &error) == IO_FORMAT, "a byte more");
    CHECK(strstr(error.text, "after the last element") != NULL, "%s", error.text);
    CHECK(load_pipe(b, h - 1, NULL, &a, &error) == IO_FORMAT, "within the header");
    CHECK(load_pipe(b, 3, NULL, &a, &error) == IO_FORMAT, "within the magic");
    const io_read_options raw = {.type = HD_F32};
    CHECK(load_pipe(x, sizeof x, &raw, &a, &error) == IO_OK, "%s", error.text);
    CHECK(a.view.shape[0] == 6 && ((float *)a.view.data)[5] == 5, "raw to the end");
    io_array_release(&a);
    CHECK(load_pipe(x, 10, &raw, &a, &error) == IO_FORMAT, "half an element");
    // A header that promises 2^40 elements: memory grows with what comes, not with the promise.
    const size_t g = io_npy_write_header(b, HD_F32, 1, (int64_t[]){INT64_C(1) << 40});
    CHECK(load_pipe(b, g + 8, NULL, &a, &error) == IO_FORMAT, "a promise");
}

// ---- Failing allocations -------------------------------------------------------------------

static void test_allocations(void)
{
    static const char *const names[] = {"be_f8", "fortran_be", "le_i1", "empty"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        io_status status = IO_MEMORY;
        int failures = 0;
        for (int64_t left = 0; status != IO_OK && left < 10; left++) {
            io_array a;
            io_error error;
            io_allocations_left = left;
            status = io_array_load(&a, golden(names[k]), NULL, &error);
            CHECK(status == IO_OK || status == IO_MEMORY, "%s", error.text);
            CHECK(status == IO_OK || strstr(error.text, "no memory") != NULL, "%s", error.text);
            failures += status != IO_OK;
            io_array_release(&a);
        }
        io_allocations_left = -1;
        CHECK(status == IO_OK && failures > 0, "%s: %d failures", names[k], failures);
    }
}

int main(void)
{
    test_golden();
    test_odd_shapes();
    test_bf16();
    test_chunks();
    test_lying_lengths();
    test_raw();
    test_misaligned();
    test_no_file();
    test_pipes();
    test_allocations();
    unlink(scratch);
    return check_finish();
}
