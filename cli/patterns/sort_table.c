// SPDX-License-Identifier: Apache-2.0
//
// heddle sort --key of a table of text: the column becomes numbers, the lines stay as they are and
// are written in their order, the header first.
#include "sort_table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "io/stream/format.h"
#include "io/table.h"

static bool has_lines(io_format format)
{
    return format == IO_CSV || format == IO_TEXT;
}

bool table_sort_fits(const table_sort *t)
{
    const io_format in =
        t->format != NULL ? io_format_named(t->format) : io_format_by_name(t->file);
    return has_lines(in) && (t->output == NULL || t->argsort || strcmp(t->output, "-") == 0 ||
                             has_lines(io_format_by_name(t->output)));
}

int64_t table_sort_column(const char *key)
{
    char *end;
    errno = 0;
    const long long k = strtoll(key, &end, 10);
    return *key != '\0' && *end == '\0' && errno == 0 && k >= 1 ? k - 1 : -1;
}

// A title wins over a number: columns may be called 2024.
static int find_column(const workspace *w, const io_table *table, const char *key, int64_t *column)
{
    *column = table->header ? io_table_find(table, key) : -1;
    if (*column < 0) *column = table_sort_column(key);
    if (*column < 0)
        return fail(EXIT_USAGE, w->command,
                    "--key %s: expected the number of a column, from 1 on, or a title of the table",
                    key);
    if (*column >= table->columns)
        return fail(EXIT_USAGE, w->command, "--key %s: the table has %lld columns", key,
                    (long long)table->columns);
    return EXIT_DONE;
}

// ---- The document -------------------------------------------------------------------------------

static int64_t longest_line(const io_table *table)
{
    int64_t longest = table->header ? table->head.end - table->head.begin : 0;
    for (int64_t r = 0; r < table->rows; r++) {
        const int64_t length = table->row[r].end - table->row[r].begin;
        if (length > longest) longest = length;
    }
    return longest;
}

static void json_line(json *j, const char *key, const io_table *table, io_line line, char *buffer)
{
    const size_t length = (size_t)(line.end - line.begin);
    memcpy(buffer, table->text.data + line.begin, length);
    buffer[length] = '\0';
    json_text(j, key, buffer);
}

static int write_document(const workspace *w, const table_sort *t, const io_table *table,
                          hd_view order)
{
    const int64_t *index = order.data;
    char *buffer = malloc((size_t)longest_line(table) + 1);
    if (buffer == NULL) return fail(EXIT_IO, w->command, "no memory for a line of %s", t->file);
    json j = json_begin(stdout);
    json_text(&j, "command", w->command);
    json_text(&j, "file", t->file);
    json_text(&j, "key", t->key);
    json_int(&j, "rows", table->rows);
    json_int(&j, "columns", table->columns);
    options_json(&j, w->ctx, w->seconds);
    if (table->header) json_line(&j, "header", table, table->head, buffer);
    if (t->output != NULL) {
        json_text(&j, "output", t->output);
    } else {
        json_list(&j, "lines");
        for (int64_t r = 0; r < table->rows; r++)
            json_line(&j, NULL, table, table->row[index[r]], buffer);
        json_close(&j);
    }
    json_end(&j);
    free(buffer);
    return EXIT_DONE;
}

// ---- Sorting ------------------------------------------------------------------------------------

static int sort_lines(workspace *w, const table_sort *t, const io_table *table, hd_view *order)
{
    io_error error;
    io_array keys;
    int64_t column;
    if (t->json && t->output != NULL && strcmp(t->output, "-") == 0)
        return fail(EXIT_USAGE, w->command,
                    "--json: standard output already has the lines of -o -");
    EXIT_TRY(find_column(w, table, t->key, &column));
    EXIT_TRY(workspace_row(w, HD_I64, table->rows, order));
    if (io_table_column(table, column, t->type, &keys, &error) != IO_OK)
        return io_failed(w->command, &error);
    const hd_sort_options how = {.descending = t->descending, .indices = order};
    workspace_begin(w);
    const int code = workspace_call(w, hd_sort(w->ctx, keys.view, HD_EMPTY, HD_NO_VALUES, &how));
    io_array_release(&keys);
    if (code != EXIT_DONE || t->argsort) return code;
    const char *to = t->output != NULL ? t->output : "-";
    if ((t->output != NULL || !t->json) && io_table_write(table, to, *order, &error) != IO_OK)
        return io_failed(w->command, &error);
    return t->json ? write_document(w, t, table, *order) : EXIT_DONE;
}

int table_sort_run(workspace *w, const table_sort *t, hd_view *order)
{
    io_error error;
    io_table table;
    if (io_table_load(&table, t->file, t->header, &error) != IO_OK)
        return io_failed(w->command, &error);
    const int code = sort_lines(w, t, &table, order);
    io_table_release(&table);
    return code;
}
