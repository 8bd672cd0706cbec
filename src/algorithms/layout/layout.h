// SPDX-License-Identifier: Apache-2.0
// One call of hd_layout: the document as rows, the tree of its boxes, its lines.
#ifndef HEDDLE_ALGORITHMS_LAYOUT_LAYOUT_H
#define HEDDLE_ALGORITHMS_LAYOUT_LAYOUT_H

#include <heddle_algorithms.h>

#include "../support/frame.h"
#include "layout_source.h"

// The boxes of the tree are the blocks and one for each paragraph, in the order of the document.
// Rows are of i32 where nothing else is said.
typedef struct hd__layout {
    hd__frame f;
    int64_t n, boxes, lines;
    int64_t width;  // of the page
    int64_t steps;  // rounds so far
    hd_view nodes;  // layout_node
    hd_view styles; // layout_style
    // Of boxes
    hd_view source;            // its node: the block, or the first one of the paragraph
    hd_view depth, parent;     // the root is its own
    hd_view rule;              // layout_style; of a paragraph all zero
    hd_view end;               // the first box behind all that are in it, or how many there are
    hd_view frame;             // the nearest box of a given height, itself too, or -1
    hd_view path;              // layout_path, up to the root; until widths are there
    hd_view width_of;          // of its content
    hd_view inner;             // i64: the height of its lines; 0 for a block
    hd_view left, top, height; // i64: edges of a box, and its height
    // Of nodes
    hd_view begins; // n + 1 of u8: IS_BOX | ...; the end of the document begins a line
    // n + 1 numbers each, of the nodes before one: their widths (i64), how many are spaces, and 1
    // more than the number of the last word, or 0
    hd_view widths, spaces, words;
    hd_view line_of; // its line; of a block one that there is
    // Of lines
    hd_view line_begin; // its first node; and n
    hd_view line_box;   // its paragraph
    hd_view line_block; // the block around that, whose style it has
    hd_view ascent, descent;
    hd_view line_top; // i64: from the top of the paragraph
    hd_view line;     // layout_line
} hd__layout;

// The stages, in this order: source .. path and begins; width_of; inner, widths .. line_of, and of
// lines all but where they are; where boxes and lines are, and out, a layout_box a node.
hd_status hd__layout_tree(hd__layout *a);
hd_status hd__layout_widths(hd__layout *a);
hd_status hd__layout_lines(hd__layout *a);
hd_status hd__layout_places(hd__layout *a, hd_view out);

#endif
