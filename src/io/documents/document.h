// SPDX-License-Identifier: Apache-2.0
//
// Documents for hd_layout, from a part of HTML: blocks of text with the styles of their boxes.
//
//     <h1>Title</h1>
//     <div style="width: 60%; margin: 0 auto; padding: 8px; text-align: justify">
//       Words, <b>bold</b> ones,<br/> a line of its own, and <img width="20" height="12"/>.
//     </div>
//
// Elements must be closed, but for those that have no content. What the layout does not know (other
// elements and properties, units) is refused, other attributes are not looked at. The elements, the
// properties and their values are in docs/reference/files.md.
#ifndef HEDDLE_IO_DOCUMENTS_DOCUMENT_H
#define HEDDLE_IO_DOCUMENTS_DOCUMENT_H

#include "heddle_algorithms.h"
#include "io/stream/bytes.h"

// Lengths are 1/64 of a pixel.
enum { IO_DOCUMENT_UNITS = 64 };

// Of each node: the letters of a word and how they are drawn; of a block, or a node without
// letters, the name of its element ("" for a space, "page" for node 0).
typedef struct io_document_text {
    int64_t begin; // in io_document.letters; -1: text is a name
    const char *name;
    int32_t length; // bytes
    int32_t size;   // of the font
    bool bold, italic;
} io_document_text;

typedef struct io_document {
    int64_t count, styles;
    hd_layout_node *node;
    hd_layout_style *style;
    io_document_text *text; // of each node
    char *letters;          // of all words, without gaps
    void *memory;           // what all of it is in
} io_document;

// Loads a file ("-": standard input). After an error there is nothing to release, but it is
// allowed; so it is of zeros.
io_status io_document_load(io_document *document, const char *name, io_error *error);
io_status io_document_load_memory(io_document *document, const char *name, const void *memory,
                                  size_t length, io_error *error);
void io_document_release(io_document *document);

#endif
