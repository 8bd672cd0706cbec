// SPDX-License-Identifier: Apache-2.0
//
// What stands in lines: words, the spaces between them, characters by name and number.
#include "document_reader.h"

#include <string.h>

#include "letters.h"

enum { LONGEST = 1 << 30 }; // of a length

// ---- Nodes --------------------------------------------------------------------------------------

void io_document_add(io_reading *r, hd_layout_node node, const io_letters *letters,
                     const char *name)
{
    io_document *d = r->d;
    node.depth = (int32_t)r->blocks;
    d->node[d->count] = node;
    d->text[d->count] = (io_document_text){.begin = -1,
                                           .name = name,
                                           .size = letters->size,
                                           .bold = letters->bold,
                                           .italic = letters->italic};
    d->count++;
}

void io_document_add_letters(io_reading *r, int32_t of, int32_t width, const io_letters *letters,
                             const char *name)
{
    io_document_add(r,
                    (hd_layout_node){.kind = of,
                                     .width = width,
                                     .ascent = io_part_of(letters->size, IO_LETTERS_ASCENT),
                                     .descent = io_part_of(letters->size, IO_LETTERS_DESCENT)},
                    letters, name);
}

// The space that stands before what comes now.
void io_document_begin_word(io_reading *r)
{
    if (r->blank)
        io_document_add_letters(r, HD_LAYOUT_SPACE, io_part_of(r->space.size, IO_LETTERS_SPACE),
                                &r->space, "");
    r->blank = false, r->in_line = true;
}

static void note_blank(io_reading *r)
{
    if (!r->in_line || r->blank) return;
    r->blank = true, r->space = *io_letters_of(r);
}

// The letters from begin on are a word.
static io_status end_word(io_reading *r, int64_t begin, const char *at)
{
    const int64_t length = r->used - begin;
    const int64_t size = io_letters_of(r)->size;
    if (length == 0) return IO_OK;
    const int64_t width = io_letters_width(r->d->letters + begin, (size_t)length);
    if (width > LONGEST / (size + 1) * 1000)
        return io_markup_fail(&r->m, at, r->error, "a word of %lld bytes is wider than %dpx",
                              (long long)length, (int)(LONGEST / IO_DOCUMENT_UNITS));
    io_document_begin_word(r);
    io_document_add_letters(r, HD_LAYOUT_INLINE, io_part_of(size, width), io_letters_of(r), "");
    r->d->text[r->d->count - 1].begin = begin;
    r->d->text[r->d->count - 1].length = (int32_t)length;
    return IO_OK;
}

// ---- Text ---------------------------------------------------------------------------------------

static void put_letter(io_reading *r, unsigned letter)
{
    char *to = r->d->letters + r->used;
    int tail = letter < 0x80 ? 0 : letter < 0x800 ? 1 : letter < 0x10000 ? 2 : 3;
    static const unsigned char lead[] = {0, 0xc0, 0xe0, 0xf0};
    r->used += tail + 1;
    *to = (char)(lead[tail] | letter >> 6 * tail);
    while (tail-- > 0) *++to = (char)(0x80 | (letter >> 6 * tail & 0x3f));
}

void io_document_add_bullet(io_reading *r, const io_letters *letters)
{
    enum { BULLET = 0x2022 };
    const int64_t begin = r->used;
    put_letter(r, BULLET);
    io_document_begin_word(r);
    const int64_t length = r->used - begin;
    const int64_t width = io_letters_width(r->d->letters + begin, (size_t)length);
    io_document_add_letters(r, HD_LAYOUT_INLINE, io_part_of(letters->size, width), letters, "");
    r->d->text[r->d->count - 1].begin = begin, r->d->text[r->d->count - 1].length = (int32_t)length;
    r->blank = true, r->space = *letters;
}

// The character of &#39; or &#x27;; 0: none that there is.
static unsigned number_of(io_span p)
{
    const bool hex = p.length > 1 && (p.text[1] == 'x' || p.text[1] == 'X');
    const unsigned base = hex ? 16 : 10;
    unsigned value = 0;
    for (size_t k = hex ? 2 : 1; k < p.length; k++) {
        const char c = p.text[k];
        unsigned digit = 99;
        if (c >= '0' && c <= '9') digit = (unsigned)(c - '0');
        if (c >= 'a' && c <= 'f') digit = (unsigned)(c - 'a') + 10;
        if (c >= 'A' && c <= 'F') digit = (unsigned)(c - 'A') + 10;
        if (digit >= base || value > 0x10ffff) return 0;
        value = value * base + digit;
    }
    return value > 0x10ffff || (value >= 0xd800 && value < 0xe000) ? 0 : value;
}

static io_status take_entity(io_reading *r)
{
    static const struct {
        const char *name;
        unsigned letter;
    } named[] = {{"amp", '&'},      {"lt", '<'},       {"gt", '>'},       {"quot", '"'},
                 {"apos", '\''},    {"nbsp", 0xa0},    {"copy", 0xa9},    {"middot", 0xb7},
                 {"times", 0xd7},   {"ndash", 0x2013}, {"mdash", 0x2014}, {"lsquo", 0x2018},
                 {"rsquo", 0x2019}, {"ldquo", 0x201c}, {"rdquo", 0x201d}, {"bull", 0x2022},
                 {"hellip", 0x2026}};
    enum { NAMED = sizeof named / sizeof *named, MAX = 12 };
    const char *begin = r->at + 1, *end = begin;
    while (end < r->m.end && end - begin < MAX && *end != ';' && *end != '<') end++;
    const io_span name = {begin, (size_t)(end - begin)};
    unsigned letter = name.length > 1 && *begin == '#' ? number_of(name) : 0;
    for (int k = 0; k < NAMED; k++)
        if (name.length == strlen(named[k].name) &&
            memcmp(name.text, named[k].name, name.length) == 0)
            letter = named[k].letter;
    if (letter == 0 || end == r->m.end || *end != ';')
        return io_markup_fail(&r->m, r->at, r->error,
                              "'&%.*s' is no character; expected such as &amp; &lt; &nbsp; &#8226;",
                              io_shown(name), name.text);
    put_letter(r, letter);
    r->at = end + 1;
    return IO_OK;
}

// Up to the next tag.
io_status io_document_take_text(io_reading *r)
{
    int64_t begin = r->used;
    const char *at = r->at;
    while (r->at < r->m.end && *r->at != '<') {
        if (*r->at == '&') {
            IO_TRY(take_entity(r));
        } else if (io_is_space(*r->at)) {
            IO_TRY(end_word(r, begin, at));
            note_blank(r);
            begin = r->used, at = ++r->at;
        } else {
            r->d->letters[r->used++] = *r->at++;
        }
    }
    return end_word(r, begin, at);
}
