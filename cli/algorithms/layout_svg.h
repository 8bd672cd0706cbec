// SPDX-License-Identifier: Apache-2.0
//
// A document that is laid out, as a picture: a file of SVG.
#ifndef HEDDLE_CLI_ALGORITHMS_LAYOUT_SVG_H
#define HEDDLE_CLI_ALGORITHMS_LAYOUT_SVG_H

#include <stdio.h>

#include "io/documents/document.h"

typedef struct layout_page {
    const io_document *document;
    const hd_layout_box *box;
    const char *title;
} layout_page;

// For page_write, of a layout_page.
void layout_svg(FILE *out, const void *page);

#endif
