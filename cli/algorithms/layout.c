// SPDX-License-Identifier: Apache-2.0
//
// heddle layout: where the boxes and the lines of a document are.
#include <heddle_algorithms.h>

#include <stdio.h>

#include "cli/command.h"
#include "cli/run/page.h"
#include "cli/run/workspace.h"
#include "cli/support/escaped.h"
#include "layout_svg.h"

static const char name[] = "layout";

enum { WIDTH = 800, COLUMNS = 5 }; // of the page, in pixels; of the result

typedef struct layout_args {
    arg_int width;
    const char *svg, *output, *max_bytes;
    bool json;
    context_options run;
} layout_args;

static const arg_option options[] = {
    ARG_INT('w', "width", "PIXELS", "width of the page (800)", layout_args, width, 0, 1 << 24),
    ARG_TEXT(0, "svg", "FILE", "write a picture of the page", layout_args, svg),
    ARG_OUTPUT('o', "output", "FILE",
               "write rows of x, y, width, height and line (-1: a block), as f64:\n.npy, .csv, ...",
               layout_args, output),
    ARG_TEXT(0, "max-bytes", "SIZE", "memory that the document may take, as in 4G", layout_args,
             max_bytes),
    CONTEXT_OPTION_ROWS(layout_args, run),
    ARG_FLAG(0, "json", "one JSON document on standard output", layout_args, json),
    ARG_END,
};

const arg_spec layout_spec = {
    name,
    "FILE",
    "lays out a document of boxes and lines",
    "FILE is HTML of blocks and words: div, p, h1 .. h6, ul, li, b, i, img, br, ..., each with\n"
    "style=\"width: 50%; margin: 0 auto; padding: 8px; text-align: justify\" and the like. Prints\n"
    "a line for each block, word and image: x, y, width and height in pixels, and what it is.\n\n"
    "Examples:\n"
    "  printf '<p>To be, or <b>not</b> to be</p>' >page.html\n"
    "  heddle layout page.html --width 100\n"
    "  heddle layout page.html --svg page.svg\n"
    "  heddle layout page.html -o boxes.csv\n",
    options,
    1,
    1,
};

typedef struct layout_run {
    const layout_args *a;
    const char *file;
    io_document document;
    hd_view boxes, rows; // hd_layout_box; x, y, width, height and line of each node
    int64_t lines, steps;
} layout_run;

static double pixels(int64_t units)
{
    return (double)units / IO_DOCUMENT_UNITS;
}

static int lay_out(workspace *w, layout_run *r)
{
    io_document *d = &r->document;
    const int64_t n = d->count, pixels_wide = r->a->width.given ? r->a->width.value : WIDTH;
    hd_view lines;
    EXIT_TRY(workspace_row(w, HD_TYPE(hd_layout_box), n, &r->boxes));
    EXIT_TRY(workspace_row(w, HD_I64, n, &lines));
    EXIT_TRY(workspace_alloc(w, HD_F64, 2, (int64_t[]){n, COLUMNS}, &r->rows));
    workspace_begin(w);
    EXIT_TRY(
        workspace_call(w, hd_layout(w->ctx, HD_VIEW_OF(HD_TYPE(hd_layout_node), d->node, n),
                                    HD_VIEW_OF(HD_TYPE(hd_layout_style), d->style, d->styles),
                                    pixels_wide * IO_DOCUMENT_UNITS, r->boxes,
                                    &(hd_layout_options){.lines = &lines,
                                                         .count = HD_REF(HD_VIEW(&r->lines, 1)),
                                                         .steps = HD_REF(HD_VIEW(&r->steps, 1))})));
    double *row = r->rows.data;
    const hd_layout_box *b = r->boxes.data;
    for (int64_t k = 0; k < n; k++, row += COLUMNS) {
        row[0] = pixels(b[k].x), row[1] = pixels(b[k].y);
        row[2] = pixels(b[k].width), row[3] = pixels(b[k].height);
        row[4] = (double)((const int64_t *)lines.data)[k];
    }
    return EXIT_DONE;
}

// Spaces and breaks are not printed.
static void print_boxes(const layout_run *r)
{
    const io_document *d = &r->document;
    const double *row = r->rows.data;
    for (int64_t k = 0; k < d->count; k++, row += COLUMNS) {
        const io_document_text *text = &d->text[k];
        const int32_t kind = d->node[k].kind;
        if (kind != HD_LAYOUT_BLOCK && kind != HD_LAYOUT_INLINE) continue;
        printf("%.10g %.10g %.10g %.10g ", row[0], row[1], row[2], row[3]);
        if (text->begin < 0)
            printf("<%s>\n", text->name);
        else
            puts(shown_line(d->letters + text->begin, (size_t)text->length));
    }
}

static void add_members(json *j, const void *user)
{
    const layout_run *r = user;
    const double *page = r->rows.data;
    json_int(j, "nodes", r->document.count);
    json_int(j, "lines", r->lines);
    json_int(j, "steps", r->steps);
    json_real(j, "width", page[2]);
    json_real(j, "height", page[3]);
}

static int emit(workspace *w, const layout_run *r)
{
    const layout_page page = {&r->document, r->boxes.data, r->file};
    if (r->a->svg != NULL) EXIT_TRY(page_write(name, r->a->svg, layout_svg, &page));
    if (r->a->output != NULL || r->a->json)
        return workspace_emit(w, &(emission){.out = r->rows,
                                             .file = r->a->output,
                                             .input = r->file,
                                             .json = r->a->json,
                                             .more = add_members,
                                             .user = r});
    if (r->a->svg != NULL) return EXIT_DONE;
    if (r->document.count > RESULT_MAX_PRINTED) return result_too_long(name, r->document.count);
    print_boxes(r);
    return EXIT_DONE;
}

static int run(workspace *w, layout_run *r)
{
    io_read_options ignored;
    io_error error;
    EXIT_TRY(options_file(name, &(file_options){.max_bytes = r->a->max_bytes}, &ignored));
    if (r->a->svg != NULL) EXIT_TRY(page_can_be(name, r->a->svg));
    EXIT_TRY(workspace_open(w, name, &r->a->run));
    if (io_document_load(&r->document, r->file, &error) != IO_OK) return io_failed(name, &error);
    EXIT_TRY(lay_out(w, r));
    return emit(w, r);
}

int command_layout(int argc, char **argv)
{
    layout_args args = {.svg = NULL};
    workspace w = {0};
    arg_result operands;
    int code;
    if (!args_begin(&layout_spec, argc, argv, &args, &operands, &code)) return code;
    layout_run r = {.a = &args, .file = operands.operand[0]};
    code = run(&w, &r);
    io_document_release(&r.document);
    workspace_close(&w);
    return code;
}
