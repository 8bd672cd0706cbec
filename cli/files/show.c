// SPDX-License-Identifier: Apache-2.0
//
// heddle show: what a file holds: its format, type and shape, the least, greatest and mean element,
// and the first few. Of an archive, the list of its arrays; of a table with words, its columns.
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "program.h"
#include "io/stream/temporary_file.h"
#include "io/npy/npz.h"
#include "io/table.h"
#include "cli/support/print.h"
#include "cli/support/escaped.h"
#include "cli/run/workspace.h"

static const char name[] = "show";

enum { MAX_ROWS = 4, MAX_COLUMNS = 8, MAX_NAMES = 64 };

typedef struct show_args {
    file_options file;
    context_options run;
    bool json;
} show_args;

static const arg_option options[] = {
    FILE_OPTION_ROWS(show_args, file),
    CONTEXT_OPTION_ROWS(show_args, run),
    ARG_FLAG(0, "json", "one JSON document on standard output", show_args, json),
    ARG_END,
};

const arg_spec show_spec = {
    name,
    "FILE",
    "tells what a file holds: type, shape, least, greatest and mean element, the first few",
    "An .npz archive of several arrays is listed; FILE.npz:NAME is one of them. A CSV table\n"
    "with words in it is shown by its columns.\n\n"
    "Examples:\n"
    "  heddle show x.npy\n"
    "  heddle show x.npy --json\n",
    options,
    1,
    1,
};

typedef struct showing {
    show_args args;
    const char *file;
    io_read_options read;
    workspace w;
    hd_view view;
    io_format format;
    _Alignas(16) unsigned char least[16], greatest[16], mean[16]; // elements of any plain type
    hd_type mean_type;
    bool measured, single; // single: one number, without dimensions
} showing;

static bool is_image(io_format format)
{
    return format == IO_PNG || format == IO_PNM || format == IO_PFM;
}

static int reduce(showing *s, const hd_operator *op, hd_type type, void *out)
{
    const hd_view one = hd_view_of(type, out, 1);
    return workspace_call(&s->w, hd_reduce(s->w.ctx, s->view, op, one, NULL));
}

static int measure(showing *s)
{
    s->mean_type = hd_default_output(HD_MEAN, s->view.type);
    if (hd_count(s->view) == 0 || s->mean_type == HD_NONE) return EXIT_DONE;
    workspace_begin(&s->w);
    EXIT_TRY(reduce(s, HD_MIN, s->view.type, s->least));
    EXIT_TRY(reduce(s, HD_MAX, s->view.type, s->greatest));
    EXIT_TRY(reduce(s, HD_MEAN, s->mean_type, s->mean));
    s->measured = true;
    return EXIT_DONE;
}

static const char *element(const showing *s, int64_t k, char text[PRINT_ROOM])
{
    unsigned char x[16];
    hd__gather(&s->view, k, 1, x);
    return print_value(s->view.type, x, text);
}

// The first elements, a row of the last axis a line.
static void print_first(const showing *s)
{
    const hd_view *v = &s->view;
    const int64_t n = hd_count(*v), columns = v->shape[v->ndim - 1];
    char text[PRINT_ROOM];
    for (int64_t r = 0; r < MAX_ROWS && r * columns < n; r++) {
        printf("%s", r == 0 ? "  first    " : "           ");
        for (int64_t k = 0; k < columns && k < MAX_COLUMNS; k++)
            printf("%s%s", k ? " " : "", element(s, r * columns + k, text));
        puts(columns > MAX_COLUMNS ? " ..." : "");
    }
    if (n > MAX_ROWS * columns) puts("           ...");
}

static void print_text(const showing *s)
{
    const hd_view *v = &s->view;
    char text[IO_SHAPE_ROOM], number[PRINT_ROOM];
    printf("%s: %s\n", shown(s->file), io_format_title(s->format));
    printf("  type     %s\n  shape    %s", hd_type_name(v->type),
           io_shape_text(s->single ? 0 : v->ndim, v->shape, text));
    if (is_image(s->format))
        printf(": %lld x %lld pixels, %lld channel%s", (long long)v->shape[1],
               (long long)v->shape[0], (long long)(v->ndim == 3 ? v->shape[2] : 1),
               v->ndim == 3 ? "s" : "");
    printf("\n  elements %lld, %lld bytes\n", (long long)hd_count(*v),
           (long long)(hd_count(*v) * (int64_t)hd_type_size(v->type)));
    if (s->measured) {
        printf("  min      %s\n", print_value(v->type, s->least, number));
        printf("  max      %s\n", print_value(v->type, s->greatest, number));
        printf("  mean     %s\n", print_value(s->mean_type, s->mean, number));
    }
    print_first(s);
}

