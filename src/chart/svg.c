// SPDX-License-Identifier: Apache-2.0
//
// Shapes and texts of pictures.
#include "svg.h"

#include "html.h"

void svg_begin(FILE *out, double width, double height, const char *title)
{
    fprintf(out, "<svg width=\"%.6g\" height=\"%.6g\" viewBox=\"0 0 %.6g %.6g\" role=\"img\">",
            width, height, width, height);
    fputs("<title>", out);
    html_text(out, title);
    fputs("</title>\n", out);
}

void svg_end(FILE *out)
{
    fputs("</svg>\n", out);
}

void svg_rectangle(FILE *out, double x, double y, double width, double height, const char *style,
                   const char *tip)
{
    fprintf(out, "<rect class=\"%s\" x=\"%.6g\" y=\"%.6g\" width=\"%.6g\" height=\"%.6g\"", style,
            x, y, width, height);
    if (tip == NULL) {
        fputs("/>\n", out);
        return;
    }
    fputs("><title>", out);
    html_text(out, tip);
    fputs("</title></rect>\n", out);
}

void svg_line(FILE *out, double x1, double y1, double x2, double y2, const char *style)
{
    fprintf(out, "<line class=\"%s\" x1=\"%.6g\" y1=\"%.6g\" x2=\"%.6g\" y2=\"%.6g\"/>\n", style,
            x1, y1, x2, y2);
}

void svg_arc(FILE *out, double x1, double x2, double y, double depth, const char *style)
{
    fprintf(out,
            "<path class=\"%s\" d=\"M%.6g %.6gQ%.6g %.6g %.6g %.6gm-2.5 4.5l2.5 -4.5l2.5 4.5\"/>\n",
            style, x1, y, (x1 + x2) / 2, y + 2 * depth, x2, y);
}

static const char *const anchors[] = {"start", "middle", "end"};

void svg_text(FILE *out, double x, double y, svg_anchor anchor, const char *text)
{
    fprintf(out, "<text x=\"%.6g\" y=\"%.6g\" text-anchor=\"%s\">", x, y, anchors[anchor]);
    html_text(out, text);
    fputs("</text>\n", out);
}

void svg_text_upwards(FILE *out, double x, double y, svg_anchor anchor, const char *text)
{
    fprintf(out, "<text transform=\"translate(%.6g %.6g) rotate(-90)\" text-anchor=\"%s\">", x, y,
            anchors[anchor]);
    html_text(out, text);
    fputs("</text>\n", out);
}
