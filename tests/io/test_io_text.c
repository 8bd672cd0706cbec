// SPDX-License-Identifier: Apache-2.0
//
// Numbers as text, CSV and text files: what is read as what, what is refused with its line and
// column, and round trips of every type.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/numbers/number.h"
#include "tests/support/io_memory.h"

// ---- Single numbers ------------------------------------------------------------------------

static io_number_kind parse(const char *text, int64_t *i, double *x)
{
    return io_number_parse(text, strlen(text), i, x);
}

static void test_parse(void)
{
    static const char *const none[] = {"",    "-",    "+",   ".",    "e5",   "1e",  "1e+",  "0x10",
                                       "1 2", "1,5",  "--1", "1.2.", "nanx", "in",  "1e5x", "\"1\"",
                                       "1_0", "infi", "-",   "+-1",  "1f",   "true"};
    static const struct {
        const char *text;
        double value;
    } reals[] = {{"0.5", 0.5},
                 {".5", 0.5},
                 {"5.", 5},
                 {"1e3", 1000},
                 {"-1E-2", -0.01},
                 {"+2.5e+1", 25},
                 {"1e23", 1e23},
                 {"1e400", INFINITY},
                 {"1e-400", 0},
                 {"0.1", 0.1},
                 {"inf", INFINITY},
                 {"-Infinity", -INFINITY},
                 {"123456789012345678901234567890", 123456789012345678901234567890.0},
                 {"9223372036854775808", 9223372036854775808.0},
                 {"2.2250738585072011e-308", 2.2250738585072011e-308},
                 {"0.000000000000000000000000000000000001", 1e-36},
                 {"9007199254740993.0", 9007199254740992.0}};
    int64_t i;
    double x;
    for (size_t k = 0; k < sizeof none / sizeof *none; k++)
        CHECK(parse(none[k], &i, &x) == IO_NO_NUMBER, "'%s'", none[k]);
    for (size_t k = 0; k < sizeof reals / sizeof *reals; k++)
        CHECK(parse(reals[k].text, &i, &x) == IO_REAL && x == reals[k].value, "'%s': %.17g",
              reals[k].text, x);
    CHECK(parse("NaN", &i, &x) == IO_REAL && isnan(x), "nan");
    CHECK(parse("-9223372036854775808", &i, &x) == IO_INTEGER && i == INT64_MIN, "least");
    CHECK(parse("+9223372036854775807", &i, &x) == IO_INTEGER && i == INT64_MAX, "greatest");
    CHECK(parse("00000000000000000000000000012", &i, &x) == IO_INTEGER && i == 12, "zeros");
    CHECK(parse("-0", &i, &x) == IO_INTEGER && i == 0, "-0");
    char longest[1100];
    memset(longest, '1', sizeof longest);
    CHECK(io_number_parse(longest, 1000, &i, &x) == IO_REAL && isinf(x), "1000 digits");
    CHECK(io_number_parse(longest, 1100, &i, &x) == IO_NO_NUMBER, "1100 digits");
}

static bool fits(hd_type type, const char *text)
{
    unsigned char element[8];
    return io_number_read(type, text, strlen(text), element);
}

