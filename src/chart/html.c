// SPDX-License-Identifier: Apache-2.0
//
// Pages of HTML.
#include "html.h"

#include <stdbool.h>
#include <string.h>

#include "io/support/escape.h"

// Nothing may be loaded, from anywhere.
#define POLICY "default-src 'none'; style-src 'unsafe-inline'"

void html_begin(FILE *out, const char *title)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n", out);
    fputs("<meta http-equiv=\"Content-Security-Policy\" content=\"" POLICY "\">\n", out);
    fputs("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n", out);
    fputs("<meta name=\"color-scheme\" content=\"light dark\">\n<title>", out);
    html_text(out, title);
    fputs("</title>\n<style>\n", out);
    for (int k = 0; html_style[k] != NULL; k++) fputs(html_style[k], out);
    fputs("</style>\n</head>\n<body>\n<main>\n", out);
}

void html_end(FILE *out)
{
    fputs("</main>\n</body>\n</html>\n", out);
}

static void put_character(FILE *out, const char *c, size_t n)
{
    switch (*c) {
    case '<': fputs("&lt;", out); return;
    case '>': fputs("&gt;", out); return;
    case '&': fputs("&amp;", out); return;
    case '"': fputs("&quot;", out); return;
    default: break;
    }
    if (n == 0)
        fputc('?', out);
    else
        fwrite(c, 1, n, out);
}

void html_bytes(FILE *out, const char *text, size_t length)
{
    for (size_t k = 0; k < length;) {
        const size_t n = io_printable_length(text + k, length - k, IO_ESCAPE_KEEP_LINES);
        put_character(out, text + k, n);
        k += n > 0 ? n : 1;
    }
}

void html_text(FILE *out, const char *text)
{
    html_bytes(out, text, strlen(text));
}

static void open_tag(FILE *out, const char *tag, const char *style)
{
    fprintf(out, "<%s", tag);
    if (style != NULL) fprintf(out, " class=\"%s\"", style);
    fputc('>', out);
}

void html_element(FILE *out, const char *tag, const char *style, const char *text)
{
    open_tag(out, tag, style);
    html_text(out, text);
    fprintf(out, "</%s>\n", tag);
}

static double clamp(double x)
{
    return x > 0 ? (x < 1 ? x : 1) : 0; // of nan: 0
}

void html_heat_cell(FILE *out, double heat, const char *label, const char *text)
{
    heat = clamp(heat);
    fprintf(out, "<td class=\"n\" data-label=\"%s\"", label);
    if (heat > 0) fprintf(out, " style=\"--heat:%.0f%%\"", 4 + 66 * heat);
    fputc('>', out);
    html_text(out, text);
    fputs("</td>", out);
}

void html_bar(FILE *out, double fraction, const char *text)
{
    fprintf(out,
            "<span class=\"bar\"><span style=\"width:%.1f%%\"></span></span> <span class=\"dim\">",
            100 * clamp(fraction));
    html_text(out, text);
    fputs("</span>", out);
}

void html_bar_row(FILE *out, const char *label, double fraction, bool faint, const char *text)
{
    html_element(out, "span", "label", label);
    fprintf(out, "<span class=\"track\"><span%s style=\"width:%.1f%%\"></span></span>",
            faint ? " class=\"faint\"" : "", 100 * clamp(fraction));
    html_element(out, "span", "dim", text);
}

void html_steps(FILE *out, int number, int count, int chosen)
{
    for (int k = 0; k < count; k++)
        fprintf(out,
                "<input type=\"radio\" name=\"d%d\" id=\"d%ds%d\"%s aria-label=\"step %d\">"
                "<label for=\"d%ds%d\">%d</label>\n",
                number, number, k, k == chosen ? " checked" : "", k, number, k, k);
}
