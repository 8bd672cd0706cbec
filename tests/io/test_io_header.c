// SPDX-License-Identifier: Apache-2.0
//
// The .npy header: what is taken, what is refused and with which words, and that what is written
// is read back.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"
#include "io/npy/npy_header.h"
#include "io/npy/npy_literal.h"

#define GOOD "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }"

typedef struct literal_case {
    const char *text;
    const char *error; // what the text must contain; NULL: it is right
} literal_case;

static const literal_case literals[] = {
    {GOOD, NULL},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4)}", NULL},
    {"{\"shape\": (3, 4), \"descr\": \"<f4\", \"fortran_order\": False}  \n", NULL},
    {" { 'descr' : '<f4' , 'fortran_order' : False , 'shape' : ( 3 , 4 , ) , } ", NULL},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (3L, 4L), }", NULL},
    {"", "expected '{', got the header's end"},
    {"[]", "expected '{', got '['"},
    {"{", "expected a key"},
    {"{}", "expected the key 'descr'"},
    {"{'descr': '<f4', 'fortran_order': False}", "expected the key 'shape'"},
    {"{'descr': '<f4', 'shape': (3,)}", "expected the key 'fortran_order'"},
    {"{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (3,)}", "each key once"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (3,), 'more': 1}", "and no other"},
    {"{'descr' '<f4'}", "expected ':' after a key"},
    {"{'descr': '<f4' 'fortran_order': False}", "expected ',' or '}'"},
    {"{'descr: '<f4'}", "and no other"},
    {"{'descr", "expected the end of a string"},
    {"{'de\\x73cr': 1}", "a string without escapes"},
    {"{'descr': '<f5', 'fortran_order': False, 'shape': (3,)}", "got '<f5'"},
    {"{'descr': '', 'fortran_order': False, 'shape': (3,)}", "got ''"},
    {"{'descr': '<c8', 'fortran_order': False, 'shape': (3,)}", "got '<c8'"},
    {"{'descr': '|O', 'fortran_order': False, 'shape': (3,)}", "got '|O'"},
    {"{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (3,)}", "structured types"},
    {"{'descr': 7}", "the element type as a string"},
    {"{'fortran_order': 0}", "True or False"},
    {"{'fortran_order': true}", "True or False"},
    {"{'shape': 3}", "the shape as a tuple"},
    {"{'shape': (3)}", "',' in the shape"},
    {"{'shape': (3 4)}", "',' or ')' in the shape"},
    {"{'shape': (,)}", "a length of at least 0"},
    {"{'shape': (-1,)}", "a length of at least 0, got '-'"},
    {"{'shape': (03,)}", "without leading zeros"},
    {"{'shape': (9223372036854775808,)}", "a length below 2^63"},
    {"{'shape': (99999999999999999999999999,)}", "a length below 2^63"},
    {"{'shape': (1,1,1,1,1,1,1,1,1)}", "at most 8 dimensions"},
    {"{'shape': (3", "',' or ')' in the shape, got the header's end"},
    {GOOD " x", "white space up to the header's end, got 'x'"},
    {GOOD "\x01", "got byte 0x01"},
};

static void test_literals(void)
{
    for (size_t k = 0; k < sizeof literals / sizeof *literals; k++) {
        const literal_case *c = &literals[k];
        const size_t length = strlen(c->text);
        char *exact = check_memory(length + 1); // so that a sanitizer sees a read past the end
        memcpy(exact, c->text, length);
        io_array_header header;
        io_error error = {.status = IO_OK};
        const io_status status = io_npy_literal(exact, length, 1, "x.npy", 10, &header, &error);
        free(exact);
        if (c->error == NULL) {
            CHECK(status == IO_OK, "%s: %s", c->text, error.text);
            CHECK(header.ndim == 2 && header.shape[0] == 3 && header.shape[1] == 4 &&
                      !header.fortran && header.dtype.type == HD_F32,
                  "%s", c->text);
        } else {
            CHECK(status == IO_FORMAT, "%s was taken", c->text);
            CHECK(strstr(error.text, c->error) != NULL, "%s gives: %s", c->text, error.text);
            CHECK(strncmp(error.text, "x.npy: byte ", 12) == 0, "no place in: %s", error.text);
        }
    }
}

static void test_python2_numbers(void)
{
    static const char text[] = "{'descr': '<f4', 'fortran_order': False, 'shape': (3L,)}";
    io_array_header header;
    io_error error;
    CHECK(io_npy_literal(text, sizeof text - 1, 2, "x", 0, &header, &error) == IO_OK, "version 2");
    CHECK(io_npy_literal(text, sizeof text - 1, 3, "x", 0, &header, &error) == IO_FORMAT,
          "version 3");
}