static void test_types(void)
{
    static const struct {
        hd_type type;
        const char *good[4], *bad[4];
    } rows[] = {
        {HD_I8, {"-128", "127", "5.0", "1e2"}, {"-129", "128", "0.5", "nan"}},
        {HD_U8, {"0", "255", "-0", "2.55e2"}, {"-1", "256", "1.5", "true"}},
        {HD_I16, {"-32768", "32767"}, {"-32769", "32768"}},
        {HD_U16, {"65535"}, {"65536", "-1.0"}},
        {HD_I32, {"-2147483648", "2147483647"}, {"2147483648", "1e10"}},
        {HD_U32, {"4294967295"}, {"4294967296"}},
        {HD_I64, {"-9223372036854775808", "1e15"}, {"9223372036854775808", "1e19"}},
        {HD_U64, {"18446744073709551615", "9223372036854775808"}, {"18446744073709551616", "-1"}},
        {HD_F32, {"1e39", "nan", "0.1", "-inf"}, {"x", ""}},
        {HD_BOOL, {"0", "1", "true", "FALSE"}, {"2", "yes", "", "1.0"}},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        for (int j = 0; j < 4; j++) {
            const char *good = rows[k].good[j], *bad = rows[k].bad[j];
            CHECK(good == NULL || fits(rows[k].type, good), "%s", good);
            CHECK(bad == NULL || !fits(rows[k].type, bad), "%s '%s'", hd_type_name(rows[k].type),
                  bad);
        }
    uint64_t u;
    CHECK(io_number_read(HD_U64, "18446744073709551615", 20, &u) && u == UINT64_MAX, "all bits");
    CHECK(!fits(HD_NONE, "1"), "no type");
}

// What is printed reads back to the same bits, in as few digits as that takes.
static void test_print(void)
{
    static const struct {
        double x;
        const char *text;
    } rows[] = {{0.1, "0.1"},
                {1, "1.0"},
                {-0.0, "-0.0"},
                {1e16, "1e+16"},
                {123456, "123456.0"},
                {1e15, "1000000000000000.0"},
                {5e-324, "5e-324"},
                {1.0 / 3, "0.3333333333333333"},
                {1e-5, "1e-05"},
                {0.0001, "0.0001"},
                {INFINITY, "inf"},
                {NAN, "nan"},
                {9007199254740993.0, "9007199254740992.0"}};
    char text[IO_NUMBER_ROOM];
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        io_number_print(HD_F64, &rows[k].x, text);
        CHECK(strcmp(text, rows[k].text) == 0, "expected %s, got %s", rows[k].text, text);
    }
    for (int t = 0; check_type(t) != HD_NONE; t++) {
        const hd_type type = check_type(t);
        for (int p = 0; p < CHECK_PATTERNS; p++) {
            enum { N = 200 };
            unsigned char x[N * 8], again[8];
            check_fill(type, x, N, (check_pattern)p, check_seed() + (uint64_t)p);
            for (int k = 0; k < N; k++) {
                const unsigned char *e = x + (size_t)k * hd_type_size(type);
                const size_t n = io_number_print(type, e, text);
                CHECK(n == strlen(text) && io_number_read(type, text, n, again), "%s", text);
                CHECK_SAME(type, again, e, 1, "%s %s", hd_type_name(type), text);
            }
        }
    }
}

// ---- CSV -----------------------------------------------------------------------------------

static void test_csv(void)
{
    const int64_t six[] = {1, 2, 3, -4, 5, 6};
    const double reals[] = {1, NAN, 2.5, -INFINITY};
    CHECK_LOADS(TEXT("1,2,3\n-4,5,+6\n"), IO_CSV, HD_I64, six, 2, 2, 3);
    CHECK_LOADS(TEXT("1,2,3\n-4,5,+6"), IO_CSV, HD_I64, six, 2, 2, 3);
    CHECK_LOADS(TEXT("1;2;3\r\n-4;5;6\r\n"), IO_CSV, HD_I64, six, 2, 2, 3);
    CHECK_LOADS(TEXT("1\t2\t3\n-4\t5\t6\n"), IO_CSV, HD_I64, six, 2, 2, 3);
    CHECK_LOADS(TEXT("  1  2 3 \n-4 5 6\n"), IO_CSV, HD_I64, six, 2, 2, 3);
    CHECK_LOADS(TEXT("a,b,\"c, d\"\n1,2,3\n-4,5,6\n"), IO_CSV, HD_I64, six, 2, 2, 3);
    CHECK_LOADS(TEXT("\xef\xbb\xbf# made by hand\n\n1,2,3\n\n# on\n-4 , 5,\"6\"\n\n"), IO_CSV,
                HD_I64, six, 2, 2, 3);
    CHECK_LOADS(TEXT("1\r2\r3\r-4\r5\r6"), IO_CSV, HD_I64, six, 1, 6);
    CHECK_LOADS(TEXT("x\n1\n2\n3\n-4\n5\n6\n"), IO_CSV, HD_I64, six, 1, 6);
    CHECK_LOADS(TEXT("1,2,3,-4,5,6"), IO_CSV, HD_I64, six, 2, 1, 6);
    CHECK_LOADS(TEXT("1,\n2.5,-inf\n"), IO_CSV, HD_F64, reals, 2, 2, 2);
    CHECK_LOADS(TEXT("p,q\n1,nan\n2.5,-Infinity\n"), IO_CSV, HD_F64, reals, 2, 2, 2);
    CHECK_LOADS(TEXT("1,\"\"\n\"2.5\",-inf\n"), IO_CSV, HD_F64, reals, 2, 2, 2);
    // i64 so far, then not: what was read before is converted.
    const double promoted[] = {9223372036854775807.0, 0.5};
    CHECK_LOADS(TEXT("9223372036854775807\n0.5\n"), IO_CSV, HD_F64, promoted, 1, 2);
}

