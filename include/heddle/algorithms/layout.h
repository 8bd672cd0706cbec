// SPDX-License-Identifier: Apache-2.0
// hd_layout: where the boxes and the lines of a document are. Part of heddle_algorithms.h.
#ifndef HEDDLE_LAYOUT_H
#define HEDDLE_LAYOUT_H

#include "../../heddle.h"

#ifdef __cplusplus
extern "C" {
#endif

// A document is a tree in document order: every node before its children, these in their order. A
// node that is not a block has no children and stands in a line of the block it is in.
typedef enum hd_layout_kind {
    HD_LAYOUT_BLOCK = 0, // a box as wide as its container lets it be, below the one before it
    HD_LAYOUT_INLINE,    // a word, or an image: no line ends between two that stand side by side
    HD_LAYOUT_SPACE,     // a line may end here; of no width: between two syllables
    HD_LAYOUT_BREAK,     // the line ends here
    HD_LAYOUT_KINDS
} hd_layout_kind;

typedef enum hd_layout_align {
    HD_LAYOUT_LEFT = 0,
    HD_LAYOUT_RIGHT,
    HD_LAYOUT_CENTER,
    HD_LAYOUT_JUSTIFY, // of lines alone
    HD_LAYOUT_ALIGNS
} hd_layout_align;

// Lengths are whole numbers of any unit, the same for all: 1/64 pixel is what browsers take. No
// length of a node or a style is beyond 2^30, up or down.
typedef struct hd_layout_node {
    int32_t depth; // links to the root: 0 for node 0 alone
    int32_t kind;  // hd_layout_kind; node 0 is a block
    int32_t style; // of a block: its row of the styles
    // Of the others. What lies above the baseline and what below it: their sum is the height
    int32_t width, ascent, descent;
} hd_layout_node;

// Which members of a style count; of the others the value is not used.
enum { HD_LAYOUT_WIDTH = 1, HD_LAYOUT_MAX_WIDTH = 2, HD_LAYOUT_HEIGHT = 4 };

// All zero: a block without margins that is as wide as its container and as high as what it has.
typedef struct hd_layout_style {
    uint32_t given;    // HD_LAYOUT_WIDTH | ...: what is not found but given
    int32_t width;     // of the content: width, and so many hundredths of a percent of that of the
    int32_t percent;   // container's content, rounded down; percent is not negative
    int32_t min_width; // not negative; where both apply, stronger than max_width
    int32_t max_width; // not negative
    int32_t height;    // of the content, not negative; more than that sticks out below
    // Top, right, bottom, left. Margins may be negative, and are added, not merged, where two meet;
    // padding is what lies between the edge of the box and its content, a border too
    int32_t margin[4], padding[4];
    int32_t align;      // of the box, where its container has room beside it; not HD_LAYOUT_JUSTIFY
    int32_t text_align; // of its lines
    int32_t line_height; // of its lines, at least; not negative
} hd_layout_style;

// A block's box is within its margins, and includes its padding. An inline node's is as high as its
// ascent and descent; that of a space is as wide as the space has become.
typedef struct hd_layout_box {
    int64_t x, y, width, height; // from the left and from the top of the page, downwards
} hd_layout_box;

typedef struct hd_layout_options {
    size_t size;          // sizeof(hd_layout_options), or 0: its size in version 0.1
    const hd_view *lines; // i32 or i64, a number for each node: which line it is in, from 0 on
                          // through the whole document; -1: a block
    const hd_view *count; // one i64, receives how many lines there are
    const hd_view *steps; // one i64, receives how many rounds of pointers and percentages it took
} hd_layout_options;

// boxes = the layout of a document on a page of the width: n nodes (hd_layout_node), the styles of
// its blocks, and a box for each node (hd_layout_box), all in one dimension. What is defined is
// what one gets who goes through the nodes in their order:
//
//   blocks      The content of a block is as wide as that of its container, less its own margins
//               and padding; or as its style says. It is then made at most max_width wide and at
//               least min_width, and in any case 0 to 2^30. The container of node 0 is the page.
//               What is in a block lies there from the top down; the content is as high as that.
//   lines       Inline nodes that follow one another in a block are a paragraph. Each of its lines
//               takes as many nodes as fit into the width of the block, and ends behind spaces, a
//               break or the last node; spaces at its end hang over and need no room. What no space
//               parts stays in one line, also where the line is too short for it. A break that is
//               the last node opens no further line. (Greedy, or first fit.)
//   baselines   A line is as high as its greatest ascent and its greatest descent, of spaces and
//               breaks too, and at least line_height; half of what that adds, rounded down, is
//               above. All nodes of a line stand on its baseline.
//   alignment   The room that a line leaves is on its right, on its left, or half (rounded down) on
//               its left. Justified, it goes to the spaces before the line's last word: with k of
//               them, the first j have j / k of the room, rounded down. Lines that a break or the
//               end of their paragraph ends are not justified.
//
//     // A box of 20 in a page of 30, with "aaaa bb" and "c" behind a break.
//     const hd_layout_style styles[] = {{0}, {.given = HD_LAYOUT_WIDTH, .width = 20}};
//     const hd_layout_node nodes[] = {
//         {0, HD_LAYOUT_BLOCK, 0, 0, 0, 0},  {1, HD_LAYOUT_BLOCK, 1, 0, 0, 0},
//         {2, HD_LAYOUT_INLINE, 0, 16, 8, 2}, {2, HD_LAYOUT_SPACE, 0, 4, 8, 2},
//         {2, HD_LAYOUT_INLINE, 0, 8, 8, 2},  {2, HD_LAYOUT_BREAK, 0, 0, 8, 2},
//         {2, HD_LAYOUT_INLINE, 0, 4, 8, 2}};
//     hd_layout_box boxes[7];
//     hd_layout(ctx, HD_VIEW_OF(HD_TYPE(hd_layout_node), nodes, 7),
//               HD_VIEW_OF(HD_TYPE(hd_layout_style), styles, 2), 30,
//               HD_VIEW_OF(HD_TYPE(hd_layout_box), boxes, 7), NULL);
//     // boxes[4]: x 0, y 10, width 8, height 10; boxes[1] is 20 wide and 30 high
//
//   Method      Blocks (and a box for each paragraph) in order of depth tell who is whose parent.
//               A width is a function of the container's, min(high, max(low, x + b)); such
//               functions compose along the path to the root by pointer jumping. A percentage
//               rounds, so paths are cut there, and what lies below it waits for its width. Lines:
//               prefix sums of widths, in which the end of the line that would begin at each word
//               is found by binary search; which words do begin one is found by pointer jumping
//               from each paragraph's first. Ascents and descents are segmented reductions; heights
//               of lines and boxes go up as differences of prefix sums over the order in which
//               nodes are entered and left, and places come down as these sums. Work
//               O(n log n + b log d + w log l) and steps O(log n + p) for n nodes, b of them blocks
//               or paragraphs, d deep, w words, l lines between two breaks at most, and p
//               percentages on a path to the root. (Layout as passes over a tree: Meyerovich and
//               Bodik 2010, "Fast and parallel webpage layout"; pointer jumping: Wyllie 1979.)
//   Aliasing    outputs may overlap neither inputs nor each other.
//   Exactness   exact: integers, in which nothing overflows within the bounds of lengths.
//   Cost        about ten passes over the nodes; 25 bytes of scratch a node, 40 a word, 60 a line,
//               250 a block or a paragraph. Waits for a device.
//   Returns     HD_ERROR_VALUE for a node or a style that breaks a rule of its structure (the text
//               names the first, what it is and what was expected); HD_ERROR_ARGUMENT for a width
//               that is not in 0 .. 2^30, HD_ERROR_SHAPE for more than 2^29 nodes or styles,
//               HD_ERROR_TYPE, and the usual ones. Without nodes there is nothing to do.
HD_API HD__CHECKED hd_status hd_layout(hd_context *ctx, hd_view nodes, hd_view styles,
                                       int64_t width, hd_view boxes,
                                       const hd_layout_options *options);

#ifdef __cplusplus
}
#endif

#endif
