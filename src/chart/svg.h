// SPDX-License-Identifier: Apache-2.0
//
// Pictures as SVG inside a page. Lengths are in pixels of the picture's own size; it shrinks with
// the page. Colours come from classes of html_style.c, so that they follow light and dark.
#ifndef HEDDLE_CHART_SVG_H
#define HEDDLE_CHART_SVG_H

#include <stdio.h>

// title: what the picture shows, for those who cannot see it.
void svg_begin(FILE *out, double width, double height, const char *title);
void svg_end(FILE *out);

// tip: shown where the pointer rests; may be NULL.
void svg_rectangle(FILE *out, double x, double y, double width, double height, const char *style,
                   const char *tip);
void svg_line(FILE *out, double x1, double y1, double x2, double y2, const char *style);

// An arc that hangs below y from x1 to x2, so deep, with a tip at x2.
void svg_arc(FILE *out, double x1, double x2, double y, double depth, const char *style);

typedef enum svg_anchor { SVG_START, SVG_MIDDLE, SVG_END } svg_anchor;
void svg_text(FILE *out, double x, double y, svg_anchor anchor, const char *text);
// Read from below to above.
void svg_text_upwards(FILE *out, double x, double y, svg_anchor anchor, const char *text);

#endif