static void test_csv_refused(void)
{
    CHECK_REFUSED(TEXT("1,2\n3\n"), IO_CSV, IO_FORMAT,
                  "file: line 2, column 2: expected 2 fields, got 1");
    CHECK_REFUSED(TEXT("1,2\n\n3,4,5\n"), IO_CSV, IO_FORMAT,
                  "line 3, column 3: expected 2 fields, got at least 3");
    CHECK_REFUSED(TEXT("1,2\n3,4,\n"), IO_CSV, IO_FORMAT, "line 2, column 3");
    CHECK_REFUSED(TEXT("a,b\n1,2\n3,x y\n"), IO_CSV, IO_FORMAT,
                  "line 3, column 2: expected a number, got 'x y'");
    CHECK_REFUSED(TEXT("1;2\n1,5;2\n"), IO_CSV, IO_FORMAT, "line 2, column 1: expected a number");
    CHECK_REFUSED(TEXT("1,\"2\n3,4\n"), IO_CSV, IO_FORMAT,
                  "line 1, column 2: the quote is not closed");
    CHECK_REFUSED(TEXT("1,\"2\"x\n"), IO_CSV, IO_FORMAT,
                  "line 1, column 2: expected the separator after a quoted field, got 'x'");
    CHECK_REFUSED(TEXT(""), IO_CSV, IO_FORMAT, "expected numbers, got the end");
    CHECK_REFUSED(TEXT("a,b\n"), IO_CSV, IO_FORMAT, "expected numbers, got the end");
    CHECK_REFUSED(TEXT("# only\n"), IO_CSV, IO_FORMAT, "expected numbers, got the end");
    char many[200];
    memset(many, 'z', sizeof many);
    memcpy(many, "1\n", 2);
    CHECK_REFUSED(((memory_file){many, sizeof many}), IO_CSV, IO_FORMAT, "zzz'...");
}

static void test_typed(void)
{
    const io_read_options u8 = {.type = HD_U8, .format = IO_CSV};
    const io_read_options f32 = {
        .type = HD_F32, .format = IO_TEXT, .shaped = true, .ndim = 2, .shape = {2, 2}};
    io_array a;
    CHECK(memory_load(TEXT("a\n255\n0\n"), "x", &u8, &a), "%s", memory_error());
    CHECK(a.view.type == HD_U8 && hd_count(a.view) == 2 && *(uint8_t *)a.view.data == 255, "u8");
    io_array_release(&a);
    CHECK(!memory_load(TEXT("255\n256\n"), "x", &u8, &a), "256");
    CHECK(strstr(memory_error(), "line 2, column 1: expected a number of type u8, got '256'"), "%s",
          memory_error());
    CHECK(!memory_load(TEXT("255,\n"), "x", &u8, &a), "NaN is no u8");
    CHECK(
        strstr(memory_error(), "column 2: expected a number of type u8, got a missing value ('')"),
        "%s", memory_error());
    CHECK(memory_load(TEXT("0.1 2 3\n4"), "x", &f32, &a), "%s", memory_error());
    CHECK(a.view.ndim == 2 && a.view.shape[1] == 2 && *(float *)a.view.data == 0.1f, "shaped");
    io_array_release(&a);
    CHECK(!memory_load(TEXT("1 2 3"), "x", &f32, &a) && memory_status() == IO_ARGUMENT, "three");
    CHECK(strstr(memory_error(), "the shape has 4 elements, but there are 3 numbers"), "%s",
          memory_error());
}

