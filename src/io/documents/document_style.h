// SPDX-License-Identifier: Apache-2.0
//
// The styles of elements: what they begin with, what their children have from them, and the
// declarations of a style attribute.
#ifndef HEDDLE_IO_DOCUMENTS_DOCUMENT_STYLE_H
#define HEDDLE_IO_DOCUMENTS_DOCUMENT_STYLE_H

#include <string.h>
#include <strings.h>

#include "document.h"

// The file.
typedef struct io_markup {
    const char *name, *begin, *end;
} io_markup;

// A part of it.
typedef struct io_span {
    const char *text;
    size_t length;
} io_span;

static inline bool io_is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

// In letters of either case.
static inline bool io_span_is(io_span p, const char *name)
{
    return p.length == strlen(name) && strncasecmp(p.text, name, p.length) == 0;
}

// How much of it an error shows.
static inline int io_shown(io_span p)
{
    enum { MAX = 40 };
    return (int)(p.length < MAX ? p.length : (size_t)MAX);
}

// "NAME: line 3, column 7: ...", of a place in the file.
__attribute__((format(printf, 4, 5))) io_status
io_markup_fail(const io_markup *m, const char *at, io_error *error, const char *format, ...);

enum { IO_FONT_MAX = 1024 }; // pixels

// What children have from their parents, too.
typedef struct io_letters {
    int32_t size;        // of the font
    int32_t line_height; // 0: what the font has
    int32_t line_factor; // line_height in thousandths of the size, or 0
    int32_t text_align;  // hd_layout_align
    bool bold, italic;
} io_letters;

typedef struct io_box_style {
    io_letters letters;
    hd_layout_style box;        // without what letters say
    bool auto_left, auto_right; // margins that take the room beside the box
} io_box_style;

// Sets what the declarations of a style attribute say: first the size of the font, where parent is
// that of the parent, then all others, in which fonts are a unit. An inline element has no others.
io_status io_style_declare_font(const io_markup *m, const char *text, size_t length, int32_t parent,
                                io_box_style *style, io_error *error);
io_status io_style_declare_box(const io_markup *m, const char *text, size_t length, bool is_inline,
                               io_box_style *style, io_error *error);

// The layout's style of a block.
hd_layout_style io_style_of(const io_box_style *style);

#endif
