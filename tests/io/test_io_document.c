// SPDX-License-Identifier: Apache-2.0
//
// Documents: what nodes and styles elements become, blanks, characters by name, lengths and their
// units; places of errors; no memory. Damaged files are tests/fuzz/fuzz_document.c's.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/documents/document.h"
#include "io/support/memory.h"
#include "tests/support/io_memory.h"

static io_document load(const char *text)
{
    io_document d;
    io_error error = {.text = ""};
    CHECK(io_document_load_memory(&d, "x", text, strlen(text), &error) == IO_OK, "%s: %s", text,
          error.text);
    return d;
}

// A node in words: its depth, then <name>, a word, _ for a space, | for a break.
static void check_nodes(const char *text, const char *want)
{
    char got[400] = "";
    io_document d = load(text);
    for (int64_t k = 0; k < d.count; k++) {
        const io_document_text *t = &d.text[k];
        const int32_t kind = d.node[k].kind;
        const size_t used = strlen(got);
        char *to = got + used;
        const size_t room = sizeof got - used;
        if (kind == HD_LAYOUT_SPACE || kind == HD_LAYOUT_BREAK)
            snprintf(to, room, "%s", kind == HD_LAYOUT_SPACE ? "_" : "|");
        else if (t->begin < 0)
            snprintf(to, room, "<%s %d>", t->name, (int)d.node[k].depth);
        else
            snprintf(to, room, "%.*s%s%s;", (int)t->length, d.letters + t->begin,
                     t->bold ? "*" : "", t->italic ? "/" : "");
    }
    CHECK(strcmp(got, want) == 0, "%s: %s, expected %s", text, got, want);
    io_document_release(&d);
}

static void test_nodes(void)
{
    check_nodes("", "<page 0>");
    check_nodes(" \n ", "<page 0>");
    check_nodes("a  b\n", "<page 0>a;_b;");
    check_nodes("<p> a <b> b </b>c</p> <p>d</p>", "<page 0><p 1>a;_b*;_c;<p 1>d;");
    check_nodes("a<i>b</i>", "<page 0>a;b/;");
    check_nodes("a <br/> b<br>", "<page 0>a;|b;|");
    check_nodes("a<wbr>b <wbr>c", "<page 0>a;_b;_c;");
    check_nodes("<div>a<P>b</p>c<hr/></DIV>", "<page 0><div 1>a;<p 2>b;c;<hr 2>");
    check_nodes("<ul><li>x</li></ul>", "<page 0><ul 1><li 2>\xe2\x80\xa2;_x;");
    check_nodes("a <img width=1 height=\"2\">b", "<page 0>a;_<img 1>b;");
    check_nodes("<!doctype html><head><p></head><!-- <p> -->&lt;&#65;&nbsp;&#x20ac;",
                "<page 0><A\xc2\xa0\xe2\x82\xac;");
    check_nodes("> >", "<page 0>>;_>;");
    check_nodes("<p class='a b' style=''/>", "<page 0><p 1>");
}

static void test_sizes(void)
{
    io_document d = load("Aa <small>i</small><img width=3 height=4>");
    CHECK(d.count == 5, "%lld nodes", (long long)d.count);
    const hd_layout_node *x = d.node;
    // Helvetica: A 667, a 556, blank 278, i 222 thousandths of 16 pixels, 1024 units.
    CHECK(x[1].width == (1223 * 1024 + 500) / 1000 && x[2].width == (278 * 1024 + 500) / 1000,
          "%d, %d", (int)x[1].width, (int)x[2].width);
    CHECK(x[1].ascent == 927 && x[1].descent == 217, "%d, %d", (int)x[1].ascent, (int)x[1].descent);
    CHECK(d.text[3].size == 850 && x[3].width == (222 * 850 + 500) / 1000, "%d, %d",
          (int)d.text[3].size, (int)x[3].width);
    CHECK(x[4].width == 192 && x[4].ascent == 256 && x[4].descent == 0, "%d", (int)x[4].width);
    io_document_release(&d);
}

static void check_style(const char *declarations, hd_layout_style want)
{
    char text[300];
    snprintf(text, sizeof text, "<div style=\"%s\">x</div>", declarations);
    io_document d = load(text);
    const hd_layout_style *got = &d.style[1];
    CHECK(d.styles == 2 && memcmp(got, &want, sizeof want) == 0,
          "%s: given %u, width %d, %d, height %d, margins %d %d %d %d, paddings %d %d %d %d, "
          "align %d, %d, line %d",
          declarations, got->given, got->width, got->percent, got->height, got->margin[0],
          got->margin[1], got->margin[2], got->margin[3], got->padding[0], got->padding[1],
          got->padding[2], got->padding[3], got->align, got->text_align, got->line_height);
    io_document_release(&d);
}

