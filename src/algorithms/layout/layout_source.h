// SPDX-License-Identifier: Apache-2.0
// The elements of hd_layout, for the compilers of all backends: the structures of its header, paths
// of the tree, lines; and what can be said of one of them.
#ifndef HEDDLE_ALGORITHMS_LAYOUT_LAYOUT_SOURCE_H
#define HEDDLE_ALGORITHMS_LAYOUT_LAYOUT_SOURCE_H

#include <heddle.h>

HD_SOURCE(
    layout_source,
    // Structures and constants as in heddle/algorithms/layout.h.
    typedef struct { int32_t depth, kind, style, width, ascent, descent; } layout_node;
    typedef struct {
        uint32_t given;
        int32_t width, percent, min_width, max_width, height, margin[4], padding[4];
        int32_t align, text_align, line_height;
    } layout_style;
    typedef struct { int64_t x, y, width, height; } layout_box;
    enum {KIND_BLOCK, KIND_INLINE, KIND_SPACE, KIND_BREAK};
    enum {AT_LEFT, AT_RIGHT, AT_CENTER, JUSTIFIED};
    enum {GIVEN_WIDTH = 1, GIVEN_MAX_WIDTH = 2, GIVEN_HEIGHT = 4, GIVEN_ALL = 7};
    enum {TOP, RIGHT, BOTTOM, LEFT}; enum {MOST = 1073741824}; // of a length
    enum {BAD_KIND = 1, BAD_DEPTH, BAD_STYLE, BAD_WIDTH, BAD_HEIGHT};

    // ---- What begins at a node ----
    // A box of the tree (a block, or the first node of a paragraph); a piece: words that no line
    // ends between, and the spaces behind them; a piece that begins a line in any case.
    enum {IS_BOX = 1, IS_PIECE = 2, IS_FORCED = 4};
    static inline uint8_t begins_at(layout_node x, layout_node before) {
        const bool first = before.kind == KIND_BLOCK || before.depth != x.depth;
        if (x.kind == KIND_BLOCK) return IS_BOX;
        if (first) return IS_BOX | IS_PIECE | IS_FORCED;
        if (before.kind == KIND_BREAK) return IS_PIECE | IS_FORCED;
        return x.kind == KIND_INLINE && before.kind == KIND_SPACE ? IS_PIECE : 0;
    }

    // ---- Widths ----
    static inline int64_t clamped(int64_t x, int64_t low, int64_t high) {
        return x < low ? low : x > high ? high : x;
    } static inline int64_t least_width(layout_style s) {
        return s.min_width;
    } static inline int64_t most_width(layout_style s) {
        const int64_t most = (s.given & GIVEN_MAX_WIDTH) != 0 ? s.max_width : MOST;
        return most < s.min_width ? s.min_width : most;
    }
    // What is not its content, from left to right.
    static inline int64_t around(layout_style s) {
        return (int64_t)s.margin[LEFT] + s.padding[LEFT] + s.padding[RIGHT] + s.margin[RIGHT];
    } static inline bool is_percentage(layout_style s) {
        return (s.given & GIVEN_WIDTH) != 0 && s.percent != 0;
    }
    // Of the content, in a container of the width x.
    static inline int32_t used_width(layout_style s, int64_t x) {
        const int64_t wanted =
            (s.given & GIVEN_WIDTH) != 0 ? s.width + x * s.percent / 10000 : x - around(s);
        return (int32_t)clamped(wanted, least_width(s), most_width(s));
    }

    // ---- Paths towards the root ----
    // The path from a box up to, and without, the box `up`. The content of the lowest box is
    // min(high, max(low, x + plus)) wide, where x is that of its anchor: the nearest box on the
    // path whose width is a percentage, or the root; -1: none is, and x is that of `up`. Of what
    // the boxes on the path know, the lowest one first: which box is behind all in it; which is of
    // a given height; -1: none knows. And how many percentages there are.
    typedef struct {
        int64_t plus;
        int32_t low, high, anchor, up, end, frame, percentages, none;
    } layout_path;
    static inline layout_path path_of(int32_t box, int32_t parent, int32_t end, layout_style s) {
        layout_path p = {0, 0, MOST, -1, parent, end, -1, 0, 0};
        if ((s.given & GIVEN_HEIGHT) != 0) p.frame = box;
        if (box == 0 || is_percentage(s)) {
            p.anchor = box, p.percentages = box != 0;
            return p;
        }
        p.low = (int32_t)least_width(s), p.high = (int32_t)most_width(s);
        if ((s.given & GIVEN_WIDTH) != 0)
            p.low = p.high = used_width(s, 0);
        else
            p.plus = -around(s);
        return p;
    }
    // The root is up for itself: joining it once more changes nothing.
    static inline layout_path joined(layout_path below, layout_path above) {
        layout_path p = below;
        if (below.anchor < 0) {
            p.plus = below.plus + above.plus, p.anchor = above.anchor;
            p.low = (int32_t)clamped(above.low + below.plus, below.low, below.high);
            p.high = (int32_t)clamped(above.high + below.plus, below.low, below.high);
        }
        p.up = above.up;
        if (below.end < 0) p.end = above.end;
        if (below.frame < 0) p.frame = above.frame;
        p.percentages = below.percentages + above.percentages;
        return p;
    } static inline int32_t width_along(layout_path p, int64_t x) {
        return (int32_t)clamped(x + p.plus, p.low, p.high);
    }

    // ---- Lines ----
    // A node is at x + what comes before it in its paragraph, all widths counted from the begin of
    // the document, and its share of extra: of gaps spaces, those before it.
    typedef struct {
        int64_t x, baseline, extra;
        int32_t gaps, spaces; // how many are stretched; how many come before the line
    } layout_line;
    // The share of the first of the spaces.
    static inline int64_t stretched(layout_line l, int64_t before) {
        const int64_t j = before < l.gaps ? before : l.gaps;
        return l.gaps > 0 ? j * l.extra / l.gaps : 0;
    }
    // What line_height adds to a line, and half of it.
    static inline int64_t leading(layout_style s, int64_t height) {
        return height < s.line_height ? s.line_height - height : 0;
    })

#endif