static void test_dtypes(void)
{
    static const struct {
        const char *descr;
        hd_type type;
        int swap; // on a machine with the low byte first
    } rows[] = {{"<f4", HD_F32, 0},   {">f4", HD_F32, 1},  {"=f4", HD_F32, 0}, {"|f4", HD_F32, 0},
                {"f4", HD_F32, 0},    {"|i1", HD_I8, 0},   {">i1", HD_I8, 0},  {"<b1", HD_BOOL, 0},
                {"?", HD_BOOL, 0},    {"|?", HD_BOOL, 0},  {">u8", HD_U64, 1}, {"<f2", HD_F16, 0},
                {"<V2", HD_BF16, 0},  {">V2", HD_BF16, 1}, {"<", HD_NONE, 0},  {"<f", HD_NONE, 0},
                {"<f44", HD_NONE, 0}, {"<<f4", HD_NONE, 0}};
    const int little = *(const char *)&(const int){1};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        io_dtype d = {.type = HD_NONE};
        const bool known = io_dtype_parse(rows[k].descr, strlen(rows[k].descr), &d);
        CHECK(known == (rows[k].type != HD_NONE), "%s", rows[k].descr);
        CHECK(!known || d.type == rows[k].type, "%s", rows[k].descr);
        if (little) CHECK(!known || d.swap == rows[k].swap, "%s", rows[k].descr);
    }
    for (int k = 0; check_type(k) != HD_NONE; k++)
        CHECK(io_dtype_name(check_type(k)) != NULL, "%s", hd_type_name(check_type(k)));
    CHECK(io_dtype_name(HD_STRUCTURE | 12 << 8) == NULL, "a structure has no name");
}

// The bytes before the dictionary: each change must be refused, with the place.
static void check_preamble(const unsigned char *bytes, size_t length, const char *expected)
{
    unsigned char *exact = check_memory(length + 1);
    memcpy(exact, bytes, length);
    io_source source;
    io_array_header header;
    io_error error;
    io_source_memory(&source, "x.npy", exact, length);
    CHECK(io_npy_read_header(&source, &header, &error) == IO_FORMAT, "expected: %s", expected);
    CHECK(strstr(error.text, expected) != NULL, "expected '%s', got '%s'", expected, error.text);
    free(exact);
}

static void test_preamble(void)
{
    unsigned char b[HD_MAX_ELEMENT];
    const size_t n = io_npy_write_header(b, HD_F32, 2, (int64_t[]){3, 4});
    for (size_t k = 0; k < n; k++) check_preamble(b, k, k < 8 ? "magic" : "header");
    unsigned char c[sizeof b];
#define CHANGED(at, value) (memcpy(c, b, n), c[at] = (value), c)
    check_preamble(CHANGED(0, 'x'), n, "not an .npy file");
    check_preamble(CHANGED(6, 0), n, "got 0.0");
    check_preamble(CHANGED(6, 4), n, "expected 1.0, 2.0 or 3.0, got 4.0");
    check_preamble(CHANGED(7, 1), n, "got 1.1");
    check_preamble(CHANGED(9, 255), n, "bytes follow");
    memcpy(CHANGED(6, 2) + 8, "\xff\xff\xff\xff", 4);
    check_preamble(c, n, "expected at most 1048576, got 4294967295");
#undef CHANGED
}

static void test_round_trip(void)
{
    for (int t = 0; check_type(t) != HD_NONE; t++)
        for (int32_t ndim = 0; ndim <= HD_MAX_DIMS; ndim++) {
            int64_t shape[HD_MAX_DIMS];
            unsigned char b[IO_NPY_HEADER_ROOM];
            for (int32_t k = 0; k < ndim; k++) shape[k] = k == 0 ? INT64_MAX / 3 : k % 3;
            const size_t n = io_npy_write_header(b, check_type(t), ndim, shape);
            io_source source;
            io_array_header header;
            io_error error;
            CHECK(n % 64 == 0 && b[n - 1] == '\n', "%zu", n);
            io_source_memory(&source, "x", b, n);
            CHECK(io_npy_read_header(&source, &header, &error) == IO_OK, "%s", error.text);
            CHECK(header.dtype.type == check_type(t) && !header.dtype.swap && header.ndim == ndim &&
                      (ndim == 0 || memcmp(header.shape, shape, (size_t)ndim * sizeof *shape) == 0),
                  "%s of %d", hd_type_name(check_type(t)), (int)ndim);
        }
}

static void test_counts(void)
{
    io_array_header f = {.dtype = {.type = HD_F64}, .ndim = 3, .shape = {3, 4, 5}};
    CHECK(io_array_header_count(&f) == 60, "3 x 4 x 5");
    f.shape[1] = 0, f.shape[0] = f.shape[2] = INT64_C(1) << 31;
    CHECK(io_array_header_count(&f) == -1, "a product of 2^62 elements of 8 bytes, with a zero");
    f.shape[2] = 7;
    CHECK(io_array_header_count(&f) == 0, "2^31 x 0 x 7");
    f.shape[1] = INT64_C(1) << 32;
    CHECK(io_array_header_count(&f) == -1, "2^63 and more");
    f.shape[1] = -1;
    CHECK(io_array_header_count(&f) == -1, "negative");
    f.ndim = 0;
    CHECK(io_array_header_count(&f) == 1, "a scalar");
}

int main(void)
{
    test_literals();
    test_python2_numbers();
    test_dtypes();
    test_preamble();
    test_round_trip();
    test_counts();
    return check_finish();
}
