// SPDX-License-Identifier: Apache-2.0
//
// Which format a file is taken for: contents before names, names where contents do not tell, and
// what the caller says before both.
#include <string.h>

#include "tests/support/io_memory.h"

static void test_names(void)
{
    static const struct {
        const char *name;
        io_format format;
    } rows[] = {{"x.npy", IO_NPY},     {"x.NPZ", IO_NPZ},  {"a.b/x.png", IO_PNG}, {"x.pgm", IO_PNM},
                {"x.ppm", IO_PNM},     {"x.pnm", IO_PNM},  {"x.pfm", IO_PFM},     {"x.csv", IO_CSV},
                {"x.tsv", IO_CSV},     {"x.txt", IO_TEXT}, {"x.raw", IO_RAW},     {"x.bin", IO_RAW},
                {"x", IO_ANY},         {"-", IO_ANY},      {"png", IO_ANY},       {".png", IO_ANY},
                {"x.png.old", IO_ANY}, {"", IO_ANY}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        CHECK(io_format_by_name(rows[k].name) == rows[k].format, "%s", rows[k].name);
    for (int k = 0; k < IO_FORMATS; k++)
        CHECK(io_format_named(io_format_name((io_format)k)) == (io_format)k, "%d", k);
    CHECK(io_format_named("jpeg") == IO_FORMATS, "none");
}

static void test_outputs(void)
{
    static const struct {
        const char *name;
        io_format format; // IO_FORMATS: refused
    } rows[] = {{"x.npy", IO_NPY},     {"x.PNG", IO_PNG},     {"a.b/x.tsv", IO_CSV},
                {"x.raw", IO_RAW},     {"x", IO_NPY},         {"-", IO_NPY},
                {"a.jpg/x", IO_NPY},   {".hidden", IO_NPY},   {"x.", IO_NPY},
                {"/dev/fd/3", IO_NPY}, {"x.jpg", IO_FORMATS}, {"x.png.old", IO_FORMATS},
                {"x.1", IO_FORMATS},   {"a.npy/x.", IO_NPY},  {".a.jpeg", IO_FORMATS},
                {"x.npyy", IO_FORMATS}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        io_format format = IO_ANY;
        io_error error = {.status = IO_OK};
        const io_status status = io_format_for_output(rows[k].name, &format, &error);
        if (rows[k].format != IO_FORMATS)
            CHECK(status == IO_OK && format == rows[k].format, "%s: %d", rows[k].name, format);
        else
            CHECK(status == IO_ARGUMENT && strstr(error.text, ".npy .npz .png") != NULL &&
                      strstr(error.text, ".raw .bin") != NULL,
                  "%s: %s", rows[k].name, error.text);
    }
}

static io_format of(const char *first, size_t n, const char *name, bool typed)
{
    return io_format_of((const unsigned char *)first, n, name, typed);
}

static void test_contents(void)
{
    CHECK(of("\x93NUMPY\1\0", 8, "x.png", true) == IO_NPY, "npy, whatever it is called");
    CHECK(of("\x89PNG\r\n\x1a\n", 8, "x.npy", false) == IO_PNG, "png");
    CHECK(of("PK\3\4....", 8, "x", true) == IO_NPZ, "zip");
    CHECK(of("PK\5\6....", 8, "x", false) == IO_NPZ, "an empty zip");
    CHECK(of("P5\n1 1\n2", 8, "-", false) == IO_PNM, "pgm in a pipe");
    CHECK(of("P5#a\n1 1", 8, "-", false) == IO_PNM, "a comment at once");
    CHECK(of("P5\n1 1\n2", 8, "-", true) == IO_RAW, "letters of a stated type");
    CHECK(of("P5\n1 1\n2", 8, "x.pgm", true) == IO_PNM, "unless the name agrees");
    CHECK(of("P5\n1 1\n2", 8, "x.raw", false) == IO_RAW, "raw, as it is called");
    CHECK(of("Pf\n1 1\n1", 8, "x", false) == IO_PFM, "pfm");
    CHECK(of("P9\n1 1\n1", 8, "x", false) == IO_ANY, "no image");
    CHECK(of("1,2,3\n4", 7, "x.csv", false) == IO_CSV, "csv by name");
    CHECK(of("1,2,3\n4", 7, "x.csv", true) == IO_CSV, "csv of a stated type");
    CHECK(of("1 2 3\n4", 7, "x.txt", true) == IO_TEXT, "text of a stated type");
    CHECK(of("1,2,3\n4", 7, "x", true) == IO_RAW, "raw by its type");
    CHECK(of("1,2,3\n4", 7, "x.png", false) == IO_ANY, "a name does not make an image");
    CHECK(of("", 0, "x", false) == IO_ANY, "empty");
}

static void test_said(void)
{
    io_array a;
    const io_read_options bytes = {.format = IO_BYTES}, text = {.format = IO_TEXT};
    const io_read_options shaped = {.format = IO_BYTES, .shaped = true, .ndim = 2, .shape = {2, 2}};
    CHECK(memory_load(TEXT("P5\n1"), "x.npy", &bytes, &a), "%s", memory_error());
    CHECK(a.view.type == HD_U8 && hd_count(a.view) == 4 && ((uint8_t *)a.view.data)[0] == 'P',
          "letters");
    io_array_release(&a);
    CHECK(memory_load(TEXT("P5\n1"), "x.npy", &shaped, &a), "%s", memory_error());
    CHECK(a.view.ndim == 2 && a.view.shape[1] == 2, "letters in a square");
    io_array_release(&a);
    CHECK(memory_load(TEXT("12 5"), "x.npy", &text, &a), "%s", memory_error());
    CHECK(a.view.type == HD_I64 && ((int64_t *)a.view.data)[1] == 5, "numbers");
    io_array_release(&a);
    CHECK_REFUSED(TEXT("12 5"), IO_NPY, IO_FORMAT, "the file ends within");
    CHECK_REFUSED(TEXT("12 5"), IO_PNM, IO_FORMAT, "expected 'P', got '1'");
    CHECK_REFUSED(TEXT("12 5"), IO_RAW, IO_FORMAT, "a raw file needs its type");
    CHECK_REFUSED(TEXT("12 5"), IO_ANY, IO_FORMAT, "got 31 32 20 35");
}

// Types and shapes that contradict a file that has its own.
static void test_contradicted(void)
{
    static const char pgm[] = "P5 2 1 255 ab";
    const io_read_options u16 = {.type = HD_U16, .format = IO_PNM};
    const io_read_options shaped = {.shaped = true, .ndim = 1, .shape = {2}};
    io_array a;
    CHECK(!memory_load(TEXT(pgm), "x", &u16, &a) && memory_status() == IO_ARGUMENT, "u16");
    CHECK(strstr(memory_error(), "but this is a PGM or PPM image of u8") != NULL, "%s",
          memory_error());
    CHECK(!memory_load(TEXT(pgm), "x", &shaped, &a) && memory_status() == IO_ARGUMENT, "a shape");
    CHECK(strstr(memory_error(), "which has its own") != NULL, "%s", memory_error());
}

int main(void)
{
    test_names();
    test_outputs();
    test_contents();
    test_said();
    test_contradicted();
    return check_finish();
}
