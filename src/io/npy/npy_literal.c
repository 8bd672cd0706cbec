// SPDX-License-Identifier: Apache-2.0
//
// A strict parser of the one Python literal that .npy headers are made of. It takes the text by
// length, never reads past it, allocates nothing, and names the byte at which it gave up.
#include "npy_literal.h"

#include <stdio.h>
#include <string.h>

typedef struct literal {
    const char *text;
    size_t length, at;
    int version;
    const char *name;
    uint64_t base;
    io_error *error;
} literal;

enum { KEY_DESCR = 1, KEY_FORTRAN = 2, KEY_SHAPE = 4, ALL_KEYS = 7 };

// What stands at the parser's place, in words.
static const char *got(const literal *l, char buffer[16])
{
    if (l->at >= l->length) return "the header's end";
    const unsigned char c = (unsigned char)l->text[l->at];
    if (c >= 0x20 && c < 0x7f)
        snprintf(buffer, 16, "'%c'", c);
    else
        snprintf(buffer, 16, "byte 0x%02x", c);
    return buffer;
}

static io_status expected(const literal *l, const char *what)
{
    char buffer[16];
    return io_fail(l->error, IO_FORMAT, "%s: byte %llu: bad .npy header: expected %s, got %s",
                   l->name, (unsigned long long)(l->base + l->at), what, got(l, buffer));
}

static char peek(const literal *l)
{
    return l->at < l->length ? l->text[l->at] : '\0';
}

static void skip_space(literal *l)
{
    while (l->at < l->length && strchr(" \t\r\n\f", l->text[l->at]) && l->text[l->at]) l->at++;
}

// Takes the character if it comes next, after white space.
static bool take(literal *l, char c)
{
    skip_space(l);
    if (l->at >= l->length || l->text[l->at] != c) return false;
    l->at++;
    return true;
}

static bool take_word(literal *l, const char *word)
{
    const size_t n = strlen(word);
    skip_space(l);
    if (l->length - l->at < n || memcmp(l->text + l->at, word, n) != 0) return false;
    l->at += n;
    return true;
}

// A string in either kind of quotes, without escapes.
static io_status parse_string(literal *l, const char *what, const char **start, size_t *length)
{
    skip_space(l);
    const char quote = peek(l);
    if (quote != '\'' && quote != '"') return expected(l, what);
    *start = l->text + ++l->at;
    while (l->at < l->length && peek(l) != quote) {
        if (peek(l) == '\\' || peek(l) == '\n') return expected(l, "a string without escapes");
        l->at++;
    }
    if (l->at >= l->length) return expected(l, "the end of a string");
    *length = (size_t)(l->text + l->at++ - *start);
    return IO_OK;
}

static io_status parse_descr(literal *l, io_array_header *header)
{
    static const char kinds[] = "i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8 b1, in either byte order";
    const char *start;
    size_t length;
    skip_space(l);
    const size_t at = l->at;
    if (peek(l) == '[') return expected(l, "a plain element type (structured types are not read)");
    IO_TRY(parse_string(l, "the element type as a string", &start, &length));
    if (io_dtype_parse(start, length, &header->dtype)) return IO_OK;
    return io_fail(l->error, IO_FORMAT,
                   "%s: byte %llu: unknown element type: expected one of %s, got '%.*s'", l->name,
                   (unsigned long long)(l->base + at), kinds, (int)(length < 40 ? length : 40),
                   start);
}

static io_status parse_fortran(literal *l, io_array_header *header)
{
    if (take_word(l, "True"))
        header->fortran = true;
    else if (take_word(l, "False"))
        header->fortran = false;
    else
        return expected(l, "True or False");
    return IO_OK;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static io_status parse_extent(literal *l, int64_t *extent)
{
    skip_space(l);
    if (!is_digit(peek(l))) return expected(l, "a length of at least 0");
    const bool zero = peek(l) == '0';
    const size_t at = l->at;
    *extent = 0;
    for (; is_digit(peek(l)); l->at++) {
        if (zero && l->at > at) return expected(l, "a number without leading zeros");
        if (__builtin_mul_overflow(*extent, (int64_t)10, extent) ||
            __builtin_add_overflow(*extent, (int64_t)(peek(l) - '0'), extent))
            return expected(l, "a length below 2^63");
    }
    if (l->version < 3 && peek(l) == 'L') l->at++;
    return IO_OK;
}

static io_status parse_shape(literal *l, io_array_header *header)
{
    bool comma = true; // whether another length may follow
    if (!take(l, '(')) return expected(l, "the shape as a tuple");
    header->ndim = 0;
    while (!take(l, ')')) {
        if (!comma) return expected(l, "',' or ')' in the shape");
        if (header->ndim == HD_MAX_DIMS) return expected(l, "at most 8 dimensions");
        IO_TRY(parse_extent(l, &header->shape[header->ndim]));
        header->ndim++;
        comma = take(l, ',');
        skip_space(l);
        // (3) is a number in Python, not a tuple.
        if (!comma && header->ndim == 1 && peek(l) == ')') return expected(l, "',' in the shape");
    }
    return IO_OK;
}

static int key_named(const char *start, size_t length)
{
    if (length == 5 && memcmp(start, "descr", 5) == 0) return KEY_DESCR;
    if (length == 13 && memcmp(start, "fortran_order", 13) == 0) return KEY_FORTRAN;
    if (length == 5 && memcmp(start, "shape", 5) == 0) return KEY_SHAPE;
    return 0;
}

static io_status parse_entry(literal *l, int *keys, io_array_header *header)
{
    const char *start;
    size_t length;
    skip_space(l);
    const size_t at = l->at;
    IO_TRY(parse_string(l, "a key: 'descr', 'fortran_order' or 'shape'", &start, &length));
    const int key = key_named(start, length);
    if (key == 0 || (*keys & key)) {
        l->at = at;
        return expected(l, key ? "each key once, and this one came before"
                               : "the keys 'descr', 'fortran_order', 'shape' and no other");
    }
    *keys |= key;
    if (!take(l, ':')) return expected(l, "':' after a key");
    if (key == KEY_DESCR) return parse_descr(l, header);
    return key == KEY_FORTRAN ? parse_fortran(l, header) : parse_shape(l, header);
}

io_status io_npy_literal(const char *text, size_t length, int version, const char *name,
                         uint64_t base, io_array_header *header, io_error *error)
{
    literal l = {text, length, 0, version, name, base, error};
    bool comma = true;
    int keys = 0;
    *header = (io_array_header){.ndim = 0};
    if (!take(&l, '{')) return expected(&l, "'{'");
    while (!take(&l, '}')) {
        if (!comma) return expected(&l, "',' or '}'");
        IO_TRY(parse_entry(&l, &keys, header));
        comma = take(&l, ',');
    }
    if (!(keys & KEY_DESCR)) return expected(&l, "the key 'descr' before it");
    if (!(keys & KEY_FORTRAN)) return expected(&l, "the key 'fortran_order' before it");
    if (!(keys & KEY_SHAPE)) return expected(&l, "the key 'shape' before it");
    skip_space(&l);
    if (l.at < l.length) return expected(&l, "white space up to the header's end");
    return IO_OK;
}
