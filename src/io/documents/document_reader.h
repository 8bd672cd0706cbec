// SPDX-License-Identifier: Apache-2.0
//
// A document while it is read: document.c takes elements, document_words.c what stands in lines.
#ifndef HEDDLE_IO_DOCUMENTS_DOCUMENT_READER_H
#define HEDDLE_IO_DOCUMENTS_DOCUMENT_READER_H

#include "document_style.h"

struct element;

typedef struct io_open_element {
    const struct element *is;
    const char *at; // where its tag begins
    io_letters letters;
} io_open_element;

typedef struct io_reading {
    io_markup m;
    const char *at;
    io_document *d;
    io_error *error;
    io_open_element *open;
    int64_t depth, blocks; // elements that are open; blocks among them, and the page
    int64_t used;          // of the letters
    bool in_line;          // something stands in the line: a blank is a space
    bool blank;            // which comes before the next thing in the line
    io_letters space;      // of that
} io_reading;

static inline const io_letters *io_letters_of(const io_reading *r)
{
    return &r->open[r->depth].letters;
}

// Of a size in thousandths, to the nearest.
static inline int32_t io_part_of(int64_t size, int64_t thousandths)
{
    return (int32_t)((size * thousandths + 500) / 1000);
}

// A node at the end of the document, in the block that is open.
void io_document_add(io_reading *r, hd_layout_node node, const io_letters *letters,
                     const char *name);
// The same of a node that is as high as letters are.
void io_document_add_letters(io_reading *r, int32_t kind, int32_t width, const io_letters *letters,
                             const char *name);
// The space that stands before what comes now in the line.
void io_document_begin_word(io_reading *r);
// What a list's item begins with.
void io_document_add_bullet(io_reading *r, const io_letters *letters);
// The words up to the next tag.
io_status io_document_take_text(io_reading *r);

#endif