static void test_styles(void)
{
    check_style("", (hd_layout_style){.given = 0});
    check_style("width: 10px; WIDTH: 2.5px",
                (hd_layout_style){.given = HD_LAYOUT_WIDTH, .width = 160});
    check_style("width:33.33%", (hd_layout_style){.given = HD_LAYOUT_WIDTH, .percent = 3333});
    check_style("width: 3px; width: auto; height: 0", (hd_layout_style){.given = HD_LAYOUT_HEIGHT});
    check_style(
        "min-width: 1em; max-width: 2em; max-width: 3em",
        (hd_layout_style){.given = HD_LAYOUT_MAX_WIDTH, .min_width = 1024, .max_width = 3072});
    check_style("margin: 1px 2px -3px", (hd_layout_style){.margin = {64, 128, -192, 128}});
    check_style("padding: 1px 2px 3px 4px; padding-left: 0",
                (hd_layout_style){.padding = {64, 128, 192, 0}});
    check_style("margin: 0 auto", (hd_layout_style){.align = HD_LAYOUT_CENTER});
    check_style("margin-right: auto", (hd_layout_style){.align = HD_LAYOUT_LEFT});
    check_style("margin-right: auto; margin-left: auto; margin-right: 1px",
                (hd_layout_style){.align = HD_LAYOUT_RIGHT, .margin = {0, 64, 0, 0}});
    check_style("padding-top: 1em; font-size: 50%", (hd_layout_style){.padding = {512, 0, 0, 0}});
    check_style("text-align: justify; line-height: 1.5",
                (hd_layout_style){.text_align = HD_LAYOUT_JUSTIFY, .line_height = 1536});
    check_style("line-height: 20px", (hd_layout_style){.line_height = 1280});
    io_document d = load("<div style='text-align:right; line-height:2'><p style='font-size:8px'/>"
                         "</div>");
    CHECK(d.style[2].text_align == HD_LAYOUT_RIGHT && d.style[2].line_height == 1024,
          "%d, %d of a child", (int)d.style[2].text_align, (int)d.style[2].line_height);
    io_document_release(&d);
}

static void refused(const char *text, const char *want)
{
    io_document d;
    io_error error = {.text = ""};
    CHECK(io_document_load_memory(&d, "x", text, strlen(text), &error) == IO_FORMAT &&
              d.memory == NULL && strstr(error.text, want) != NULL,
          "%s: \"%s\", expected \"%s\"", text, error.text, want);
}

static void test_refused(void)
{
    refused("\n\n <p>", "x: line 3, column 2: <p> is not closed");
    refused("<p>\n</b>", "line 2, column 1: expected </p>, got </b>");
    refused("</p>", "</p> closes nothing");
    refused("<br></br>", "<br> has no content; expected no </br>");
    refused("<b><p></p></b>", "column 4: a block, <p>, within <b>, which is inline");
    refused("<table>", "<table> is no element of a layout; expected such as div, p");
    refused("a < b", "column 3: expected the name of an element behind <");
    refused("<p =>", "column 4: expected an attribute or the > of <p>, got '='");
    refused("<p a='b", "column 6: expected a ' that ends this value");
    refused("<p a", "the file ends within <p");
    refused("<!-- ", "column 5: expected --> that ends this comment");
    refused("&x;", "'&x' is no character; expected such as &amp;");
    refused("&#xdfff;", "'&#xdfff' is no character");
    refused("&#x110000;", "'&#x110000' is no character");
    refused("<p style='width: 3'>", "column 18: expected a length such as 12px or 1.5em, got '3'");
    refused("<p style='width: -3px'>", "'-3px' is too small; expected 0 .. 16777216px");
    refused("<p style='margin: 1e300em'>", "'1e300em' is too large; expected -16777216px ..");
    refused("<p style='height: 3%'>", "expected a length such as 12px or 1.5em, got '3%'");
    refused("<p style='width: 1e9%'>", "'1e9%': expected 0% .. 1048576%");
    refused("<p style='color: red'>", "column 11: 'color' is no property; expected width,");
    refused("<b style='width: 1px'>", "'width' of an inline element; expected font-size alone");
    refused("<p style='width'>", "expected 'property: value', got 'width'");
    refused("<p style='width:'>", "0 values of width; expected 1");
    refused("<p style='margin: 1px 1px 1px 1px 1px'>", "5 values of margin; expected 1 to 4");
    refused("<p style='text-align: middle'>", "expected left, right, center or justify, got 'midd");
    refused("<p style='font-size: 2000px'>", "'2000px' is too large; expected at most 1024px");
    refused("<img width=3>", "the height of <img>: expected 0 .. 16777216 pixels");
}

static void test_memory(void)
{
    io_document d;
    io_error error = {.text = ""};
    for (int k = 0; k < 2; k++) {
        io_allocations_left = k;
        CHECK(io_document_load_memory(&d, "x", "<p>a</p>", 8, &error) == IO_MEMORY &&
                  d.memory == NULL,
              "allocation %d: %s", k, error.text);
    }
    io_allocations_left = -1;
    CHECK(io_document_load(&d, "/nonexistent.html", &error) == IO_SYSTEM, "%s", error.text);
    io_document_release(&d);
}

int main(void)
{
    test_nodes();
    test_sizes();
    test_styles();
    test_refused();
    test_memory();
    return check_finish();
}