static void test_text(void)
{
    const int64_t x[] = {1, 2, 3, 4};
    CHECK_LOADS(TEXT("1 2\n3 4\n"), IO_TEXT, HD_I64, x, 2, 2, 2);
    CHECK_LOADS(TEXT("1 2 3\n4\n"), IO_TEXT, HD_I64, x, 1, 4);
    CHECK_LOADS(TEXT("1\n2\n3\n4"), IO_TEXT, HD_I64, x, 1, 4);
    CHECK_LOADS(TEXT("\t1 2 3 4  "), IO_TEXT, HD_I64, x, 1, 4);
    CHECK_REFUSED(TEXT("1 2\nThe end"), IO_TEXT, IO_FORMAT,
                  "line 2, column 1: expected a number, got 'The' (letters as bytes: --format "
                  "bytes)");
    CHECK_REFUSED(TEXT("1,2"), IO_TEXT, IO_FORMAT, "got '1,2'");
    CHECK_REFUSED(TEXT(" \n"), IO_TEXT, IO_FORMAT, "expected numbers, got the end");
}

// ---- Round trips ---------------------------------------------------------------------------

static void round_trip(const char *name, hd_type type, int32_t ndim, const int64_t *shape)
{
    unsigned char x[24 * 8];
    io_array a;
    io_error error = {.text = ""};
    const io_read_options as = {.type = type};
    check_fill(type, x, 24, CHECK_SPECIAL, check_seed() + type);
    CHECK(memory_write(name, type, ndim, shape, x, &error) == IO_OK, "%s", error.text);
    CHECK(io_array_load(&a, name, &as, &error) == IO_OK, "%s", error.text);
    CHECK(a.view.ndim == (ndim == 1 ? 1 : 2), "%s: %d", name, (int)a.view.ndim);
    if (ndim == 2) CHECK(a.view.shape[0] == shape[0] && a.view.shape[1] == shape[1], "%s", name);
    if (type == HD_BOOL)
        for (int k = 0; k < 24; k++) x[k] = x[k] != 0;
    CHECK_SAME(type, a.view.data, x, 24, "%s of %s", name, hd_type_name(type));
    io_array_release(&a);
    unlink(name);
}

static void test_round_trips(void)
{
    const int64_t row[] = {24}, square[] = {4, 6}, cube[] = {2, 3, 4};
    for (int k = 0; check_type(k) != HD_NONE; k++) {
        round_trip("io_text.csv", check_type(k), 1, row);
        round_trip("io_text.csv", check_type(k), 2, square);
        round_trip("io_text.tsv", check_type(k), 2, square);
        round_trip("io_text.txt", check_type(k), 1, row);
        round_trip("io_text.txt", check_type(k), 3, cube);
    }
    io_error error;
    CHECK(memory_write("io_text.csv", HD_U8, 3, cube, cube, &error) == IO_ARGUMENT, "a cube");
    CHECK(strstr(error.text, "has 3 dimensions: expected 1 or 2") != NULL, "%s", error.text);
}

// The letters themselves, through buffers that fill up.
static void test_written(void)
{
    enum { N = 40000 };
    int32_t *x = check_memory(N * sizeof *x);
    const int64_t shape[] = {N / 4, 4};
    io_error error = {.text = ""};
    io_array a;
    char text[64];
    for (int k = 0; k < N; k++) x[k] = k % 7 - 3;
    CHECK(memory_write("io_text.tsv", HD_I32, 2, shape, x, &error) == IO_OK, "%s", error.text);
    FILE *f = fopen("io_text.tsv", "rb");
    CHECK(f != NULL && fread(text, 1, 20, f) == 20 &&
              memcmp(text, "-3\t-2\t-1\t0\n1\t2\t3\t-3\n", 20) == 0,
          "the first lines");
    if (f != NULL) fclose(f);
    const io_read_options as = {.type = HD_I32};
    CHECK(io_array_load(&a, "io_text.tsv", &as, &error) == IO_OK, "%s", error.text);
    CHECK_SAME(HD_I32, a.view.data, x, N, "many");
    io_array_release(&a);
    unlink("io_text.tsv");
    free(x);
}

// ---- Headers and missing values ------------------------------------------------------------

// The rows of a text with two columns; -1: it is refused.
static int64_t rows_of(const char *text, hd_type type, io_table_header header)
{
    const io_read_options how = {.type = type, .format = IO_CSV, .header = header};
    io_array a;
    if (!memory_load((memory_file){text, strlen(text)}, "x", &how, &a)) return -1;
    const int64_t rows = a.view.shape[0];
    CHECK(a.view.ndim == 2 && a.view.shape[1] == 2, "%s", text);
    io_array_release(&a);
    return rows;
}

