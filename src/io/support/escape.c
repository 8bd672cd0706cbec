// SPDX-License-Identifier: Apache-2.0
//
// What may reach a terminal as it is, and \xNN for the rest.
#include "escape.h"

#include <string.h>

// The least character that needs so many bytes: a shorter one in a longer form is not UTF-8.
static const unsigned least[5] = {0, 0, 0x80, 0x800, 0x10000};

size_t io_utf8_decode(const char *text, size_t n, unsigned *character)
{
    const unsigned char *p = (const unsigned char *)text;
    const size_t length = p[0] < 0x80 ? 1 : p[0] < 0xc2 ? 0 : p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : 4;
    if (length == 0 || length > n || p[0] > 0xf4) return 0;
    unsigned c = length == 1 ? p[0] : p[0] & (0x7fu >> length);
    for (size_t k = 1; k < length; k++) {
        if ((p[k] & 0xc0) != 0x80) return 0;
        c = c << 6 | (p[k] & 0x3f);
    }
    if (c < least[length] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff)) return 0;
    *character = c;
    return length;
}

// Characters that make text look like other text.
static bool turns_direction(unsigned c)
{
    return c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e) ||
           (c >= 0x2066 && c <= 0x2069) || c == 0x2028 || c == 0x2029;
}

size_t io_printable_length(const char *text, size_t n, io_escape_kind kind)
{
    unsigned c;
    const size_t length = io_utf8_decode(text, n, &c);
    if (length == 0) return 0;
    if (c == '\t' && kind != IO_ESCAPE_ALL) return length;
    if (c == '\n' && kind == IO_ESCAPE_KEEP_LINES) return length;
    const bool control = c < 0x20 || (c >= 0x7f && c <= 0x9f);
    return control || turns_direction(c) ? 0 : length;
}

bool io_is_printable(const char *text, size_t n, io_escape_kind kind)
{
    for (size_t at = 0; at < n;) {
        const size_t length = io_printable_length(text + at, n - at, kind);
        if (length == 0) return false;
        at += length;
    }
    return true;
}

size_t io_escape(char *out, size_t room, const char *text, size_t n, io_escape_kind kind)
{
    static const char digit[] = "0123456789abcdef";
    size_t at = 0;
    while (at < n) {
        const size_t length = io_printable_length(text + at, n - at, kind);
        const size_t written = length == 0 ? 4 : length;
        if (room < written + 1) break;
        const unsigned char byte = (unsigned char)text[at];
        if (length == 0)
            memcpy(out, (char[]){'\\', 'x', digit[byte >> 4], digit[byte & 15]}, 4);
        else
            memcpy(out, text + at, length);
        out += written, room -= written;
        at += length == 0 ? 1 : length;
    }
    if (room > 0) *out = '\0';
    return at;
}
