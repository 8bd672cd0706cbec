// SPDX-License-Identifier: Apache-2.0
//
// The table of formats and what is looked up in it.
#include "format.h"

#include <string.h>
#include <strings.h>

static const struct {
    const char *name, *title;
    const char *extensions[4];
} table[IO_FORMATS] = {
    [IO_ANY] = {"any", "a file", {NULL}},
    [IO_NPY] = {"npy", "an .npy file", {".npy"}},
    [IO_NPZ] = {"npz", "an .npz archive", {".npz"}},
    [IO_PNG] = {"png", "a PNG image", {".png"}},
    [IO_PNM] = {"pnm", "a PGM or PPM image", {".pgm", ".ppm", ".pnm"}},
    [IO_PFM] = {"pfm", "a PFM image", {".pfm"}},
    [IO_CSV] = {"csv", "a CSV file", {".csv", ".tsv"}},
    [IO_TEXT] = {"text", "a text file", {".txt"}},
    [IO_RAW] = {"raw", "a raw file", {".raw", ".bin"}},
    [IO_BYTES] = {"bytes", "a file of bytes", {NULL}},
};

const char *io_format_name(io_format format)
{
    return table[format].name;
}

const char *io_format_title(io_format format)
{
    return table[format].title;
}

io_format io_format_named(const char *name)
{
    int k = IO_ANY;
    while (k < IO_FORMATS && strcmp(table[k].name, name) != 0) k++;
    return (io_format)k;
}

bool io_name_ends(const char *name, const char *extension)
{
    const size_t n = strlen(name), m = strlen(extension);
    return n > m && strcasecmp(name + n - m, extension) == 0;
}

io_format io_format_by_name(const char *name)
{
    for (int k = 0; k < IO_FORMATS; k++)
        for (int j = 0; j < 4 && table[k].extensions[j] != NULL; j++)
            if (io_name_ends(name, table[k].extensions[j])) return (io_format)k;
    return IO_ANY;
}

// What comes after the last dot of a file's name, the dot included; "" if there is nothing.
static const char *ending(const char *name)
{
    const char *slash = strrchr(name, '/');
    const char *file = slash != NULL ? slash + 1 : name, *dot = strrchr(file, '.');
    return dot != NULL && dot > file && dot[1] != '\0' ? dot : "";
}

io_status io_format_for_output(const char *name, io_format *format, io_error *error)
{
    char known[128] = "";
    *format = io_format_by_name(name);
    if (*format != IO_ANY) return IO_OK;
    *format = IO_NPY;
    if (*ending(name) == '\0' || strstr(name, ".npz:") != NULL) return IO_OK;
    for (int k = 0; k < IO_FORMATS; k++)
        for (int j = 0; j < 4 && table[k].extensions[j] != NULL; j++)
            strcat(strcat(known, " "), table[k].extensions[j]);
    return io_fail(error, IO_ARGUMENT,
                   "%s: no format is called %s: expected a name that ends in one of%s, or one "
                   "without an ending, for .npy",
                   name, ending(name), known);
}

static bool is_blank(unsigned char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

io_format io_format_by_content(const unsigned char *first, size_t count)
{
    if (count >= 6 && memcmp(first, "\x93NUMPY", 6) == 0) return IO_NPY;
    if (count >= 8 && memcmp(first, "\x89PNG\r\n\x1a\n", 8) == 0) return IO_PNG;
    if (count >= 4 && (memcmp(first, "PK\3\4", 4) == 0 || memcmp(first, "PK\5\6", 4) == 0))
        return IO_NPZ;
    if (count < 3 || first[0] != 'P' || !(is_blank(first[2]) || first[2] == '#')) return IO_ANY;
    // P1 and P4 are bitmaps, P7 is PAM: not read, but said so by pnm.c.
    if (first[1] >= '1' && first[1] <= '7') return IO_PNM;
    return (first[1] == 'F' || first[1] == 'f') && first[2] != '#' ? IO_PFM : IO_ANY;
}

io_format io_format_of(const unsigned char *first, size_t count, const char *name, bool typed)
{
    const io_format content = io_format_by_content(first, count);
    const io_format named = io_format_by_name(name);
    const bool doubtful = typed || named == IO_RAW;
    const bool weak = content == IO_PNM || content == IO_PFM || content == IO_ANY;
    if (!weak || (content != IO_ANY && (!doubtful || named == content))) return content;
    // An image's or archive's name does not make one.
    if (named == IO_CSV || named == IO_TEXT || named == IO_RAW) return named;
    return typed ? IO_RAW : IO_ANY;
}