static void test_headers(void)
{
    static const struct {
        const char *text;
        int64_t found, yes, no; // rows
    } cases[] = {
        {"1,NA\n2,3\n", 2, 1, 2},  // the first row is data
        {"NA,NA\n2,3\n", 2, 1, 2}, // all of it is missing
        {",\n2,3\n", 2, 1, 2},         {"nan,null\n2,3\n", 2, 1, 2},
        {"1,n/a\n2,3\n", 2, 1, 2},     {"a,b\n2,3\n", 1, 1, -1},
        {",b\n2,3\n", 1, 1, -1}, // a column of numbers of rows has no title
        {"a,NA\n2,3\n", 1, 1, -1},     {"inf,-inf\n2,3\n", 2, 1, 2},
        {"id,2024\n2,3\n", -1, 1, -1}, // neither a row nor plainly a header
        {"1,2\n2,3\n", 2, 1, 2},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const char *text = cases[k].text;
        CHECK(rows_of(text, HD_NONE, IO_HEADER_FIND) == cases[k].found, "%s", text);
        CHECK(rows_of(text, HD_NONE, IO_HEADER_YES) == cases[k].yes, "%s", text);
        CHECK(rows_of(text, HD_NONE, IO_HEADER_NO) == cases[k].no, "%s", text);
    }
    CHECK(rows_of("id,2024\n2,3\n", HD_NONE, IO_HEADER_FIND) == -1, "mixed");
    CHECK(strstr(memory_error(), "line 1, column 1: expected a number, got 'id' (a header has no "
                                 "number in it, unless --header yes") != NULL,
          "%s", memory_error());
    CHECK(rows_of("true,false\n0,1\n", HD_BOOL, IO_HEADER_FIND) == 2, "words of bool");
    CHECK(rows_of("x,y\n0,true\n", HD_BOOL, IO_HEADER_FIND) == 1, "a header over bool");
    const io_read_options npy = {.format = IO_TEXT, .header = IO_HEADER_YES};
    io_array a;
    CHECK(!memory_load(TEXT("1 2\n"), "x", &npy, &a) && memory_status() == IO_ARGUMENT, "no CSV");
}

static void test_missing(void)
{
    const io_read_options f32 = {.type = HD_F32, .format = IO_CSV},
                          i64 = {.type = HD_I64, .format = IO_CSV};
    static const char text[] = "1,NA\nn/a,4\nNaN,Null\n,8\n";
    const bool missing[8] = {false, true, true, false, true, true, true, false};
    io_array a;
    CHECK(memory_load(TEXT(text), "x.csv", NULL, &a), "%s", memory_error());
    CHECK(a.view.type == HD_F64 && hd_count(a.view) == 8, "integers with missing ones are f64");
    for (int k = 0; k < 8; k++)
        CHECK(isnan(((double *)a.view.data)[k]) == missing[k], "element %d", k);
    CHECK(((double *)a.view.data)[3] == 4, "others keep their value");
    io_array_release(&a);
    CHECK(memory_load(TEXT(text), "x.csv", &f32, &a) && isnan(((float *)a.view.data)[1]), "f32");
    io_array_release(&a);
    CHECK(!memory_load(TEXT(text), "x.csv", &i64, &a) && memory_status() == IO_FORMAT, "i64");
    CHECK(strstr(memory_error(), "x.csv: line 1, column 2: expected a number of type i64, got a "
                                 "missing value ('NA'), which i64 does not have") != NULL,
          "%s", memory_error());
    CHECK(!memory_load(TEXT("1,NAN4\n"), "x.csv", NULL, &a), "a word that begins so");
}

int main(void)
{
    test_parse();
    test_types();
    test_print();
    test_csv();
    test_csv_refused();
    test_typed();
    test_text();
    test_round_trips();
    test_written();
    check_without_memory(TEXT("1,2\n0.5,4\n"), IO_CSV);
    check_without_memory(TEXT("1 2\n0.5 4\n"), IO_TEXT);
    test_headers();
    test_missing();
    return check_finish();
}
