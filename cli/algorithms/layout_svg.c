// SPDX-License-Identifier: Apache-2.0
//
// Blocks as outlines, images as crossed boxes, words at their baselines. Each word is as wide as
// the layout has it, whichever font the viewer has.
#include "layout_svg.h"

#include "chart/html.h"

static double pixels(int64_t units)
{
    return (double)units / IO_DOCUMENT_UNITS;
}

static void draw_box(FILE *out, const hd_layout_box *b, const char *color)
{
    fprintf(out,
            "<rect x=\"%.10g\" y=\"%.10g\" width=\"%.10g\" height=\"%.10g\" fill=\"none\" "
            "stroke=\"%s\"/>\n",
            pixels(b->x), pixels(b->y), pixels(b->width), pixels(b->height), color);
}

static void draw_image(FILE *out, const hd_layout_box *b)
{
    const double x = pixels(b->x), y = pixels(b->y);
    const double width = pixels(b->width), height = pixels(b->height);
    draw_box(out, b, "#888");
    fprintf(out,
            "<path d=\"M%.10g %.10gl%.10g %.10gm0 %.10gl%.10g %.10g\" stroke=\"#888\" "
            "fill=\"none\"/>\n",
            x, y, width, height, -height, -width, height);
}

static void draw_word(FILE *out, const layout_page *p, int64_t k)
{
    const io_document *d = p->document;
    const io_document_text *text = &d->text[k];
    const hd_layout_box *b = &p->box[k];
    fprintf(out, "<text x=\"%.10g\" y=\"%.10g\" font-size=\"%.10g\"", pixels(b->x),
            pixels(b->y + d->node[k].ascent), pixels(text->size));
    if (text->bold) fputs(" font-weight=\"bold\"", out);
    if (text->italic) fputs(" font-style=\"italic\"", out);
    fprintf(out, " textLength=\"%.10g\" lengthAdjust=\"spacingAndGlyphs\">", pixels(b->width));
    html_bytes(out, d->letters + text->begin, (size_t)text->length);
    fputs("</text>\n", out);
}

void layout_svg(FILE *out, const void *page)
{
    const layout_page *p = page;
    const io_document *d = p->document;
    const double width = pixels(p->box[0].width), height = pixels(p->box[0].height);
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.10g\" height=\"%.10g\" "
            "viewBox=\"0 0 %.10g %.10g\" font-family=\"Helvetica, Arial, Liberation Sans, "
            "sans-serif\">\n<title>",
            width, height, width, height);
    html_text(out, p->title);
    fputs("</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n", out);
    for (int64_t k = 0; k < d->count; k++) {
        if (d->node[k].kind == HD_LAYOUT_BLOCK) draw_box(out, &p->box[k], "#b8cce4");
        if (d->node[k].kind != HD_LAYOUT_INLINE) continue;
        if (d->text[k].begin >= 0)
            draw_word(out, p, k);
        else
            draw_image(out, &p->box[k]);
    }
    fputs("</svg>\n", out);
}