static void print_json(const showing *s)
{
    const hd_view *v = &s->view;
    char text[PRINT_ROOM];
    json j = json_begin(stdout);
    json_text(&j, "command", name);
    json_text(&j, "file", s->file);
    json_text(&j, "format", io_format_name(s->format));
    json_text(&j, "element_type", hd_type_name(v->type));
    json_array(&j, "shape");
    for (int32_t k = 0; k < v->ndim && !s->single; k++) json_int(&j, NULL, v->shape[k]);
    json_close(&j);
    json_int(&j, "elements", hd_count(*v));
    if (s->measured) {
        json_number(&j, "min", print_value(v->type, s->least, text));
        json_number(&j, "max", print_value(v->type, s->greatest, text));
        json_number(&j, "mean", print_value(s->mean_type, s->mean, text));
    }
    json_array(&j, "first");
    for (int64_t k = 0; k < MAX_COLUMNS && k < hd_count(*v); k++)
        json_number(&j, NULL, element(s, k, text));
    json_close(&j);
    json_end(&j);
}

static int show_array(showing *s)
{
    EXIT_TRY(measure(s));
    if (s->args.json)
        print_json(s);
    else
        print_text(s);
    return EXIT_DONE;
}

// ---- Archives and tables -------------------------------------------------------------------

typedef struct names {
    int count;
    char name[MAX_NAMES][128];
} names;

static bool note(const char *text, size_t length, void *user)
{
    names *list = user;
    snprintf(list->name[list->count++], sizeof list->name[0], "%.*s", (int)length, text);
    return list->count < MAX_NAMES;
}

static int list_names(const char *file, names *list)
{
    io_source source;
    io_bytes bytes;
    io_error error;
    if (io_source_open(&source, file, &error) != IO_OK) return io_failed(name, &error);
    io_status status = io_bytes_read(&bytes, &source, &error);
    if (status == IO_OK) status = io_npz_list(&bytes, note, list, &error);
    io_bytes_release(&bytes);
    io_source_close(&source);
    return status == IO_OK ? EXIT_DONE : io_failed(name, &error);
}

static void show_member(const char *file, const char *member)
{
    char path[PATH_MAX], text[IO_SHAPE_ROOM];
    io_array array;
    io_error error;
    snprintf(path, sizeof path, "%s:%s", file, member);
    if (io_array_load(&array, path, NULL, &error) == IO_OK)
        printf("  %-16s %-5s %s\n", shown(member), hd_type_name(array.view.type),
               io_shape_text(array.single ? 0 : array.view.ndim, array.view.shape, text));
    else
        printf("  %-16s %s\n", shown(member), error.text);
    io_array_release(&array);
}

static int show_archive(const showing *s, const names *list)
{
    if (s->args.json)
        return fail(EXIT_USAGE, name, "--json: %s has %d arrays: choose one as in %s:%s", s->file,
                    list->count, s->file, list->name[0]);
    printf("%s: an archive of %d arrays\n", shown(s->file), list->count);
    for (int k = 0; k < list->count; k++) show_member(s->file, list->name[k]);
    return EXIT_DONE;
}

static const char *line_of(const io_table *t, io_line line)
{
    const char *text = (const char *)t->text.data + line.begin;
    return shown_line(text, (size_t)(line.end - line.begin));
}

static void print_lines(const io_table *t)
{
    for (int64_t r = 0; r < t->rows && r < MAX_ROWS; r++)
        printf("%s%s\n", r == 0 ? "  first    " : "           ", line_of(t, t->row[r]));
    if (t->rows > MAX_ROWS) puts("           ...");
}

// A CSV file that is not numbers alone; false if it is no table either.
static bool show_table(const showing *s)
{
    io_table t;
    io_error error;
    if (io_table_load(&t, s->file, s->read.header, &error) != IO_OK) return false;
    printf("%s: a table with words\n  rows     %lld\n  columns  %lld\n", shown(s->file),
           (long long)t.rows, (long long)t.columns);
    if (t.header) printf("  header   %s\n", line_of(&t, t.head));
    print_lines(&t);
    io_table_release(&t);
    return true;
}

static int run(showing *s)
{
    names *list = NULL;
    io_reader reader;
    io_error error;
    EXIT_TRY(options_file(name, &s->args.file, &s->read));
    EXIT_TRY(workspace_open(&s->w, name, &s->args.run));
    const io_status status = io_reader_open(&reader, s->file, &s->read, &error);
    s->format = reader.format;
    if (status == IO_OK) {
        io_array *array = &s->w.loaded[s->w.loaded_count++];
        const io_status loaded = io_array_read(array, &reader, &error);
        io_reader_close(&reader);
        if (loaded != IO_OK) return io_failed(name, &error);
        s->view = array->view;
        s->single = array->single;
        return show_array(s);
    }
    const bool pipe = strcmp(s->file, "-") == 0;
    if (s->format == IO_NPZ && status == IO_ARGUMENT && !pipe && strchr(s->file, ':') == NULL &&
        (list = calloc(1, sizeof *list)) != NULL) {
        int code = list_names(s->file, list);
        if (code == EXIT_DONE) code = show_archive(s, list);
        free(list);
        return code;
    }
    if (s->format == IO_CSV && status == IO_FORMAT && !pipe && !s->args.json && show_table(s))
        return EXIT_DONE;
    return io_failed(name, &error);
}

int command_show(int argc, char **argv)
{
    showing s = {.args = {.json = false}};
    arg_result operands;
    int code;
    if (!args_begin(&show_spec, argc, argv, &s.args, &operands, &code)) return code;
    s.file = operands.operand[0];
    code = run(&s);
    workspace_close(&s.w);
    return code;
}
